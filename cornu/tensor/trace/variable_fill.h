#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_state.h"

/// How values of files become values of variables and values of variables go into files, without memory of
/// their own in between.
namespace cornu::inline v0::detail {

/// A variable of zeros that takes memory when somebody looks at it or a program has it as state, and not
/// where another value replaces it before.
/// Errors: as Variable's constructor; ResourceExhausted for a type that cannot be in memory.
Variable zero_variable(const TensorType& type, VariableOptions options);

/// Writes a value, row-major, into bytes that hold zeros before.
using FillBytes = std::function<void(std::span<std::byte>)>;

/// New values for variables, which they all get at one moment: what runs together then has all of them or
/// none, and runs that have begun keep what they began with. Until commit() no variable changes.
/// Threads: one thread.
class VariableUpdate {
 public:
  /// Takes a copy of a value of the variable's type.
  void set(const Variable& variable, const Tensor& value);
  /// Takes what `fill` writes: type().size_bytes() bytes, which are a buffer's on this thread's current
  /// device where the host can address that, else the host's.
  /// Errors: what `fill` throws and those of Client::allocate.
  void fill(const Variable& variable, const FillBytes& fill);
  /// Errors: FailedPrecondition where another thread's run writes one of the variables (VariableClaim), and
  ///         std::bad_alloc; no variable has changed then.
  void commit();

 private:
  void reserve(Variable::State::Copies& over) const;

  std::vector<Variable> variables_;
  /// A buffer's value for each variable; null where it is the host's.
  Variable::State::Copies copies_;
  std::vector<std::shared_ptr<const ir::Literal>> literals_;
};

/// Replaces one variable's value so. Errors: as VariableUpdate; the variable then has the value that it had.
void fill_variable(const Variable& variable, const FillBytes& fill);

/// The value as it is now, in host memory and never symbolic. Where the host can address the buffer these are
/// its own bytes, which later writes to the variable leave alone; else a copy.
/// Errors: as Variable::read.
Tensor host_value(const Variable& variable);

}  // namespace cornu::inline v0::detail
