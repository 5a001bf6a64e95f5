#include "cornu/keras/layers/preprocessing/random_color.h"

#include <cmath>
#include <utility>

#include "cornu/keras/layers/preprocessing/random_image_support.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::layers {
namespace {

const ops::ImageOptions kChannelsLast = {.data_format = "channels_last"};

/// The channels of images, [batch, rows, columns, 1] each.
std::vector<Tensor> channels_of(const Tensor& images) { return ops::split(images, 3, {.axis = 3}); }

/// One of four numbers [batch, 1, 1] as [batch, 1, 1, 1] of the images' dtype.
Tensor for_pixels(const Tensor& of_images, const Tensor& images) {
  return ops::cast(ops::expand_dims(of_images, -1), images.dtype());
}

class RandomGrayscaleLayer : public RandomImageLayer {
 public:
  explicit RandomGrayscaleLayer(const RandomGrayscaleOptions& options)
      : RandomImageLayer("RandomGrayscale", options), factor_(options.factor) {
    if (!(options.factor >= 0 && options.factor <= 1))
      option_error("factor", "must be in [0, 1]", fmt::format("{}", options.factor));
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor is_gray =
        ops::expand_dims(ops::less(between(draws(images, context, 1), 0, 0, 1), factor_), -1);
    return ops::where(is_gray, ops::rgb_to_grayscale(images, kChannelsLast), images);
  }

 private:
  double factor_;
};

/// Strength of a change, drawn for each image, as a layer's options have it.
class DrawnFactorLayer : public ValueRangeLayer {
 protected:
  template <typename Options>
  DrawnFactorLayer(const char* class_name, const Options& options, double least, double most = 1)
      : ValueRangeLayer(class_name, with_bounds(options, least)),
        factor_(with_bounds(options, least).factor) {
    check_factor(options.factor, least, most);
  }
  Tensor drawn_factor(const Tensor& images, const CallContext& context) const {
    return ops::cast(draw(images, context, factor_.lower(), factor_.upper()), images.dtype());
  }
  const Factor& factor() const { return factor_; }

 private:
  Factor factor_;
};

class RandomInvertLayer : public DrawnFactorLayer {
 public:
  explicit RandomInvertLayer(const RandomInvertOptions& options)
      : DrawnFactorLayer("RandomInvert", options, 0), last_(options.value_range[1]) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor drawn = draws(images, context, 2);
    const Tensor probability = between(drawn, 0, factor().lower(), factor().upper());
    const Tensor is_inverted = ops::expand_dims(ops::less(between(drawn, 1, 0, 1), probability), -1);
    return ops::where(is_inverted, last_ - images, images);
  }

 private:
  double last_;  // Keras subtracts from the second number of value_range
};

class RandomHueLayer : public DrawnFactorLayer {
 public:
  explicit RandomHueLayer(const RandomHueOptions& options) : DrawnFactorLayer("RandomHue", options, 0) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor drawn = draws(images, context, 2);
    const Tensor turn = between(drawn, 1, factor().lower(), factor().upper()) * 0.5;
    const Tensor shift =
        for_pixels(ops::where(ops::greater(between(drawn, 0, 0, 1), 0.5), -turn, turn), images);
    const std::vector<Tensor> hsv = channels_of(ops::rgb_to_hsv(to_unit(images), kChannelsLast));
    Tensor hue = hsv[0] + shift;
    hue = ops::where(ops::greater(hue, 1), hue - 1.0, hue);
    hue = ops::where(ops::less(hue, 0), hue + 1.0, hue);
    const Tensor rgb = ops::hsv_to_rgb(ops::concatenate({hue, hsv[1], hsv[2]}, {.axis = 3}), kChannelsLast);
    return ops::clip(rgb, 0, 1) * extent() + smallest();
  }

 private:
  Tensor to_unit(const Tensor& images) const { return (images - smallest()) / extent(); }
};

class RandomSaturationLayer : public DrawnFactorLayer {
 public:
  explicit RandomSaturationLayer(const RandomSaturationOptions& options)
      : DrawnFactorLayer("RandomSaturation", options, -1) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor drawn = drawn_factor(images, context);
    const std::vector<Tensor> hsv = channels_of(ops::rgb_to_hsv(images, kChannelsLast));
    const Tensor saturation = clipped(hsv[1] * (drawn / (1.0 - drawn + cornu::detail::small_number())));
    return ops::hsv_to_rgb(ops::concatenate({hsv[0], saturation, hsv[2]}, {.axis = 3}), kChannelsLast);
  }
};

class RandomColorDegenerationLayer : public DrawnFactorLayer {
 public:
  explicit RandomColorDegenerationLayer(const RandomColorDegenerationOptions& options)
      : DrawnFactorLayer("RandomColorDegeneration", options, -1) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    return clipped(images +
                   drawn_factor(images, context) * (ops::rgb_to_grayscale(images, kChannelsLast) - images));
  }
};

