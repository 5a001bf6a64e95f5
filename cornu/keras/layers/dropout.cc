#include "cornu/keras/layers/dropout.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras::layers {
namespace {

class DropoutLayer : public Layer {
 public:
  explicit DropoutLayer(DropoutOptions options)
      : Layer(layer_settings("Dropout", options)), rate_(options.rate), noise_shape_(std::move(options.noise_shape)) {
    if (!(rate_ >= 0 && rate_ <= 1)) option_error(fmt::format("rate must be in [0, 1]; got rate = {}", rate_));
    for (const std::int64_t extent : noise_shape_.value_or(Dims{}))
      if (extent < 1 && extent != kUnknown)
        option_error(
            fmt::format("noise_shape must have positive or unknown extents; got noise_shape = {}", shape_with_none_str(*noise_shape_)));
    if (rate_ > 0) seed_generator_ = add_seed_generator(options.seed);
    set_supports_masking(true);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& input, const CallContext& context) override {
    const Dims noise_shape = noise_shape_for(input);
    if (!context.training || rate_ == 0) return input;
    if (rate_ == 1) return input * 0.0;
    const Tensor counter = context.random_counter.defined() ? context.random_counter : seed_generator_->next();
    const double keep = 1 - rate_;
    // Comparing the bits themselves needs no conversion to floating point.
    const auto threshold = static_cast<std::uint32_t>(std::min(std::round(keep * 0x1p32), 0x1p32 - 1));
    const Tensor bits = ops::random_bits(seed_generator_->key0(), seed_generator_->key1(), counter, noise_shape);
    return ops::where(ops::less(bits, Tensor::of<std::uint32_t>({}, {threshold})), input * (1 / keep), 0);
  }

 private:
  Dims noise_shape_for(const Tensor& input) const {
    if (!noise_shape_.has_value()) return input.shape();
    Dims shape = *noise_shape_;
    bool fits = shape.size() == input.shape().size();
    for (std::size_t i = 0; fits && i < shape.size(); ++i) {
      if (shape[i] == kUnknown) shape[i] = input.shape()[i];
      fits = shape[i] == 1 || shape[i] == input.shape()[i];
    }
    if (!fits) {
      invalid_argument(
          "[dropout] noise_shape must have the input's extents, 1 or unknown ones; got noise_shape = {} for an input of shape {}",
          shape_with_none_str(*noise_shape_), ir::shape_str(input.shape()));
    }
    return shape;
  }

  double rate_;
  std::optional<Dims> noise_shape_;
  std::optional<SeedGenerator> seed_generator_;
};

}  // namespace

Dropout::Dropout(DropoutOptions options) : LayerHandle(std::make_shared<DropoutLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
