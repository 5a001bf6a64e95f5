#include "cornu/ops/collectives.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::collective_broadcast_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_some(c, ops::replica_groups(c.op.attributes()).groups))
    for (const std::int64_t member : group) results[as_index(member)] = {c.operand(group[0], 0)};
  for (std::vector<ir::Value>& result : results)
    if (result.empty()) result = {ops::full(c.builder, c.op.result().type(), 0)};
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {{.op = "collective_broadcast", .replicas = ReplicaRule{.of = rule}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::collective_broadcast_folder
