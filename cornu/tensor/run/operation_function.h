#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::detail {

/// A single operation as a function of its inputs, which clients prepare or compile.
struct OperationFunction {
  std::unique_ptr<ir::Function> function;
  std::vector<TensorType> results;
};

/// Errors: those of `build`.
OperationFunction make_operation_function(const char* name, std::span<const Tensor> inputs,
                                          BuildManyFn build);

}  // namespace cornu::inline v0::detail
