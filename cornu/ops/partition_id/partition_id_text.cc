#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::partition_id_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "partition_id", .min_operands = 0, .max_operands = 0}};
  return rows;
}

}  // namespace cornu::inline v0::ops::partition_id_folder
