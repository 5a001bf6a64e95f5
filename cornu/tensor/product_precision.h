#pragma once

#include "cornu/runtime/precision.h"

namespace cornu::inline v0 {

/// How exactly a program's dots and convolutions of f32 are computed, on devices that are faster when they
/// need not be exact; the CPU engine always computes them in f32.
///
/// "auto":    as the client was told (`precision=` among its settings), else "highest".
/// "highest": as f32.
/// "high":    three passes of bf16 on a TPU, TF32 on a GPU.
/// "default": what is fastest: one pass of bf16 on a TPU, TF32 on a GPU.
/// "bf16", "tf32": operands of dots are rounded to these types; convolutions, for which programs have no such
///            attribute, take "default" and "high". A device that cannot says so when the program is
///            compiled.
/// Errors: InvalidArgument for other words.
class ProductPrecision {
 public:
  ProductPrecision(const char* word) : value_(runtime::parse_precision(word, "")) {}
  runtime::Precision value() const { return value_; }

 private:
  runtime::Precision value_;
};

}  // namespace cornu::inline v0
