#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::max_pool_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.max_pool", .min_operands = 1, .max_operands = 1},
      {.name = "cornu.max_pool_gradient", .min_operands = 2, .max_operands = 2}};
  return rows;
}

}  // namespace cornu::inline v0::ops::max_pool_folder
