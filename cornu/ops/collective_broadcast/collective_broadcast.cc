#include "cornu/ops/collective_broadcast/collective_broadcast.h"

#include "cornu/base/check.h"
#include "cornu/ops/collective_permute/collective_permute.h"
#include "cornu/ops/collective_reduce/collective_reduce.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace collective_broadcast_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_some_groups(context.attributes, "C1", "C2");
  return data_types(context, has_dynamic_root(context.attributes) ? "C4" : "C3");
}

/// Member i of each group sends its gradient to the first; other replicas get zeros.
ir::Value sent_to_first(ir::Builder& builder, ir::Value incoming, const ReplicaGroups& groups) {
  ir::Value sum;
  for (std::size_t member = 0; member < groups.groups[0].size(); ++member) {
    SourceTargetPairs pairs;
    for (const ir::Dims& group : groups.groups)
      if (member < group.size()) pairs.emplace_back(group[member], group[0]);
    const ir::Value sent = collective_permute(builder, incoming, pairs, groups.channel_id);
    sum = sum ? add(builder, sum, sent) : sent;
  }
  return sum;
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  const bool has_root = has_dynamic_root(context.op.attributes());
  std::vector<ir::Value> gradients(context.op.operands().size());
  for (std::size_t i = 0; i < context.op.results().size(); ++i) {
    const ir::Value incoming = context.result_gradients[i];
    if (!incoming) continue;
    if (has_root && groups.channel_id > 0)
      fail(ErrorCode::kUnimplemented,
           "[collective_broadcast] from roots of partitions on a channel there is no gradient");
    const auto at = static_cast<std::int64_t>(i);
    gradients[i] = has_root ? collective_reduce_sum(
                                  context.builder, incoming, groups,
                                  slice(context.builder, context.op.operands().back(), {at}, {at + 1}, {1}))
                            : sent_to_first(context.builder, incoming, groups);
  }
  return gradients;
}

const ir::OpDef kCollectiveBroadcast = {.name = "collective_broadcast",
                                        .infer = &infer,
                                        .gradient = &gradient,
                                        .reference = &run_replica_0,
                                        .print_attributes = &print_rooted_groups,
                                        .read_attributes = read_rooted_groups};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCollectiveBroadcast>(); }

}  // namespace collective_broadcast_folder

ir::Value collective_broadcast(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups) {
  return builder.create(collective_broadcast_folder::kCollectiveBroadcast, {x}, group_attributes(groups))
      .result();
}

std::vector<ir::Value> collective_broadcast_from(ir::Builder& builder, std::vector<ir::Value> inputs,
                                                 ir::Value roots, const ReplicaGroups& groups) {
  ir::Attributes attributes = group_attributes(groups);
  attributes.set("has_dynamic_root", true);
  inputs.push_back(roots);
  const ir::Op& op = builder.create(collective_broadcast_folder::kCollectiveBroadcast, std::move(inputs),
                                    std::move(attributes));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
