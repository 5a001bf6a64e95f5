#pragma once

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// Converts floating-point variables that this thread reads to another type while it lives, for layers of
/// mixed precision, except variables with VariableOptions::autocast false. Assigned values are converted
/// back. The innermost scope counts.
class AutocastScope {
 public:
  using Cast = Tensor (*)(const Tensor& value, DType dtype);

  /// `cast`: the operation that converts, so that gradients pass through it.
  AutocastScope(DType dtype, Cast cast);
  /// Disables conversion: variables are read in their own type.
  AutocastScope() : AutocastScope(DType::kF32, nullptr) {}
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

  /// This thread's innermost scope; null outside of any.
  static const AutocastScope* current();

  /// The value of a floating-point variable in the scope's type.
  Tensor read(const Tensor& value) const { return converted(value, dtype_); }
  /// The value in the type of the variable to which it is assigned.
  Tensor assigned(const Tensor& value, DType dtype) const { return converted(value, dtype); }

 private:
  Tensor converted(const Tensor& value, DType dtype) const {
    return cast_ == nullptr || value.dtype() == dtype ? value : cast_(value, dtype);
  }

  DType dtype_;
  Cast cast_;
  const AutocastScope* before_;
};

}  // namespace cornu::inline v0
