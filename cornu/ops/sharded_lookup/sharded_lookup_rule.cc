#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::sharded_lookup_folder {
namespace {

/// The rows of the result are those of the ids: each replica gets back what it asked for.
BatchDependence rows_of_lookup(const RowRuleContext& c) {
  if (!c.operands[0].is_none()) return mixed_by(c.op);
  return without_padding(c.operands[1]);
}

/// Padding reaches the sums unless its gradients are zero.
BatchDependence rows_of_gradient(const RowRuleContext& c) {
  const BatchDependence& gradients = c.operands[0];
  if (are_none(c.operands) || (gradients.is_rows() && gradients.has_zero_padding())) return {};
  return mixed_by(c.op);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "cornu.sharded_lookup", .rows = RowRule{.of = rows_of_lookup}, .replicas = ReplicaRule{}},
      {.op = "cornu.sharded_lookup_gradient",
       .rows = RowRule{.of = rows_of_gradient},
       .replicas = ReplicaRule{}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::sharded_lookup_folder
