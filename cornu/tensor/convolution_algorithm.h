#pragma once

#include "cornu/runtime/executable.h"

namespace cornu::inline v0 {

/// Algorithm of a program's convolutions on the CPU.
///
/// "auto":   Winograd's method where it is faster, unless CORNU_CONVOLUTION=direct is set in the environment.
/// "direct": the sums of the definition, whose rounding errors are up to five times smaller
/// (docs/guide/layers.md has figures).
/// Errors: InvalidArgument for other words.
class ConvolutionAlgorithm {
 public:
  ConvolutionAlgorithm(const char* word);
  runtime::ConvolutionAlgorithm value() const { return value_; }

 private:
  runtime::ConvolutionAlgorithm value_;
};

}  // namespace cornu::inline v0
