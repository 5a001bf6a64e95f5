#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::case_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "case", .has_regions = true}};
  return rows;
}

}  // namespace cornu::inline v0::ops::case_folder
