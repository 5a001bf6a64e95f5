#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::random_uniform_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.random_uniform", .min_operands = 3, .max_operands = 3}};
  return rows;
}

}  // namespace cornu::inline v0::ops::random_uniform_folder
