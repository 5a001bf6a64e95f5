#include "cornu/keras/layers/regularization/dropout.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/regularization/noise_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class DropoutLayer : public Layer, public RowsTogether {
 public:
  explicit DropoutLayer(DropoutOptions options)
      : Layer(layer_settings("Dropout", options)),
        rate_(options.rate),
        noise_shape_(std::move(options.noise_shape)) {
    if (!(rate_ >= 0 && rate_ <= 1)) option_error("rate", "must be in [0, 1]", fmt::format("{}", rate_));
    if (const std::string error = noise::noise_shape_error(noise_shape_); !error.empty()) option_error(error);
    if (rate_ > 0) seed_generator_ = add_seed_generator(options.seed);
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    (void)noise::noise_shape_for("dropout", input_shape, noise_shape_);
    return input_shape;
  }
  bool takes_rows_together() const override { return noise::has_batch_extent(noise_shape_); }

 protected:
  Tensor call(const Tensor& input, const CallContext& context) override {
    const Dims noise_shape = noise::noise_shape_for("dropout", input.shape(), noise_shape_);
    if (!context.training || rate_ == 0) return input;
    return noise::dropped_out(input, rate_, noise_shape, *seed_generator_, context);
  }

 private:
  double rate_;
  std::optional<Dims> noise_shape_;
  std::optional<SeedGenerator> seed_generator_;
};

}  // namespace

Dropout::Dropout(DropoutOptions options) : LayerHandle(std::make_shared<DropoutLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
