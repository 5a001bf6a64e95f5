#pragma once

#include <immintrin.h>

namespace cornu::inline v0::backends::cpu {

/// Treats subnormal numbers as zero in this thread while it lives: optimizer slots decay into them, and each one costs some hundred cycles.
class FlushDenormals {
 public:
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero); }
  ~FlushDenormals() { _mm_setcsr(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x0040;
  unsigned before_;
};

}  // namespace cornu::inline v0::backends::cpu
