#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cornu/runtime/client.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0 {

struct VariableOptions {
  std::string name = "variable";
  std::string path;  // empty: the name
  bool trainable = true;
  /// What an optimizer projects the value to after each update; may be empty.
  std::function<Tensor(const Tensor&)> constraint = {};
};

/// State that lives on a device: a weight, an optimizer slot, a metric's sum, a counter.
///
/// Copies are handles to the same state. Inside a trace, `value()` is the variable's current symbolic value and `assign` replaces it;
/// outside, both act at once. A program that a trace made updates the buffer in place.
/// Owns:    its buffer, on the default client from the first need on; before that the initial value in host memory.
/// Threads: many may read at once; one, or a running execution, may write while nobody reads.
class Variable {
 public:
  /// Undefined: refers to no state. All but defined(), id() and comparing throw FailedPrecondition.
  Variable() = default;
  /// `Variable v(0.0f)`, `Variable v(ops::zeros({3}), {.name = "sum"})`. Errors: InvalidArgument when the name contains "/" or the tensor
  /// is undefined, FailedPrecondition when it is symbolic: a variable begins with a value.
  explicit Variable(const Tensor& initial_value, VariableOptions options = {});
  explicit Variable(const ir::Literal& initial_value, VariableOptions options = {});

  bool defined() const { return state_ != nullptr; }
  const std::string& name() const;
  /// With the names of what holds it: "sequential/dense/kernel".
  const std::string& path() const;
  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t num_elements() const { return type().num_elements(); }
  bool trainable() const;
  void set_trainable(bool trainable) const;
  /// Empty without one.
  const std::function<Tensor(const Tensor&)>& constraint() const;

  /// The current value: symbolic inside a trace, else as it is now: it shares the buffer's memory where the host can address it, and
  /// whoever writes the variable later writes elsewhere.
  Tensor value() const;
  operator Tensor() const { return value(); }
  /// Replaces the value; the tensor must have the variable's shape and is converted to its dtype if it is weak.
  /// Errors: InvalidArgument naming path, both shapes and both dtypes.
  void assign(const Tensor& value) const;
  /// value() + delta and value() - delta; the result must have the variable's dtype.
  void assign_add(const Tensor& delta) const;
  void assign_sub(const Tensor& delta) const;
  /// The device that was current when it was made; see Tensor::device.
  const std::string& device() const;

  /// The value on the device, copied to the host; never symbolic.
  ir::Literal read() const;
  /// Writes the value on the device at once, also while a trace is current. Errors: as assign.
  void load(const ir::Literal& value) const;

  /// The buffer on `client` (default_client() without), where the value is moved if it is elsewhere.
  /// Errors: FailedPrecondition for a null client.
  runtime::Buffer& buffer() const;
  runtime::Buffer& buffer(const std::shared_ptr<runtime::Client>& client) const;

  bool operator==(const Variable& other) const { return state_ == other.state_; }
  const void* id() const { return state_.get(); }

 private:
  struct State;
  State& state() const;

  std::shared_ptr<State> state_;
};

}  // namespace cornu::inline v0
