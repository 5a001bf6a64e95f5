#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/backends/cpu/fft/butterflies.h"

namespace cornu::inline v0::backends::cpu {

/// The Fourier transform of lines of n elements, forward and without a factor: Stockham's with radices 4, 2,
/// 3, 5 and the other primes up to kLargestRadix; Bluestein's if n has a larger prime factor. Several lines
/// are transformed at a time, a line in each lane.
/// Threads: safe on different memory.
template <typename T>
class LineTransform {
 public:
  LineTransform(std::int64_t n, IsaLevel level);

  std::int64_t size() const { return n_; }

  /// Elements to leave between arrays that are read and written together: equal offsets in 4 KiB pages would
  /// make loads wait for stores.
  static constexpr std::int64_t kGap = 17 * 64 / sizeof(T);

  /// Elements of working memory for `lanes` lines; besides re and im.
  std::int64_t work_elements(std::int64_t lanes) const;

  /// Transforms re and im, in which element i of lane q is at i * lanes + q, in place. Exchanging re and im
  /// gives the inverse.
  void run(std::int64_t lanes, T* re, T* im, T* work) const;

 private:
  static constexpr std::int64_t kLargestRadix = 31;

  struct Stage {
    std::int64_t radix = 0;
    std::vector<T> twiddle_re, twiddle_im, root_re, root_im;
  };

  void add_stages(std::int64_t n);
  void make_chirp(IsaLevel level);
  void run_chirp(std::int64_t lanes, T* re, T* im, T* work) const;

  std::int64_t n_;
  FftLoops<T> loops_;
  std::vector<Stage> stages_;
  /// Bluestein's: a convolution with a chirp, by a transform of a size with small factors.
  std::unique_ptr<LineTransform> convolution_;
  std::vector<T> chirp_re_, chirp_im_, spectrum_re_, spectrum_im_;
};

}  // namespace cornu::inline v0::backends::cpu
