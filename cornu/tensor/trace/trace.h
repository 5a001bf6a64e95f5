#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/undefined.h"
#include "cornu/ir/builder.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace/infeed.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::transform {
class BatchDependenceAnalysis;
}

namespace cornu::inline v0 {

/// A variable with parts (detail::VariableParts) that replicas use, and what each of them sends in a step to
/// look rows up in it and to train it.
struct ShardedTable {
  Variable table;
  runtime::ReplicaWork work;
};

/// A finished trace: a step program together with the variables that it runs on.
struct TracedProgram {
  std::unique_ptr<ir::Function> function;
  std::vector<runtime::ArgumentKind> arguments;
  std::vector<Variable> state;   // in the order of the kState arguments
  std::vector<Variable> fixed;   // in the order of the kFixed arguments; captured tensors are among them, as
                                 // variables of their own
  std::vector<TensorType> rows;  // the kRows arguments' types, in order
  std::vector<TensorType> outputs;  // the results after the state
  std::size_t num_parameters = 0;  // kFixed arguments that each call feeds; they come before those of `fixed`
  detail::Infeeds infeeds = {};    // whose stacks are the last parameters
  /// Concrete tensors that the trace used, and their values: constants, or fixed arguments of their own.
  std::vector<std::pair<Tensor, ir::Value>> captured;
  runtime::ConvolutionAlgorithm convolution_algorithm = runtime::ConvolutionAlgorithm::kAuto;
  runtime::Precision precision = runtime::Precision::kAuto;
  runtime::ReplicaWork replica_work = {};
  bool reaches_all_devices = false;        // as in StepProgram
  std::vector<ShardedTable> sharded = {};  // whose work is a part of `replica_work`
  /// Index of the required device in the table of devices; empty: any.
  std::optional<int> device = {};

  /// The program to compile; it refers to `function` and must not outlive it.
  runtime::StepProgram step_program() const {
    const ir::Function& step = require_defined(function, "program");
    return {.step = &step,
            .arguments = arguments,
            .name = step.name,
            .convolution_algorithm = convolution_algorithm,
            .precision = precision,
            .reaches_all_devices = reaches_all_devices,
            .replica_work = replica_work};
  }
  /// The same program with stacks of these capacities, one for each infeed.
  TracedProgram with_capacities(std::span<const std::int64_t> capacities) const;
  /// The buffers to run on, moved to the placement if they are elsewhere: one round trip for all.
  /// Lifetime: that of Variable::buffer.
  std::vector<runtime::Buffer*> state_buffers(const Placement& placement) const;
  std::vector<runtime::Buffer*> fixed_buffers(const Placement& placement) const;
};

/// Builds one step program from tensor code: while a Trace::Scope exists, ops on tensors append to the
/// trace's function.
///
/// Loop bodies and branches are traced into regions of their own (Trace::Region), which carry the variables
/// that they assign. A variable becomes an argument when it is first read or assigned; a variable that was
/// assigned is state, any other is fixed. Concrete tensors become constants up to kMaxConstantBytes, captured
/// fixed arguments beyond.
/// Threads: one thread.
class Trace {
 public:
  static constexpr std::size_t kMaxConstantBytes = 4096;

  explicit Trace(std::string name = "step");
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// This thread's trace, or null.
  static Trace* current();

  /// Makes a trace this thread's current one while it lives; scopes nest.
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

  /// Adds a parameter, which each call feeds whole. Parameters come before all other arguments.
  Tensor add_parameter(const TensorType& type);
  /// Adds stacks, as parameters, for the elements that next() takes from a source. Does nothing if the source
  /// was added before.
  /// Errors: those of ElementSource::spec.
  void add_source(detail::ElementSource& source);
  /// The tensors of the source's next element; in a loop, one in each iteration.
  /// Errors: FailedPrecondition for a source that was not added; Unimplemented, with its name, inside a
  ///         region without bounds; InvalidArgument if the bounds of a loop are computed in another loop.
  std::vector<Tensor> next(const detail::ElementSource& source);
  /// Adds an argument [batch, ...] of rows that the program gathers.
  Tensor add_rows_argument(const TensorType& type);
  /// Adds an i32 scalar: the number of the batch's rows that are data. A program has at most one.
  Tensor add_valid_rows_argument();

  /// A tensor's value in this trace: its own if symbolic, else a constant or a captured argument.
  /// Errors: FailedPrecondition for a symbolic tensor of another trace.
  ir::Value value_of(const Tensor& tensor);
  Tensor tensor(ir::Value value) const;

  /// The variable's value. For an assigned variable, the gradient goes to `initial`, not to the assigned
  /// value.
  Tensor read(const Variable& variable);
  /// The variable's value at the start of the step (the region).
  Tensor initial(const Variable& variable);
  void assign(const Variable& variable, const Tensor& value);
  /// The variables assigned so far, in the order of their first use.
  std::vector<Variable> assigned() const;
  /// Declares the region on top the step of one of several replicas: in it, variables with parts
  /// (VariableParts) have the values of the replica's part.
  void begin_replica(std::int64_t num_replicas);
  /// The number of replicas that have a part each of such variables at this point; 1 outside of replicas.
  std::int64_t num_replicas_with_parts() const;
  /// The variable's value after the trace, as far as it is known now. Tapes do not record it as a read.
  Tensor held(const Variable& variable);
  /// Replaces each assigned variable's new value by select(predicate, new, initial), except the listed
  /// variables.
  void predicate_assignments(const Tensor& predicate, std::span<const Variable> except = {});

