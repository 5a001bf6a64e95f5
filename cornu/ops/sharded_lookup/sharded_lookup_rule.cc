#include "cornu/ops/sharded_lookup/sharded_lookup.h"
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

/// The CPU engine has kernels of these sums.
bool has_summing_kernel(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return rows == ir::DType::kF32 || rows == ir::DType::kF64;
}

std::vector<ir::Value> gradient_of_processes(ir::Builder& b, const ir::Op& op,
                                             std::span<const ir::Value> operands,
                                             const ops::OuterValues& outer) {
  if (!has_summing_kernel(op)) return {};
  return ops::sharded_lookup_gradient_of_processes(b, op, operands, outer);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "cornu.sharded_lookup",
       .rows = RowRule{.of = rows_of_lookup},
       .replicas = ReplicaRule{.of_processes = ops::sharded_lookup_of_processes}},
      {.op = "cornu.sharded_lookup_gradient",
       .rows = RowRule{.of = rows_of_gradient},
       .replicas = ReplicaRule{.of_processes = gradient_of_processes}},
      {.op = "cornu.sharded_gradient_rows", .replicas = ReplicaRule{}},
      {.op = "cornu.sharded_rows",
       .replicas = ReplicaRule{.runs_among_processes = [](const ir::Op&) { return true; }}},
      {.op = "cornu.sharded_view",
       .replicas = ReplicaRule{.runs_among_processes = [](const ir::Op&) { return true; }}},
      {.op = "cornu.sharded_row_sums", .replicas = ReplicaRule{.runs_among_processes = has_summing_kernel}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::sharded_lookup_folder
