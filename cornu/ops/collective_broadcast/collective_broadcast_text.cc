#include "cornu/ops/collectives.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::collective_broadcast_folder {
std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "collective_broadcast", .read_attributes = &read_groups}};
  return rows;
}

}  // namespace cornu::inline v0::ops::collective_broadcast_folder
