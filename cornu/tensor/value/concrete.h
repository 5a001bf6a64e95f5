#pragma once

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// Throws FailedPrecondition for a tensor of a program that is being traced elsewhere, or was traced before.
[[noreturn]] void fail_outside_its_trace(const Tensor& tensor);

inline void check_concrete(const Tensor& tensor) {
  if (tensor.is_symbolic()) fail_outside_its_trace(tensor);
}

}  // namespace cornu::inline v0::detail
