#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cornu/tensor/trace/variable.h"

namespace cornu::inline v0::detail {

/// While it lives, this thread's new variables go to `made` (null: nowhere): `function` keeps those that its
/// first call makes.
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

  /// The variables in the order of their first assignment, with the values that they had before.
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

/// Changes when a variable's value leaves a buffer that a program may have been given: who keeps buffers over
/// several executions asks for them again. One load, because it is looked at before each execution.
inline std::atomic<std::uint64_t> variable_moves{0};

/// The values of those variables that are on devices which the host cannot address, read at once from each
/// client. Those that a ValuesScope around it has are taken from there.
class VariableValues {
 public:
  VariableValues() = default;
  /// Errors: what devices say, with the path of the first variable that cannot be read.
  explicit VariableValues(std::span<const Variable> variables);
  /// Null for one that is not there.
  const ir::Literal* find(const void* variable_id) const;

 private:
  std::vector<std::pair<const void*, ir::Literal>> values_;  // by Variable::id
};

/// While it lives, this thread reads those variables from `values`, which outlive it; one that has been
/// assigned since has its own value.
class ValuesScope {
 public:
  explicit ValuesScope(const VariableValues& values);
  ~ValuesScope();
  ValuesScope(const ValuesScope&) = delete;
  ValuesScope& operator=(const ValuesScope&) = delete;

 private:
  const VariableValues* before_;
};

/// The values of the variables in host memory, read at once from each client.
std::vector<ir::Literal> read_all(std::span<const Variable> variables);

}  // namespace cornu::inline v0::detail
