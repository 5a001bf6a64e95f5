#include "cornu/backends/cpu/fft/line_transform.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace cornu::inline v0::backends::cpu {
namespace {

/// cos and sin of -2 pi k / n, from an angle of at most pi / 4.
std::pair<double, double> root_of_one(std::int64_t k, std::int64_t n) {
  k %= n;
  const bool is_lower = 2 * k > n;  // the conjugate of the root n - k
  if (is_lower) k = n - k;
  const std::int64_t eighths = 8 * k / n;  // 0 to 4
  const double turn = 2 * std::numbers::pi / static_cast<double>(n) / 4;
  double c = 0, s = 0;  // of 2 pi k / n
  switch (eighths) {
    case 0:
      c = std::cos(turn * static_cast<double>(4 * k));
      s = std::sin(turn * static_cast<double>(4 * k));
      break;
    case 1:
    case 2:
      c = std::sin(turn * static_cast<double>(n - 4 * k));
      s = std::cos(turn * static_cast<double>(n - 4 * k));
      break;
    default:
      c = -std::cos(turn * static_cast<double>(2 * n - 4 * k));
      s = std::sin(turn * static_cast<double>(2 * n - 4 * k));
  }
  return {c, is_lower ? s : -s};
}

/// The radices of the stages. Radix 8 needs registers for 16 numbers; it saves passes over memory, not operations, so lines
/// that stay in the first cache are faster without it, unless they have no other radix.
std::vector<std::int64_t> radices(std::int64_t n, bool has_registers) {
  constexpr std::int64_t kLong = 400;
  std::vector<std::int64_t> powers, primes;
  int twos = 0;
  const bool is_long = n > kLong;
  for (; n % 2 == 0; n /= 2) ++twos;
  const bool has_eights = has_registers && (n == 1 || is_long);
  for (; has_eights && twos >= 3 && twos != 4; twos -= 3) powers.push_back(8);
  for (; twos >= 2; twos -= 2) powers.push_back(4);
  if (twos == 1) powers.push_back(2);
  for (std::int64_t prime = 3; n > 1; prime += 2)
    for (; n % prime == 0; n /= prime) primes.push_back(prime);
  std::vector<std::int64_t>& first = has_eights ? primes : powers;
  const std::vector<std::int64_t>& last = has_eights ? powers : primes;
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

std::int64_t largest_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t prime = 2; prime * prime <= n; ++prime)
    for (; n % prime == 0; n /= prime) largest = prime;
  return std::max(largest, n);
}

/// The smallest size of at least `n` with no factor but 2, 3 and 5.
std::int64_t smooth_size(std::int64_t n) {
  while (largest_factor(n) > 5) ++n;
  return n;
}

/// The largest divisor of n up to its square root.
std::int64_t middle_factor(std::int64_t n) {
  auto factor = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (factor > 1 && n % factor != 0) --factor;
  return factor;
}

}  // namespace

Roots::Roots(std::int64_t n)
    : step_(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(static_cast<double>(n))))) {
  const auto root = [n](std::int64_t k) {
    const auto [re, im] = root_of_one(k, n);
    return std::complex<double>(re, im);
  };
  for (std::int64_t k = 0; k < step_; ++k) fine_.push_back(root(k));
  for (std::int64_t k = 0; k < n; k += step_) coarse_.push_back(root(k));
}

