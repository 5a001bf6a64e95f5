#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu {

/// A finished trace: a step program together with the variables that it runs on.
struct TracedProgram {
  std::unique_ptr<ir::Function> function;
  std::vector<runtime::ArgumentKind> arguments;
  std::vector<Variable> state;      // in the order of the kState arguments
  std::vector<Variable> fixed;      // in the order of the kFixed arguments; captured tensors are among them, as variables of their own
  std::vector<TensorType> rows;     // the kRows arguments' types, in order
  std::vector<TensorType> outputs;  // the results after the state

  /// What a client compiles; refers to `function` and must not outlive it.
  runtime::StepProgram step_program() const { return {function.get(), arguments, function->name}; }
  /// The buffers to run on, moved to `client` where they are elsewhere.
  std::vector<runtime::Buffer*> state_buffers(const std::shared_ptr<runtime::Client>& client) const;
  std::vector<runtime::Buffer*> fixed_buffers(const std::shared_ptr<runtime::Client>& client) const;
};

/// Builds one step program from tensor code: while a Trace::Scope exists, ops on tensors append to the trace's function.
///
/// A variable becomes an argument when it is first read or assigned; one that was assigned is state, any other is fixed. Concrete
/// tensors become constants up to kMaxConstantBytes, captured fixed arguments beyond.
/// Threads: one thread.
class Trace {
 public:
  static constexpr std::size_t kMaxConstantBytes = 1024;

  explicit Trace(std::string name = "step");
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// This thread's trace, or null.
  static Trace* current();

  /// Makes a trace this thread's current one; scopes nest.
  class Scope {
   public:
    explicit Scope(Trace& trace);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Trace* before_;
  };

  ir::Builder& builder();
  std::uint64_t id() const;

  /// [batch, ...]: rows that the program gathers.
  Tensor add_rows_argument(const TensorType& type);
  /// i32 scalar: how many of the batch's rows are data. At most one a program.
  Tensor add_valid_rows_argument();

  /// A tensor's value here: its own when symbolic, else a constant or a captured argument.
  /// Errors: FailedPrecondition for a symbolic tensor of another trace.
  ir::Value value_of(const Tensor& tensor);
  Tensor tensor(ir::Value value) const;

  Tensor read(const Variable& variable);
  /// The value the variable had when the step began.
  Tensor initial(const Variable& variable);
  void assign(const Variable& variable, const Tensor& value);
  /// The variables assigned so far, in the order of their first use.
  std::vector<Variable> assigned() const;
  /// Replaces each assigned variable's new value by select(predicate, new, initial), except for those listed.
  void predicate_assignments(const Tensor& predicate, std::span<const Variable> except = {});

  /// Ends the trace. `outputs` must be [batch, ...].
  TracedProgram finish(std::span<const Tensor> outputs = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Gradients of a scalar with respect to the values that the variables (tensors) had when the trace first read them; undefined where
/// none flows. Errors: FailedPrecondition outside a trace, InvalidArgument when `loss` is no float scalar.
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Variable> variables);
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Tensor> tensors);

}  // namespace cornu
