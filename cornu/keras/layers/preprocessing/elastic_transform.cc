#include "cornu/keras/layers/preprocessing/elastic_transform.h"

#include <algorithm>
#include <utility>

#include "cornu/keras/layers/preprocessing/random_image_support.h"
#include "cornu/tensor/ops/image_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class RandomElasticTransformLayer : public ValueRangeLayer {
 public:
  explicit RandomElasticTransformLayer(const RandomElasticTransformOptions& options)
      : ValueRangeLayer("RandomElasticTransform", bounded(options)),
        factor_(bounded(options).factor),
        scale_(bounded(options).scale),
        interpolation_(options.interpolation),
        fill_mode_(options.fill_mode),
        fill_value_(options.fill_value) {
    check_factor(options.factor, 0);
    check_factor(options.scale, 0, 1, "scale");
    const std::string error = image::sample_options_error(
        {.fill_mode = fill_mode_ == "mirror" ? "reflect" : fill_mode_, .interpolation = interpolation_});
    if (!error.empty()) option_error(error);
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    if (scale_.upper() == 0 || factor_.upper() == 0) return images;
    const std::int64_t batch = images.shape()[0], rows = images.shape()[1], columns = images.shape()[2];
    const auto longer = static_cast<double>(std::max(rows, columns)),
               shorter = static_cast<double>(std::min(rows, columns));
    const Tensor strength =
        random::uniform({}, {.seed = stream_seed(context, 1)}) * (scale_.upper() - scale_.lower()) +
        scale_.lower();
    constexpr double kLeastDeviation = 1e-3;  // so that no move is divided by zero
    const Tensor sigma = ops::maximum(strength * (kSigmaShare * shorter), kLeastDeviation);
    const Tensor normals = random::normal({batch, rows, columns, 2}, {.seed = stream_seed(context, 2)});
    const Tensor moved = ops::internal::elastically_moved(
        images,
        {.normals = normals,
         .alpha = strength * (kAlphaShare * longer),
         .sigma = sigma,
         .filter_size = static_cast<std::int64_t>(6 * kSigmaShare * scale_.upper() * shorter) | 1},
        {.order = ops::internal::interpolation_order("random_elastic_transform", interpolation_),
         .fill_mode = fill_mode_,
         .fill_value = fill_value_});
    const Tensor drawn = draws(images, context, 2);
    const Tensor probability = between(drawn, 0, factor_.lower(), factor_.upper());
    const Tensor is_moved = ops::expand_dims(ops::less(between(drawn, 1, 0, 1), probability), -1);
    return clipped(ops::where(is_moved, ops::cast(moved, images.dtype()), images));
  }

 private:
  static constexpr double kAlphaShare = 0.1, kSigmaShare = 0.05;

  static RandomElasticTransformOptions bounded(RandomElasticTransformOptions options) {
    options.scale = bounds_of(options.scale, 0);
    return with_bounds(std::move(options), 0);
  }

  Factor factor_, scale_;
  std::string interpolation_, fill_mode_;
  double fill_value_;
};

}  // namespace

RandomElasticTransform::RandomElasticTransform(RandomElasticTransformOptions options)
    : LayerHandle(std::make_shared<RandomElasticTransformLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
