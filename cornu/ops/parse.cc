#include "cornu/ops/parse.h"

#include <string>

#include "cornu/ir/op_def.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {
namespace {

const ir::OpDef* find_op(std::string_view full_name) {
  constexpr std::string_view kStableHlo = "stablehlo.", kChlo = "chlo.", kCornu = "cornu.";
  if (full_name.starts_with(kStableHlo)) {
    const ir::OpDef* const op = find_op_def(full_name.substr(kStableHlo.size()));
    return op == nullptr || op->is_composite() ? nullptr : op;
  }
  if (full_name.starts_with(kChlo)) {
    const ir::OpDef* const op = find_op_def(std::string(kCornu).append(full_name.substr(kChlo.size())));
    return op == nullptr || !op->elementwise ? nullptr : op;
  }
  return full_name.starts_with(kCornu) ? find_op_def(full_name) : nullptr;
}

}  // namespace

ir::ParsedModule parse_stablehlo(std::string_view text, const ir::ParseOptions& options) {
  return ir::parse_stablehlo(text, &find_op, options);
}

}  // namespace cornu::inline v0::ops
