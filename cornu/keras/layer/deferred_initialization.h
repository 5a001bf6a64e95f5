#pragma once

#include <cstdint>
#include <string>

#include "cornu/base/memory_allowance.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

/// Deferred initialization: while it lives, layers built on this thread get weights of zeros, which a file
/// will replace. No initializer runs, and no seed is drawn.
///
/// All weights together may take `budget_bytes`: a small file that describes a huge model is refused before
/// memory is allocated for it. Other tensors made from options and shapes (tables of interpolation weights,
/// unrolled steps) may take up to 1 GiB.
class DeferredInitialization {
 public:
  explicit DeferredInitialization(std::int64_t budget_bytes);
  ~DeferredInitialization();
  DeferredInitialization(const DeferredInitialization&) = delete;
  DeferredInitialization& operator=(const DeferredInitialization&) = delete;

  /// The active one of this thread; null if there is none.
  static DeferredInitialization* current();
  /// Zeros that take no memory until they are read. Errors: ResourceExhausted beyond the budget, naming the
  /// weight.
  Variable weight(const TensorType& type, VariableOptions options);

 private:
  MemoryAllowance besides_{std::int64_t{1} << 30};
  std::int64_t budget_bytes_;
  std::int64_t left_bytes_;
  DeferredInitialization* before_;
};

/// While it lives, the weights that layers make on this thread may take `max_bytes` together: a description
/// that asks for more is refused before an initializer runs.
class WeightLimit {
 public:
  explicit WeightLimit(std::int64_t max_bytes);
  ~WeightLimit();
  WeightLimit(const WeightLimit&) = delete;
  WeightLimit& operator=(const WeightLimit&) = delete;

  /// Counts a weight against the limit, if there is one. Errors: ResourceExhausted beyond it, naming the
  /// weight.
  static void claim(const TensorType& type, const std::string& path);

 private:
  std::int64_t max_bytes_;
  std::int64_t left_bytes_;
  WeightLimit* before_;
};

}  // namespace cornu::inline v0::keras
