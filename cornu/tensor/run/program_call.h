#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

/// Runs of compiled programs on tensors.
namespace cornu::inline v0::detail {

/// Runs a program on state and fixed buffers of the placement; returns its outputs, in host memory if the
/// host can address the placement's device, else on the device.
std::vector<Tensor> execute(runtime::Executable& executable, const Placement& placement,
                            std::span<runtime::Buffer* const> state, std::span<runtime::Buffer* const> fixed,
                            std::span<const TensorType> outputs);

/// Runs a program whose arguments are all fixed, on these tensors. Errors: FailedPrecondition for a symbolic
/// one.
std::vector<Tensor> call_program(runtime::Executable& executable, const Placement& placement,
                                 std::span<const Tensor* const> inputs, std::span<const TensorType> outputs);

}  // namespace cornu::inline v0::detail
