#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::elementwise_binary_folder {

std::span<const ir::OpText> op_texts() {
  static const auto& rows = *new std::vector<ir::OpText>([] {
    std::vector<ir::OpText> made;
    for (const ir::OpDef* def : op_defs())
      made.push_back({.name = def->name, .min_operands = 2, .max_operands = 2});
    return made;
  }());
  return rows;
}

}  // namespace cornu::inline v0::ops::elementwise_binary_folder
