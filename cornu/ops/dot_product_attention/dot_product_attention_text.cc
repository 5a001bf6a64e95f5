#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::dot_product_attention_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.dot_product_attention", .min_operands = 3, .max_operands = 4},
      {.name = "cornu.dot_product_attention_gradient", .min_operands = 7, .max_operands = 8}};
  return rows;
}

}  // namespace cornu::inline v0::ops::dot_product_attention_folder
