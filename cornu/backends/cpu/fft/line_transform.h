#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/backends/cpu/fft/butterflies.h"

namespace cornu::inline v0::backends::cpu {

/// The Fourier transform of lines of n elements, forward and without a factor: Stockham's with radices 8, 4, 2,
/// 3, 5 and the other primes up to largest_fft_radix; Bluestein's if n has a larger prime factor. Several lines
/// are transformed at a time, a line in each lane; or a single line as a matrix, whose columns and then rows are
/// transformed with one of them in each lane (the four-step algorithm).
/// Threads: safe on different memory.
template <typename T>
class LineTransform {
 public:
  /// `is_single`: run() gets one line at a time, which is a matrix if n has factors for it.
  LineTransform(std::int64_t n, IsaLevel level, bool is_single = false);

  /// True if a line of n elements can be a matrix.
  static bool is_matrix(std::int64_t n, IsaLevel level);

  std::int64_t size() const { return n_; }
  const FftLoops<T>& loops() const { return loops_; }

  /// Elements of a vector: the lanes of a matrix.
  static constexpr std::int64_t kWidth = 64 / sizeof(T);

  /// Elements to leave between arrays that are read and written together: equal offsets in 4 KiB pages would
  /// make loads wait for stores.
  static constexpr std::int64_t kGap = 17 * 64 / sizeof(T);

  /// Elements of working memory for `lanes` lines; besides re and im.
  std::int64_t work_elements(std::int64_t lanes) const;

  /// Transforms re and im, in which element i of lane q is at i * lanes + q, in place. Exchanging re and im
  /// gives the inverse.
  void run(std::int64_t lanes, T* re, T* im, T* work) const;

 private:
  struct Stage {
    std::int64_t radix = 0;
    std::vector<T> twiddle_re, twiddle_im, root_re, root_im;
  };

  /// Parts whose rows, of a number in each lane, are `row` elements apart.
  template <typename Element>
  struct Rows {
    Element *re = nullptr, *im = nullptr;
    std::int64_t row = 0;
  };

  void add_stages(std::int64_t n);
  void run_stage(const Stage& s, FftStage<T> stage) const;
  void run_stages(std::int64_t lanes, const Rows<const T>& from, const Rows<T>& to, const Rows<T>& near,
                  const Rows<T>& far) const;
  void make_chirp(IsaLevel level, bool is_single);
  void run_chirp(std::int64_t lanes, T* re, T* im, T* work) const;
  void make_matrix(IsaLevel level);
  void run_matrix(T* re, T* im, T* work) const;
  void transform_columns(const T* re, const T* im, std::int64_t first, T* to_re, T* to_im, T* work) const;
  void transform_rows(const T* re, const T* im, std::int64_t first, T* to_re, T* to_im, T* work) const;

  std::int64_t n_;
  bool has_registers_ = false;  // for radix 8
  FftLoops<T> loops_;
  std::vector<Stage> stages_;
  /// Bluestein's: a convolution with a chirp, by a transform of a size with small factors.
  std::unique_ptr<LineTransform> convolution_;
  std::vector<T> chirp_re_, chirp_im_, spectrum_re_, spectrum_im_;
  /// The four-step algorithm's transforms of columns and rows, and the factors between them.
  std::unique_ptr<LineTransform> columns_, rows_;
  std::vector<T> factor_re_, factor_im_;
};

/// The powers of e^(-2 pi i / n).
class Roots {
 public:
  explicit Roots(std::int64_t n);
  std::complex<double> at(std::int64_t k) const;  // 0 <= k < n

 private:
  std::int64_t step_ = 1;
  std::vector<std::complex<double>> coarse_, fine_;
};

}  // namespace cornu::inline v0::backends::cpu
