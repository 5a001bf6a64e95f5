#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cornu/runtime/event.h"
#include "cornu/tensor/trace/variable.h"

namespace cornu::inline v0::detail {

/// Appends this thread's new variables to `made` (null: ignores them) while it lives: `function` keeps the
/// variables of its first call.
class VariableWatcherScope {
 public:
  explicit VariableWatcherScope(std::vector<Variable>* made);
  ~VariableWatcherScope();
  VariableWatcherScope(const VariableWatcherScope&) = delete;
  VariableWatcherScope& operator=(const VariableWatcherScope&) = delete;

 private:
  std::vector<Variable>* before_;
};

/// Records the variables that this thread assigns eagerly while it lives, with their previous values.
class AssignmentLog {
 public:
  AssignmentLog();
  ~AssignmentLog();
  AssignmentLog(const AssignmentLog&) = delete;
  AssignmentLog& operator=(const AssignmentLog&) = delete;

  /// The variables in the order of their first assignment, with their previous values.
  std::span<const std::pair<Variable, Tensor>> assigned() const { return assigned_; }
  /// Restores each variable's previous value.
  void undo();

 private:
  friend class cornu::Variable;
  void note(const Variable& variable);

  std::vector<std::pair<Variable, Tensor>> assigned_;
  AssignmentLog* before_;
};

/// Changes whenever `trainable` of any variable changes. Threads: safe.
std::uint64_t trainable_epoch();

/// Changes when a variable's value leaves a buffer that a program may hold; code that keeps buffers over
/// several executions must then get them again. One load, because it is checked before each execution.
inline std::atomic<std::uint64_t> variable_moves{0};

struct KnownValuesOptions {
  /// True if a value stays known when another thread assigns to its variable.
  bool hides_other_threads = false;
  /// True if values in a device's memory are read, at once from each client; else tensors refer to them
  /// there.
  bool reads_devices = true;
  /// True: only the first of several processes gets the values of variables that they hold in parts; the
  /// others send their parts (detail::join_parts), and find() returns nothing for these variables.
  bool joins_at_first_process = false;
  /// False: reading from devices that work by themselves only begins; call wait() before find().
  bool waits = true;
};

/// The values that variables have at one moment, shared with them if the host can address them. Values in an
/// enclosing ValuesScope are taken from there.
class VariableValues {
 public:
  VariableValues() = default;
  /// Errors: those of the devices, with the path of the first variable that cannot be read;
  ///         FailedPrecondition if another thread's run writes one (VariableClaim).
  explicit VariableValues(std::span<const Variable> variables, const KnownValuesOptions& options = {});
  /// True if wait() returns at once.
  bool is_ready() const;
  /// Waits for values that are still being read. Errors: those of the devices.
  void wait() const;
  /// Undefined for a variable that is not included, or whose value is out of date.
  Tensor find(const Variable& variable) const;

 private:
  friend class ValuesScope;
  struct Known {
    const void* id;  // Variable::id
    Tensor value;
    std::uint64_t num_writes;      // the variable's number of writes at that moment
    mutable bool is_over = false;  // true after its own thread assigned another value
  };
  const Known* known(const void* id) const;

  bool hides_other_threads_ = false;
  std::vector<Known> values_;            // by id
  std::vector<runtime::Event> reading_;  // into `values_`; destroyed first, which waits
};

/// Makes this thread read these variables from `values`, which outlives it, while it lives.
class ValuesScope {
 public:
  explicit ValuesScope(const VariableValues& values);
  ~ValuesScope();
  ValuesScope(const ValuesScope&) = delete;
  ValuesScope& operator=(const ValuesScope&) = delete;

  /// The value that this thread reads for a variable from a scope; undefined if it reads the variable itself.
  static Tensor known(const Variable& variable);
  /// Notes that this thread assigns the variable another value.
  static void forget(const Variable& variable);

 private:
  const VariableValues& values_;
  const ValuesScope* before_;
};

/// The values of the variables in host memory, read at once from each client.
std::vector<ir::Literal> read_all(std::span<const Variable> variables);

}  // namespace cornu::inline v0::detail
