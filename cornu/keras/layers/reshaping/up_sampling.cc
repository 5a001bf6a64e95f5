#include "cornu/keras/layers/reshaping/up_sampling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/shape.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The weight of an element at this distance, in elements.
double interpolation_kernel(const std::string& interpolation, double distance) {
  const double x = std::fabs(distance);
  if (interpolation == "bilinear") return std::max(0.0, 1 - x);
  if (interpolation == "bicubic") {  // Keys's, with a = -1/2
    if (x >= 2) return 0;
    return x >= 1 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : (1.5 * x - 2.5) * x * x + 1;
  }
  const double radius = interpolation == "lanczos3" ? 3 : 5;
  if (x > radius) return 0;
  if (x <= 1e-3) return 1;
  const double angle = std::numbers::pi * x;
  return radius * std::sin(angle) * std::sin(angle / radius) / (angle * angle);
}

/// [extent, extent * size]: the weight of each element for each element of the result. Elements outside the
/// input have no weight.
Tensor interpolation_weights(const std::string& interpolation, std::int64_t extent, std::int64_t size) {
  constexpr const char* kWeights = "[up_sampling] the matrix of interpolation weights";
  const CheckedSize num_results = CheckedSize(extent) * size;
  claim_memory(num_results * extent * sizeof(float), [] { return std::string(kWeights); });
  std::vector<float> weights = host_vector<float>(num_results * extent, kWeights);
  const std::int64_t count = num_results.value(kWeights);
  for (std::int64_t i = 0; i < count; ++i) {
    const double center = (static_cast<double>(i) + 0.5) / static_cast<double>(size) - 0.5;
    double sum = 0;
    for (std::int64_t j = 0; j < extent; ++j)
      sum += interpolation_kernel(interpolation, center - static_cast<double>(j));
    for (std::int64_t j = 0; j < extent; ++j)
      weights[static_cast<std::size_t>(j * count + i)] =
          static_cast<float>(interpolation_kernel(interpolation, center - static_cast<double>(j)) / sum);
  }
  return Tensor::adopt({extent, count}, std::move(weights));
}

class UpSamplingLayer : public SpatialLayer {
 public:
  template <typename Options>
  UpSamplingLayer(const char* class_name, std::int64_t num_spatial, const Options& options,
                  const std::string& data_format, const std::string& interpolation = "nearest")
      : SpatialLayer(layer_settings(class_name, options), num_spatial, data_format),
        size_(spatial_option("size", options.size)),
        interpolation_(choice_option("interpolation", interpolation,
                                     {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"})) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims extents;
    for (std::size_t i = 0; i < size_.size(); ++i) {
      const std::int64_t extent = spatial(input_shape, i);
      extents.push_back(extent == kUnknown
                            ? kUnknown
                            : checked_extent("an extent of the output", CheckedSize(extent) * size_[i]));
    }
    return with_spatial(input_shape, extents);
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    return interpolation_ == "nearest" ? repeated(input) : interpolated(input);
  }

 private:
  Tensor repeated(const Tensor& input) const {
    Dims split, spread;
    for (std::int64_t axis = 0; axis < input.rank(); ++axis) {
      const std::int64_t extent = input.shape()[static_cast<std::size_t>(axis)], i = axis - first_spatial();
      split.push_back(extent);
      spread.push_back(extent);
      if (i < 0 || i >= num_spatial()) continue;
      split.push_back(1);
      spread.push_back(size_[static_cast<std::size_t>(i)]);
    }
    return ops::reshape(ops::broadcast_to(ops::reshape(input, split), spread),
                        compute_output_shape(input.shape()));
  }

  /// Integers are rounded.
  Tensor interpolated(const Tensor& input) const {
    const bool is_float = ir::is_float(input.dtype());
    Tensor result = is_float ? input : ops::cast(input, DType::kF32);
    for (std::size_t i = 0; i < size_.size(); ++i) {
      const std::int64_t axis = first_spatial() + static_cast<std::int64_t>(i);
      const Tensor weights = interpolation_weights(interpolation_, spatial(input.shape(), i), size_[i]);
      result = ops::moveaxis(ops::tensordot(result, ops::cast(weights, result.dtype()), axis, 0), -1, axis);
    }
    return is_float ? result : ops::saturate_cast(ops::round(result), input.dtype());
  }

  Dims size_;
  std::string interpolation_;
};

}  // namespace

UpSampling1D::UpSampling1D(UpSampling1DOptions options)
    : LayerHandle(std::make_shared<UpSamplingLayer>("UpSampling1D", 1, options, "channels_last")) {}
UpSampling2D::UpSampling2D(UpSampling2DOptions options)
    : LayerHandle(std::make_shared<UpSamplingLayer>("UpSampling2D", 2, options, options.data_format,
                                                    options.interpolation)) {}
UpSampling3D::UpSampling3D(UpSampling3DOptions options)
    : LayerHandle(std::make_shared<UpSamplingLayer>("UpSampling3D", 3, options, options.data_format)) {}

}  // namespace cornu::inline v0::keras::layers
