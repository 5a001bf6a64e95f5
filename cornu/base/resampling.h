#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cornu::inline v0 {

/// Interpolation between pixels: Keras's and TensorFlow's `interpolation`.
enum class ResampleMethod {
  kNearest,
  kBilinear,
  kBicubic,
  kArea,
  kLanczos3,
  kLanczos5,
  kGaussian,
  kMitchell
};

/// "nearest", "bilinear", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or "mitchellcubic".
std::optional<ResampleMethod> resample_method_named(std::string_view name);

struct ResampleOptions {  // options/base.toml
  /// Kernel of the interpolation.
  ResampleMethod method = ResampleMethod::kBilinear;
  /// True: shrinking averages over the source elements that a target element covers.
  bool antialias = false;
};

/// Weights for resampling a line of elements to another length: element i of the new line is the sum of
/// weights[i * num_taps + k] * line[first[i] + k].
///
/// Centers of pixels are at 0.5, 1.5, ... in both lines, as in tf.image.resize and jax.image.resize. Weights
/// outside the line are dropped, and the others scaled so that they sum to 1.
struct ResampleTaps {
  std::int64_t num_taps = 1;
  std::vector<std::int64_t> first;
  std::vector<float> weights;

  std::span<const float> weights_of(std::size_t i) const {
    return std::span(weights).subspan(i * static_cast<std::size_t>(num_taps),
                                      static_cast<std::size_t>(num_taps));
  }
};

/// `from` and `to`: the lengths of the lines.
/// Errors: InvalidArgument for a length below 1.
ResampleTaps resample_taps(std::int64_t from, std::int64_t to, const ResampleOptions& options);

}  // namespace cornu::inline v0
