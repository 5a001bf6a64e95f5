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
class RowAnalysis;
}

namespace cornu::inline v0 {

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
  detail::Infeeds infeeds = {};    // whose slabs are the last parameters
  /// Concrete tensors that the trace met, and what they became: constants, or fixed arguments of their own.
  std::vector<std::pair<Tensor, ir::Value>> captured;
  runtime::ConvolutionAlgorithm convolution_algorithm = runtime::ConvolutionAlgorithm::kAuto;
  runtime::Precision precision = runtime::Precision::kAuto;
  runtime::ReplicaWork replica_work = {};
  /// Where it must run, in the table of devices; unset: anywhere.
  std::optional<int> device = {};

  /// The program that a client compiles; it refers to `function` and must not outlive it.
  runtime::StepProgram step_program() const {
    const ir::Function& step = require_defined(function, "program");
    return {.step = &step,
            .arguments = arguments,
            .name = step.name,
            .convolution_algorithm = convolution_algorithm,
            .precision = precision,
            .replica_work = replica_work};
  }
  /// The same program with slabs of these capacities, one for each infeed.
  TracedProgram with_capacities(std::span<const std::int64_t> capacities) const;
  /// The buffers to run on, moved to the placement where they are elsewhere: one round trip for all.
  /// Lifetime: as Variable::buffer.
  std::vector<runtime::Buffer*> state_buffers(const Placement& placement) const;
  std::vector<runtime::Buffer*> fixed_buffers(const Placement& placement) const;
};

