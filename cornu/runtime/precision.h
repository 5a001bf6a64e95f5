#pragma once

#include <string_view>

namespace cornu::inline v0::runtime {

/// Minimum precision of the products (dots and convolutions) of f32 in a program. A device without a faster
/// method computes exactly. Sums are in f32 always, and products of other types are exact in their type.
enum class Precision {
  kAuto,     // the client's setting; kHighest if it has none
  kHighest,  // products of f32 as they are
  kHigh,     // a TPU: three passes of bf16; a GPU: TF32
  kDefault,  // what is fastest: one pass of bf16 on a TPU, TF32 on a GPU
  kBf16,     // operands rounded to bf16 (8 bits of mantissa)
  kTf32,     // operands rounded to TF32 (11 bits of mantissa)
};

/// "auto", "highest", "high", "default", "bf16", "tf32".
/// Errors: InvalidArgument for other words, which names the argument "precision" and begins with `caller`.
Precision parse_precision(std::string_view word, std::string_view caller);
const char* precision_name(Precision precision);

}  // namespace cornu::inline v0::runtime
