#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::keras {

/// The form in which a layer keeps its large weights.
enum class QuantizationMode : std::uint8_t {
  kNone,
  kInt8,    // integers of eight bits
  kInt4,    // integers of four bits, two in a byte
  kFloat8,  // floats, rounded to eight bits in products
  kGptq,    // integers chosen by GPTQ from calibration data
  kAwq,     // integers of four bits, after scales of the rows that AWQ chose from calibration data
};

/// "int8", "int4", "float8", "gptq" or "awq"; empty for kNone.
std::string_view quantization_mode_name(QuantizationMode mode);

/// The dtypes in which a layer computes and keeps its weights: Keras's DTypePolicy and QuantizedDTypePolicy.
///
/// A dtype's name sets both; "mixed_float16" and "mixed_bfloat16" compute in the 16-bit type and keep weights
/// in float32. "int8_from_float32", "int4_from_float32", "int4/128_from_float32", "float8_from_float32",
/// "gptq/4/128_from_float32" and "awq/4/128_from_float32" are the policies of layers that quantize() changed from
/// "float32", and of new layers with quantized weights.
class DTypePolicy {
 public:
  /// float32, regardless of the default policy.
  DTypePolicy() = default;
  DTypePolicy(ir::DType dtype) : compute_dtype_(dtype), variable_dtype_(dtype) {}
  /// "mixed_float16", "mixed_bfloat16" or a dtype's name ("bfloat16"); with a mode of quantization before it:
  /// "int8_from_float32".
  /// Errors: InvalidArgument, suggesting the nearest name; for a block size that is neither positive nor -1; for
  ///         a number of bits that the mode does not have; for int8 with computations in float16.
  DTypePolicy(std::string_view name);
  DTypePolicy(const std::string& name) : DTypePolicy(std::string_view(name)) {}
  DTypePolicy(const char* name);

  /// "mixed_float16", "float32", "int4/128_from_float32", ...
  std::string name() const;
  /// The dtype of inputs, computations and outputs.
  ir::DType compute_dtype() const { return compute_dtype_; }
  /// The dtype of weights that are not quantized.
  ir::DType variable_dtype() const { return variable_dtype_; }

  QuantizationMode quantization_mode() const { return mode_; }
  /// "int8", "int4/128", "gptq/4/128"; empty without quantization.
  std::string mode_text() const;
  /// The policy without quantization: "float32" of "int8_from_float32".
  DTypePolicy source() const { return {compute_dtype_, variable_dtype_}; }
  /// The same dtypes with a mode of quantization; `block_size` for kInt4, kGptq and kAwq: positive, or -1 for one
  /// scale for all rows; `weight_bits` for kGptq. Errors: those of the constructor.
  DTypePolicy quantized(QuantizationMode mode, std::optional<std::int64_t> block_size = {},
                        std::int64_t weight_bits = 4) const;
  /// kInt4, kGptq and kAwq: the rows of the kernel that share a scale, or -1; unset for "int4_from_..." and other
  /// modes.
  std::optional<std::int64_t> block_size() const;
  /// kGptq and kAwq: bits of a weight. 0 for other modes.
  std::int64_t weight_bits() const { return weight_bits_; }
  /// kFloat8: the number of steps in the history of largest values.
  std::int64_t amax_history_length() const;
  /// kFloat8: the same policy with a history of `length` steps. Errors: InvalidArgument if it is not positive.
  DTypePolicy with_amax_history_length(std::int64_t length) const;

  bool operator==(const DTypePolicy&) const = default;

 private:
  DTypePolicy(ir::DType compute, ir::DType variable) : compute_dtype_(compute), variable_dtype_(variable) {}

  ir::DType compute_dtype_ = ir::DType::kF32;
  ir::DType variable_dtype_ = ir::DType::kF32;
  QuantizationMode mode_ = QuantizationMode::kNone;
  std::uint8_t weight_bits_ = 0;
  std::int32_t parameter_ = 0;  // kFloat8: the length of the history; others: the block size, 0 for none
};

/// The policy of layers and models made without a dtype: that of set_dtype_policy(), else config::floatx(),
/// float32 at first.
DTypePolicy dtype_policy();
/// Sets the policy of all layers that any thread makes from now on; existing layers keep theirs.
/// `clear_session()` does not reset it.
/// Errors: InvalidArgument if a dtype of the policy is not floating-point.
void set_dtype_policy(const DTypePolicy& policy);

/// While it lives, sets the policy of layers that this thread makes; the innermost scope applies.
class DTypePolicyScope {
 public:
  /// Errors: those of set_dtype_policy.
  explicit DTypePolicyScope(const DTypePolicy& policy);
  ~DTypePolicyScope();
  DTypePolicyScope(const DTypePolicyScope&) = delete;
  DTypePolicyScope& operator=(const DTypePolicyScope&) = delete;

 private:
  DTypePolicy policy_;
  const DTypePolicy* before_;
};

}  // namespace cornu::inline v0::keras
