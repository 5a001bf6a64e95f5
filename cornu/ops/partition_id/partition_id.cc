#include "cornu/ops/partition_id/partition_id.h"

#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace partition_id_folder {
namespace {

ir::TensorType number_type() { return {ir::DType::kU32, {}}; }

const ir::OpDef kPartitionId = {
    .name = "partition_id",
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
  static constexpr const ir::OpDef* defs[] = {&kPartitionId};
  return defs;
}

}  // namespace partition_id_folder

ir::Value partition_id(ir::Builder& builder) {
  return builder.create(partition_id_folder::kPartitionId, {}).result();
}

}  // namespace cornu::inline v0::ops