  /// Ends the trace. Outputs may have any shape.
  TracedProgram finish(std::span<const Tensor> outputs = {});

  /// The body of a loop or a branch during tracing: ops are appended to it while it lives. It can use values
  /// from enclosing blocks; its own values are visible only in it. Variables that it reads or assigns are
  /// local until an op is made of it.
  /// Lifetime: within the trace's scope, properly nested.
  class Region {
   public:
    /// `what` describes it in errors: "the body of while_loop".
    Region(Trace& trace, std::string what);
    ~Region();
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    /// Adds an argument, also after operations: a loop may discover its carried values in its body.
    Tensor add_argument(const TensorType& type);
    /// Declares it the body of a loop that runs upper - lower times (integer scalars).
    void set_bounds(const Tensor& lower, const Tensor& upper);
    /// Ends the region; `results` are its return values.
    void close(std::span<const Tensor> results);

    struct State;

   private:
    friend class Trace;
    Trace& trace_;
    std::unique_ptr<State> state_;
  };
  /// Makes a loop of closed regions: `initial` for the arguments of both. Variables that the body assigns are
  /// carried.
  /// Errors: InvalidArgument if the condition assigns a variable.
  std::vector<Tensor> while_op(const Region& condition, const Region& body, std::span<const Tensor> initial);
  /// Makes a choice between closed regions without arguments and with equal result types. Variables that one
  /// of them assigns become results, too.
  std::vector<Tensor> if_op(const Tensor& predicate, const Region& on_true, const Region& on_false);
  /// Runs a closed region on several replicas, each with its own arguments. Variables are shared; ops that
  /// are the same for all replicas occur once in the program.
  /// Returns the region's results, a list for each replica.
  /// Errors: InvalidArgument, with the variable's name, if replicas assign different values; those of
  ///         transform::inline_replicas.
  std::vector<std::vector<Tensor>> replicate_op(const Region& region,
                                                std::span<const std::vector<Tensor>> arguments);
  /// Fixes the program's device, wherever it is called.
  /// Errors: InvalidArgument if another device was set before.
  void set_device(int device);
  /// The variables that a region reads or assigns.
  std::vector<Variable> variables_of(const Region& region) const;
  /// A closed region as a block that uses no outer values: they become arguments, before its own.
  /// Errors: InvalidArgument if it assigns a variable.
  struct ClosedBlock {
    std::unique_ptr<ir::Block> block;
    std::vector<ir::Value> captured;
  };
  ClosedBlock closed_block(const Region& region);

  /// Observes reads of variables in the region (or the function) that is on top when it is added.
  class ReadObserver {
   public:
    virtual ~ReadObserver() = default;
    /// True if the next read must return a new value, different from this one of an earlier read, because
    /// only one of them counts as the variable.
    virtual bool tells_apart(const Variable& variable, ir::Value value) const = 0;
    virtual void variable_read(const Variable& variable, ir::Value value) = 0;
    /// True if it wants the gradient of a concrete tensor.
    virtual bool watches(const Tensor& x) const = 0;
  };
  /// True if an observer of any enclosing region watches the concrete tensor.
  bool is_watched(const Tensor& x) const;
  void add_observer(std::shared_ptr<ReadObserver> observer);

  /// Records that extents along `axes` of a value were converted to a C++ number by `what` ("num_rows()",
  /// "size()", "mean()"): if an axis is the batch, the program depends on this batch's size. Does nothing for
  /// another trace's tensor.
  static void note_count(const char* what, const Tensor& x, std::span<const std::int64_t> axes);
  struct CountNote {
    ir::Value value;
    Dims axes;
    const char* what;
    std::string location;  // the layer's name at the call, or empty
  };
  std::span<const CountNote> count_notes() const;
  /// Records that `made` has the shape of `like` and represents its rows, though it is not computed from
  /// them. With `is_uniform` all its elements are equal. Does nothing for another trace's tensors.
  static void note_shaped_like(const Tensor& made, const Tensor& like, bool is_uniform);
  void note_shaped_like(ir::Value made, ir::Value like, bool is_uniform);
  /// Records the same for a gradient: that of a linear function is not computed from any row.
  void note_gradient(ir::Value value, ir::Value gradient);
  /// Passes the notes of note_shaped_like() to the analysis.
  void report_shapes(transform::BatchDependenceAnalysis& analysis) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs operations eagerly while it lives, also inside a trace (TensorFlow's init_scope).
class EagerScope {
 public:
  EagerScope();
  ~EagerScope();
  EagerScope(const EagerScope&) = delete;
  EagerScope& operator=(const EagerScope&) = delete;

 private:
  Trace* before_;
};

}  // namespace cornu::inline v0
