#pragma once

#include <string_view>

namespace cornu::inline v0::runtime {

/// Minimum precision of the products (dots and convolutions) of f32 in a program. A device without a faster
/// method computes in f32. Sums are in f32 always, and products of other types are exact in their type.
enum class Precision {
  kAuto,     // the client's setting; without one kHighest, and f32 on a CPU
  kHighest,  // products as accurate as f32's
  kHigh,     // a TPU, a CPU with AMX: three passes of bf16; a GPU: TF32
  kDefault,  // what is fastest: one pass of bf16 on a TPU or a CPU with AMX, TF32 on a GPU
  kBf16,     // operands rounded to bf16 (8 bits of mantissa)
  kTf32,     // operands rounded to TF32 (11 bits of mantissa)
};

/// "auto", "highest", "high", "default", "bf16", "tf32".
/// Errors: InvalidArgument for other words, which names the argument "precision" and begins with `caller`.
Precision parse_precision(std::string_view word, std::string_view caller);
const char* precision_name(Precision precision);

}  // namespace cornu::inline v0::runtime
