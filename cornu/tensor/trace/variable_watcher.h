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

struct KnownValuesOptions {
  /// Whether a value stays known when another thread gives its variable another one.
  bool hides_other_threads = false;
  /// Whether values in a device's memory are read, at once from each client; else tensors hold them there.
  bool reads_devices = true;
};

/// The values that variables have at one moment, shared with them where the host can address them. Those that
/// a ValuesScope around it has are taken from there.
class VariableValues {
 public:
  VariableValues() = default;
  /// Errors: what devices say, with the path of the first variable that cannot be read; FailedPrecondition
  ///         where another thread's run writes one (VariableClaim).
  explicit VariableValues(std::span<const Variable> variables, const KnownValuesOptions& options = {});
  /// Undefined for one that is not there, or not known any more.
  Tensor find(const Variable& variable) const;

 private:
  friend class ValuesScope;
  struct Known {
    const void* id;  // Variable::id
    Tensor value;
    std::uint64_t num_writes;      // of the variable, until then
    mutable bool is_over = false;  // its own thread gave the variable another
  };
  const Known* known(const void* id) const;

  bool hides_other_threads_ = false;
  std::vector<Known> values_;  // by id
};

/// While it lives, this thread reads those variables from `values`, which outlive it.
class ValuesScope {
 public:
  explicit ValuesScope(const VariableValues& values);
  ~ValuesScope();
  ValuesScope(const ValuesScope&) = delete;
  ValuesScope& operator=(const ValuesScope&) = delete;

  /// What this thread reads a variable from; undefined where that is the variable itself.
  static Tensor known(const Variable& variable);
  /// This thread gives the variable another value.
  static void forget(const Variable& variable);

 private:
  const VariableValues& values_;
  const ValuesScope* before_;
};

/// The values of the variables in host memory, read at once from each client.
std::vector<ir::Literal> read_all(std::span<const Variable> variables);

}  // namespace cornu::inline v0::detail
