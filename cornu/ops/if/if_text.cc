#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::if_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "if", .has_regions = true}};
  return rows;
}

}  // namespace cornu::inline v0::ops::if_folder
