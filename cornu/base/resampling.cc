#include "cornu/base/resampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0 {
namespace {

// Kernels: functions of a distance in pixels, 0 from `radius` on.

double triangle(double x) { return std::max(0.0, 1.0 - x); }

/// Keys's cubic with a = -0.5.
double keys(double x) {
  if (x >= 2) return 0;
  if (x >= 1) return ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0;
  return ((1.5 * x - 2.5) * x) * x + 1.0;
}

double mitchell(double x) {
  if (x >= 2) return 0;
  if (x >= 1) return (((-7.0 / 18.0) * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0;
  return (((7.0 / 6.0) * x - 2.0) * x) * x + 8.0 / 9.0;
}

template <int kRadius>
double lanczos(double x) {
  if (x >= kRadius) return 0;
  if (x <= 1e-3) return 1;
  const double angle = std::numbers::pi * x;
  return kRadius * std::sin(angle) * std::sin(angle / kRadius) / (angle * angle);
}

double gaussian(double x) {
  constexpr double kRadius = 1.5, kSigma = kRadius / 3;
  return x >= kRadius ? 0 : std::exp(-x * x / (2 * kSigma * kSigma));
}

struct Kernel {
  double (*at)(double distance);
  double radius;
};

Kernel kernel_of(ResampleMethod method) {
  switch (method) {
    case ResampleMethod::kBicubic: return {keys, 2};
    case ResampleMethod::kLanczos3: return {lanczos<3>, 3};
    case ResampleMethod::kLanczos5: return {lanczos<5>, 5};
    case ResampleMethod::kGaussian: return {gaussian, 1.5};
    case ResampleMethod::kMitchell: return {mitchell, 2};
    default: return {triangle, 1};
  }
}

/// Elements [first, last] of the line with their weights, without zeros at the ends.
struct Span {
  std::int64_t first = 0;
  std::vector<double> weights;
};

Span kernel_span(double center, double scale, const Kernel& kernel, std::int64_t from) {
  const double reach = kernel.radius * scale;
  Span span;
  span.first =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(center - reach - 0.5)), 0, from - 1);
  const auto last = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(center + reach - 0.5)),
                                             span.first, from - 1);
  double sum = 0;
  for (std::int64_t i = span.first; i <= last; ++i) {
    span.weights.push_back(kernel.at(std::abs(static_cast<double>(i) + 0.5 - center) / scale));
    sum += span.weights.back();
  }
  constexpr double kLeastSum = 1e-35;
  for (double& weight : span.weights) weight = std::abs(sum) > kLeastSum ? weight / sum : 0;
  return span;
}

/// The elements that pixel `i` covers, weighted by the covered part.
Span area_span(std::int64_t i, double scale, std::int64_t from) {
  const double begin = static_cast<double>(i) * scale, end = begin + scale;
  Span span;
  span.first = std::min(static_cast<std::int64_t>(begin), from - 1);
  for (std::int64_t k = span.first; k < from && static_cast<double>(k) < end; ++k) {
    const double covered =
        std::min(end, static_cast<double>(k + 1)) - std::max(begin, static_cast<double>(k));
    span.weights.push_back(covered / scale);
  }
  return span;
}

ResampleTaps taps_of(std::vector<Span> spans, std::int64_t from) {
  ResampleTaps taps;
  for (const Span& span : spans)
    taps.num_taps = std::max(taps.num_taps, static_cast<std::int64_t>(span.weights.size()));
  const auto width = static_cast<std::size_t>(taps.num_taps);
  taps.weights.assign(spans.size() * width, 0.0F);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    // A line with fewer elements than taps is not read beyond its end.
    const std::int64_t first = std::max<std::int64_t>(0, std::min(spans[i].first, from - taps.num_taps));
    const auto shift = static_cast<std::size_t>(spans[i].first - first);
    taps.first.push_back(first);
    for (std::size_t k = 0; k < spans[i].weights.size(); ++k)
      taps.weights[i * width + shift + k] = static_cast<float>(spans[i].weights[k]);
  }
  return taps;
}

}  // namespace

std::optional<ResampleMethod> resample_method_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ResampleMethod>, 8> kNames = {{
      {"nearest", ResampleMethod::kNearest},
      {"bilinear", ResampleMethod::kBilinear},
      {"bicubic", ResampleMethod::kBicubic},
      {"area", ResampleMethod::kArea},
      {"lanczos3", ResampleMethod::kLanczos3},
      {"lanczos5", ResampleMethod::kLanczos5},
      {"gaussian", ResampleMethod::kGaussian},
      {"mitchellcubic", ResampleMethod::kMitchell},
  }};
  for (const auto& [known, method] : kNames)
    if (known == name) return method;
  return std::nullopt;
}

ResampleTaps resample_taps(std::int64_t from, std::int64_t to, const ResampleOptions& options) {
  if (from < 1 || to < 1)
    invalid_argument("[resample] a line must have at least one element; got lines of {} and {}", from, to);
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  const Kernel kernel = kernel_of(options.method);
  std::vector<Span> spans;
  for (std::int64_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    if (options.method == ResampleMethod::kNearest)
      spans.push_back({std::min(static_cast<std::int64_t>(center), from - 1), {1.0}});
    else if (options.method == ResampleMethod::kArea)
      spans.push_back(area_span(i, scale, from));
    else
      spans.push_back(kernel_span(center, options.antialias ? std::max(scale, 1.0) : 1.0, kernel, from));
  }
  return taps_of(std::move(spans), from);
}

}  // namespace cornu::inline v0
