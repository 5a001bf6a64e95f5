#include "cornu/ops/replica_id/replica_id.h"

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {
namespace replica_id_folder {
namespace {

constexpr ir::OpDef kReplicaId = define_number("replica_id");

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReplicaId>(); }

}  // namespace replica_id_folder

ir::Value replica_id(ir::Builder& builder) {
  return builder.create(replica_id_folder::kReplicaId, {}).result();
}

}  // namespace cornu::inline v0::ops
