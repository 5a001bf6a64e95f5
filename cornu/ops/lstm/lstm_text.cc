#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::lstm_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "cornu.lstm_gradient", .min_operands = 6, .max_operands = 8},
                                        {.name = "cornu.lstm", .min_operands = 4, .max_operands = 5}};
  return rows;
}

}  // namespace cornu::inline v0::ops::lstm_folder
