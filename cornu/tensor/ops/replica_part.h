#pragma once

#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::ops::internal {

/// Draws random numbers in a replica of a strategy: the replica's part of `draw` for the rows of all
/// replicas, so that a row has the same numbers for any number of replicas. Numbers without a row axis, by
/// their extents, are the same for all replicas. If the row axis is unknown, each replica has its own
/// numbers.
/// Without replicas: draw(shape).
Tensor part_of_replica(const Dims& shape, detail::FunctionRef<Tensor(const Dims& shape)> draw);

}  // namespace cornu::inline v0::ops::internal
