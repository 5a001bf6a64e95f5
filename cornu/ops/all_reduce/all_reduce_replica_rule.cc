#include "cornu/transform/replica_rules.h"

namespace cornu::inline v0::transform::all_reduce_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_all(c))
    for (std::size_t i = 0; i < c.op.operands().size(); ++i) {
      const ir::Value value = combined(c, group, i);
      for (const std::int64_t member : group) results[as_index(member)].push_back(value);
    }
  return results;
}

}  // namespace

std::span<const ReplicaRule> replica_rules() {
  static constexpr ReplicaRule kRules[] = {{.op = "all_reduce", .of = rule, .num_rounds = 2}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::all_reduce_folder
