#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::all_gather_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  const auto dimension = c.op.attributes().get<std::int64_t>("all_gather_dim");
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_all(c))
    for (std::size_t i = 0; i < c.op.operands().size(); ++i) {
      std::vector<ir::Value> parts;
      for (const std::int64_t member : group) parts.push_back(c.operand(member, i));
      const ir::Value whole = ops::concatenate(c.builder, parts, dimension);
      for (const std::int64_t member : group) results[as_index(member)].push_back(whole);
    }
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {{.op = "all_gather", .replicas = ReplicaRule{.of = rule}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::all_gather_folder
