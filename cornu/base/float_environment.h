#pragma once

#include <immintrin.h>

namespace cornu::inline v0 {

/// Sets this thread's default floating-point environment while it lives: rounding to nearest, no traps. Then
/// restores the caller's environment with its flags. Takes a few nanoseconds; less if nothing differs.
///
/// The bits of results do not depend on fesetround or feenableexcept, because all computation runs in such a
/// scope.
class FloatEnvironment {
 public:
  enum class Subnormals { kKept, kZero };

  explicit FloatEnvironment(Subnormals subnormals = Subnormals::kKept) : before_(_mm_getcsr()) {
    const unsigned wanted =
        subnormals == Subnormals::kZero ? kDefault | kFlushToZero | kDenormalsAreZero : kDefault;
    changes_ = (before_ & ~kFlags) != wanted;
    if (changes_) _mm_setcsr(wanted);
  }
  ~FloatEnvironment() {
    if (changes_) _mm_setcsr(before_);
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  static constexpr unsigned kFlags = 0x3f;
  static constexpr unsigned kDefault = 0x1f80;
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x0040;
  unsigned before_;
  bool changes_;
};

}  // namespace cornu::inline v0
