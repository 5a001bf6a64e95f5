#include "cornu/keras/layers/activation/activation.h"

#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ActivationLayer : public Layer {
 public:
  explicit ActivationLayer(ActivationOptions options)
      : Layer(layer_settings("Activation", options)), activation_(std::move(options.activation)) {
    check_activation(activation_);
    set_supports_masking(true);
    set_type_rule(activation_.keeps_type() ? TypeRule::kComputed : TypeRule::kNone);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    return has_type_rule() ? input_shape : Layer::compute_output_shape(input_shape);
  }
  std::string activation_name() const override { return activation_.name(); }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override { return activation_(input); }

 private:
  ActivationSpec activation_;
};

}  // namespace

Activation::Activation(ActivationOptions options)
    : LayerHandle(std::make_shared<ActivationLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
