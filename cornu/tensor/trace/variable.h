#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// Combination of the values that replicas assign to a variable in one step of a strategy.
enum class VariableAggregation {
  kNone,              // all must compute and assign the same value
  kSum,               // the variable gets the sum of their values; assign_add adds that sum
  kMean,              // the variable gets their mean
  kOnlyFirstReplica,  // the variable gets the value of replica 0
};

/// Time of the aggregation. A variable has one value at any time, whatever is chosen: the names are
/// TensorFlow's, so that its programs need no change. Only kOnRead with VariableAggregation::kSum makes a
/// difference.
enum class VariableSynchronization {
  kAuto,     // kOnWrite
  kNone,     // kOnWrite
  kOnWrite,  // when it is assigned
  // With kSum: amounts that replicas add are summed; other assignments must be the same in all replicas.
  kOnRead,
};

struct VariableOptions {  // options/tensor.toml
  /// Name of the variable, without "/".
  std::string name = "variable";
  /// Path that path() returns; empty: the name.
  std::string path;
  /// True: optimizers update the variable, and tapes watch it when it is read.
  bool trainable = true;
  /// True: layers that compute in another dtype read the variable in that dtype (AutocastScope).
  bool autocast = true;
  /// Projection that an optimizer applies to the value after each update; empty: none.
  std::function<Tensor(const Tensor&)> constraint = {};
  /// Combination of the values that replicas of a strategy assign.
  VariableAggregation aggregation = VariableAggregation::kNone;
  /// Time of the aggregation; see VariableSynchronization.
  VariableSynchronization synchronization = VariableSynchronization::kAuto;
  /// True: an embedding table, whose rows (axis 0) keep their values in an optimizer's step without a
  /// gradient if the optimizer has lazy_rows.
  bool is_table = false;
};

/// State that lives on a device: a weight, an optimizer slot, a metric's sum, a counter.
///
/// Copies are handles to the same state. Inside a trace, `value()` is the variable's current symbolic value
/// and `assign` replaces it; outside, both act at once. A traced program updates the buffer in place. The
/// value is stored where it was needed last: first in host memory, then on the device whose programs use it.
/// Programs on other devices get copies on demand, which become invalid when the value changes.
/// Owns:    its buffers, one for each placement that uses it, and a share of their clients.
/// Threads: safe. Reads are atomic, and a run (of a function, predict, evaluate) works on the values that its
///          variables had when it began, whatever other threads assign meanwhile. Programs that update
///          variables run one after the other; while another thread's fit trains a variable, reading or
///          assigning it throws FailedPrecondition (a single number in host memory can be read).
class Variable {
 public:
  struct State;
  /// Identity of the state, for sets and maps by variable; null if undefined.
  using Id = const State*;

  /// An undefined variable, which refers to no state: all methods except defined(), id() and comparison throw
  /// FailedPrecondition.
  Variable() = default;
  /// `Variable v(0.0f)`, `Variable v(ops::zeros({3}), {.name = "sum"})`.
  /// Errors: InvalidArgument if the name contains "/" or the tensor is undefined, FailedPrecondition if it is
  ///         symbolic: a variable begins with a value.
  explicit Variable(const Tensor& initial_value, VariableOptions options = {});
  explicit Variable(const ir::Literal& initial_value, VariableOptions options = {});

  bool defined() const { return state_ != nullptr; }
  const std::string& name() const;
  /// The names of the enclosing layers, outermost first, and its own name: "sequential/dense/kernel".
  const std::string& path() const;
  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t num_elements() const { return type().num_elements(); }
  bool trainable() const;
  void set_trainable(bool trainable) const;
  /// The projection after optimizer updates; empty if there is none.
  const std::function<Tensor(const Tensor&)>& constraint() const;
  VariableAggregation aggregation() const;
  VariableSynchronization synchronization() const;
  bool is_table() const;

  /// The current value, in the dtype of the enclosing AutocastScope if there is one. Inside a trace it is
  /// symbolic. Outside it shares the buffer's memory if the host can address it; later writes to the variable
  /// go elsewhere.
  Tensor value() const;
  operator Tensor() const { return value(); }
  /// Replaces the value; the tensor must have the variable's shape and is converted to its dtype if it is
  /// weak. In a replica of a strategy the replicas' values are combined by aggregation().
  /// Errors: InvalidArgument with the path, both shapes and both dtypes.
  void assign(const Tensor& value) const;
  /// Assigns value() + delta or value() - delta; the result must have the variable's dtype.
  void assign_add(const Tensor& delta) const;
  void assign_sub(const Tensor& delta) const;
  /// The device that holds its value, if the host cannot address that device's memory; else the device that
  /// was current when the variable was made. See Tensor::device.
  const std::string& device() const;

  /// A copy of the value on the host; it is never symbolic.
  /// Errors: the device's error if the value cannot be read, with the path.
  ir::Literal read() const;
  /// Copies the value to memory of type().size_bytes() bytes. Errors: those of read.
  void copy_to_host(void* destination) const;
  /// Replaces the value at once, also inside a trace; a device receives it with the next program that needs
  /// it. Errors: those of assign.
  void load(const ir::Literal& value) const;

  /// The buffer for a program's state on this thread's current placement, or on the given one; the value
  /// moves there. Call it again before each write: runs then keep the value that they began with.
  /// Lifetime: until the value moves elsewhere (detail::variable_moves).
  /// Errors:   those of the clients; the value is then where it was.
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
