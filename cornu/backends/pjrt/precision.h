#pragma once

#include <string>
#include <string_view>

namespace cornu::inline v0::backends::pjrt {

/// How exactly a device multiplies f32 in dots and convolutions.
enum class Precision {
  kHighest,  // as f32: what the CPU does
  kHigh,     // a TPU: three passes of bf16; a GPU: TF32
  kDefault,  // what is fastest: a TPU one pass of bf16, a GPU TF32
};

/// "highest", "high", "default". Errors: InvalidArgument.
Precision parse_precision(std::string_view name);

/// StableHLO text, as ir::to_stablehlo prints it, whose dots and convolutions ask for a precision
/// (precision_config). Without it devices take what is fastest.
std::string with_precision(const std::string& text, Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
