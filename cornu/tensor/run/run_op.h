#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// Runs an operation on tensors. In a trace it is appended; otherwise, if all tensors are concrete, it runs
/// at once on the current device.
/// Errors: FailedPrecondition for a symbolic tensor outside its trace; exceptions of `build`.
Tensor run_op(const OpKey& key, std::span<const Tensor> inputs, BuildFn build);
/// Runs an operation with several results, as run_op does.
std::vector<Tensor> run_op_many(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build);

/// True if a value derived from x must be made by an operation: x is symbolic, or a recording tape follows
/// it. Otherwise x's bytes may be used directly.
bool must_be_recorded(const Tensor& x);

}  // namespace cornu::inline v0::detail
