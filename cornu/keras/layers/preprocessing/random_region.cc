#include "cornu/keras/layers/preprocessing/random_region.h"

#include <utility>

#include "cornu/keras/layers/preprocessing/random_color.h"
#include "cornu/keras/layers/preprocessing/random_image.h"
#include "cornu/keras/layers/preprocessing/random_image_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

class RandomErasingLayer : public ValueRangeLayer {
 public:
  explicit RandomErasingLayer(const RandomErasingOptions& options)
      : ValueRangeLayer("RandomErasing", bounded(options)),
        factor_(bounded(options).factor),
        scale_(bounded(options).scale),
        fill_value_(options.fill_value) {
    check_factor(options.factor, 0);
    check_factor(options.scale, 0, 1, "scale");
    if (fill_value_.defined() && fill_value_.num_elements() != 1 && fill_value_.num_elements() != 3)
      option_error("fill_value", "must be one number or three",
                   fmt::format("{} numbers", fill_value_.num_elements()));
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor drawn = draws(images, context, 6);
    const auto side = [&](std::int64_t i) {
      return ops::sqrt(ops::clip(between(drawn, i, scale_.lower(), scale_.upper()), 0, 1));
    };
    const Tensor inside = inside_of(box_of({.width = side(0),
                                            .height = side(1),
                                            .left = between(drawn, 2, 0, 1),
                                            .top = between(drawn, 3, 0, 1)},
                                           images.shape()),
                                    images);
    const Tensor probability = between(drawn, 4, factor_.lower(), factor_.upper());
    const Tensor is_erased = ops::expand_dims(ops::less(between(drawn, 5, 0, 1), probability), -1);
    return ops::where(ops::logical_and(inside, is_erased), filling(images, context), images);
  }

 private:
  static RandomErasingOptions bounded(RandomErasingOptions options) {
    options.scale = bounds_of(options.scale, 0);
    return with_bounds(std::move(options), 0);
  }
  Tensor filling(const Tensor& images, const CallContext& context) const {
    const Tensor value =
        fill_value_.defined()
            ? fill_value_
            : random::normal(images.shape(), {.dtype = DType::kF32, .seed = stream_seed(context, 1)}) *
                  (smallest() + extent());
    return ops::cast(clipped(ops::cast(value, DType::kF32)), images.dtype());
  }

  Factor factor_, scale_;
  Tensor fill_value_;
};

class RandomGaussianBlurLayer : public ValueRangeLayer {
 public:
  explicit RandomGaussianBlurLayer(const RandomGaussianBlurOptions& options)
      : ValueRangeLayer("RandomGaussianBlur", bounded(options)),
        factor_(bounded(options).factor),
        sigma_(bounded(options).sigma),
        sizes_(bounded(options).kernel_size.values()) {
    check_factor(options.factor, 0);
    check_factor(options.sigma, 0, 1, "sigma");
    constexpr std::int64_t kLargest = 1023;  // far beyond three deviations
    const auto fits = [](std::int64_t size) { return size > 0 && size % 2 == 1 && size <= kLargest; };
    if (sizes_.size() != 2 || !fits(sizes_[0]) || !fits(sizes_[1]))
      option_error("kernel_size", fmt::format("must be one or two odd numbers of at most {}", kLargest),
                   fmt::format("{}", fmt::join(sizes_, ", ")));
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor deviations = random::uniform({2}, {.dtype = DType::kF32, .seed = stream_seed(context, 1)}) *
                                  (sigma_.upper() - sigma_.lower()) +
                              (sigma_.lower() + 1e-6);
    const Tensor across = weights(sizes_[0], deviations[0]), down = weights(sizes_[1], deviations[1]);
    const Tensor kernel = ops::reshape(ops::expand_dims(down, 1) * across, {sizes_[1], sizes_[0], 1, 1});
    const Tensor of_channels = ops::tile(ops::cast(kernel, images.dtype()), {1, 1, images.shape()[3], 1});
    const Tensor blurred =
        ops::depthwise_conv(images, of_channels, {.padding = "same", .data_format = "channels_last"});
    const Tensor drawn = draws(images, context, 2);
    const Tensor probability = between(drawn, 0, factor_.lower(), factor_.upper());
    const Tensor is_blurred = ops::expand_dims(ops::less(between(drawn, 1, 0, 1), probability), -1);
    return clipped(ops::where(is_blurred, blurred, images));
  }

 private:
  static RandomGaussianBlurOptions bounded(RandomGaussianBlurOptions options) {
    if (!options.kernel_size.is_list()) {
      const std::int64_t size = options.kernel_size.values().at(0);
      options.kernel_size = {size, size};
    }
    options.sigma = bounds_of(options.sigma, 0);
    return with_bounds(std::move(options), 0);
  }
  static Tensor weights(std::int64_t size, const Tensor& deviation) {
    const Tensor at =
        ops::cast(ops::arange(size, DType::kI32), DType::kF32) - static_cast<double>(size - 1) / 2;
    const Tensor density = ops::exp(ops::square(at / deviation) * -0.5);
    return density / ops::sum(density);
  }

  Factor factor_, sigma_;
  Dims sizes_;
};

class RandomColorJitterLayer : public RandomImageLayer {
 public:
  explicit RandomColorJitterLayer(const RandomColorJitterOptions& options)
      : RandomImageLayer("RandomColorJitter", options) {
    add<RandomBrightness, RandomBrightnessOptions>("random_brightness", options.brightness_factor, options);
    add<RandomContrast, RandomContrastOptions>("random_contrast", options.contrast_factor, options);
    add<RandomSaturation, RandomSaturationOptions>("random_saturation", options.saturation_factor, options);
    add<RandomHue, RandomHueOptions>("random_hue", options.hue_factor, options);
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext&) override {
    Tensor changed = images;
    for (const LayerHandle& change : changes_) changed = change(changed, {.training = true});
    return changed;
  }

 private:
  /// Each change draws numbers of its own, also with a seed.
  template <typename Change, typename Options>
  void add(const char* name, const std::optional<Factor>& factor, const RandomColorJitterOptions& options) {
    if (!factor.has_value()) return;
    Options of_change;
    of_change.factor = *factor;
    of_change.value_range = options.value_range;
    if (options.seed.has_value()) of_change.seed = *options.seed + changes_.size();
    of_change.name = name;
    of_change.dtype = dtype_policy();
    changes_.push_back(track(LayerHandle(Change(std::move(of_change))), name));
  }

  std::vector<LayerHandle> changes_;
};

}  // namespace

RandomErasing::RandomErasing(RandomErasingOptions options)
    : ImageHandle(std::make_shared<RandomErasingLayer>(options)) {}
RandomGaussianBlur::RandomGaussianBlur(RandomGaussianBlurOptions options)
    : ImageHandle(std::make_shared<RandomGaussianBlurLayer>(options)) {}
RandomColorJitter::RandomColorJitter(RandomColorJitterOptions options)
    : ImageHandle(std::make_shared<RandomColorJitterLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
