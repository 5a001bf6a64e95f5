#pragma once

#include <string>
#include <string_view>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::keras {

/// In which type a layer computes and in which it keeps its weights: Keras's DTypePolicy.
///
/// A dtype's name stands for both; "mixed_float16" and "mixed_bfloat16" compute in the half-wide type
/// on weights that stay float32.
class DTypePolicy {
 public:
  /// float32, whatever the policy of new layers is.
  DTypePolicy() = default;
  DTypePolicy(ir::DType dtype) : compute_dtype_(dtype), variable_dtype_(dtype) {}
  /// "mixed_float16", "mixed_bfloat16" or a dtype's name ("bfloat16").
  /// Errors: InvalidArgument with the nearest known name.
  DTypePolicy(std::string_view name);
  DTypePolicy(const std::string& name) : DTypePolicy(std::string_view(name)) {}
  DTypePolicy(const char* name);

  /// "mixed_float16", "float32", ...
  std::string name() const;
  /// Of inputs, of what is computed, and of outputs.
  ir::DType compute_dtype() const { return compute_dtype_; }
  /// Of weights.
  ir::DType variable_dtype() const { return variable_dtype_; }

  bool operator==(const DTypePolicy&) const = default;

 private:
  DTypePolicy(ir::DType compute, ir::DType variable) : compute_dtype_(compute), variable_dtype_(variable) {}

  ir::DType compute_dtype_ = ir::DType::kF32;
  ir::DType variable_dtype_ = ir::DType::kF32;
};

/// The policy of layers and models that are made without a dtype: float32 unless set_dtype_policy()
/// says otherwise.
DTypePolicy dtype_policy();
/// For all layers that any thread makes from now on; those that there are keep theirs.
/// `clear_session()` leaves it.
/// Errors: InvalidArgument when the policy's types are no floating-point ones.
void set_dtype_policy(const DTypePolicy& policy);

/// What set_dtype_policy() says, for layers that this thread makes while it lives; the innermost one counts.
class DTypePolicyScope {
 public:
  /// Errors: as set_dtype_policy.
  explicit DTypePolicyScope(const DTypePolicy& policy);
  ~DTypePolicyScope();
  DTypePolicyScope(const DTypePolicyScope&) = delete;
  DTypePolicyScope& operator=(const DTypePolicyScope&) = delete;

 private:
  DTypePolicy policy_;
  const DTypePolicy* before_;
};

}  // namespace cornu::inline v0::keras
