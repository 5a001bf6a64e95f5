#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/keras/quantizers/quantizers_support.h"
#include "cornu/tensor/custom_gradient.h"

/// Code shared by the layers that quantize() changes; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// The weights of a quantized kernel or table.
struct QuantizedWeights {
  Variable values;              // int8; of int4 two in a byte, along the last axis
  Variable scale;               // values were multiplied by it; with zero_point: values are multiplied by it
  Variable zero_point;          // int8; int4 with a block size only
  Variable group_of;            // f32, the number of the group of each row; int4 with a block size only
  std::int64_t block_size = 0;  // rows of a group; 0: no groups

  /// The order in files, where the layer's bias, if it has one, is second.
  std::vector<Variable> in_file_order(const Variable& bias) const;

  bool contains(const Variable& variable) const {
    return variable == values || variable == scale || variable == zero_point;
  }
};

/// Their values in a call: a matrix with a scale for each column, or each column of a group of rows.
struct QuantizedTensors {
  Tensor values, scale, zero_point, group_of;
  std::int64_t packed_columns = 0;  // of int4; 0: int8
  std::int64_t block_size = 0;      // rows of a group; 0: no groups

  QuantizedTensors(const QuantizedWeights& weights, std::int64_t packed_columns);
  /// The matrix of integers, unpacked.
  Tensor integers() const;
  /// The matrix as floats.
  Tensor floats(DType dtype) const;
  /// The same of the even (0) or the odd (1) columns of a packed matrix; an odd column after the last is 0.
  Tensor integers_of_half(int which) const;
  Tensor floats_of_half(int which, DType dtype) const;
};

/// x . matrix, by integers if there is a quantizer of x; the gradient for x is that of the matrix as floats.
Tensor quantized_matmul(const Tensor& x, const QuantizedTensors& matrix, std::int64_t columns,
                        const std::shared_ptr<Quantizer>& quantizer);

/// x . matrix, where half(0) and half(1) return the matrix of its even and of its odd columns. Results are
/// interleaved in place of the matrix, which takes ten times as long.
Tensor product_by_halves(const Tensor& x, std::int64_t columns, const std::function<Tensor(int)>& half);

/// Their types.
struct QuantizedForm {
  Dims values;
  Dims scale;
  std::int64_t block_size = 0;  // rows of a group; 0: no groups
  std::int64_t num_rows = 0;    // of all groups
};

/// Their contents; undefined where a weight begins with zeros or ones.
struct QuantizedValues {
  Tensor values, scale, zero_point;
};

/// A kernel of eight bits with a scale for the elements along `axes`, which stay with extent 1. The weight
/// quantizer of `config`, if it has one, chooses the axes.
QuantizedValues int8_values(const Tensor& kernel, const QuantizationConfig* config, const ops::Axes& axes);
/// A matrix of four bits, packed along its columns, with a scale for each column, or each column of a group of
/// rows if `block_size` is positive.
QuantizedValues int4_values(const Tensor& matrix, const QuantizationConfig* config, std::int64_t block_size);
/// The same, packed along its rows.
QuantizedValues int4_values_by_rows(const Tensor& matrix, const QuantizationConfig* config,
                                    std::int64_t block_size);
/// The weights with these values.
std::vector<std::pair<Variable, Tensor>> merged_with(const QuantizedWeights& weights,
                                                     const QuantizedValues& values);
/// The scale's shape and the like of such a matrix.
QuantizedForm int4_form(std::int64_t rows, std::int64_t columns, std::int64_t block_size);
/// The value of a weight, on the host.
Tensor weight_on_host(const Variable& weight);

/// forward(inputs), with a gradient for the inputs alone.
template <typename Forward, typename Backward>
Tensor with_input_gradient(const Tensor& inputs, const Forward& forward, const Backward& backward) {
  return custom_gradient([&](const Tensor& x) { return std::pair(forward(x), backward); })(inputs);
}

