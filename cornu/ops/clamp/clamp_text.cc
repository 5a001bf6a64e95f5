#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::clamp_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "clamp", .min_operands = 3, .max_operands = 3}};
  return rows;
}

}  // namespace cornu::inline v0::ops::clamp_folder
