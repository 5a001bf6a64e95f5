#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::elementwise_unary_folder {

std::span<const ir::OpText> op_texts() {
  static const auto& rows = *new std::vector<ir::OpText>([] {
    std::vector<ir::OpText> made;
    for (const ir::OpDef* def : op_defs())
      made.push_back({.name = def->name, .min_operands = 1, .max_operands = 1});
    return made;
  }());
  return rows;
}

}  // namespace cornu::inline v0::ops::elementwise_unary_folder