/// The scale of a tensor that is rounded to floats of eight bits, and its largest absolute values in the last
/// steps of training.
struct Float8Weights {
  Variable scale, amax_history;
};

/// Those of a layer of float8.
struct Float8State {
  Float8Weights inputs, kernel, outputs_grad;

  /// The order in files, after kernel and bias.
  std::vector<Variable> in_file_order(const Variable& kernel_weight, const Variable& bias) const;
};

/// `x` rounded to float8_e4m3fn by its scale; the gradient passes. Training updates scale and history.
Tensor float8_operand(const Tensor& x, const Float8Weights& weights, bool training);
/// `y` with a gradient that is rounded to float8_e5m2. Training updates scale and history when it is computed.
Tensor with_float8_gradient(const Tensor& y, const Float8Weights& weights, bool training);
/// The bias as Keras adds it: of f32 rounded to bf16.
Tensor float8_bias(const Tensor& bias);

/// A layer with LoRA whose large weight has a quantized form.
template <typename Base>
class WithQuantization : public WithLora<Base> {
 public:
  using WithLora<Base>::WithLora;

  std::vector<Variable> saved_weights() const override {
    std::vector<Variable> own = this->own_weights(), saved = weights_in_file_order();
    if (saved.empty()) return own;
    for (const Variable& variable : own)  // those of LoRA
      if (std::find(saved.begin(), saved.end(), variable) == saved.end()) saved.push_back(variable);
    return saved;
  }

 protected:
  /// Empty: the order in which they were made.
  virtual std::vector<Variable> weights_in_file_order() const = 0;

  /// For constructors.
  void set_quantization_option(const QuantizationConfigSpec& config) {
    config_ = config.get({"quantization_config", "quantization_config"});
    const QuantizationMode mode = this->quantization_mode();
    if (config_ != nullptr && mode != QuantizationMode::kNone && config_->mode() != mode)
      this->option_error(fmt::format("quantization_config is of the mode \"{}\", the policy is \"{}\"",
                                     quantization_mode_name(config_->mode()), this->dtype_policy().name()));
  }

  /// Begins quantize(). Errors: those of Layer::quantize.
  void check_may_quantize(const QuantizationConfig& config) const {
    if (config.mode() == QuantizationMode::kGptq || config.mode() == QuantizationMode::kAwq)
      fail(ErrorCode::kUnimplemented, {.layer = this->name()},
           "[quantize] the mode \"{}\" quantizes the Dense and EinsumDense layers of a model by calibration "
           "data; "
           "call the model's quantize()",
           quantization_mode_name(config.mode()));
    check_may_change(config);
  }

  /// The same for any mode.
  void check_may_change(const QuantizationConfig& config) const {
    if (!this->built())
      fail(ErrorCode::kFailedPrecondition, {.layer = this->name()},
           "[quantize] the weights are made when the input shape is known: call build(), or the layer on "
           "data, first");
    if (this->quantization_mode() != QuantizationMode::kNone)
      fail(ErrorCode::kFailedPrecondition, {.layer = this->name()},
           "[quantize] the layer is quantized already; its policy is \"{}\"", this->dtype_policy().name());
    (void)this->dtype_policy().quantized(config.mode());
    refuse_float8_with_lora(config.mode());
  }

  /// Sets the policy and the configuration of a layer that is quantized.
  void become_quantized(const std::shared_ptr<QuantizationConfig>& config) {
    config_ = config;
    std::optional<std::int64_t> block_size;
    const bool has_groups =
        config->mode() != QuantizationMode::kInt8 && config->mode() != QuantizationMode::kFloat8;
    if (has_groups) block_size = config->block_size().value_or(-1);
    this->set_dtype_policy(this->dtype_policy().quantized(config->mode(), block_size, config->weight_bits()));
  }

