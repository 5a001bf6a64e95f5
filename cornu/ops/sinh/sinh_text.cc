#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::sinh_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "cornu.sinh", .min_operands = 1, .max_operands = 1}};
  return rows;
}

}  // namespace cornu::inline v0::ops::sinh_folder
