#include "cornu/tensor/trace/trace.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/ops/select/select.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/trace_state.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/concrete.h"
#include "cornu/transform/batch_dependence.h"

namespace cornu::inline v0 {
namespace {

thread_local Trace* current_trace = nullptr;

std::uint64_t next_trace_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

void detail::TracedVariable::begin_anew(ir::Builder& builder) {
  if (ir::is_float(now.dtype())) now = ops::redirect_gradient(builder, now, initial);
  is_as_assigned = false;
}

void Trace::State::check_open() const {
  if (finished)
    fail(ErrorCode::kFailedPrecondition,
         "[trace] the trace is finished: its program is made, and takes nothing more");
}

detail::TracedVariable& Trace::State::touch(const Variable& variable, std::size_t level) {
  check_open();
  variable.type();  // throws when undefined
  const detail::VariableParts* const parts = detail::parts_of(variable);
  if (parts != nullptr && level == 0) return join(variable);
  if (parts != nullptr) detail::refuse_table_of_pool(variable, "a replica, a loop or a branch");
  detail::TraceFrame& frame = *frames[level];
  const auto [entry, is_new] = frame.index_of.try_emplace(variable.id(), frame.variables.size());
  if (is_new) {
    if (level == 0) {
      arguments.push_back({runtime::ArgumentKind::kFixed, frame.variables.size()});
    } else if (parts != nullptr) {
      touch_outside(variable, level);
    } else {
      touch(variable, level - 1);
    }
    const std::int64_t num_replicas = parts == nullptr ? 1 : num_replicas_at(level);
    const ir::Value argument = frame.builder.block().add_argument(
        num_replicas == 1 ? variable.type()
                          : parts->type_of(variable.type(), parts->extent.num_parts / num_replicas));
    frame.variables.push_back({variable, argument, argument});
  }
  return frame.variables[entry->second];
}

detail::TracedVariable& Trace::State::read(const Variable& variable, std::size_t level) {
  detail::TraceFrame& frame = *frames[level];
  if (!frame.observers.empty()) detail::refuse_table_of_pool(variable, "a step with gradients");
  if (level > 0) {
    const detail::TracedVariable* const known = frame.find(variable);
    const bool is_first = known == nullptr || !known->is_read;
    const bool has_parts_outside = frame.num_replicas > 1 && detail::parts_of(variable) != nullptr;
    if (is_first && !has_parts_outside) read(variable, level - 1);
  }
  detail::TracedVariable& traced = touch(variable, level);
  const auto tells_apart = [&](const auto& observer) { return observer->tells_apart(variable, traced.now); };
  if (traced.is_as_assigned || (traced.is_read && std::ranges::any_of(frame.observers, tells_apart)))
    traced.begin_anew(frame.builder);
  traced.is_read = true;
  for (const auto& observer : frame.observers) observer->variable_read(variable, traced.now);
  return traced;
}

void Trace::State::set(const Variable& variable, ir::Value value) {
  detail::TracedVariable& traced = touch(variable);
  traced.now = value;
  traced.assigned = true;
  traced.is_as_assigned = true;
  if (frames.size() == 1 && detail::parts_of(variable) != nullptr) cut(variable, value);
}

namespace {

std::vector<runtime::Buffer*> buffers_of(std::span<const Variable> variables, const Placement& placement,
                                         detail::Access access) {
  std::vector<runtime::Buffer*> buffers(variables.size());
  detail::find_buffers(variables, placement, access, buffers.data());
  return buffers;
}

}  // namespace

std::vector<runtime::Buffer*> TracedProgram::state_buffers(const Placement& placement) const {
  return buffers_of(state, placement, detail::Access::kWrite);
}

std::vector<runtime::Buffer*> TracedProgram::fixed_buffers(const Placement& placement) const {
  return buffers_of(fixed, placement, detail::Access::kRead);
}

Trace::Trace(std::string name) : state_(std::make_unique<State>()) {
  state_->id = next_trace_id();
  state_->function->name = std::move(name);
}
Trace::~Trace() {
  if (current_trace == this) current_trace = nullptr;  // its scope outlives it
}

Trace* Trace::current() { return current_trace; }
Trace::Scope::Scope(Trace& trace) : before_(std::exchange(current_trace, &trace)) {}
Trace::Scope::~Scope() { current_trace = before_; }
EagerScope::EagerScope() : before_(std::exchange(current_trace, nullptr)) {}
EagerScope::~EagerScope() { current_trace = before_; }

ir::Builder& Trace::builder() {
  state_->check_open();
  return state_->top().builder;
}
std::uint64_t Trace::id() const { return state_->id; }

Tensor Trace::add_parameter(const TensorType& type) {
  state_->check_open();
  if (state_->num_parameters != state_->arguments.size())
    fail(ErrorCode::kFailedPrecondition,
         "[trace] parameters must be added before other arguments and before variables are used");
  ++state_->num_parameters;
  state_->arguments.push_back({runtime::ArgumentKind::kFixed});
  return tensor(state_->function->body.add_argument(type));
}

Tensor Trace::add_rows_argument(const TensorType& type) {
  state_->check_open();
  if (type.rank() == 0) invalid_argument("a rows argument needs a batch dimension");
  state_->arguments.push_back({runtime::ArgumentKind::kRows});
  return tensor(state_->function->body.add_argument(type));
}

Tensor Trace::add_valid_rows_argument() {
  state_->check_open();
  if (state_->has_valid_rows)
    fail(ErrorCode::kFailedPrecondition, "[trace] a program has one argument of valid rows at most");
  state_->has_valid_rows = true;
  state_->arguments.push_back({runtime::ArgumentKind::kValidRows});
  return tensor(state_->function->body.add_argument(TensorType{DType::kI32, {}}));
}

namespace {

ir::Value symbolic_value(const Tensor& tensor, std::uint64_t trace_id,
                         std::span<detail::TraceFrame* const> frames) {
  if (tensor.trace_id() != trace_id) detail::fail_outside_its_trace(tensor);
  const ir::Block* block = tensor.value().block();
  for (std::size_t level = frames.size(); level-- > 0;)
    if (frames[level]->block() == block) return tensor.value();
  fail(ErrorCode::kFailedPrecondition,
       "a tensor ({}) that was made inside a loop body or a branch is used outside of it; make it a result "
       "of the body",
       type_str(tensor.type()));
}

}  // namespace

ir::Value Trace::value_of(const Tensor& tensor) {
  const TensorType& type = tensor.type();  // throws when undefined
  state_->check_open();                    // values of a finished trace may be gone with its program
  if (tensor.is_symbolic()) return symbolic_value(tensor, id(), state_->frames);
  if (tensor.is_weak()) return ops::constant(builder(), tensor.literal());
  for (const detail::TraceFrame* frame : state_->frames) {
    const auto found = frame->captured.find(tensor.id());
    if (found != frame->captured.end()) return found->second.second;
  }
  const bool is_constant = type.size_bytes() <= kMaxConstantBytes;
  ir::Value value;
  if (is_constant) {
    value = ops::constant(builder(), tensor.literal());
  } else {
    const detail::VariableWatcherScope unwatched(nullptr);
    const Variable capture(tensor.literal(), {.name = "capture", .trainable = false});
    value = state_->touch(capture, 0).now;
  }
  (is_constant ? state_->top() : state_->root).captured.emplace(tensor.id(), std::pair(tensor, value));
  return value;
}

Tensor Trace::tensor(ir::Value value) const { return Tensor::symbolic(value, id()); }

Tensor Trace::read(const Variable& variable) {
  return tensor(state_->read(variable, state_->frames.size() - 1).now);
}
Tensor Trace::initial(const Variable& variable) { return tensor(state_->touch(variable).initial); }

Tensor Trace::held(const Variable& variable) { return tensor(state_->touch(variable).now); }

void Trace::assign(const Variable& variable, const Tensor& value) {
  CORNU_CHECK(value.type() == variable.type() || value.type() == detail::type_here(variable),
              "assigning {} to variable \"{}\" of {}", type_str(value.type()), variable.path(),
              type_str(variable.type()));
  state_->set(variable, value_of(value));
}

bool Trace::is_watched(const Tensor& x) const {
  return std::ranges::any_of(state_->frames, [&](const auto& frame) {
    return std::ranges::any_of(frame->observers, [&](const auto& each) { return each->watches(x); });
  });
}

void Trace::add_observer(std::shared_ptr<ReadObserver> observer) {
  state_->top().observers.push_back(std::move(observer));
}

namespace {

/// The current trace, if the tensor is a value of it.
Trace* trace_of(const Tensor& x) {
  Trace* const trace = x.is_symbolic() ? Trace::current() : nullptr;
  return trace != nullptr && trace->id() == x.trace_id() ? trace : nullptr;
}

}  // namespace

void Trace::note_count(const char* what, const Tensor& x, std::span<const std::int64_t> axes) {
  if (Trace* const trace = trace_of(x))
    trace->state_->count_notes.push_back(
        {x.value(), Dims(axes.begin(), axes.end()), what, trace->builder().location()});
}

std::span<const Trace::CountNote> Trace::count_notes() const { return state_->count_notes; }

void Trace::note_shaped_like(const Tensor& made, const Tensor& like, bool is_uniform) {
  Trace* const trace = trace_of(made);
  if (trace != nullptr && trace == trace_of(like))
    trace->note_shaped_like(made.value(), like.value(), is_uniform);
}

void Trace::note_shaped_like(ir::Value made, ir::Value like, bool is_uniform) {
  state_->shape_notes.push_back({made, like, is_uniform});
}

void Trace::note_gradient(ir::Value value, ir::Value gradient) {
  if (value.rank() > 0) note_shaped_like(gradient, value, false);
}

void Trace::report_shapes(transform::BatchDependenceAnalysis& analysis) const {
  for (const State::ShapeNote& note : state_->shape_notes)
    analysis.set_shaped_like(note.value, note.like, note.is_uniform);
}

std::vector<Variable> Trace::assigned() const {
  std::vector<Variable> variables;
  for (const detail::TracedVariable& traced : state_->top().variables)
    if (traced.assigned) variables.push_back(traced.variable);
  return variables;
}

void Trace::predicate_assignments(const Tensor& predicate, std::span<const Variable> except) {
  const ir::Value condition = value_of(predicate);
  for (detail::TracedVariable& traced : state_->top().variables) {
    bool is_excepted = !traced.assigned;
    for (const Variable& variable : except) is_excepted = is_excepted || variable == traced.variable;
    if (is_excepted) continue;
    traced.now = ops::select(builder(), condition, traced.now, traced.initial);
    traced.is_as_assigned = true;
  }
}

TracedProgram Trace::finish(std::span<const Tensor> outputs) {
  state_->check_open();
  CORNU_CHECK(state_->frames.size() == 1, "a trace is finished inside a region");
  std::vector<ir::Value> output_values;
  for (const Tensor& output : outputs) output_values.push_back(value_of(output));  // may still add arguments

  TracedProgram program;
  std::vector<ir::Value> results;
  const std::span<const ir::Value> values = state_->function->body.arguments();
  for (std::size_t i = 0; i < state_->arguments.size(); ++i) {
    const State::Argument& argument = state_->arguments[i];
    runtime::ArgumentKind kind = argument.kind;
    if (kind == runtime::ArgumentKind::kRows) program.rows.push_back(values[i].type());
    if (kind == runtime::ArgumentKind::kFixed && argument.variable_index != State::kNoVariable) {
      const detail::TracedVariable& traced = state_->root.variables[argument.variable_index];
      if (traced.assigned) kind = runtime::ArgumentKind::kState;
      (traced.assigned ? program.state : program.fixed).push_back(traced.variable);
      program.reaches_all_devices = program.reaches_all_devices || traced.variable.state().core >= 0;
      if (traced.assigned) results.push_back(traced.now);
    }
    program.arguments.push_back(kind);
  }
  for (const ir::Value& value : output_values) {
    program.outputs.push_back(value.type());
    results.push_back(value);
  }
  state_->function->body.set_results(std::move(results));
  for (const auto& [tensor_id, capture] : state_->root.captured) program.captured.push_back(capture);
  program.num_parameters = state_->num_parameters;
  program.infeeds = state_->infeeds.finish(state_->function->body, state_->num_parameters);
  program.replica_work = state_->replica_work;
  program.sharded = state_->sharded;
  program.device = state_->device;
  state_->finished = true;
  program.function = std::move(state_->function);
  return program;
}

std::int64_t Tensor::num_rows() const {
  if (rank() == 0) invalid_argument("a scalar has no rows");
  static constexpr std::int64_t kAxisOfRows[] = {0};
  Trace::note_count("num_rows()", *this, kAxisOfRows);
  return shape()[0];
}

}  // namespace cornu::inline v0
