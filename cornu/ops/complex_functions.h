#pragma once

#include <span>
#include <string_view>

#include "cornu/ir/builder.h"

/// Functions of complex numbers as graphs of their real and imaginary parts.
///
/// Division, absolute values, roots and logarithms scale their arguments, so that no square overflows or
/// vanishes; logarithms near 1 add exact squares. complex<f32> is computed in f64 and rounded, except sums
/// and products.
namespace cornu::inline v0::ops {

/// The real and the imaginary parts of a complex tensor: two tensors of one type.
struct ComplexParts {
  ir::Value re, im;
};

/// Builds the elementwise op `name` of StableHLO, or CHLO's "asin", "acos", "atan", "sinh", "cosh", "asinh",
/// "acosh" or "atanh", from the parts of its operands; both results are empty if there is no such function of
/// complex numbers.
ComplexParts complex_function(ir::Builder& b, std::string_view name, std::span<const ComplexParts> operands);

/// The function `name` of one complex tensor.
ir::Value complex_function_of(ir::Builder& b, std::string_view name, ir::Value z);

/// |z|
ir::Value complex_abs(ir::Builder& b, const ComplexParts& z);

/// Compares by real parts, then by imaginary parts; `direction` is StableHLO's.
ir::Value complex_compare(ir::Builder& b, const ComplexParts& x, const ComplexParts& y,
                          std::string_view direction);

}  // namespace cornu::inline v0::ops
