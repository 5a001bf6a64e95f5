#pragma once

#include <cstdint>
#include <span>
#include <utility>
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

/// While it lives, it notes the variables that this thread assigns eagerly, with the values they had before.
class AssignmentLog {
 public:
  AssignmentLog();
  ~AssignmentLog();
  AssignmentLog(const AssignmentLog&) = delete;
  AssignmentLog& operator=(const AssignmentLog&) = delete;

  /// In the order of their first assignment.
  std::span<const std::pair<Variable, Tensor>> assigned() const { return assigned_; }
  /// Gives each variable its value back.
  void undo();

 private:
  friend class cornu::Variable;
  void note(const Variable& variable);

  std::vector<std::pair<Variable, Tensor>> assigned_;
  AssignmentLog* before_;
};

/// Changes when any variable's `trainable` does. Threads: safe.
std::uint64_t trainable_epoch();

}  // namespace cornu::inline v0::detail
