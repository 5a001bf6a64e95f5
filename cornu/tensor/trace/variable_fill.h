#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_state.h"

/// Transfers between files and variables without intermediate memory.
namespace cornu::inline v0::detail {

/// A variable of zeros that allocates memory when its value is first read or a program needs it as state, and
/// never if another value replaces it before.
/// Errors: those of Variable's constructor; ResourceExhausted for a type that cannot be in memory.
Variable zero_variable(const TensorType& type, VariableOptions options);

/// A variable whose value is in `buffer` and stays there.
/// Errors: those of Variable's constructor.
Variable stored_variable(std::shared_ptr<runtime::Client> client, std::unique_ptr<runtime::Buffer> buffer,
                         std::shared_ptr<const VariableStorage> storage, VariableOptions options);

/// Writes a value, row-major, into zero-filled bytes.
using FillBytes = std::function<void(std::span<std::byte>)>;

/// New values for variables, applied at one moment: a later run sees all of them or none, and running
/// programs keep the values that they began with. No variable changes until commit().
/// Threads: one thread.
class VariableUpdate {
 public:
  /// Stages a copy of a value of the variable's type.
  void set(const Variable& variable, const Tensor& value);
  /// Stages the value that `fill` writes: type().size_bytes() bytes, in a buffer of this thread's current
  /// device if the host can address it, else in host memory.
  /// Errors: exceptions of `fill` and those of Client::allocate.
  void fill(const Variable& variable, const FillBytes& fill);
  /// Stages a value for the parts of a variable that has parts (VariableParts).
  void set_whole(const Variable& variable, const std::byte* whole);
  /// Stages the values of this process's parts of such a variable. `value_of` makes the part with an index
  /// below VariableParts::num_here(); it is called once for each, in order.
  void set_parts(const Variable& variable, const std::function<ir::Literal(std::size_t)>& value_of);
  /// Stages a value for a table of a pool. `fill` writes it when it is applied; it is not called in processes
  /// that do not have the table.
  void set_rows(const Variable& table, FillBytes fill);
  /// Applies all values. Errors: FailedPrecondition if another thread's run writes one of the variables
  /// (VariableClaim), and std::bad_alloc; no variable has changed then.
  void commit();

 private:
  void stage(const Variable& variable, std::unique_ptr<Variable::State::Copy> copy,
             std::shared_ptr<const ir::Literal> literal, std::shared_ptr<const std::byte> stored);
  void stage_on_group(const Variable& variable, const std::function<ir::Literal(std::size_t)>& value_of);
  void stage_rows();
  void stage_rows(std::span<const std::size_t> rows);
  void apply();
  void reserve(Variable::State::Copies& over) const;

  std::vector<Variable> variables_;
  std::vector<Variable> wholes_;  // whose parts are among the variables
  std::vector<Variable> tables_;  // of pools, and for each the function that writes its rows
  std::vector<FillBytes> rows_;
  // The values, each in one of these; the others are null. A buffer of a device:
  Variable::State::Copies copies_;
  // In host memory:
  std::vector<std::shared_ptr<const ir::Literal>> literals_;
  // The bytes that will be written into a VariableStorage:
  std::vector<std::shared_ptr<const std::byte>> stored_;
};

/// Replaces one variable's value. Errors: those of VariableUpdate; the variable then keeps its value.
void fill_variable(const Variable& variable, const FillBytes& fill);

/// Loads a value of the variable's type, as Variable::load does. A value for a VariableStorage is not copied
/// first. Errors: those of Variable::load.
void load_value(const Variable& variable, const Tensor& value);

/// The current value in host memory, never symbolic. If the host can address the buffer the tensor shares its
/// bytes, which later writes to the variable do not change; else it is a copy.
/// Errors: those of Variable::read.
Tensor host_value(const Variable& variable);

}  // namespace cornu::inline v0::detail
