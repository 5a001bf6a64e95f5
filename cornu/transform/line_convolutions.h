#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with convolutions of one long line by one long kernel, as of jnp.convolve, as products of matrices:
/// rows of the line, each with the elements that follow it, times a matrix of the kernel at all shifts within a row. It takes
/// up to three times the multiplications, at the rate of matrices. Only for f32 and f64; results are rounded
/// otherwise. Null if there are none to change.
std::unique_ptr<ir::Function> multiply_long_lines(const ir::Function& function);

}  // namespace cornu::inline v0::transform
