#pragma once

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// While it lives, floating-point variables that this thread reads come as another type, as layers of mixed
/// precision want them, unless VariableOptions::autocast is false; what is assigned to one is converted back.
/// The innermost scope counts.
class AutocastScope {
 public:
  using Cast = Tensor (*)(const Tensor& value, DType dtype);

  /// `cast`: the operation that converts, so that gradients go through it.
  AutocastScope(DType dtype, Cast cast);
  /// Variables are read as they are.
  AutocastScope() : AutocastScope(DType::kF32, nullptr) {}
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

  /// This thread's innermost scope; null outside of any.
  static const AutocastScope* current();

  /// The value of a floating-point variable as the scope wants it.
  Tensor read(const Tensor& value) const { return converted(value, dtype_); }
  /// The value in the type of the variable that it is assigned to.
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
