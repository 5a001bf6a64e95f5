#pragma once

#include "cornu/runtime/executable.h"

namespace cornu::inline v0 {

/// How the convolutions of a program are computed on the CPU.
///
/// "auto":   by Winograd's method where it is faster, unless the environment says CORNU_CONVOLUTION=direct.
/// "direct": by the sums of the definition, whose rounding errors are smaller, up to five times
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
