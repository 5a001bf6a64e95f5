#include "cornu/tensor/trace.h"

#include <atomic>
#include <unordered_map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"

namespace cornu {
namespace {

thread_local Trace* current_trace = nullptr;

std::uint64_t next_trace_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

struct Trace::State {
  struct TracedVariable {
    Variable variable;
    ir::Value initial;
    ir::Value now;
    bool assigned = false;
  };

  /// One argument of the step, in the order of the function's signature.
  struct Argument {
    runtime::ArgumentKind kind = runtime::ArgumentKind::kFixed;
    std::size_t variable_index = 0;  // for kFixed and kState
  };

  std::unique_ptr<ir::Function> function = std::make_unique<ir::Function>();
  ir::Builder builder{function->body};
  std::uint64_t id = next_trace_id();
  std::vector<Argument> arguments;
  std::vector<TracedVariable> variables;
  std::unordered_map<const void*, std::size_t> variable_index;
  // Tensors by identity; they are kept so that no other tensor takes their identity over.
  std::unordered_map<const void*, std::pair<Tensor, ir::Value>> captured;
  bool has_valid_rows = false;
  bool finished = false;

  std::size_t touch(const Variable& variable) {
    CORNU_CHECK(variable.defined(), "an empty variable handle");
    const auto [entry, is_new] = variable_index.try_emplace(variable.id(), variables.size());
    if (is_new) {
      const ir::Value argument = function->body.add_argument(variable.type());
      arguments.push_back({runtime::ArgumentKind::kFixed, variables.size()});
      variables.push_back({variable, argument, argument});
    }
    return entry->second;
  }
};

namespace {

std::vector<runtime::Buffer*> buffers_of(std::span<const Variable> variables, const std::shared_ptr<runtime::Client>& client) {
  std::vector<runtime::Buffer*> buffers;
  buffers.reserve(variables.size());
  for (const Variable& variable : variables) buffers.push_back(&variable.buffer(client));
  return buffers;
}

}  // namespace

std::vector<runtime::Buffer*> TracedProgram::state_buffers(const std::shared_ptr<runtime::Client>& client) const {
  return buffers_of(state, client);
}

std::vector<runtime::Buffer*> TracedProgram::fixed_buffers(const std::shared_ptr<runtime::Client>& client) const {
  return buffers_of(fixed, client);
}

Trace::Trace(std::string name) : state_(std::make_unique<State>()) { state_->function->name = std::move(name); }
Trace::~Trace() = default;

Trace* Trace::current() { return current_trace; }
Trace::Scope::Scope(Trace& trace) : before_(std::exchange(current_trace, &trace)) {}
Trace::Scope::~Scope() { current_trace = before_; }

ir::Builder& Trace::builder() { return state_->builder; }
std::uint64_t Trace::id() const { return state_->id; }

Tensor Trace::add_rows_argument(const TensorType& type) {
  if (type.rank() == 0) invalid_argument("a rows argument needs a batch dimension");
  state_->arguments.push_back({runtime::ArgumentKind::kRows});
  return tensor(state_->function->body.add_argument(type));
}

Tensor Trace::add_valid_rows_argument() {
  CORNU_CHECK(!state_->has_valid_rows, "a second valid-rows argument");
  state_->has_valid_rows = true;
  state_->arguments.push_back({runtime::ArgumentKind::kValidRows});
  return tensor(state_->function->body.add_argument(TensorType{DType::kI32, {}}));
}

ir::Value Trace::value_of(const Tensor& tensor) {
  const TensorType& type = tensor.type();  // throws when undefined
  if (tensor.is_symbolic()) {
    if (tensor.trace_id() != id())
      fail(ErrorCode::kFailedPrecondition, "a symbolic tensor ({}) is used outside the program that it was traced for", type_str(type));
    return tensor.value();
  }
  if (tensor.is_weak()) return ops::constant(builder(), tensor.literal());
  const auto found = state_->captured.find(tensor.id());
  if (found != state_->captured.end()) return found->second.second;
  ir::Value value;
  if (type.size_bytes() <= kMaxConstantBytes) {
    value = ops::constant(builder(), tensor.literal());
  } else {
    const Variable capture(tensor.literal(), {.name = "capture", .trainable = false});
    value = state_->variables[state_->touch(capture)].now;
  }
  state_->captured.emplace(tensor.id(), std::pair(tensor, value));
  return value;
}

Tensor Trace::tensor(ir::Value value) const { return Tensor::symbolic(value, id()); }

Tensor Trace::read(const Variable& variable) { return tensor(state_->variables[state_->touch(variable)].now); }
Tensor Trace::initial(const Variable& variable) { return tensor(state_->variables[state_->touch(variable)].initial); }

void Trace::assign(const Variable& variable, const Tensor& value) {
  CORNU_CHECK(value.type() == variable.type(), "assigning {} to variable \"{}\" of {}", type_str(value.type()), variable.path(),
              type_str(variable.type()));
  const ir::Value now = value_of(value);  // may touch variables: before taking a reference to one
  State::TracedVariable& traced = state_->variables[state_->touch(variable)];
  traced.now = now;
  traced.assigned = true;
}

std::vector<Variable> Trace::assigned() const {
  std::vector<Variable> variables;
  for (const State::TracedVariable& traced : state_->variables)
    if (traced.assigned) variables.push_back(traced.variable);
  return variables;
}

void Trace::predicate_assignments(const Tensor& predicate, std::span<const Variable> except) {
  const ir::Value condition = value_of(predicate);
  for (State::TracedVariable& traced : state_->variables) {
    bool is_excepted = !traced.assigned;
    for (const Variable& variable : except) is_excepted = is_excepted || variable == traced.variable;
    if (!is_excepted) traced.now = ops::select(builder(), condition, traced.now, traced.initial);
  }
}

TracedProgram Trace::finish(std::span<const Tensor> outputs) {
  CORNU_CHECK(!state_->finished, "a trace is finished twice");
  std::vector<ir::Value> output_values;
  for (const Tensor& output : outputs) output_values.push_back(value_of(output));  // may still add arguments

  TracedProgram program;
  std::vector<ir::Value> results;
  const std::span<const ir::Value> values = state_->function->body.arguments();
  for (std::size_t i = 0; i < state_->arguments.size(); ++i) {
    const State::Argument& argument = state_->arguments[i];
    runtime::ArgumentKind kind = argument.kind;
    if (kind == runtime::ArgumentKind::kRows) program.rows.push_back(values[i].type());
    if (kind == runtime::ArgumentKind::kFixed) {
      const State::TracedVariable& traced = state_->variables[argument.variable_index];
      if (traced.assigned) kind = runtime::ArgumentKind::kState;
      (traced.assigned ? program.state : program.fixed).push_back(traced.variable);
      if (traced.assigned) results.push_back(traced.now);
    }
    program.arguments.push_back(kind);
  }
  for (const ir::Value& value : output_values) {
    program.outputs.push_back(value.type());
    results.push_back(value);
  }
  state_->function->body.set_results(std::move(results));
  state_->finished = true;
  program.function = std::move(state_->function);
  return program;
}

namespace {

std::vector<Tensor> gradient_of_values(const Tensor& loss, std::span<const ir::Value> wrt, Trace& trace) {
  std::vector<Tensor> gradients;
  for (const ir::Value& value : transform::gradient(trace.builder(), trace.value_of(loss), wrt))
    gradients.push_back(value ? trace.tensor(value) : Tensor());
  return gradients;
}

Trace& trace_for_gradient() {
  Trace* trace = Trace::current();
  if (trace == nullptr) fail(ErrorCode::kFailedPrecondition, "gradient() works inside a trace only");
  return *trace;
}

}  // namespace

std::vector<Tensor> gradient(const Tensor& loss, std::span<const Variable> variables) {
  Trace& trace = trace_for_gradient();
  std::vector<ir::Value> wrt;
  for (const Variable& variable : variables) wrt.push_back(trace.initial(variable).value());
  return gradient_of_values(loss, wrt, trace);
}

std::vector<Tensor> gradient(const Tensor& loss, std::span<const Tensor> tensors) {
  Trace& trace = trace_for_gradient();
  std::vector<ir::Value> wrt;
  for (const Tensor& tensor : tensors) wrt.push_back(trace.value_of(tensor));
  return gradient_of_values(loss, wrt, trace);
}

}  // namespace cornu