/// Builds one step program from tensor code: while a Trace::Scope exists, ops on tensors append to the
/// trace's function.
///
/// Loop bodies and branches are traced into regions of their own (Trace::Region), where a variable that is
/// assigned is carried. A variable becomes an argument when it is first read or assigned; one that was
/// assigned is state, any other is fixed. Concrete tensors become constants up to kMaxConstantBytes, captured
/// fixed arguments beyond.
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

  /// A value that each call feeds whole. Parameters come before everything else.
  Tensor add_parameter(const TensorType& type);
  /// Adds slabs, as parameters, of the elements that next() takes from a source. Does nothing for a source
  /// that has some already.
  /// Errors: as ElementSource::spec.
  void add_source(detail::ElementSource& source);
  /// The tensors of the source's next element; in a loop there is one in each iteration.
  /// Errors: FailedPrecondition for a source that was not added; Unimplemented, naming it, inside a region
  ///         without bounds; InvalidArgument when those of a loop are computed in another.
  std::vector<Tensor> next(const detail::ElementSource& source);
  /// Adds an argument [batch, ...]: rows that the program gathers.
  Tensor add_rows_argument(const TensorType& type);
  /// Adds an i32 scalar that says how many of the batch's rows are data. A program has at most one.
  Tensor add_valid_rows_argument();

  /// A tensor's value here: its own when symbolic, else a constant or a captured argument.
  /// Errors: FailedPrecondition for a symbolic tensor of another trace.
  ir::Value value_of(const Tensor& tensor);
  Tensor tensor(ir::Value value) const;

  /// The variable's value. The gradient of one that was assigned goes to `initial`, not to what was assigned.
  Tensor read(const Variable& variable);
  /// The value the variable had when the step (the region) began.
  Tensor initial(const Variable& variable);
  void assign(const Variable& variable, const Tensor& value);
  /// The variables assigned so far, in the order of their first use.
  std::vector<Variable> assigned() const;
  /// What the variable is to hold after the trace, as far as that is known now. No tape sees this as a read.
  Tensor held(const Variable& variable);
  /// Replaces each assigned variable's new value by select(predicate, new, initial), except for those listed.
  void predicate_assignments(const Tensor& predicate, std::span<const Variable> except = {});

  /// Ends the trace. Outputs may have any shape.
  TracedProgram finish(std::span<const Tensor> outputs = {});

  /// The body of a loop or a branch while it is traced: what runs in its life is appended to it. Values from
  /// around it can be used in it, those made in it only there. Variables that it reads or assigns are its own
  /// until an op is made of it.
  /// Lifetime: within the trace's scope, properly nested.
  class Region {
   public:
    /// `what` names it in errors: "the body of while_loop".
    Region(Trace& trace, std::string what);
    ~Region();
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    /// Also between operations: a loop may find out in its body what it carries.
    Tensor add_argument(const TensorType& type);
    /// It is the body of a loop that runs upper - lower times (integer scalars).
    void set_bounds(const Tensor& lower, const Tensor& upper);
    /// Ends it; `results` are what it returns.
    void close(std::span<const Tensor> results);

    struct State;

   private:
    friend class Trace;
    Trace& trace_;
    std::unique_ptr<State> state_;
  };
  /// A loop of closed regions: `initial` for the arguments of both. Variables that the body assigns are
  /// carried.
  /// Errors: InvalidArgument when the condition assigns a variable.
  std::vector<Tensor> while_op(const Region& condition, const Region& body, std::span<const Tensor> initial);
  /// A choice between closed regions without arguments and with equal results. Variables that one assigns are
  /// results, too.
  std::vector<Tensor> if_op(const Tensor& predicate, const Region& on_true, const Region& on_false);
  /// What a closed region computes on several replicas, each with arguments of its own. Variables are the
  /// same for all; what stands in the region and is the same for all stands in the program once.
  /// Returns the region's results, a list for each replica.
  /// Errors: InvalidArgument, naming the variable, when replicas assign different values to one; what
  ///         transform::inline_replicas throws.
  std::vector<std::vector<Tensor>> replicate_op(const Region& region,
                                                std::span<const std::vector<Tensor>> arguments);
  /// The program is for a device, wherever it is called.
  /// Errors: InvalidArgument when it is for another already.
  void set_device(int device);
  /// The variables that a region reads or assigns.
  std::vector<Variable> variables_of(const Region& region) const;
  /// A closed region as a block that uses nothing from around it: it takes what it used as arguments, before
  /// its own.
  /// Errors: InvalidArgument when it assigns a variable.
  struct ClosedBlock {
    std::unique_ptr<ir::Block> block;
    std::vector<ir::Value> captured;
  };
  ClosedBlock closed_block(const Region& region);

  /// Sees reads of variables in the region (or the function) that is on top when it is added.
  class ReadObserver {
   public:
    virtual ~ReadObserver() = default;
    /// Whether the next read must give another value than this one, which an earlier read gave: one of them
    /// counts as the variable, the other does not.
    virtual bool tells_apart(const Variable& variable, ir::Value value) const = 0;
    virtual void variable_read(const Variable& variable, ir::Value value) = 0;
    /// Whether it wants the gradient of a concrete tensor.
    virtual bool watches(const Tensor& x) const = 0;
  };
  /// Whether an observer of any region that the trace is in watches the concrete tensor.
  bool is_watched(const Tensor& x) const;
  void add_observer(std::shared_ptr<ReadObserver> observer);

  /// The extents along `axes` of a value went into a number ("num_rows()", "size()", "mean()"): where rows of
  /// a batch lie there, C++ knows how many rows this program's batch has. Nothing for another trace's tensor.
  static void note_count(const char* what, const Tensor& x, std::span<const std::int64_t> axes);
  struct CountNote {
    ir::Value value;
    Dims axes;
    const char* what;
    std::string location;  // where it was asked: a layer's name, or empty
  };
  std::span<const CountNote> count_notes() const;
  /// `made` was made in the shape of `like` and stands for its rows, though nothing computes it from them.
  /// With `is_uniform` all its elements are equal. Nothing for another trace's tensors.
  static void note_shaped_like(const Tensor& made, const Tensor& like, bool is_uniform);
  void note_shaped_like(ir::Value made, ir::Value like, bool is_uniform);
  /// Notes that for a gradient: of a linear function it is made of no row.
  void note_gradient(ir::Value value, ir::Value gradient);
  /// What was noted of this trace's values by note_shaped_like().
  void tell_shapes(transform::RowAnalysis& analysis) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What runs while this lives runs at once, also while a trace is current (TensorFlow's init_scope).
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
