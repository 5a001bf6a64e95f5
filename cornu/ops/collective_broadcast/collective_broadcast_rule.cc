#include "cornu/ops/collectives.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::collective_broadcast_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  const bool has_root = ops::has_dynamic_root(c.op.attributes());
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_some(c, ops::replica_groups(c.op.attributes()).groups))
    for (const std::int64_t member : group) {
      // A group of partitions repeats its only replica, which gets one result.
      if (!results[as_index(member)].empty()) continue;
      for (std::size_t k = 0; k < c.op.results().size(); ++k)
        results[as_index(member)].push_back(has_root ? of_member(c, group, k, root_of(c, member, k))
                                                     : c.operand(group[0], k));
    }
  fill_with_zeros(c, results);
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {{.op = "collective_broadcast", .replicas = ReplicaRule{.of = rule}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::collective_broadcast_folder
