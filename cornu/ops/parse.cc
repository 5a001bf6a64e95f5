#include "cornu/ops/parse.h"

#include <string>

#include "cornu/ir/bytecode/read.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/chlo_forms.h"
#include "cornu/ops/dynamic_forms.h"
#include "cornu/ops/registry.h"
#include "cornu/ops/token_forms.h"

namespace cornu::inline v0::ops {

const ir::OpDef* find_full_name(std::string_view full_name) {
  constexpr std::string_view kStableHlo = "stablehlo.", kChlo = "chlo.", kCornu = "cornu.";
  if (full_name.starts_with(kStableHlo)) {
    const ir::OpDef* const op = find_op_def(full_name.substr(kStableHlo.size()));
    if (op == nullptr) {
      const ir::OpDef* const form = find_dynamic_form(full_name);
      return form != nullptr ? form : find_token_form(full_name);
    }
    return op->is_stablehlo() ? op : nullptr;
  }
  if (full_name.starts_with(kChlo)) {
    const std::string_view name = full_name.substr(kChlo.size());
    // A composite of CHLO's name, an elementwise composite of ours, an elementwise op of StableHLO.
    if (const ir::OpDef* const op = find_op_def(full_name)) return op;
    for (const std::string& other : {std::string(kCornu).append(name), std::string(name)})
      if (const ir::OpDef* const op = find_op_def(other); op != nullptr && op->elementwise) return op;
    return find_chlo_form(full_name);
  }
  return full_name.starts_with(kCornu) ? find_op_def(full_name) : nullptr;
}

ir::ParsedModule parse_stablehlo(std::string_view program, const ir::ParseOptions& options,
                                 ir::FindOp find_op) {
  return ir::is_bytecode(program) ? ir::read_bytecode(program, find_op, options)
                                  : ir::parse_stablehlo(program, find_op, options);
}

}  // namespace cornu::inline v0::ops
