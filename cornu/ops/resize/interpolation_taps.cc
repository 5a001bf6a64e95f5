#include "cornu/ops/resize/interpolation_taps.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <type_traits>

namespace cornu::inline v0::ops {
namespace {

Taps identity_taps(std::int64_t extent) {
  Taps taps = {.count = 1};
  for (std::int64_t i = 0; i < extent; ++i) taps.places.push_back(static_cast<std::int32_t>(i));
  return taps;
}

Taps nearest_taps(std::int64_t from, std::int64_t to) {
  Taps taps = {.count = 1};
  const auto extent = static_cast<float>(from), extent_after = static_cast<float>(to);
  for (std::int64_t i = 0; i < to; ++i)
    taps.places.push_back(static_cast<std::int32_t>((static_cast<float>(i) + 0.5F) * extent / extent_after));
  return taps;
}

template <typename T>
struct Kernel {
  T radius;  // the kernel is 0 from there on
  T (*at)(T distance);
};

template <typename T, int kRadius>
T lanczos(T x) {
  constexpr T kPi = std::numbers::pi_v<T>, kWidth = kRadius;
  if (x > kWidth) return 0;
  return x > T(1e-3) ? std::sin(x * kPi) * std::sin(x * (kPi / kWidth)) * kWidth / (x * x * (kPi * kPi)) : 1;
}

template <typename T>
T triangle(T x) {
  return std::max(1 - x, T(0));
}

/// R. G. Keys, Cubic convolution interpolation for digital image processing (1981), with a = -0.5.
template <typename T>
T cubic(T x) {
  if (x >= 2) return 0;
  return x >= 1 ? ((x * T(-0.5) + T(2.5)) * x - 4) * x + 2 : (x * T(1.5) - T(2.5)) * x * x + 1;
}

template <typename T>
Kernel<T> kernel_of(std::string_view interpolation) {
  if (interpolation == "lanczos3") return {3, &lanczos<T, 3>};
  if (interpolation == "lanczos5") return {5, &lanczos<T, 5>};
  if (interpolation == "bicubic") return {2, &cubic<T>};
  return {1, &triangle<T>};
}

template <typename T>
Taps kernel_taps(const Kernel<T>& kernel, std::int64_t from, std::int64_t to, bool antialias) {
  const T step = 1 / static_cast<T>(static_cast<double>(to) / static_cast<double>(from));
  const T reach = kernel.radius * (antialias ? std::max(step, T(1)) : T(1));
  Taps taps = {.count = static_cast<std::int64_t>(std::ceil(2 * reach))};
  std::vector<T> shares(static_cast<std::size_t>(taps.count));
  for (std::int64_t i = 0; i < to; ++i) {
    const T position = (static_cast<T>(i) + T(0.5)) * step - T(0.5);
    const auto first = static_cast<std::int64_t>(std::floor(position - reach)) + 1;
    T total = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const std::int64_t place = first + static_cast<std::int64_t>(k);
      taps.places.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(place, 0, from - 1)));
      const T distance = std::abs(position - static_cast<T>(place));
      shares[k] = place < 0 || place >= from ? 0 : kernel.at(distance * kernel.radius / reach);
      total += shares[k];
    }
    for (const T share : shares) taps.shares.push_back(static_cast<double>(share / total));
  }
  return taps;
}

/// The taps of the transposed map, to lines of `extent` elements.
Taps transposed(const Taps& taps, std::int64_t extent) {
  std::vector<std::int64_t> used(static_cast<std::size_t>(extent), 0);
  const auto counts = [&](std::size_t tap) { return !taps.has_shares() || taps.shares[tap] != 0; };
  for (std::size_t tap = 0; tap < taps.places.size(); ++tap)
    if (counts(tap)) ++used[static_cast<std::size_t>(taps.places[tap])];
  Taps result = {.count = std::max<std::int64_t>(*std::max_element(used.begin(), used.end()), 1)};
  result.places.resize(static_cast<std::size_t>(extent * result.count), 0);
  result.shares.resize(result.places.size(), 0.0);
  std::fill(used.begin(), used.end(), 0);
  for (std::size_t tap = 0; tap < taps.places.size(); ++tap) {
    if (!counts(tap)) continue;
    const std::int64_t to = taps.places[tap];
    const auto at = static_cast<std::size_t>(to * result.count + used[static_cast<std::size_t>(to)]++);
    result.places[at] = static_cast<std::int32_t>(static_cast<std::int64_t>(tap) / taps.count);
    result.shares[at] = taps.has_shares() ? taps.shares[tap] : 1.0;
  }
  // Unused taps read an element that the sum has anyway: another one might not be finite.
  for (std::int64_t i = 0; i < extent; ++i)
    for (std::int64_t k = used[static_cast<std::size_t>(i)]; k < result.count && k > 0; ++k)
      result.places[static_cast<std::size_t>(i * result.count + k)] =
          result.places[static_cast<std::size_t>(i * result.count)];
  return result;
}

}  // namespace

Taps resize_taps(const ResizeForm& form, std::int64_t from, std::int64_t to, ir::DType dtype) {
  if (from == to) return identity_taps(to);
  if (form.transposed) {
    ResizeForm forward = form;
    forward.transposed = false;
    return transposed(resize_taps(forward, to, from, dtype), to);
  }
  if (form.interpolation == "nearest") return nearest_taps(from, to);
  if (dtype == ir::DType::kF64)
    return kernel_taps(kernel_of<double>(form.interpolation), from, to, form.antialias);
  return kernel_taps(kernel_of<float>(form.interpolation), from, to, form.antialias);
}

}  // namespace cornu::inline v0::ops
