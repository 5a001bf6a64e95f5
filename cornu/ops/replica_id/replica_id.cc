#include "cornu/ops/replica_id/replica_id.h"

#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace replica_id_folder {
namespace {

ir::TensorType number_type() { return {ir::DType::kU32, {}}; }

const ir::OpDef kReplicaId = {
    .name = "replica_id",
    .infer =
        [](const ir::InferContext& context) {
          check_operands(context, 0);
          return std::vector<ir::TensorType>{number_type()};
        },
    .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(); },
    .reference =
        [](const ir::ReferenceContext&) { return std::vector<ir::Literal>{ir::Literal(number_type())}; }};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static constexpr const ir::OpDef* defs[] = {&kReplicaId};
  return defs;
}

}  // namespace replica_id_folder

ir::Value replica_id(ir::Builder& builder) {
  return builder.create(replica_id_folder::kReplicaId, {}).result();
}

}  // namespace cornu::inline v0::ops
