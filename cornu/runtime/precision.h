#pragma once

#include <string_view>

namespace cornu::inline v0::runtime {

/// How exactly the products (dots and convolutions) of f32 in a program must be computed. It is a bound from
/// below: a device that has nothing faster computes exactly. Sums are in f32 always, and products of other
/// types are exact in their type.
enum class Precision {
  kAuto,     // as the client was told; without a word to it, kHighest
  kHighest,  // as f32
  kHigh,     // a TPU: three passes of bf16; a GPU: TF32
  kDefault,  // what is fastest: a TPU one pass of bf16, a GPU TF32
  kBf16,     // operands rounded to bf16 (8 bits of mantissa)
  kTf32,     // operands rounded to TF32 (11 bits of mantissa)
};

/// "auto", "highest", "high", "default", "bf16", "tf32".
/// Errors: InvalidArgument for other words, with argument "precision"; `caller` stands in front.
Precision parse_precision(std::string_view word, std::string_view caller);
const char* precision_name(Precision precision);

}  // namespace cornu::inline v0::runtime
