#include "cornu/keras/layers/core/dense.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/calibration_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class DenseLayer : public WithCalibration<Layer> {
 public:
  explicit DenseLayer(DenseOptions options)
      : WithCalibration(layer_settings("Dense", options)), options_(std::move(options)) {
    if (options_.units <= 0) option_error("units", "must be positive", fmt::format("{}", options_.units));
    check_activation(options_.activation);
    check_initializer("kernel_initializer", options_.kernel_initializer);
    check_initializer("bias_initializer", options_.bias_initializer);
    check_regularizer("kernel_regularizer", options_.kernel_regularizer);
    check_regularizer("bias_regularizer", options_.bias_regularizer);
    check_constraint("kernel_constraint", options_.kernel_constraint);
    check_constraint("bias_constraint", options_.bias_constraint);
    set_lora_options(options_.lora_rank, options_.lora_alpha, options_.kernel_constraint.get() != nullptr);
    set_quantization_option(options_.quantization_config);
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

  void quantize(const std::shared_ptr<QuantizationConfig>& config) override {
    check_may_quantize(*config);
    if (config->mode() == QuantizationMode::kFloat8) {
      become_quantized(config);
      float8_ = add_float8_weights();
      return;
    }
    const Dims shape = kernel_.shape();
    const Tensor kernel = weight_on_host(kernel_);
    const QuantizedValues values = config->mode() == QuantizationMode::kInt8
                                       ? int8_kernel(kernel, config.get())
                                       : int4_values(kernel, config.get(), config->block_size().value_or(0));
    remove_weight(kernel_);
    kernel_ = Variable();
    become_quantized(config);
    add_quantized_kernel(shape[0], values);
    set_quantized_lora_weight(quantized_.values, shape);
  }

  bool is_merged(const Variable& variable) const override {
    return is_quantized() ? quantized_.contains(variable) : WithLora::is_merged(variable);
  }
  std::vector<std::pair<Variable, Tensor>> merged_values() const override {
    if (!is_quantized()) return WithLora::merged_values();
    const EagerScope outside_of_traces;
    const cornu::detail::HostScope on_host;
    const Tensor sum = lora_sum(quantized_kernel().floats(variable_dtype()), Tensor(lora()->a),
                                Tensor(lora()->b), lora()->factor);
    return merged_with(quantized_,
                       is_int4() ? int4_values(sum, nullptr, block_size()) : int8_kernel(sum, nullptr));
  }

 protected:
  void build(const Dims& input_shape) override {
    if (input_shape.size() < 2)
      invalid_argument("[dense] the input needs a batch and a feature dimension; its shape is {}",
                       shape_with_none_str(input_shape));
    if (input_shape.back() == kUnknown)
      invalid_argument("[dense] the last extent of the input shape {} must be known",
                       shape_with_none_str(input_shape));
    const Dims shape = {input_shape.back(), options_.units};
    if (is_float8()) float8_ = add_float8_weights();
    if (is_quantized())
      add_quantized_kernel(shape[0], {});
    else if (!is_calibrated())
      kernel_ = add_weight({.name = "kernel",
                            .shape = shape,
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
    if (is_calibrated()) add_calibrated_kernel(shape, {});
    if (is_quantized()) set_quantized_lora_weight(quantized_.values, shape);
    set_lora_weight(is_quantized() ? quantized_.values : kernel_, options_.kernel_regularizer);
    set_input_spec({.min_ndim = 2, .axes = {{-1, input_shape.back()}}});
  }

  void unbuild() override { set_input_spec({.min_ndim = 2}); }

  Tensor call(const Tensor& input, const CallContext& context) override {
    observe(input);
    Tensor output = is_float8()       ? float8_product(input, context.training && !sees_types_only())
                    : is_quantized()  ? quantized_product(input)
                    : is_calibrated() ? calibrated_kernel().product(input, options_.units)
                                      : ops::matmul(input, lora_weight());
    if (bias_.defined()) output = output + (is_float8() ? float8_bias(bias_) : Tensor(bias_));
    return options_.activation(output);
  }

  std::vector<Variable> weights_in_file_order() const override {
    if (is_float8()) return float8_.in_file_order(kernel_, bias_);
    if (is_calibrated()) return calibrated_in_file_order(bias_);
    return is_quantized() ? quantized_.in_file_order(bias_) : std::vector<Variable>();
  }

  const Variable& float_kernel() const override { return kernel_; }
  const char* zero_point_name() const override { return "kernel_zero"; }

 private:
  static QuantizedValues int8_kernel(const Tensor& kernel, const QuantizationConfig* config) {
    QuantizedValues values = int8_values(kernel, config, 0);
    values.scale = ops::squeeze(values.scale, {.axis = 0});
    return values;
  }

  void add_quantized_kernel(std::int64_t features, const QuantizedValues& values) {
    const std::int64_t units = options_.units;
    quantized_ =
        add_quantized_weights("kernel",
                              is_int4() ? int4_form(features, units, block_size())
                                        : QuantizedForm{.values = {features, units}, .scale = {units}},
                              values);
  }

  QuantizedTensors quantized_kernel() const { return {quantized_, is_int4() ? options_.units : 0}; }

  Tensor float8_product(const Tensor& input, bool training) const {
    const Tensor product = ops::matmul(float8_operand(input, float8_.inputs, training),
                                       float8_operand(kernel_, float8_.kernel, training));
    return with_float8_gradient(product, float8_.outputs_grad, training);
  }

  Tensor quantized_product(const Tensor& input) const {
    const Tensor product =
        quantized_matmul(input, quantized_kernel(), options_.units, activation_quantizer(!is_int4()));
    return with_lora_product(product, [&](const Tensor& a) { return ops::matmul(input, a); });
  }

  DenseOptions options_;
  Variable kernel_;  // undefined if it is of integers
  QuantizedWeights quantized_;
  Float8State float8_;
  Variable bias_;
};

}  // namespace

Dense::Dense(DenseOptions options) : LoraHandle(std::make_shared<DenseLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
