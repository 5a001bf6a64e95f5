#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::gru_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "cornu.gru_gradient", .min_operands = 4, .max_operands = 6},
                                        {.name = "cornu.gru", .min_operands = 3, .max_operands = 5}};
  return rows;
}

}  // namespace cornu::inline v0::ops::gru_folder
