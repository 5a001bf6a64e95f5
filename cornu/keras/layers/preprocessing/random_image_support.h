#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/keras/layers/regularization/noise_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

/// Bases of the layers that change images at random; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// Draws numbers for each image during training; otherwise images pass unchanged.
class RandomImageLayer : public image::ImageLayer {
 protected:
  template <typename Options>
  RandomImageLayer(const char* class_name, const Options& options)
      : ImageLayer(layer_settings(class_name, options), options.data_format, box_format_of(options)),
        seed_generator_(add_seed_generator(options.seed)) {}

  /// A layer overrides one of these: the first if it leaves boxes and masks as they are.
  virtual Tensor transform_at_random(const Tensor& images, const CallContext& context) {
    return change_at_random(images.shape(), context).of_images(images);
  }
  virtual image::ImageChange change_at_random(const Dims&, const CallContext& context) {
    return {
        .of_images = [this, context](const Tensor& images) { return transform_at_random(images, context); }};
  }
  Tensor transform(const Tensor& images, const CallContext& context) override {
    return context.training ? transform_at_random(images, context) : images;
  }
  image::ImageChange change(const Dims& shape, const CallContext& context) override {
    if (context.training) return change_at_random(shape, context);
    return {.of_images = [](const Tensor& images) { return images; }};
  }

  /// `count` numbers in [0, 1) for each image: [batch, count].
  Tensor draws(const Tensor& images, const CallContext& context, std::int64_t count) const {
    return draws(images.shape(), context, count);
  }
  Tensor draws(const Dims& images, const CallContext& context, std::int64_t count) const {
    return random::uniform({images[0], count},
                           {.dtype = DType::kF32, .seed = noise::call_seed(seed_generator_, context)});
  }
  /// The seed of further random numbers of a call, other ones for each `stream` above 0.
  random::Seed stream_seed(const CallContext& context, std::uint64_t stream) const {
    const Tensor counter = context.random_counter.defined() ? context.random_counter : seed_generator_.next();
    return {seed_generator_.seed() ^ splitmix64(stream), counter};
  }
  /// Column i of the draws, scaled to [lower, upper), one number for each image: [batch, 1, 1].
  static Tensor between(const Tensor& draws, std::int64_t i, double lower, double upper) {
    const Tensor column = ops::slice(draws, {0, i}, {draws.shape()[0], 1});
    return ops::expand_dims(column, -1) * (upper - lower) + lower;
  }

  /// A single number must be in [least, most]. Of two numbers, the first may be below `least` and the second
  /// above `most`, as in Keras.
  void check_factor(const Factor& factor, double least, double most = 1,
                    const char* option = "factor") const {
    const bool is_right = factor.is_number() ? factor.number() >= least && factor.number() <= most
                                             : factor.first() <= most && factor.second() >= least;
    if (!is_right)
      option_error(
          option,
          fmt::format("must be a number in [{0}, {1}], or two, the first at most {1} and the second at "
                      "least {0}",
                      least, most),
          shown(factor));
  }
  enum class MinusOne { kTaken, kRefused };
  void check_each(const char* option, const Factor& factor, MinusOne minus_one) const {
    // The other bound of a single number is ignored.
    const double least = factor.is_number() ? factor.number() : factor.lower();
    const bool is_taken = minus_one == MinusOne::kTaken;
    if (!((is_taken ? least >= -1 : least > -1) && factor.upper() <= 1))
      option_error(option, fmt::format("must be a number or two in {}-1, 1]", is_taken ? '[' : '('),
                   shown(factor));
  }

  const SeedGenerator& seed_generator() const { return seed_generator_; }

 private:
  template <typename Options>
  static std::string box_format_of(const Options& options) {
    if constexpr (requires { options.bounding_box_format; }) return options.bounding_box_format;
    return {};
  }
  static std::string shown(const Factor& factor) {
    return factor.is_number() ? fmt::format("{}", factor.number())
                              : fmt::format("{{{}, {}}}", factor.first(), factor.second());
  }

  SeedGenerator seed_generator_;
};

class ValueRangeLayer : public RandomImageLayer {
 protected:
  template <typename Options>
  ValueRangeLayer(const char* class_name, const Options& options) : RandomImageLayer(class_name, options) {
    if (options.value_range.size() != 2)
      option_error("value_range", "must be two numbers", fmt::format("{}", options.value_range.size()));
    smallest_ = std::min(options.value_range[0], options.value_range[1]);
    largest_ = std::max(options.value_range[0], options.value_range[1]);
  }
  Tensor clipped(const Tensor& images) const { return ops::clip(images, smallest_, largest_); }
  double smallest() const { return smallest_; }
  double extent() const { return largest_ - smallest_; }
  Tensor draw(const Tensor& images, const CallContext& context, double lower, double upper) const {
    return ops::expand_dims(between(draws(images, context, 1), 0, lower, upper), -1);
  }

 private:
  double smallest_, largest_;
};

/// The bounds that follow from a single number.
inline Factor bounds_of(const Factor& factor, double least) {
  return factor.is_number() ? Factor(std::max(factor.lower(), least), factor.upper()) : factor;
}
/// Keras writes the bounds.
template <typename Options>
Options with_bounds(Options options, double least) {
  options.factor = bounds_of(options.factor, least);
  return options;
}

/// True inside of the box of each image, [batch, rows, columns, 1]; bounds are [batch, 1, 1], in pixels.
struct Box {
  Tensor left, right, top, bottom;
};
Tensor inside_of(const Box& box, const Tensor& images);
/// A box whose sides are shares [batch, 1, 1] of the image's, at a place given by shares of the rest.
struct BoxShares {
  Tensor width, height, left, top;
};
Box box_of(const BoxShares& shares, const Dims& images);

/// Draws of the beta distribution with both parameters `alpha`, [count]; `alpha` is a scalar or [count].
Tensor symmetric_beta(const Tensor& alpha, std::int64_t count,
                      const std::function<random::Seed()>& next_seed);
/// Draws of the gamma distribution of this shape, their logarithms, [count].
Tensor log_gamma_draws(const Tensor& alpha, std::int64_t count,
                       const std::function<random::Seed()>& next_seed);

}  // namespace cornu::inline v0::keras::layers
