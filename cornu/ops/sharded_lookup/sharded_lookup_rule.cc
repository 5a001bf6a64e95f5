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

/// The CPU engine has kernels for these dtypes.
bool has_kernel(const ir::Op& op) {
  const ir::DType ids = op.operand(1).dtype();
  return ids == ir::DType::kI32 || ids == ir::DType::kI64;
}
bool has_summing_kernel(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return has_kernel(op) && (rows == ir::DType::kF32 || rows == ir::DType::kF64);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {{.op = "cornu.sharded_lookup",
                                       .rows = RowRule{.of = rows_of_lookup},
                                       .replicas = ReplicaRule{.runs_among_processes = has_kernel}},
                                      {.op = "cornu.sharded_lookup_gradient",
                                       .rows = RowRule{.of = rows_of_gradient},
                                       .replicas = ReplicaRule{}},
                                      {.op = "cornu.sharded_gradient_rows",
                                       .replicas = ReplicaRule{.runs_among_processes = has_summing_kernel}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::sharded_lookup_folder
