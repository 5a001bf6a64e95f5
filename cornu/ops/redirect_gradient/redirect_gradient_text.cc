#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::redirect_gradient_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.redirect_gradient", .min_operands = 2, .max_operands = 2}};
  return rows;
}

}  // namespace cornu::inline v0::ops::redirect_gradient_folder
