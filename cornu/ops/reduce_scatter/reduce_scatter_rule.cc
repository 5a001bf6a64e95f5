#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::reduce_scatter_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  const auto dimension = c.op.attributes().get<std::int64_t>("scatter_dimension");
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_all(c)) {
    const ir::Value whole = combined(c, group, 0);
    const auto count = static_cast<std::int64_t>(group.size());
    for (std::int64_t i = 0; i < count; ++i)
      results[as_index(group[as_index(i)])] = {part_of(c.builder, whole, dimension, i, count)};
  }
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "reduce_scatter", .replicas = ReplicaRule{.of = rule, .sends_parts = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::reduce_scatter_folder
