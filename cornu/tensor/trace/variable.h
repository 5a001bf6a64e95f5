#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// What becomes of the values that replicas assign to a variable in one step of a strategy.
enum class VariableAggregation {
  kNone,              // all must compute and assign the same value
  kSum,               // the variable gets the sum of their values; assign_add adds that sum
  kMean,              // the variable gets their mean
  kOnlyFirstReplica,  // the variable gets the value of replica 0
};

/// When that happens. There is one value at any time, whatever is chosen: these are TensorFlow's names, so
/// that its programs need no change. Only kOnRead beside VariableAggregation::kSum makes a difference.
enum class VariableSynchronization {
  kAuto,     // kOnWrite
  kNone,     // kOnWrite
  kOnWrite,  // when it is assigned
  // With kSum: what replicas add is summed; what they assign otherwise must be the same in all.
  kOnRead,
};

struct VariableOptions {
  std::string name = "variable";
  std::string path;  // what path() gives; if empty, path() gives the name
  bool trainable = true;
  /// Whether layers that compute in another type read it in that type (AutocastScope).
  bool autocast = true;
  /// The projection that an optimizer applies to the value after each update; empty where there is none.
  std::function<Tensor(const Tensor&)> constraint = {};
  VariableAggregation aggregation = VariableAggregation::kNone;
  VariableSynchronization synchronization = VariableSynchronization::kAuto;
};

/// State that lives on a device: a weight, an optimizer slot, a metric's sum, a counter.
///
/// Copies are handles to the same state. Inside a trace, `value()` is the variable's current symbolic value
/// and `assign` replaces it; outside, both act at once. A program that a trace made updates the buffer in
/// place. The value is where it was needed last: first in host memory, then on the device whose programs use
/// it; programs on other devices get copies, which are made when they are needed and no longer count when the
/// value changes.
/// Owns:    its buffers, one for each placement that uses it, and a share of their clients.
/// Threads: safe. A value that is read is whole, and a run (of a function, predict, evaluate) works on the
///          values that its variables had when it began, whatever others assign meanwhile. Programs that
///          update variables run one after the other; while another thread's fit trains a variable, reading
///          or assigning it throws FailedPrecondition (a single number in host memory can be read).
class Variable {
 public:
  struct State;
  /// The state that it refers to, for sets and maps by variable; null where it is undefined.
  using Id = const State*;

  /// An undefined variable, which refers to no state: all but defined(), id() and comparing throw
  /// FailedPrecondition.
  Variable() = default;
  /// `Variable v(0.0f)`, `Variable v(ops::zeros({3}), {.name = "sum"})`.
  /// Errors: InvalidArgument when the name contains "/" or the tensor is undefined, FailedPrecondition when
  ///         it is symbolic: a variable begins with a value.
  explicit Variable(const Tensor& initial_value, VariableOptions options = {});
  explicit Variable(const ir::Literal& initial_value, VariableOptions options = {});

  bool defined() const { return state_ != nullptr; }
  const std::string& name() const;
  /// The names of the layers around it, from the outermost to the one that holds it, and then its own name:
  /// "sequential/dense/kernel".
  const std::string& path() const;
  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t num_elements() const { return type().num_elements(); }
  bool trainable() const;
  void set_trainable(bool trainable) const;
  /// The projection after updates; empty where there is none.
  const std::function<Tensor(const Tensor&)>& constraint() const;
  VariableAggregation aggregation() const;
  VariableSynchronization synchronization() const;

  /// The current value, in the type of the AutocastScope around it if there is one. Inside a trace it is
  /// symbolic. Outside it shares the buffer's memory where the host can address it, and whoever writes the
  /// variable later writes elsewhere.
  Tensor value() const;
  operator Tensor() const { return value(); }
  /// Replaces the value; the tensor must have the variable's shape and is converted to its dtype if it is
  /// weak. In a replica of a strategy the values of all become one by aggregation().
  /// Errors: InvalidArgument naming path, both shapes and both dtypes.
  void assign(const Tensor& value) const;
  /// value() + delta and value() - delta; the result must have the variable's dtype.
  void assign_add(const Tensor& delta) const;
  void assign_sub(const Tensor& delta) const;
  /// The device that holds its value, if the host cannot address that device's memory; else the device that
  /// was current when the variable was made. See Tensor::device.
  const std::string& device() const;

  /// The value copied to the host; it is never symbolic.
  /// Errors: what the device throws when the value cannot be read from it, with the path.
  ir::Literal read() const;
  /// Copies the value to memory of type().size_bytes() bytes. Errors: as read.
  void copy_to_host(void* destination) const;
  /// Replaces the value at once, also while a trace is current; a device gets it with the next program that
  /// needs it. Errors: as assign.
  void load(const ir::Literal& value) const;

  /// The buffer that a program has as state on this thread's current placement, or on another: the value
  /// moves there. Ask again before each write: runs then keep the value that they began with.
  /// Lifetime: until the value moves elsewhere (detail::variable_moves).
  /// Errors:   what the clients throw; the value is then where it was.
  runtime::Buffer& buffer() const;
  runtime::Buffer& buffer(const Placement& placement) const;

  bool operator==(const Variable& other) const { return state_ == other.state_; }
  Id id() const { return state_.get(); }

  // For the tensor library.
  State& state() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace cornu::inline v0
