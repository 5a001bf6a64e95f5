#include "cornu/tensor/value/concrete.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::detail {

void fail_outside_its_trace(const Tensor& tensor) {
  fail(ErrorCode::kFailedPrecondition, {.reason = ErrorReason::kSymbolicValue},
       "a symbolic tensor ({}) is used outside the program that it was traced for", type_str(tensor.type()));
}

}  // namespace cornu::inline v0::detail