std::complex<double> Roots::at(std::int64_t k) const {
  const std::complex<double> a = coarse_[static_cast<std::size_t>(k / step_)],
                             b = fine_[static_cast<std::size_t>(k % step_)];
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <typename T>
bool LineTransform<T>::is_matrix(std::int64_t n, IsaLevel level) {
  return middle_factor(n) >= kWidth && largest_factor(n) <= largest_fft_radix(level);
}

template <typename T>
LineTransform<T>::LineTransform(std::int64_t n, IsaLevel level, bool is_single)
    : n_(n), has_registers_(level == IsaLevel::kAvx512), loops_(fft_loops<T>(level)) {
  if (largest_factor(n) > largest_fft_radix(level))
    make_chirp(level, is_single);
  else if (is_single && is_matrix(n, level))
    make_matrix(level);
  else
    add_stages(n);
}

template <typename T>
void LineTransform<T>::make_matrix(IsaLevel level) {
  const std::int64_t num_rows = middle_factor(n_), num_columns = n_ / num_rows;
  columns_ = std::make_unique<LineTransform>(num_rows, level);
  rows_ = std::make_unique<LineTransform>(num_columns, level);
  const Roots roots(n_);
  factor_re_.reserve(static_cast<std::size_t>(n_));
  factor_im_.reserve(static_cast<std::size_t>(n_));
  for (std::int64_t k = 0; k < num_rows; ++k)
    for (std::int64_t j = 0; j < num_columns; ++j) {
      const std::complex<double> root = roots.at(k * j);
      factor_re_.push_back(static_cast<T>(root.real()));
      factor_im_.push_back(static_cast<T>(root.imag()));
    }
}

/// Columns `first` and those after it, a vector of them: transformed and multiplied by the factors.
template <typename T>
void LineTransform<T>::transform_columns(const T* re, const T* im, std::int64_t first, T* to_re, T* to_im,
                                         T* work) const {
  const std::int64_t num_rows = columns_->n_, num_columns = rows_->n_;
  T *const a = work, *const b = a + num_rows * kWidth + kGap;
  T* const more = b + num_rows * kWidth + kGap;
  const Rows<T> to = {a, b, kWidth}, between = {more, more + num_rows * kWidth + kGap, kWidth};
  columns_->run_stages(kWidth, {re + first, im + first, num_columns}, to, between, to);
  loops_.multiply_rows(num_rows, kWidth, a, b, factor_re_.data() + first, factor_im_.data() + first,
                       num_columns, to_re + first, to_im + first);
}

/// Rows `first` and those after it: their elements are those of the result that are num_rows apart.
template <typename T>
void LineTransform<T>::transform_rows(const T* re, const T* im, std::int64_t first, T* to_re, T* to_im,
                                      T* work) const {
  const std::int64_t num_rows = columns_->n_, num_columns = rows_->n_;
  T *const a = work, *const b = a + num_columns * kWidth + kGap;
  for (std::int64_t j = 0; j < num_columns; j += kWidth) {
    const std::int64_t at = std::min(j, num_columns - kWidth);
    loops_.transpose_square(re + first * num_columns + at, num_columns, a + at * kWidth, kWidth);
    loops_.transpose_square(im + first * num_columns + at, num_columns, b + at * kWidth, kWidth);
  }
  T* const more = b + num_columns * kWidth + kGap;
  const Rows<T> from = {a, b, kWidth}, between = {more, more + num_columns * kWidth + kGap, kWidth};
  const bool begins_near = rows_->stages_.size() % 2 == 0;
  rows_->run_stages(kWidth, {a, b, kWidth}, {to_re + first, to_im + first, num_rows},
                    begins_near ? between : from, begins_near ? from : between);
}

template <typename T>
void LineTransform<T>::run_matrix(T* re, T* im, T* work) const {
  const std::int64_t num_rows = columns_->n_, num_columns = rows_->n_;
  T *const between_re = work, *const between_im = work + n_ + kGap;
  T* const more = between_im + n_ + kGap;
  // The last vector may repeat columns of the one before.
  for (std::int64_t j = 0; j < num_columns; j += kWidth)
    transform_columns(re, im, std::min(j, num_columns - kWidth), between_re, between_im, more);
  for (std::int64_t k = 0; k < num_rows; k += kWidth)
    transform_rows(between_re, between_im, std::min(k, num_rows - kWidth), re, im, more);
}

template <typename T>
void LineTransform<T>::add_stages(std::int64_t n) {
  for (const std::int64_t radix : radices(n, has_registers_)) {
    Stage stage{.radix = radix};
    const std::int64_t m = n / radix;
    for (std::int64_t p = 0; p < m; ++p)
      for (std::int64_t k = 1; k < radix; ++k) {
        const auto [re, im] = root_of_one(p * k, n);
        stage.twiddle_re.push_back(static_cast<T>(re));
        stage.twiddle_im.push_back(static_cast<T>(im));
      }
    for (std::int64_t k = 0; radix > 5 && radix != 8 && k < radix; ++k) {
      const auto [re, im] = root_of_one(k, radix);
      stage.root_re.push_back(static_cast<T>(re));
      stage.root_im.push_back(static_cast<T>(im));
    }
    stages_.push_back(std::move(stage));
    n = m;
  }
}

template <typename T>
void LineTransform<T>::make_chirp(IsaLevel level, bool is_single) {
  std::int64_t length = smooth_size(2 * n_ - 1);
  // A matrix of about as many rows as columns.
  while (is_single && length >= kWidth * kWidth && !is_matrix(length, level))
    length = smooth_size(length + 1);
  convolution_ = std::make_unique<LineTransform>(length, level, is_single);
  const auto size = static_cast<std::size_t>(convolution_->n_);
  spectrum_re_.assign(size, 0);
  spectrum_im_.assign(size, 0);
  for (std::int64_t k = 0; k < n_; ++k) {
    const auto [re, im] = root_of_one(k * k % (2 * n_), 2 * n_);
    chirp_re_.push_back(static_cast<T>(re));
    chirp_im_.push_back(static_cast<T>(im));
    for (const std::size_t at : {static_cast<std::size_t>(k), (size - static_cast<std::size_t>(k)) % size}) {
      spectrum_re_[at] = static_cast<T>(re);  // the chirp's conjugate, at k and -k
      spectrum_im_[at] = static_cast<T>(-im);
    }
  }
  std::vector<T> work(static_cast<std::size_t>(convolution_->work_elements(1)));
  convolution_->run(1, spectrum_re_.data(), spectrum_im_.data(), work.data());
}

template <typename T>
std::int64_t LineTransform<T>::work_elements(std::int64_t lanes) const {
  if (columns_ != nullptr) {
    const std::int64_t longest = std::max(columns_->n_, rows_->n_);
    return 2 * (n_ + kGap) + 2 * (longest * kWidth + kGap) +
           std::max(columns_->work_elements(kWidth), rows_->work_elements(kWidth));
  }
  if (convolution_ == nullptr) return 2 * (n_ * lanes + kGap);
  return 2 * (convolution_->n_ * lanes + kGap) + convolution_->work_elements(lanes);
}

template <typename T>
void LineTransform<T>::run_chirp(std::int64_t lanes, T* re, T* im, T* work) const {
  const std::int64_t size = convolution_->n_, count = n_ * lanes;
  T *const wide_re = work, *const wide_im = work + size * lanes + kGap;
  T* const more = wide_im + size * lanes + kGap;
  loops_.multiply(n_, lanes, re, im, chirp_re_.data(), chirp_im_.data(), T(1));
  std::fill(std::copy_n(re, count, wide_re), wide_re + size * lanes, T(0));
  std::fill(std::copy_n(im, count, wide_im), wide_im + size * lanes, T(0));
  convolution_->run(lanes, wide_re, wide_im, more);
  loops_.multiply(size, lanes, wide_re, wide_im, spectrum_re_.data(), spectrum_im_.data(),
                  T(1) / static_cast<T>(size));
  convolution_->run(lanes, wide_im, wide_re, more);  // the inverse
  std::copy_n(wide_re, count, re);
  std::copy_n(wide_im, count, im);
  loops_.multiply(n_, lanes, re, im, chirp_re_.data(), chirp_im_.data(), T(1));
}

template <typename T>
void LineTransform<T>::run_stage(const Stage& s, FftStage<T> stage) const {
  stage.twiddle_re = s.twiddle_re.data();
  stage.twiddle_im = s.twiddle_im.data();
  stage.radix = s.radix;
  stage.root_re = s.root_re.data();
  stage.root_im = s.root_im.data();
  switch (s.radix) {
    case 2: return loops_.radix2(stage);
    case 3: return loops_.radix3(stage);
    case 4: return loops_.radix4(stage);
    case 5: return loops_.radix5(stage);
    case 8: return loops_.radix8(stage);
    default: return loops_.any_radix(stage);
  }
}

/// The first stage reads rows that are `from.row` apart, the last one writes rows that are `to.row` apart. Results between
/// are written by turns to `near`, which the last stage reads, and `far`.
template <typename T>
void LineTransform<T>::run_stages(std::int64_t lanes, const Rows<const T>& from, const Rows<T>& to,
                                  const Rows<T>& near, const Rows<T>& far) const {
  Rows<const T> source = from;
  std::int64_t left = n_, stride = lanes;
  const std::size_t last = stages_.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const std::int64_t radix = stages_[i].radix;
    left /= radix;
    const Rows<T>& target = i == last ? to : (last - i) % 2 == 1 ? near : far;
    const bool has_rows = i == last && target.row != lanes;  // the lanes of its only p are in rows
    FftStage<T> stage{.m = has_rows ? stride / lanes : left, .stride = has_rows ? lanes : stride};
    stage.from_step = i == 0 ? source.row : stage.stride;
    stage.from_part = stage.m * stage.from_step;
    stage.to_step = has_rows ? target.row : radix * stride;
    stage.to_part = has_rows ? stage.m * target.row : stride;
    stage.twiddle_step = has_rows ? 0 : radix - 1;
    stage.from_re = source.re;
    stage.from_im = source.im;
    stage.to_re = target.re;
    stage.to_im = target.im;
    run_stage(stages_[i], stage);
    stride *= radix;
    source = {target.re, target.im, target.row};
  }
}

template <typename T>
void LineTransform<T>::run(std::int64_t lanes, T* re, T* im, T* work) const {
  if (convolution_ != nullptr) return run_chirp(lanes, re, im, work);
  if (columns_ != nullptr) return run_matrix(re, im, work);
  T *from_re = re, *from_im = im, *to_re = work, *to_im = work + n_ * lanes + kGap;
  std::int64_t left = n_, stride = lanes;
  for (const Stage& s : stages_) {
    left /= s.radix;
    run_stage(s, {.m = left,
                  .stride = stride,
                  .from_step = stride,
                  .from_part = left * stride,
                  .to_step = s.radix * stride,
                  .to_part = stride,
                  .twiddle_step = s.radix - 1,
                  .from_re = from_re,
                  .from_im = from_im,
                  .to_re = to_re,
                  .to_im = to_im});
    stride *= s.radix;
    std::swap(from_re, to_re);
    std::swap(from_im, to_im);
  }
  if (from_re == re) return;
  std::copy_n(from_re, n_ * lanes, re);
  std::copy_n(from_im, n_ * lanes, im);
}

template class LineTransform<float>;
template class LineTransform<double>;

}  // namespace cornu::inline v0::backends::cpu
