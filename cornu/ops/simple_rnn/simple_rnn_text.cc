#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::simple_rnn_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "cornu.simple_rnn_gradient", .min_operands = 3, .max_operands = 5},
      {.name = "cornu.simple_rnn", .min_operands = 3, .max_operands = 4}};
  return rows;
}

}  // namespace cornu::inline v0::ops::simple_rnn_folder
