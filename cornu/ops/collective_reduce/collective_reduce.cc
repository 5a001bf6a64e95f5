#include "cornu/ops/collective_reduce/collective_reduce.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/collective_broadcast/collective_broadcast.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace collective_reduce_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_some_groups(context.attributes, "C1", "C2");
  const std::vector<ir::TensorType> types = data_types(context, "C3");
  if (context.regions.size() != 1)
    invalid_argument("(C4) there must be one body; got {}", context.regions.size());
  for (const ir::TensorType& type : types)
    check_scalar_body(*context.regions[0], {{type.dtype, {}}}, "(C4) body");
  return types;
}

/// Groups on a channel are of replicas here and of partitions in collective_broadcast, where one replica's
/// partitions are a group of their own: without a channel both are of replicas.
std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  // pattern: only a sum has a gradient
  if (simple_body_kind(context.op.region(0)) != "add")
    fail(ErrorCode::kUnimplemented, "[collective_reduce] only sums have a gradient");
  ReplicaGroups groups = replica_groups(context.op.attributes());
  groups.channel_id = 0;
  groups.use_global_device_ids = false;
  std::vector<ir::Value> gradients(context.op.operands().size());
  for (std::size_t i = 0; i < context.op.results().size(); ++i) {
    const ir::Value incoming = context.result_gradients[i];
    if (!incoming) continue;
    if (!has_dynamic_root(context.op.attributes())) {
      gradients[i] = collective_broadcast(context.builder, incoming, groups);
      continue;
    }
    const auto at = static_cast<std::int64_t>(i);
    const ir::Value root = slice(context.builder, context.op.operands().back(), {at}, {at + 1}, {1});
    gradients[i] = collective_broadcast_from(context.builder, {incoming}, root, groups)[0];
  }
  return gradients;
}

const ir::OpDef kCollectiveReduce = {.name = "collective_reduce",
                                     .infer = &infer,
                                     .gradient = &gradient,
                                     .reference = &run_replica_0,
                                     .print_attributes = &print_rooted_groups,
                                     .has_regions = true,
                                     .read_attributes = read_rooted_groups};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCollectiveReduce>(); }

}  // namespace collective_reduce_folder

std::vector<ir::Value> collective_reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                                         const ReplicaGroups& groups, const ReduceBody& body,
                                         ir::Value roots) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(
      make_scalar_body(builder, std::span(inputs).first(std::min<std::size_t>(inputs.size(), 1)), body));
  ir::Attributes attributes = group_attributes(groups);
  if (roots) {
    attributes.set("has_dynamic_root", true);
    inputs.push_back(roots);
  }
  const ir::Op& op = builder.create(collective_reduce_folder::kCollectiveReduce, std::move(inputs),
                                    std::move(attributes), std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value collective_reduce_sum(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups,
                                ir::Value root) {
  return collective_reduce(builder, {x}, groups, add_scalars, root)[0];
}

}  // namespace cornu::inline v0::ops
