#pragma once

#include "cornu/keras/base/floatx.h"

namespace cornu::inline v0::keras {

/// The dtype of learning rates: float64 if that is Keras's floatx, else float32, since smaller types would round
/// them.
inline ir::DType rate_dtype() {
  return current_floatx() == ir::DType::kF64 ? ir::DType::kF64 : ir::DType::kF32;
}

}  // namespace cornu::inline v0::keras
