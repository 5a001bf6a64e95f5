#include "cornu/ops/partition_id/partition_id.h"

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {
namespace partition_id_folder {
namespace {

constexpr ir::OpDef kPartitionId = define_number("partition_id");

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kPartitionId>(); }

}  // namespace partition_id_folder

ir::Value partition_id(ir::Builder& builder) {
  return builder.create(partition_id_folder::kPartitionId, {}).result();
}

}  // namespace cornu::inline v0::ops
