#pragma once

#include "cornu/ir/dtype.h"

/// The floating-point type of Keras's configuration, for functions of tensors and the modules above.
namespace cornu::inline v0::detail {

/// The dtype of results that no argument gives a dtype: float32, or that of keras::config::set_floatx(). A program
/// that is compiled keeps the dtype of its trace. A single number of C++ is no smaller than float32.
/// Threads: safe, without a lock.
ir::DType default_float();
/// Sets it for all threads. The caller has checked that it is a floating-point type.
void set_default_float(ir::DType dtype);

}  // namespace cornu::inline v0::detail
