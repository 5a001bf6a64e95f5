#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/collectives.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/select/select.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::collective_reduce_folder {
namespace {

/// `value` if the group's member `i` is the root of result `k`, else zeros.
ir::Value of_root(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i, std::size_t k,
                  ir::Value value) {
  const ir::Value zeros = ops::full(c.builder, value.type(), 0);
  if (!ops::has_dynamic_root(c.op.attributes())) return i == 0 ? value : zeros;
  const ir::Value root = root_of(c, group[i], k);
  const ir::Value own = ops::scalar(c.builder, root.dtype(), static_cast<double>(i));
  const ir::Value is_root = ops::compare(c.builder, root, own, ops::ComparisonDirection::kEq);
  return ops::select(c.builder, ops::broadcast_scalar(c.builder, is_root, value.dims()), value, zeros);
}

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_replicas(c))
    for (std::size_t k = 0; k < c.op.results().size(); ++k) {
      const ir::Value value = combined(c, group, k);
      for (std::size_t i = 0; i < group.size(); ++i)
        results[as_index(group[i])].push_back(of_root(c, group, i, k, value));
    }
  fill_with_zeros(c, results);
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "collective_reduce", .replicas = ReplicaRule{.of = rule, .sends_parts = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::collective_reduce_folder
