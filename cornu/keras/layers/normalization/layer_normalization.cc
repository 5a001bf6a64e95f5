#include "cornu/keras/layers/normalization/layer_normalization.h"

#include <algorithm>

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/normalization/normalization_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The input requirements of a layer that has parameters along the axes: the axes' extents, which must be
/// known. The axes are sorted by their given values, as in Keras: negative ones come first.
InputSpec spec_along(const char* layer, const ops::Axes& axes, const Dims& input_shape) {
  (void)axes.normalized(static_cast<std::int64_t>(input_shape.size()), layer);
  InputSpec spec;
  for (const std::int64_t axis : axes.given()) {
    const std::int64_t at = normalization::known_axis(layer, axis, input_shape);
    spec.axes.emplace_back(axis, input_shape[static_cast<std::size_t>(at)]);
  }
  std::sort(spec.axes.begin(), spec.axes.end());
  return spec;
}

/// The shape of a parameter along the axes of the spec.
Dims extents_of(const InputSpec& spec) {
  Dims extents;
  for (const auto& [axis, extent] : spec.axes) extents.push_back(extent);
  return extents;
}

/// Permutes the parameter's elements to the order of the input's axes.
Tensor in_order(const Tensor& parameter, const ops::Axes& axes, const Tensor& input) {
  Dims extents;
  for (const std::int64_t axis : axes.normalized(input.rank()))
    extents.push_back(input.shape()[static_cast<std::size_t>(axis)]);
  return parameter.shape() == extents ? parameter : ops::reshape(parameter, extents);
}

/// Reshapes a parameter along the axes so that it multiplies the input.
Tensor laid_along(const Tensor& parameter, const ops::Axes& axes, const Tensor& input) {
  Dims dims(input.shape().size(), 1);
  for (const std::int64_t axis : axes.normalized(input.rank()))
    dims[static_cast<std::size_t>(axis)] = input.shape()[static_cast<std::size_t>(axis)];
  return ops::reshape(parameter, dims);
}

class LayerNormalizationLayer : public normalization::ScalingLayer {
 public:
  explicit LayerNormalizationLayer(LayerNormalizationOptions options)
      : ScalingLayer(layer_settings("LayerNormalization", options)), options_(std::move(options)) {
    check_scaling(options_);
    if (options_.axis.all()) option_error("axis must be an axis or a list of them; got none");
    set_supports_masking(true);
    set_autocast(false);
    set_type_rule(TypeRule::kCast);
  }

 protected:
  void build(const Dims& input_shape) override {
    const InputSpec spec = spec_along("layer_normalization", options_.axis, input_shape);
    const Dims shape = extents_of(spec);
    if (options_.scale || options_.rms_scaling) add_gamma(options_, shape);
    if (options_.center && !options_.rms_scaling) add_beta(options_, shape);
    set_input_spec(spec);
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor x = normalization::as_dtype(input, normalization::wide_dtype(input.dtype()));
    const auto wide = [&](const Variable& weight) {
      return weight.defined() ? in_order(normalization::as_dtype(weight, x.dtype()), options_.axis, x)
                              : Tensor();
    };
    if (options_.rms_scaling) {
      Tensor y = x * ops::rsqrt(ops::var(x, {.axis = options_.axis, .keepdims = true}) + options_.epsilon);
      if (gamma_.defined()) y = y * laid_along(wide(gamma_), options_.axis, x);
      return normalization::as_dtype(y, compute_dtype());
    }
    const Tensor y = ops::layer_normalization(
        x, {.gamma = wide(gamma_), .beta = wide(beta_), .axis = options_.axis, .epsilon = options_.epsilon});
    return normalization::as_dtype(y, compute_dtype());
  }

 private:
  LayerNormalizationOptions options_;
};

class RMSNormalizationLayer : public Layer {
 public:
  explicit RMSNormalizationLayer(const RMSNormalizationOptions& options)
      : Layer(layer_settings("RMSNormalization", options)), axis_(options.axis), epsilon_(options.epsilon) {
    if (!(epsilon_ >= 0)) option_error("epsilon", "must not be negative", fmt::format("{}", epsilon_));
    if (axis_.all()) option_error("axis must be an axis or a list of them; got none");
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build(const Dims& input_shape) override {
    const InputSpec spec = spec_along("rms_normalization", axis_, input_shape);
    scale_ = add_weight({.name = "scale", .shape = extents_of(spec), .initializer = "ones"});
    set_input_spec(spec);
  }

  void unbuild() override { set_input_spec({}); }

  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::rms_normalization(
        input, {.scale = in_order(scale_, axis_, input), .axis = axis_, .epsilon = epsilon_});
  }

 private:
  ops::Axes axis_;
  double epsilon_;
  Variable scale_;
};

}  // namespace

LayerNormalization::LayerNormalization(LayerNormalizationOptions options)
    : LayerHandle(std::make_shared<LayerNormalizationLayer>(std::move(options))) {}
RMSNormalization::RMSNormalization(RMSNormalizationOptions options)
    : LayerHandle(std::make_shared<RMSNormalizationLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
