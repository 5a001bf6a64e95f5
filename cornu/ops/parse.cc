#include "cornu/ops/parse.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/op_texts.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {
namespace {

/// By the definitions' names.
using Table = std::unordered_map<std::string_view, ir::KnownOp>;

const Table& table() {
  // Ops without a row of text have no regions and read each attribute by its kind.
  static const auto& plain = *new std::vector<ir::OpText>([] {
    std::vector<ir::OpText> made;
    for (const ir::OpDef* def : all_op_defs()) made.push_back({.name = def->name});
    return made;
  }());
  static const auto& all = *new Table([] {
    Table made;
    for (const ir::OpText& text : plain) made[text.name] = {find_op_def(text.name), &text};
    for (const ir::OpText& text : all_op_texts()) made.at(text.name).text = &text;
    return made;
  }());
  return all;
}

ir::KnownOp find_named(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? ir::KnownOp() : found->second;
}

ir::KnownOp find_op(std::string_view full_name) {
  constexpr std::string_view kStableHlo = "stablehlo.", kChlo = "chlo.", kCornu = "cornu.";
  if (full_name.starts_with(kStableHlo)) {
    const ir::KnownOp op = find_named(full_name.substr(kStableHlo.size()));
    return op.def == nullptr || op.def->is_composite() ? ir::KnownOp() : op;
  }
  if (full_name.starts_with(kChlo)) {
    const ir::KnownOp op = find_named(std::string(kCornu).append(full_name.substr(kChlo.size())));
    return op.def == nullptr || !op.def->elementwise ? ir::KnownOp() : op;
  }
  return full_name.starts_with(kCornu) ? find_named(full_name) : ir::KnownOp();
}

}  // namespace

ir::ParsedModule parse_stablehlo(std::string_view text, const ir::ParseOptions& options) {
  return ir::parse_stablehlo(text, &find_op, options);
}

}  // namespace cornu::inline v0::ops
