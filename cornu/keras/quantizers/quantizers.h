#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/dtype_policy.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/quantizers/functions.h"

namespace cornu::inline v0::keras {

/// A rule by which a tensor becomes small integers. For custom ones derive a class.
class Quantizer : public Configurable {
 public:
  static constexpr const char* kHandleKind = "quantizer";  // see Handle

  /// Keras's class name: "AbsMaxQuantizer".
  virtual std::string class_name() const = 0;
  virtual DType output_dtype() const { return DType::kI8; }
  virtual ValueRange value_range() const { return {}; }
  /// The quantized tensor with a scale for each group of elements along the axes; `axis` unset: the axes of
  /// the quantizer.
  virtual quantizers::QuantizedTensor operator()(const Tensor& x,
                                                 const std::optional<ops::Axes>& axis) const = 0;
  Config get_config() const override;

  /// Makes "abs_max_quantizer". Errors: InvalidArgument, suggesting the nearest name.
  static std::shared_ptr<Quantizer> from_name(const StringArgument& name,
                                              const ArgumentName& argument = {"quantizers.get", "name"});
};
using QuantizerSpec = Spec<Quantizer>;

/// A shared handle to a quantizer, for users; callable.
class QuantizerHandle : public Handle<Quantizer> {
 public:
  using Handle<Quantizer>::Handle;
  quantizers::QuantizedTensor operator()(const Tensor& x, const std::optional<ops::Axes>& axis = {}) const {
    return (**this)(x, axis);
  }
};

/// The way in which layers are quantized.
class QuantizationConfig : public Configurable {
 public:
  static constexpr const char* kHandleKind = "quantization config";  // see Handle

  /// Keras's class name: "Int8QuantizationConfig".
  virtual std::string class_name() const = 0;
  virtual QuantizationMode mode() const = 0;
  /// Null: the quantizer that the layer chooses.
  virtual std::shared_ptr<Quantizer> weight_quantizer() const { return nullptr; }
  /// Null: inputs stay as they are.
  virtual std::shared_ptr<Quantizer> activation_quantizer() const { return nullptr; }
  /// Rows of an int4 kernel, or of one of GPTQ or AWQ, that share a scale; unset: all.
  virtual std::optional<std::int64_t> block_size() const { return std::nullopt; }
  /// Bits of a weight of GPTQ or AWQ.
  virtual std::int64_t weight_bits() const { return 4; }
  Config get_config() const override;

  /// Makes the default configuration of a mode: "int8", "int4" or "float8".
  /// Errors: InvalidArgument for "gptq" and "awq", which need calibration data (GPTQConfig, AWQConfig), and for
  ///         other names, suggesting the nearest.
  static std::shared_ptr<QuantizationConfig> from_name(const StringArgument& name,
                                                       const ArgumentName& argument = {"quantize", "mode"});
};
/// A mode ("int8", "int4", "float8") or a configuration.
using QuantizationConfigSpec = Spec<QuantizationConfig>;

/// The configuration. Errors: InvalidArgument if there is none; those of from_name.
std::shared_ptr<QuantizationConfig> resolved_quantization(const QuantizationConfigSpec& config);

/// A shared handle to a quantization config, for users.
class QuantizationConfigHandle : public Handle<QuantizationConfig> {
 public:
  using Handle<QuantizationConfig>::Handle;
};

namespace quantizers {

struct AbsMaxQuantizerOptions {  // options/quantizers.toml
  /// Axes along which elements share a scale; unset: the axes given in a call, otherwise the last axis.
  ops::OptionalIntOrInts axis = {};
  /// Lowest and highest quantized value.
  ValueRange value_range = {};
  /// Number added to the largest absolute value, so that no division is by zero.
  double epsilon = 1e-7;
  /// Dtype of the quantized values.
  DType output_dtype = DType::kI8;
};
CORNU_FIELDS(AbsMaxQuantizerOptions, axis, value_range, epsilon, output_dtype)

/// abs_max_quantize with fixed options.
/// Errors: InvalidArgument if output_dtype is no integer of at most 32 bits, or does not hold value_range.
class AbsMaxQuantizer : public QuantizerHandle {
 public:
  explicit AbsMaxQuantizer(AbsMaxQuantizerOptions options = {});
  explicit AbsMaxQuantizer(NoOptions) : AbsMaxQuantizer() {}
};

struct Int8QuantizationConfigOptions {  // options/quantizers.toml
  /// Quantizer of the weights; unset: the one that the layer chooses.
  QuantizerSpec weight_quantizer = {};
  /// Quantizer of the inputs of each call; unset: inputs stay as they are.
  QuantizerSpec activation_quantizer = "abs_max_quantizer";
};
CORNU_FIELDS(Int8QuantizationConfigOptions, weight_quantizer, activation_quantizer)

/// Weights of eight bits; by default inputs of eight bits too, with a scale for each row.
/// Errors: InvalidArgument if the weight_quantizer's output_dtype is not int8.
class Int8QuantizationConfig : public QuantizationConfigHandle {
 public:
  explicit Int8QuantizationConfig(Int8QuantizationConfigOptions options = {});
  explicit Int8QuantizationConfig(NoOptions) : Int8QuantizationConfig() {}
};

struct Int4QuantizationConfigOptions {  // options/quantizers.toml
  /// Quantizer of the weights; unset: the one that the layer chooses.
  QuantizerSpec weight_quantizer = {};
  /// Quantizer of the inputs of each call; unset: inputs stay as they are.
  QuantizerSpec activation_quantizer = {};
  /// Number of rows of the kernel that share a scale and a zero point; unset or -1: all rows share a scale,
  /// without a zero point.
  std::optional<std::int64_t> block_size = 128;
};
CORNU_FIELDS(Int4QuantizationConfigOptions, weight_quantizer, activation_quantizer, block_size)

/// Weights of four bits, two in a byte.
/// Errors: InvalidArgument if block_size is neither positive nor -1, if quantizers are combined with a positive
///         block_size, or if the weight_quantizer's output_dtype is not int8 or its value_range not {-8, 7}.
class Int4QuantizationConfig : public QuantizationConfigHandle {
 public:
  explicit Int4QuantizationConfig(Int4QuantizationConfigOptions options = {});
  explicit Int4QuantizationConfig(NoOptions) : Int4QuantizationConfig() {}
};

/// Training in which the operands of products are rounded to floats of eight bits.
class Float8QuantizationConfig : public QuantizationConfigHandle {
 public:
  Float8QuantizationConfig();
};

}  // namespace quantizers
}  // namespace cornu::inline v0::keras
