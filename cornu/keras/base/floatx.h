#pragma once

#include "cornu/ir/dtype.h"

/// The floating-point type of Keras's configuration, for dtype_policy() and keras/config/global_settings.h.
namespace cornu::inline v0::keras {

/// The dtype of the policy while set_dtype_policy() was not called: float32, or that of set_floatx().
ir::DType current_floatx();
/// Sets it for all threads. The caller has checked that it is a floating-point type.
void set_current_floatx(ir::DType dtype);

}  // namespace cornu::inline v0::keras
