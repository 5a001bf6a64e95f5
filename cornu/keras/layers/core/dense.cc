#include "cornu/keras/layers/core/dense.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class DenseLayer : public WithLora<Layer> {
 public:
  explicit DenseLayer(DenseOptions options)
      : WithLora(layer_settings("Dense", options)), options_(std::move(options)) {
    if (options_.units <= 0) option_error("units", "must be positive", fmt::format("{}", options_.units));
    check_activation(options_.activation);
    check_initializer("kernel_initializer", options_.kernel_initializer);
    check_initializer("bias_initializer", options_.bias_initializer);
    check_regularizer("kernel_regularizer", options_.kernel_regularizer);
    check_regularizer("bias_regularizer", options_.bias_regularizer);
    check_constraint("kernel_constraint", options_.kernel_constraint);
    check_constraint("bias_constraint", options_.bias_constraint);
    set_lora_options(options_.lora_rank, options_.lora_alpha, options_.kernel_constraint.get() != nullptr);
    set_input_spec({.min_ndim = 2});
    set_supports_masking(true);
    set_type_rule(options_.activation.keeps_type() ? TypeRule::kComputed : TypeRule::kNone);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims shape = input_shape;
    if (!shape.empty()) shape.back() = options_.units;
    return shape;
  }

  std::string activation_name() const override { return options_.activation.name(); }

 protected:
  void build(const Dims& input_shape) override {
    if (input_shape.size() < 2)
      invalid_argument("[dense] the input needs a batch and a feature dimension; its shape is {}",
                       shape_with_none_str(input_shape));
    if (input_shape.back() == kUnknown)
      invalid_argument("[dense] the last extent of the input shape {} must be known",
                       shape_with_none_str(input_shape));
    kernel_ = add_weight({.name = "kernel",
                          .shape = {input_shape.back(), options_.units},
                          .initializer = options_.kernel_initializer,
                          .regularizer = options_.kernel_regularizer,
                          .constraint = options_.kernel_constraint});
    if (options_.use_bias) {
      bias_ = add_weight({.name = "bias",
                          .shape = {options_.units},
                          .initializer = options_.bias_initializer,
                          .regularizer = options_.bias_regularizer,
                          .constraint = options_.bias_constraint});
    }
    set_lora_weight(kernel_, options_.kernel_regularizer);
    set_input_spec({.min_ndim = 2, .axes = {{-1, input_shape.back()}}});
  }

  void unbuild() override { set_input_spec({.min_ndim = 2}); }

  Tensor call(const Tensor& input, const CallContext&) override {
    Tensor output = ops::matmul(input, lora_weight());
    if (bias_.defined()) output = output + bias_;
    return options_.activation(output);
  }

 private:
  DenseOptions options_;
  Variable kernel_;
  Variable bias_;
};

}  // namespace

Dense::Dense(DenseOptions options) : LoraHandle(std::make_shared<DenseLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
