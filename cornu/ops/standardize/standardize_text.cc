#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::standardize_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.standardize", .min_operands = 1, .max_operands = 1},
      {.name = "cornu.standardize_gradient", .min_operands = 3, .max_operands = 3}};
  return rows;
}

}  // namespace cornu::inline v0::ops::standardize_folder
