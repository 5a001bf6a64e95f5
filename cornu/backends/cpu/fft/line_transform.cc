#include "cornu/backends/cpu/fft/line_transform.h"

#include <algorithm>
#include <cmath>
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

std::vector<std::int64_t> radices(std::int64_t n) {
  std::vector<std::int64_t> factors;
  while (n % 4 == 0) {
    factors.push_back(4);
    n /= 4;
  }
  for (std::int64_t prime = 2; n > 1; ++prime)
    for (; n % prime == 0; n /= prime) factors.push_back(prime);
  return factors;
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

}  // namespace

template <typename T>
LineTransform<T>::LineTransform(std::int64_t n, IsaLevel level) : n_(n), loops_(fft_loops<T>(level)) {
  if (largest_factor(n) > kLargestRadix)
    make_chirp(level);
  else
    add_stages(n);
}

template <typename T>
void LineTransform<T>::add_stages(std::int64_t n) {
  for (const std::int64_t radix : radices(n)) {
    Stage stage{.radix = radix};
    const std::int64_t m = n / radix;
    for (std::int64_t p = 0; p < m; ++p)
      for (std::int64_t k = 1; k < radix; ++k) {
        const auto [re, im] = root_of_one(p * k, n);
        stage.twiddle_re.push_back(static_cast<T>(re));
        stage.twiddle_im.push_back(static_cast<T>(im));
      }
    for (std::int64_t k = 0; radix > 5 && k < radix; ++k) {
      const auto [re, im] = root_of_one(k, radix);
      stage.root_re.push_back(static_cast<T>(re));
      stage.root_im.push_back(static_cast<T>(im));
    }
    stages_.push_back(std::move(stage));
    n = m;
  }
}

template <typename T>
void LineTransform<T>::make_chirp(IsaLevel level) {
  convolution_ = std::make_unique<LineTransform>(smooth_size(2 * n_ - 1), level);
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
void LineTransform<T>::run(std::int64_t lanes, T* re, T* im, T* work) const {
  if (convolution_ != nullptr) return run_chirp(lanes, re, im, work);
  T *from_re = re, *from_im = im, *to_re = work, *to_im = work + n_ * lanes + kGap;
  std::int64_t left = n_, stride = lanes;
  for (const Stage& s : stages_) {
    left /= s.radix;
    const FftStage<T> stage{left,
                            stride,
                            from_re,
                            from_im,
                            to_re,
                            to_im,
                            s.twiddle_re.data(),
                            s.twiddle_im.data(),
                            s.radix,
                            s.root_re.data(),
                            s.root_im.data()};
    switch (s.radix) {
      case 2: loops_.radix2(stage); break;
      case 3: loops_.radix3(stage); break;
      case 4: loops_.radix4(stage); break;
      case 5: loops_.radix5(stage); break;
      default: loops_.any_radix(stage);
    }
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
