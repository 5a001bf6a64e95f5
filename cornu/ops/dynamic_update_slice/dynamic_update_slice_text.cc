#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::dynamic_update_slice_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "dynamic_update_slice", .min_operands = 2}};
  return rows;
}

}  // namespace cornu::inline v0::ops::dynamic_update_slice_folder
