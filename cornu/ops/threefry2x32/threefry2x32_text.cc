#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::threefry2x32_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "cornu.threefry2x32", .min_operands = 4, .max_operands = 4}};
  return rows;
}

}  // namespace cornu::inline v0::ops::threefry2x32_folder
