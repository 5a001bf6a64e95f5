#pragma once

#include "cornu/runtime/precision.h"

namespace cornu::inline v0 {

/// Precision of a program's f32 dots and convolutions on devices that are faster with less. On the CPU it is
/// that of large dots where the processor has AMX; all else is computed in f32.
///
/// "auto":    the process's setting, else the client's (`precision=`), else "highest" (on the CPU in f32).
/// "highest": as f32; six passes of bf16 on a TPU and with AMX.
/// "high":    three passes of bf16 on a TPU and with AMX, TF32 on a GPU.
/// "default": the fastest: one pass of bf16 on a TPU and with AMX, TF32 on a GPU.
/// "bf16", "tf32": operands of dots are rounded to these types; convolutions, which have no such attribute in
/// StableHLO, use "default" and "high". A device without support reports an error when the program is
/// compiled.
/// Errors: InvalidArgument for other words.
class ProductPrecision {
 public:
  ProductPrecision(const char* word) : value_(runtime::parse_precision(word, "")) {}
  runtime::Precision value() const { return value_; }

 private:
  runtime::Precision value_;
};

}  // namespace cornu::inline v0
