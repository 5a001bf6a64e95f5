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
  image::ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    if (scale_.upper() == 0 || factor_.upper() == 0)
      return {.of_images = [](const Tensor& images) { return images; }};
    const auto longer = static_cast<double>(std::max(shape[1], shape[2])),
               shorter = static_cast<double>(std::min(shape[1], shape[2]));
    const Tensor strength = random::uniform({}, {.dtype = DType::kF32, .seed = stream_seed(context, 1)}) *
                                (scale_.upper() - scale_.lower()) +
                            scale_.lower();
    constexpr double kLeastDeviation = 1e-3;  // so that no move is divided by zero
    const ops::internal::ElasticMoves moves = {
        .normals = random::normal({shape[0], shape[1], shape[2], 2},
                                  {.dtype = DType::kF32, .seed = stream_seed(context, 2)}),
        .alpha = strength * (kAlphaShare * longer),
        .sigma = ops::maximum(strength * (kSigmaShare * shorter), kLeastDeviation),
        .filter_size = static_cast<std::int64_t>(6 * kSigmaShare * scale_.upper() * shorter) | 1};
    const Tensor drawn = draws(shape, context, 2);
    const Tensor probability = between(drawn, 0, factor_.lower(), factor_.upper());
    const Tensor is_moved = ops::expand_dims(ops::less(between(drawn, 1, 0, 1), probability), -1);
    const auto moved = [=, this](const Tensor& images, const std::string& interpolation) {
      const Tensor all = ops::internal::elastically_moved(
          images, moves,
          {.order = ops::internal::interpolation_order("random_elastic_transform", interpolation),
           .fill_mode = fill_mode_,
           .fill_value = fill_value_});
      return ops::where(is_moved, ops::cast(all, images.dtype()), images);
    };
    return {.of_images = [=, this](const Tensor& images) { return clipped(moved(images, interpolation_)); },
            .of_masks = [=](const Tensor& masks) { return moved(masks, "nearest"); },
            .refuses_boxes = "pixels of a box move apart; use RandomPerspective"};
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
    : ImageHandle(std::make_shared<RandomElasticTransformLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
