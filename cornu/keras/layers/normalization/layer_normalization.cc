#include "cornu/keras/layers/normalization/layer_normalization.h"

#include "cornu/keras/layers/normalization/normalization_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The extents along the axes in ascending order; all must be known.
Dims extents_along(const char* layer, const ops::Axes& axes, const Dims& input_shape) {
  Dims extents;
  for (const std::int64_t axis : axes.normalized(static_cast<std::int64_t>(input_shape.size()), layer))
    extents.push_back(input_shape[static_cast<std::size_t>(normalization::known_axis(layer, axis, input_shape))]);
  return extents;
}

class LayerNormalizationLayer : public Layer {
 public:
  explicit LayerNormalizationLayer(LayerNormalizationOptions options)
      : Layer(layer_settings("LayerNormalization", options)), options_(std::move(options)) {
    if (!(options_.epsilon >= 0)) option_error(fmt::format("epsilon must not be negative; got epsilon = {}", options_.epsilon));
    if (options_.axis.all()) option_error("axis must be an axis or a list of them; got none");
    check_initializer("beta_initializer", options_.beta_initializer);
    check_initializer("gamma_initializer", options_.gamma_initializer);
    check_regularizer("beta_regularizer", options_.beta_regularizer);
    check_regularizer("gamma_regularizer", options_.gamma_regularizer);
    check_constraint("beta_constraint", options_.beta_constraint);
    check_constraint("gamma_constraint", options_.gamma_constraint);
    set_supports_masking(true);
    set_autocast(false);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build(const Dims& input_shape) override {
    const Dims shape = extents_along("layer_normalization", options_.axis, input_shape);
    if (options_.scale) {
      gamma_ = add_weight({.name = "gamma",
                           .shape = shape,
                           .initializer = options_.gamma_initializer,
                           .regularizer = options_.gamma_regularizer,
                           .constraint = options_.gamma_constraint});
    }
    if (options_.center) {
      beta_ = add_weight({.name = "beta",
                          .shape = shape,
                          .initializer = options_.beta_initializer,
                          .regularizer = options_.beta_regularizer,
                          .constraint = options_.beta_constraint});
    }
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor x = normalization::as_dtype(input, normalization::wide_dtype(input.dtype()));
    const auto wide = [&](const Variable& weight) { return weight.defined() ? normalization::as_dtype(weight, x.dtype()) : Tensor(); };
    const Tensor y =
        ops::layer_normalization(x, {.gamma = wide(gamma_), .beta = wide(beta_), .axis = options_.axis, .epsilon = options_.epsilon});
    return normalization::as_dtype(y, dtype());
  }

 private:
  LayerNormalizationOptions options_;
  Variable gamma_;
  Variable beta_;
};

class RMSNormalizationLayer : public Layer {
 public:
  explicit RMSNormalizationLayer(const RMSNormalizationOptions& options)
      : Layer(layer_settings("RMSNormalization", options)), axis_(options.axis), epsilon_(options.epsilon) {
    if (!(epsilon_ >= 0)) option_error(fmt::format("epsilon must not be negative; got epsilon = {}", epsilon_));
    if (axis_.all()) option_error("axis must be an axis or a list of them; got none");
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build(const Dims& input_shape) override {
    scale_ = add_weight({.name = "scale", .shape = extents_along("rms_normalization", axis_, input_shape), .initializer = "ones"});
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::rms_normalization(input, {.scale = scale_, .axis = axis_, .epsilon = epsilon_});
  }

 private:
  ops::Axes axis_;
  double epsilon_;
  Variable scale_;
};

}  // namespace

LayerNormalization::LayerNormalization(LayerNormalizationOptions options)
    : LayerHandle(std::make_shared<LayerNormalizationLayer>(std::move(options))) {}
RMSNormalization::RMSNormalization(RMSNormalizationOptions options) : LayerHandle(std::make_shared<RMSNormalizationLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
