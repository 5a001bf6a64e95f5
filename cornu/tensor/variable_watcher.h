#pragma once

#include <cstdint>
#include <vector>

#include "cornu/tensor/variable.h"

namespace cornu::inline v0::detail {

/// While it lives, this thread's new variables go to `made` (null: nowhere): `function` keeps those that its first call makes.
class VariableWatcherScope {
 public:
  explicit VariableWatcherScope(std::vector<Variable>* made);
  ~VariableWatcherScope();
  VariableWatcherScope(const VariableWatcherScope&) = delete;
  VariableWatcherScope& operator=(const VariableWatcherScope&) = delete;

 private:
  std::vector<Variable>* before_;
};

/// Changes when any variable's `trainable` does. Threads: safe.
std::uint64_t trainable_epoch();

}  // namespace cornu::inline v0::detail
