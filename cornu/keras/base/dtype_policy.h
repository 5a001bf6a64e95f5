#pragma once

#include <string>
#include <string_view>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::keras {

/// The dtypes in which a layer computes and keeps its weights: Keras's DTypePolicy.
///
/// A dtype's name sets both; "mixed_float16" and "mixed_bfloat16" compute in the 16-bit type and keep weights
/// in float32.
class DTypePolicy {
 public:
  /// float32, regardless of the default policy.
  DTypePolicy() = default;
  DTypePolicy(ir::DType dtype) : compute_dtype_(dtype), variable_dtype_(dtype) {}
  /// "mixed_float16", "mixed_bfloat16" or a dtype's name ("bfloat16").
  /// Errors: InvalidArgument, suggesting the nearest name.
  DTypePolicy(std::string_view name);
  DTypePolicy(const std::string& name) : DTypePolicy(std::string_view(name)) {}
  DTypePolicy(const char* name);

  /// "mixed_float16", "float32", ...
  std::string name() const;
  /// The dtype of inputs, computations and outputs.
  ir::DType compute_dtype() const { return compute_dtype_; }
  /// The dtype of weights.
  ir::DType variable_dtype() const { return variable_dtype_; }

  bool operator==(const DTypePolicy&) const = default;

 private:
  DTypePolicy(ir::DType compute, ir::DType variable) : compute_dtype_(compute), variable_dtype_(variable) {}

  ir::DType compute_dtype_ = ir::DType::kF32;
  ir::DType variable_dtype_ = ir::DType::kF32;
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
