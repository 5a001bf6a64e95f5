#pragma once

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// Throws FailedPrecondition: the tensor belongs to a program that is being traced elsewhere, or was.
[[noreturn]] void fail_outside_its_trace(const Tensor& tensor);

inline void check_concrete(const Tensor& tensor) {
  if (tensor.is_symbolic()) fail_outside_its_trace(tensor);
}

}  // namespace cornu::inline v0::detail
