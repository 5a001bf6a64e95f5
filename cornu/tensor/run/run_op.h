#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// Builds an operation on tensors: appended to the current trace, else, when all are concrete, run at once on
/// the current device.
/// Errors: FailedPrecondition for a symbolic tensor outside its trace; what `build` throws.
Tensor run_op(const OpKey& key, std::span<const Tensor> inputs, BuildFn build);
/// The same for operations of several results.
std::vector<Tensor> run_op_many(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build);

/// Whether something new made of x must be an operation: x is symbolic, or a tape that records follows it.
/// Where it need not, x's bytes may be taken as they are.
bool must_be_recorded(const Tensor& x);

}  // namespace cornu::inline v0::detail
