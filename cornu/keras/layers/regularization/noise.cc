#include "cornu/keras/layers/regularization/noise.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/regularization/noise_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// A layer that changes its input only during training, and only if `strength` is above 0.
class NoiseLayer : public Layer {
 public:
  template <typename Options>
  NoiseLayer(const char* class_name, const Options& options, double strength)
      : Layer(layer_settings(class_name, options)) {
    if (strength > 0) seed_generator_ = add_seed_generator(options.seed);
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build_for(std::span<const Dims>) override {}
  /// The output in a training step.
  virtual Tensor with_noise(const Tensor& input, const SeedGenerator& generator,
                            const CallContext& context) const = 0;

  Tensor call(const Tensor& input, const CallContext& context) override {
    if (!context.training || !seed_generator_.has_value()) return input;
    return with_noise(input, *seed_generator_, context);
  }

  void check_below_1(double rate) const {
    if (!(rate >= 0 && rate < 1)) option_error("rate", "must be in [0, 1)", fmt::format("{}", rate));
  }

 private:
  std::optional<SeedGenerator> seed_generator_;
};

class GaussianNoiseLayer : public NoiseLayer {
 public:
  explicit GaussianNoiseLayer(const GaussianNoiseOptions& options)
      : NoiseLayer("GaussianNoise", options, options.stddev), stddev_(options.stddev) {
    if (!(stddev_ >= 0 && stddev_ <= 1))
      option_error("stddev", "must be in [0, 1]", fmt::format("{}", stddev_));
  }

 protected:
  Tensor with_noise(const Tensor& input, const SeedGenerator& generator,
                    const CallContext& context) const override {
    return input + random::normal(input.shape(), {.stddev = stddev_,
                                                  .dtype = compute_dtype(),
                                                  .seed = noise::call_seed(generator, context)});
  }

 private:
  double stddev_;
};

class GaussianDropoutLayer : public NoiseLayer {
 public:
  explicit GaussianDropoutLayer(const GaussianDropoutOptions& options)
      : NoiseLayer("GaussianDropout", options, options.rate),
        stddev_(std::sqrt(options.rate / (1 - options.rate))) {
    check_below_1(options.rate);
  }

 protected:
  Tensor with_noise(const Tensor& input, const SeedGenerator& generator,
                    const CallContext& context) const override {
    return input * random::normal(input.shape(), {.mean = 1,
                                                  .stddev = stddev_,
                                                  .dtype = compute_dtype(),
                                                  .seed = noise::call_seed(generator, context)});
  }

 private:
  double stddev_;
};

class AlphaDropoutLayer : public NoiseLayer, public RowsTogether {
 public:
  explicit AlphaDropoutLayer(AlphaDropoutOptions options)
      : NoiseLayer("AlphaDropout", options, options.rate),
        rate_(options.rate),
        noise_shape_(std::move(options.noise_shape)) {
    check_below_1(rate_);
    if (const std::string error = noise::noise_shape_error(noise_shape_); !error.empty()) option_error(error);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    (void)noise::noise_shape_for("alpha_dropout", input_shape, noise_shape_);
    return input_shape;
  }
  bool takes_rows_together() const override { return noise::has_batch_extent(noise_shape_); }

 protected:
  Tensor with_noise(const Tensor& input, const SeedGenerator& generator,
                    const CallContext& context) const override {
    const double saturated = -1.6732632423543772 * 1.0507009873554805;  // -alpha * scale of selu
    const double factor = 1 / std::sqrt((1 - rate_) * (1 + rate_ * saturated * saturated));
    const double shift = -factor * saturated * rate_;
    const Dims noise_shape = noise::noise_shape_for("alpha_dropout", input.shape(), noise_shape_);
    const Tensor is_kept = noise::kept(generator, context, 1 - rate_, noise_shape);
    return ops::where(is_kept, input, saturated) * factor + shift;
  }

 private:
  double rate_;
  std::optional<Dims> noise_shape_;
};

}  // namespace

GaussianNoise::GaussianNoise(GaussianNoiseOptions options)
    : LayerHandle(std::make_shared<GaussianNoiseLayer>(options)) {}
GaussianDropout::GaussianDropout(GaussianDropoutOptions options)
    : LayerHandle(std::make_shared<GaussianDropoutLayer>(options)) {}
AlphaDropout::AlphaDropout(AlphaDropoutOptions options)
    : LayerHandle(std::make_shared<AlphaDropoutLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
