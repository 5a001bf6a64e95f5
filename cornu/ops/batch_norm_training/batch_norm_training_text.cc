#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::batch_norm_training_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.batch_norm_training", .min_operands = 3, .max_operands = 4},
      {.name = "cornu.batch_norm_gradient", .min_operands = 5, .max_operands = 6}};
  return rows;
}

}  // namespace cornu::inline v0::ops::batch_norm_training_folder
