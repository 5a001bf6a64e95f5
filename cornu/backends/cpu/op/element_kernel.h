#pragma once

#include <cstddef>
#include <cstdint>

namespace cornu::inline v0::backends::cpu {

/// An elementwise operation on n elements: operand k is in[k], which advances by stride[k] elements (0: one
/// value for all); the result is contiguous and overlaps no operand.
using ElementwiseKernel = void (*)(std::int64_t n, const std::byte* const* in, const std::int64_t* stride,
                                   std::byte* out);

/// The operation that combines the elements of a reduction, in any order; kNone: the order matters, or there
/// is no neutral element.
enum class Combiner { kNone, kSum, kProduct, kMaximum, kMinimum, kAnd, kOr };

}  // namespace cornu::inline v0::backends::cpu
