#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with each complex value replaced by two real ones, its real and its imaginary parts, so
/// that backends need no code for complex numbers. An argument or a result of complex<f32> with shape [d...]
/// becomes f32 with shape [d..., 2], which has the same bytes. Composites of complex numbers are decomposed.
/// Null if there are no complex numbers.
///
/// Errors: Unimplemented for an op that has no form in real and imaginary parts.
std::unique_ptr<ir::Function> split_complex(const ir::Function& function);

}  // namespace cornu::inline v0::transform
