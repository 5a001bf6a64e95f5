#include "cornu/distribute/strategy/replica_context.h"

#include "cornu/base/check.h"
#include "cornu/distribute/strategy/input_context.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::distribute {

Tensor ReplicaContext::replica_id_in_sync_group() const {
  return ops::cast(cornu::detail::replica_id(), DType::kI32);
}

std::int64_t ReplicaContext::num_replicas_in_sync() const { return cornu::detail::num_replicas_in_sync(); }

Strategy ReplicaContext::strategy() const { return get_strategy(); }

Tensor ReplicaContext::all_reduce(ReduceOp op, const Tensor& value) const {
  if (op == ReduceOp::kSum) return cornu::detail::all_reduce(value, cornu::detail::ReplicaReduction::kSum);
  if (!ir::is_float(value.dtype()))
    invalid_argument({.argument = "reduce_op"}, "[all_reduce] integers have no mean; got {}",
                     type_str(value.type()));
  return cornu::detail::all_reduce(value, cornu::detail::ReplicaReduction::kMean);
}

Tensor ReplicaContext::all_gather(const Tensor& value, std::int64_t axis) const {
  return cornu::detail::all_gather(value, axis);
}

bool in_cross_replica_context() {
  return has_strategy() && cornu::detail::current_replica_trace() == nullptr &&
         cornu::detail::num_replicas_in_sync() > 1;
}

ReplicaContext get_replica_context() {
  if (in_cross_replica_context())
    fail(ErrorCode::kFailedPrecondition, {.op = "get_replica_context"},
         "[get_replica_context] the scope of {} is open, but no replica runs: call it in a function that "
         "run() runs",
         get_strategy().name());
  return {};
}

std::int64_t InputContext::get_per_replica_batch_size(std::int64_t global_batch_size) const {
  if (global_batch_size < num_replicas_in_sync || global_batch_size % num_replicas_in_sync != 0)
    invalid_argument(
        {.argument = "global_batch_size"},
        "[get_per_replica_batch_size] global_batch_size must be a multiple of the {} replicas; got {}",
        num_replicas_in_sync, global_batch_size);
  return global_batch_size / num_replicas_in_sync;
}

}  // namespace cornu::inline v0::distribute
