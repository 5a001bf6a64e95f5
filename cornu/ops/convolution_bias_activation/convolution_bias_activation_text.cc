#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::convolution_bias_activation_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.convolution_bias_activation", .min_operands = 3, .max_operands = 3},
      {.name = "cornu.convolution_bias_activation_gradient", .min_operands = 3, .max_operands = 4}};
  return rows;
}

}  // namespace cornu::inline v0::ops::convolution_bias_activation_folder
