#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::all_to_all_folder {
namespace {

/// The part of operand k that the group's member i gets.
ir::Value received(const ReplicaRuleContext& c, const ir::Dims& group, std::int64_t i, std::size_t k) {
  std::vector<ir::Value> parts;
  for (const std::int64_t sender : group)
    parts.push_back(part_of(c.builder, c.operand(sender, k),
                            c.op.attributes().get<std::int64_t>("split_dimension"), i,
                            static_cast<std::int64_t>(group.size())));
  return ops::concatenate(c.builder, parts, c.op.attributes().get<std::int64_t>("concat_dimension"));
}

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_all(c))
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t k = 0; k < c.op.operands().size(); ++k)
        results[as_index(group[i])].push_back(received(c, group, static_cast<std::int64_t>(i), k));
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "all_to_all", .replicas = ReplicaRule{.of = rule, .sends_parts = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::all_to_all_folder
