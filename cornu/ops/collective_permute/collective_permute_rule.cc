#include "cornu/ops/collective_permute/collective_permute.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::collective_permute_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  std::vector<ir::Dims> groups;
  for (const auto& [source, target] : ops::source_target_pairs(c.op.attributes()))
    groups.push_back({source, target});
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_some(c, groups))
    results[as_index(group[1])] = {c.operand(group[0], 0)};
  fill_with_zeros(c, results);
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {{.op = "collective_permute", .replicas = ReplicaRule{.of = rule}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::collective_permute_folder
