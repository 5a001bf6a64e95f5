#include "cornu/ops/collective_broadcast/collective_broadcast.h"

#include <set>

#include "cornu/base/check.h"
#include "cornu/ops/collective_permute/collective_permute.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace collective_broadcast_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  std::set<std::int64_t> seen;
  for (const ir::Dims& group : replica_groups(context.attributes).groups)
    for (const std::int64_t replica : group) {
      if (replica < 0) invalid_argument("(C2) replicas are numbered from 0; got {}", replica);
      if (!seen.insert(replica).second)
        invalid_argument("(C1) replica_groups must name each replica once; got {} twice", replica);
    }
  return {context.type(0)};
}

/// Member i of each group sends its gradient to the first; other replicas get zeros.
std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value incoming = context.result_gradients[0];
  if (!incoming) return {{}};
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  ir::Value sum;
  for (std::size_t member = 0; member < groups.groups[0].size(); ++member) {
    SourceTargetPairs pairs;
    for (const ir::Dims& group : groups.groups) pairs.emplace_back(group[member], group[0]);
    const ir::Value sent = collective_permute(context.builder, incoming, pairs, groups.channel_id);
    sum = sum ? add(context.builder, sum, sent) : sent;
  }
  return {sum};
}

/// Runs replica 0 alone.
std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const ReplicaGroups groups = replica_groups(context.op.attributes());
  if (groups.groups.size() > 1 || groups.groups[0] != ir::Dims{0})
    fail(ErrorCode::kUnimplemented,
         "[collective_broadcast] one replica runs here, and replica_groups name others: the program is for "
         "several devices");
  return {context.operands[0]};
}

const ir::OpDef kCollectiveBroadcast = {.name = "collective_broadcast",
                                        .infer = &infer,
                                        .gradient = &gradient,
                                        .reference = &reference,
                                        .print_attributes = &print_groups,
                                        .read_attributes = read_groups};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCollectiveBroadcast>(); }

}  // namespace collective_broadcast_folder

ir::Value collective_broadcast(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups) {
  return builder.create(collective_broadcast_folder::kCollectiveBroadcast, {x}, group_attributes(groups))
      .result();
}

}  // namespace cornu::inline v0::ops
