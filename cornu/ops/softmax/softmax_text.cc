#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::softmax_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "cornu.softmax", .min_operands = 1, .max_operands = 1}};
  return rows;
}

}  // namespace cornu::inline v0::ops::softmax_folder
