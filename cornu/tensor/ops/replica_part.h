#pragma once

#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::ops::internal {

/// What a replica of a strategy draws: its part of what `draw` gives for the rows of all, so that a row has
/// the same numbers whatever the number of replicas. Numbers that are no row's, as far as extents tell,
/// are the same for all; where nobody knows what a row is, each replica has numbers of its own.
/// Without replicas: draw(shape).
Tensor part_of_replica(const Dims& shape, detail::FunctionRef<Tensor(const Dims& shape)> draw);

}  // namespace cornu::inline v0::ops::internal
