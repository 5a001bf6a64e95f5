#include <algorithm>
#include <memory>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/applications/application_layers_support.h"
#include "cornu/keras/layers/regularization/noise_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class LayerScaleLayer : public Layer {
 public:
  explicit LayerScaleLayer(const LayerScaleOptions& options)
      : Layer(layer_settings("LayerScale", options)), options_(options) {
    if (options.projection_dim < 1)
      option_error("projection_dim", "must be positive", fmt::format("{}", options.projection_dim));
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    const std::optional<Dims> shape = broadcast_shapes(input_shape, {options_.projection_dim});
    if (!shape.has_value())
      invalid_argument(
          "[layer_scale] the last extent of the input must be projection_dim = {} or 1; its shape is {}",
          options_.projection_dim, shape_with_none_str(input_shape));
    return *shape;
  }

 protected:
  void build(const Dims&) override {
    gamma_ = add_weight({.name = "gamma",
                         .shape = {options_.projection_dim},
                         .initializer = initializers::Constant({.value = options_.init_values})});
  }
  Tensor call(const Tensor& x, const CallContext&) override { return x * gamma_; }

 private:
  LayerScaleOptions options_;
  Variable gamma_;
};

class StochasticDepthLayer : public Layer {
 public:
  explicit StochasticDepthLayer(const StochasticDepthOptions& options)
      : Layer(layer_settings("StochasticDepth", options)), rate_(options.drop_path_rate) {
    if (!(rate_ >= 0 && rate_ <= 1))
      option_error("drop_path_rate", "must be in [0, 1]", fmt::format("{}", rate_));
    if (rate_ > 0) seed_generator_ = add_seed_generator({});
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& x, const CallContext& context) override {
    if (!context.training || rate_ == 0) return x;
    Dims of_examples(x.shape().size(), 1);
    if (!of_examples.empty()) of_examples[0] = x.shape()[0];
    return noise::dropped_out(x, rate_, of_examples, *seed_generator_, context);
  }

 private:
  double rate_;
  std::optional<SeedGenerator> seed_generator_;
};

class CustomScaleLayerLayer : public Layer {
 public:
  explicit CustomScaleLayerLayer(const CustomScaleLayerOptions& options)
      : Layer(layer_settings("CustomScaleLayer", options)), scale_(options.scale) {
    set_type_rule(TypeRule::kOverridden);
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_count(inputs.size());
    const bool are_computed = std::all_of(inputs.begin(), inputs.end(), [&](const TensorType& input) {
      return cast_type(input).dtype == compute_dtype();
    });
    const std::optional<Dims> shape = broadcast_shapes(inputs[0].dims, inputs[1].dims);
    if (!are_computed || !shape.has_value()) return Layer::compute_output_types(inputs);
    return {{compute_dtype(), *shape}};
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override { check_count(input_shapes.size()); }
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    return {inputs[0] + inputs[1] * scale_};
  }

 private:
  static void check_count(std::size_t num_inputs) {
    if (num_inputs != 2) invalid_argument("[custom_scale_layer] expected two inputs; got {}", num_inputs);
  }

  double scale_;
};

}  // namespace

LayerScale::LayerScale(const LayerScaleOptions& options)
    : LayerHandle(std::make_shared<LayerScaleLayer>(options)) {}
StochasticDepth::StochasticDepth(const StochasticDepthOptions& options)
    : LayerHandle(std::make_shared<StochasticDepthLayer>(options)) {}
CustomScaleLayer::CustomScaleLayer(const CustomScaleLayerOptions& options)
    : LayerHandle(std::make_shared<CustomScaleLayerLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