  /// True if the large weight is of integers.
  bool is_quantized() const { return is_int4() || this->quantization_mode() == QuantizationMode::kInt8; }
  bool is_float8() const { return this->quantization_mode() == QuantizationMode::kFloat8; }
  bool is_int4() const { return this->quantization_mode() == QuantizationMode::kInt4; }
  const QuantizationConfig* quantization_config() const { return config_.get(); }
  /// Rows of a group of an int4 kernel; 0: no groups.
  std::int64_t block_size() const {
    const bool has_own = config_ != nullptr && config_->mode() == QuantizationMode::kInt4;
    const std::int64_t size =
        has_own ? config_->block_size().value_or(-1) : this->dtype_policy().block_size().value_or(-1);
    return size > 0 ? size : 0;
  }
  /// The quantizer of inputs; null: none. `by_default`: of a policy without a configuration.
  std::shared_ptr<Quantizer> activation_quantizer(bool by_default) const {
    if (config_ != nullptr) return config_->activation_quantizer();
    return by_default ? quantizers::AbsMaxQuantizer().shared() : nullptr;
  }

  /// Makes the weights name, name_scale, and, with groups, name_zero and g_idx.
  QuantizedWeights add_quantized_weights(const std::string& name, const QuantizedForm& form,
                                         const QuantizedValues& values) {
    QuantizedWeights made;
    made.values = add_fixed(name, form.values, DType::kI8, values.values, "zeros");
    made.scale = add_fixed(name + "_scale", form.scale, std::nullopt, values.scale, "ones");
    if (form.block_size == 0) return made;
    made.block_size = form.block_size;
    made.zero_point = add_fixed(name + "_zero", form.scale, DType::kI8, values.zero_point, "zeros");
    const std::int64_t size = form.block_size;
    made.group_of =
        this->add_weight({.name = "g_idx",
                          .shape = {form.num_rows},
                          .initializer =
                              [size](const Dims& shape, DType dtype) {
                                return ops::floor(ops::arange(shape[0], dtype) / static_cast<double>(size));
                              },
                          .trainable = false,
                          .dtype = DType::kF32,
                          .autocast = false});
    return made;
  }

  Float8State add_float8_weights() {
    const std::int64_t length = this->dtype_policy().amax_history_length();
    const auto add = [&](const std::string& name) {
      const auto one = [&](const std::string& end, const Dims& shape, const char* initializer) {
        return this->add_weight({.name = name + end,
                                 .shape = shape,
                                 .initializer = initializer,
                                 .trainable = false,
                                 .dtype = DType::kF32,
                                 .autocast = false,
                                 .aggregation = VariableAggregation::kMean});
      };
      Float8Weights made;
      made.scale = one("_scale", {}, "ones");
      made.amax_history = one("_amax_history", {length}, "zeros");
      return made;
    };
    Float8State made;
    made.inputs = add("inputs");
    made.kernel = add("kernel");
    made.outputs_grad = add("outputs_grad");
    return made;
  }

  Variable add_fixed(const std::string& name, const Dims& shape, std::optional<DType> dtype,
                     const Tensor& value, const char* otherwise) {
    InitializerSpec initializer = otherwise;
    if (value.defined()) initializer = [value](const Dims&, DType) { return value; };
    return this->add_weight(
        {.name = name, .shape = shape, .initializer = initializer, .trainable = false, .dtype = dtype});
  }

  /// Writes the present configuration; Keras writes null if there is none.
  void add_to_config(Config& fields) const override {
    WithLora<Base>::add_to_config(fields);
    fields.set("quantization_config", config_ == nullptr ? Config() : saving::serialize(*config_));
  }

 private:
  void refuse_float8_with_lora(QuantizationMode mode) const {
    if (mode == QuantizationMode::kFloat8 && this->lora() != nullptr)
      this->option_error("float8 and LoRA exclude each other");
  }

  std::shared_ptr<QuantizationConfig> config_;
};

}  // namespace cornu::inline v0::keras::layers
