#include "cornu/keras/layers/core/identity.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

LayerSettings regularizing(const ActivityRegularizationOptions& options) {
  LayerSettings settings = layer_settings("ActivityRegularization", options);
  settings.activity_regularizer = regularizers::L1L2({.l1 = options.l1, .l2 = options.l2});
  return settings;
}

class IdentityLayer : public Layer {
 public:
  explicit IdentityLayer(LayerSettings settings) : Layer(std::move(settings)) {
    set_supports_masking(true);
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    std::vector<TensorType> types;
    for (const TensorType& input : inputs) types.push_back(cast_type(input));
    return types;
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    return {inputs.begin(), inputs.end()};
  }
};

class UnitNormalizationLayer : public Layer {
 public:
  explicit UnitNormalizationLayer(const UnitNormalizationOptions& options)
      : Layer(layer_settings("UnitNormalization", options)), axis_(options.axis) {
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    (void)axis_.normalized(static_cast<std::int64_t>(input_shape.size()), "unit_normalization");
    return input_shape;
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    return ops::normalize(x, {.axis = axis_, .epsilon = 1e-12});  // Keras's epsilon for this layer
  }

 private:
  ops::Axes axis_;
};

}  // namespace

Identity::Identity(IdentityOptions options)
    : LayerHandle(std::make_shared<IdentityLayer>(layer_settings("Identity", options))) {}
ActivityRegularization::ActivityRegularization(ActivityRegularizationOptions options)
    : LayerHandle(std::make_shared<IdentityLayer>(regularizing(options))) {}
UnitNormalization::UnitNormalization(UnitNormalizationOptions options)
    : LayerHandle(std::make_shared<UnitNormalizationLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
