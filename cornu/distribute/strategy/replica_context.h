#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::distribute {

class Strategy;

enum class ReduceOp { kSum, kMean };

/// Information about the current replica for a function that Strategy::run runs. The function is traced once
/// for all replicas, so values that differ between replicas are tensors. Outside of run there is one replica,
/// number 0.
/// Lifetime: the call in which it was obtained.
class ReplicaContext {
 public:
  /// The replica's number, an i32 scalar.
  Tensor replica_id_in_sync_group() const;
  std::int64_t num_replicas_in_sync() const;
  /// The strategy of the current scope.
  Strategy strategy() const;

  /// Reduces elementwise over the tensors of all replicas; the gradient is that of the sum of all replicas'
  /// losses.
  /// Errors: InvalidArgument for the mean of integers.
  Tensor all_reduce(ReduceOp op, const Tensor& value) const;
  /// Concatenates the tensors of all replicas along `axis`.
  /// Errors: InvalidArgument for a scalar and an axis that does not exist.
  Tensor all_gather(const Tensor& value, std::int64_t axis) const;
  /// Calls f(strategy, arguments...) with all replicas synchronized. Replicas of one program are synchronized
  /// at every operation, so f is called at once; use all_reduce() where TensorFlow's function would reduce.
  template <typename F, typename... Arguments>
  auto merge_call(F&& f, Arguments&&... arguments) const;
};

/// The context in a function that Strategy::run runs, and outside of a strategy.
/// Errors: FailedPrecondition in a strategy's scope outside of its run, as in TensorFlow.
ReplicaContext get_replica_context();
/// True if a strategy's scope is open and no replica runs.
bool in_cross_replica_context();

}  // namespace cornu::inline v0::distribute
