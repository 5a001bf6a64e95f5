#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/submitted_call.h"
#include "cornu/tensor/value/tensor.h"

/// Runs of compiled programs on tensors.
namespace cornu::inline v0::detail {

/// Runs a program on state and fixed buffers in memory that the host can address; returns its outputs.
std::vector<Tensor> execute(runtime::Executable& executable, std::span<runtime::Buffer* const> state,
                            std::span<runtime::Buffer* const> fixed, std::span<const TensorType> outputs);

/// Runs a program on another device of the placement. The outputs stay there, and may not be computed yet:
/// what reads them waits (submit_call). Errors: those of submit_call.
std::vector<Tensor> execute_there(std::shared_ptr<runtime::Executable> executable, const Placement& placement,
                                  CallOperands operands, std::span<const TensorType> outputs);

/// Runs a program whose arguments are all fixed, on these tensors. Errors: FailedPrecondition for a symbolic
/// one.
std::vector<Tensor> call_program(std::shared_ptr<runtime::Executable> executable, const Placement& placement,
                                 std::span<const Tensor* const> inputs, std::span<const TensorType> outputs);

}  // namespace cornu::inline v0::detail
