#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::distribute {

class Strategy;

enum class ReduceOp { kSum, kMean };

/// What a function that Strategy::run runs knows of the replica it is run for. It is traced once for all
/// replicas, so what differs from one to another is a tensor. Outside of run there is one replica, number 0.
/// Lifetime: the call that it was asked for in.
class ReplicaContext {
 public:
  /// i32 scalar.
  Tensor replica_id_in_sync_group() const;
  std::int64_t num_replicas_in_sync() const;
  /// The strategy whose scope this is.
  Strategy strategy() const;

  /// Over the tensors of all replicas, element by element; the gradient is that of the sum of all
  /// replicas' losses.
  /// Errors: InvalidArgument for the mean of integers.
  Tensor all_reduce(ReduceOp op, const Tensor& value) const;
  /// The tensors of all replicas behind each other.
  /// Errors: InvalidArgument for a scalar and an axis that is not there.
  Tensor all_gather(const Tensor& value, std::int64_t axis) const;
  /// f(strategy, arguments...) where replicas meet. Replicas of one program are together at every operation,
  /// so that it is called at once: what TensorFlow's function would reduce, this one reduces by all_reduce().
  template <typename F, typename... Arguments>
  auto merge_call(F&& f, Arguments&&... arguments) const;
};

/// In a function that Strategy::run runs, and outside of a strategy.
/// Errors: FailedPrecondition between a strategy's scope and its run, where TensorFlow has none either.
ReplicaContext get_replica_context();
/// Whether a strategy's scope is open and no replica runs.
bool in_cross_replica_context();

}  // namespace cornu::inline v0::distribute
