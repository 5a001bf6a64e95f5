#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::all_reduce_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {
      {.name = "all_reduce", .has_regions = true, .read_attributes = &read_groups}};
  return rows;
}

}  // namespace cornu::inline v0::ops::all_reduce_folder