class RandomSharpnessLayer : public DrawnFactorLayer {
 public:
  explicit RandomSharpnessLayer(const RandomSharpnessOptions& options)
      : DrawnFactorLayer("RandomSharpness", options, 0) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    constexpr float kAround = 1.0F / 13, kMiddle = 5.0F / 13;
    const Tensor weights = Tensor::of<float>(
        {3, 3, 1, 1}, {kAround, kAround, kAround, kAround, kMiddle, kAround, kAround, kAround, kAround});
    const Tensor kernel = ops::tile(ops::cast(weights, images.dtype()), {1, 1, images.shape()[3], 1});
    const Tensor smooth =
        ops::depthwise_conv(images, kernel, {.padding = "same", .data_format = "channels_last"});
    return clipped(images + (1.0 - drawn_factor(images, context) * 2.0) * (smooth - images));
  }
};

class RandomPosterizationLayer : public DrawnFactorLayer {
 public:
  explicit RandomPosterizationLayer(const RandomPosterizationOptions& options)
      : DrawnFactorLayer("RandomPosterization", options, 1, 8) {}

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor num_bits = ops::cast(draw(images, context, factor().lower(), factor().upper()), DType::kI32);
    const Tensor shift = 8 - num_bits;
    const Tensor pixels = ops::cast(ops::clip((images - smallest()) * (255 / extent()), 0, 255), DType::kI32);
    const Tensor kept = ops::bitwise_left_shift(ops::bitwise_right_shift(pixels, shift), shift);
    return ops::cast(kept, images.dtype()) * (extent() / 255) + smallest();
  }
};

class SolarizationLayer : public ValueRangeLayer {
 public:
  explicit SolarizationLayer(const SolarizationOptions& options)
      : ValueRangeLayer("Solarization", bounded(options)),
        addition_(bounded(options).addition_factor),
        threshold_(bounded(options).threshold_factor) {
    check_share("addition_factor", addition_);
    check_share("threshold_factor", threshold_);
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor drawn = draws(images, context, 2);
    // As in Keras, only the upper bound is multiplied by 255.
    const auto number = [&](std::int64_t i, const Factor& factor) {
      return for_pixels(between(drawn, i, factor.lower(), factor.upper() * 255), images);
    };
    const Tensor scaled = (images - smallest()) * (255 / extent());
    const Tensor brighter = ops::clip(scaled + number(0, addition_), 0, 255);
    const Tensor result = ops::where(ops::less(brighter, number(1, threshold_)), brighter, 255.0 - brighter);
    return result * (extent() / 255) + smallest();
  }

 private:
  static Factor from_zero(const Factor& factor) {
    return factor.is_number() ? Factor(0, factor.number()) : factor;
  }
  static SolarizationOptions bounded(SolarizationOptions options) {
    options.addition_factor = from_zero(options.addition_factor);
    options.threshold_factor = from_zero(options.threshold_factor);
    return options;
  }
  void check_share(const char* option, const Factor& factor) const {
    if (!(factor.lower() >= 0 && factor.upper() <= 1))
      option_error(option, "must be a number or two in [0, 1]",
                   fmt::format("{{{}, {}}}", factor.first(), factor.second()));
  }

  Factor addition_, threshold_;
};

class AutoContrastLayer : public image::ImageLayer {
 public:
  explicit AutoContrastLayer(const AutoContrastOptions& options)
      : ImageLayer(layer_settings("AutoContrast", options), options.data_format,
                   options.bounding_box_format) {
    if (options.value_range.size() != 2)
      option_error("value_range", "must be two numbers", fmt::format("{}", options.value_range.size()));
    smallest_ = std::min(options.value_range[0], options.value_range[1]);
    largest_ = std::max(options.value_range[0], options.value_range[1]);
  }

 protected:
  Tensor transform(const Tensor& images, const CallContext&) override {
    const ops::ReduceOptions pixels = {.axis = {1, 2}, .keepdims = true};
    const Tensor low = ops::amin(images, pixels), high = ops::amax(images, pixels);
    const Tensor range = high - low, is_flat = ops::equal(range, 0);
    const Tensor share = (images - low) / ops::where(is_flat, 1, range);
    return ops::where(is_flat, images, share * (largest_ - smallest_) + smallest_);
  }

 private:
  double smallest_, largest_;
};

}  // namespace

RandomGrayscale::RandomGrayscale(RandomGrayscaleOptions options)
    : ImageHandle(std::make_shared<RandomGrayscaleLayer>(options)) {}
RandomInvert::RandomInvert(RandomInvertOptions options)
    : ImageHandle(std::make_shared<RandomInvertLayer>(options)) {}
RandomPosterization::RandomPosterization(RandomPosterizationOptions options)
    : ImageHandle(std::make_shared<RandomPosterizationLayer>(options)) {}
RandomHue::RandomHue(RandomHueOptions options) : ImageHandle(std::make_shared<RandomHueLayer>(options)) {}
RandomSaturation::RandomSaturation(RandomSaturationOptions options)
    : ImageHandle(std::make_shared<RandomSaturationLayer>(options)) {}
RandomColorDegeneration::RandomColorDegeneration(RandomColorDegenerationOptions options)
    : ImageHandle(std::make_shared<RandomColorDegenerationLayer>(options)) {}
RandomSharpness::RandomSharpness(RandomSharpnessOptions options)
    : ImageHandle(std::make_shared<RandomSharpnessLayer>(options)) {}
Solarization::Solarization(SolarizationOptions options)
    : ImageHandle(std::make_shared<SolarizationLayer>(options)) {}
AutoContrast::AutoContrast(AutoContrastOptions options)
    : ImageHandle(std::make_shared<AutoContrastLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
