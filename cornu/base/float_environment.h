#pragma once

#include <immintrin.h>

namespace cornu::inline v0 {

/// Computes in the default floating-point environment in this thread while it lives, whatever the caller's
/// is: rounded to the nearest, no exception trapped. Restores the caller's after that, with the flags that it
/// had. A few nanoseconds; less where there is nothing to change.
///
/// The bits of a result depend neither on fesetround nor on feenableexcept: everything that computes runs in
/// one of these.
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
