#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::detail {

/// Runs an operation on the current device, which is not one of the default client's: prepared by its client
/// if supported, else as a program, compiled once for a key, the inputs' types and the device.
/// Errors: FailedPrecondition for a symbolic input; those of `build` and the client, with the operation's
///         name.
std::vector<Tensor> run_device_operation(const OpKey& key, std::span<const Tensor> inputs, BuildManyFn build);

}  // namespace cornu::inline v0::detail
