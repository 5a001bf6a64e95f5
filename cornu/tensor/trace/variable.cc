#include "cornu/tensor/trace/variable.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/tensor/trace/autocast.h"
#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0 {
namespace {

thread_local std::vector<Variable>* variable_watcher = nullptr;
thread_local detail::AssignmentLog* assignment_log = nullptr;
std::atomic<std::uint64_t> last_trainable_epoch{0};
thread_local const AutocastScope* current_autocast = nullptr;

}  // namespace

namespace detail {

VariableWatcherScope::VariableWatcherScope(std::vector<Variable>* made)
    : before_(std::exchange(variable_watcher, made)) {}
VariableWatcherScope::~VariableWatcherScope() { variable_watcher = before_; }
AssignmentLog::AssignmentLog() : before_(std::exchange(assignment_log, this)) {}
AssignmentLog::~AssignmentLog() { assignment_log = before_; }
void AssignmentLog::note(const Variable& variable) {
  const auto known = [&](const auto& entry) { return entry.first == variable; };
  if (std::none_of(assigned_.begin(), assigned_.end(), known))
    assigned_.emplace_back(variable, Tensor(variable.read()));
}
void AssignmentLog::undo() {
  for (const auto& [variable, value] : assigned_) variable.load(value.literal());
  assigned_.clear();
}
std::uint64_t trainable_epoch() { return last_trainable_epoch.load(std::memory_order_acquire); }

}  // namespace detail

namespace detail {
namespace {

using State = Variable::State;

[[noreturn]] void fail_to_read(const State& state, const Error& error) {
  throw error.with(
      {.op = "variable",
       .notes = fmt::format("variable \"{}\" cannot be read from {}", state.path, state.place_str())});
}

/// The authority's buffer on a device that the host cannot address, or null.
runtime::Buffer* device_buffer(const State& state) {
  const State::Copy* const now = state.authority.load(std::memory_order_acquire);
  return now == nullptr || now->client->is_addressable() ? nullptr : now->buffer.get();
}

}  // namespace

namespace {

thread_local const VariableValues* known_values = nullptr;

/// What this thread knows of a variable that is on a device, or null.
const ir::Literal* known_value(const Variable& variable) {
  if (known_values == nullptr || device_buffer(variable.state()) == nullptr) return nullptr;
  return known_values->find(variable.id());
}

}  // namespace

VariableValues::VariableValues(std::span<const Variable> variables) {
  std::map<runtime::Client*, std::vector<runtime::Read>> reads;
  std::map<runtime::Client*, const State*> first;
  values_.reserve(variables.size());
  for (const Variable& variable : variables) {
    const runtime::Buffer* const buffer = device_buffer(variable.state());
    if (buffer == nullptr || find(variable.id()) != nullptr) continue;
    if (const ir::Literal* const known = known_value(variable)) {  // a scope around this one has it
      values_.emplace_back(variable.id(), *known);
      continue;
    }
    ir::Literal& value = values_.emplace_back(variable.id(), ir::Literal(variable.type())).second;
    reads[buffer->client()].push_back({buffer, value.mutable_bytes().data()});
    first.try_emplace(buffer->client(), &variable.state());
  }
  for (const auto& [client, of_client] : reads) {
    try {
      client->read(of_client);
    } catch (const Error& error) {
      fail_to_read(*first.at(client), error);
    }
  }
}

const ir::Literal* VariableValues::find(const void* variable_id) const {
  for (const auto& [id, value] : values_)
    if (id == variable_id) return &value;
  return nullptr;
}

ValuesScope::ValuesScope(const VariableValues& values) : before_(std::exchange(known_values, &values)) {}
ValuesScope::~ValuesScope() { known_values = before_; }

std::vector<ir::Literal> read_all(std::span<const Variable> variables) {
  const VariableValues known(variables);
  const ValuesScope scope(known);
  std::vector<ir::Literal> values;
  values.reserve(variables.size());
  for (const Variable& variable : variables) values.push_back(variable.read());
  return values;
}

}  // namespace detail

namespace {

ir::Literal literal_of(const Tensor& initial_value, const VariableOptions& options) {
  if (!initial_value.defined())
    invalid_argument("[variable] the initial value is undefined; in variable \"{}\"", options.name);
  if (initial_value.is_symbolic())
    fail(ErrorCode::kFailedPrecondition, {.reason = ErrorReason::kSymbolicValue},
         "[variable] the initial value is symbolic, it has no elements yet: make the variable outside of the "
         "function, or from a concrete tensor, and assign; in variable \"{}\"",
         options.name);
  return initial_value.literal();
}

}  // namespace

Variable::Variable(const Tensor& initial_value, VariableOptions options)
    : Variable{literal_of(initial_value, options), std::move(options)} {}  // braces: in this order

Variable::Variable(const ir::Literal& initial_value, VariableOptions options)
    : state_(std::make_shared<State>()) {
  if (options.name.find('/') != std::string::npos)
    invalid_argument(
        {.argument = "name"},
        "[variable] name must not contain \"/\", which separates the parts of a path; got name = \"{}\"",
        options.name);
  state_->name = std::move(options.name);
  state_->path = options.path.empty() ? state_->name : std::move(options.path);
  state_->type = initial_value.type();
  state_->trainable = options.trainable;
  state_->autocast = options.autocast && ir::is_float(state_->type.dtype);
  state_->constraint = std::move(options.constraint);
  state_->aggregation = options.aggregation;
  state_->synchronization = options.synchronization;
  state_->replicas = detail::current_replica_set();
  state_->host_value = initial_value;
  state_->device = detail::current_device_index();
  if (variable_watcher != nullptr) variable_watcher->push_back(*this);
}

Variable::State& Variable::state() const { return require_defined(state_, "variable"); }

const std::string& Variable::name() const { return state().name; }
const std::string& Variable::path() const { return state().path; }
const TensorType& Variable::type() const { return state().type; }
bool Variable::trainable() const { return state().trainable; }
void Variable::set_trainable(bool trainable) const {
  if (std::exchange(state().trainable, trainable) != trainable) ++last_trainable_epoch;
}

const std::function<Tensor(const Tensor&)>& Variable::constraint() const { return state().constraint; }
VariableAggregation Variable::aggregation() const { return state().aggregation; }
VariableSynchronization Variable::synchronization() const { return state().synchronization; }

namespace {

/// The value as it is now, shared with the variable until that is written.
Tensor shared_value(const Variable& variable) {
  const Variable::State& state = variable.state();
  if (const ir::Literal* const known = detail::known_value(variable)) return Tensor(*known);
  const detail::CurrentDevice& device = detail::current_device();
  if (device.is_foreign) {
    // Operations on a device find it there.
    const Placement here = current_placement();
    if (!here.client()->is_addressable() && state.find(here, false) == nullptr)
      detail::move_variables({&variable, 1}, here, detail::Access::kRead);
    const std::lock_guard lock(Variable::State::mutex());
    Variable::State::Copy* const copy = here.client()->is_addressable() ? nullptr : state.find_copy(here);
    if (copy != nullptr)
      return Tensor::on_buffer(std::make_shared<const detail::DeviceValue>(copy->client, copy->buffer),
                               device.index);
  }
  const Variable::State::Copy* const now = state.authority.load(std::memory_order_acquire);
  if (now == nullptr) return Tensor(variable.read()).on_device(state.device);
  if (!now->client->is_addressable()) {
    const int index = detail::index_of_device(now->client.get(), now->buffer->device());
    detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);  // the tensor has it now, too
    return Tensor::on_buffer(std::make_shared<const detail::DeviceValue>(now->client, now->buffer),
                             index < 0 ? state.device : index);
  }
  const std::shared_ptr<const std::byte> bytes = now->buffer->share();
  if (bytes != nullptr)
    return Tensor::from_bytes(state.type, bytes.get(), state.type.size_bytes(), bytes)
        .on_device(state.device);
  return Tensor(variable.read()).on_device(state.device);
}

}  // namespace

AutocastScope::AutocastScope(DType dtype, Cast cast)
    : dtype_(dtype), cast_(cast), before_(std::exchange(current_autocast, this)) {}
AutocastScope::~AutocastScope() { current_autocast = before_; }
const AutocastScope* AutocastScope::current() { return current_autocast; }

Tensor Variable::value() const {
  const AutocastScope* const autocast = state().autocast ? current_autocast : nullptr;
  const auto wanted = [&](const Tensor& value) {
    return autocast == nullptr ? value : autocast->read(value);
  };
  if (Trace* trace = Trace::current()) return wanted(trace->read(*this));
  const Tensor value = shared_value(*this);
  for (const auto& recorder : detail::op_recorders()) recorder->record_read(*this, value);
  return wanted(value);
}

namespace {

/// Writes in place where the host can; a device gets the value with what it needs next.
template <typename MakeLiteral>
void replace(Variable::State& state, const std::byte* bytes, const MakeLiteral& literal) {
  const Variable::State::Copy* const now = state.authority.load(std::memory_order_acquire);
  if (now != nullptr && now->client->is_addressable()) {
    now->buffer->copy_from_host(bytes);
    return;
  }
  const std::lock_guard lock(Variable::State::mutex());
  state.set_host_value(literal());
}

void replace(Variable::State& state, const Tensor& value) {
  const Variable::State::Copy* const now = state.authority.load(std::memory_order_acquire);
  const detail::DeviceValue* const there = value.device_value();
  if (there == nullptr || (now != nullptr && now->client->is_addressable()))
    return replace(state, value.bytes(), [&] { return value.literal(); });
  const std::lock_guard lock(Variable::State::mutex());
  state.set_device_value(*there);
}

}  // namespace

namespace {

/// The value behind those that a tape tells apart from it.
ir::Value told_together(ir::Value value) {
  while (value.op() != nullptr && ops::is_redirect_gradient(*value.op())) value = value.op()->operand(0);
  return value;
}

/// What replicas assign, made one by the variable's aggregation. Of `variable + x`, which is what assign_add
/// and metrics assign, the sum takes the variable once.
Tensor aggregated(Trace& trace, const Variable& variable, const Tensor& value) {
  using detail::ReplicaReduction;
  switch (variable.aggregation()) {
    case VariableAggregation::kNone: return value;
    case VariableAggregation::kMean: return detail::all_reduce(value, ReplicaReduction::kMean);
    case VariableAggregation::kOnlyFirstReplica: return detail::of_first_replica(value);
    case VariableAggregation::kSum: break;
  }
  const Tensor before = trace.read(variable);
  const ir::Op* const op = value.is_symbolic() ? value.value().op() : nullptr;
  const bool adds = op != nullptr && op->name() == "add",
             subtracts = op != nullptr && op->name() == "subtract";
  if ((adds || subtracts) && told_together(op->operand(0)) == told_together(before.value())) {
    const Tensor sum = detail::all_reduce(trace.tensor(op->operand(1)), ReplicaReduction::kSum);
    return adds ? before + sum : before - sum;
  }
  // What is gathered over steps is added to; a sum of anything else would grow with the number of replicas.
  if (variable.synchronization() == VariableSynchronization::kOnRead) return value;
  return detail::all_reduce(value, ReplicaReduction::kSum);
}

}  // namespace

void Variable::assign(const Tensor& value) const {
  Tensor strong = value.is_weak() ? value.strong_scalar(dtype()) : value;
  if (current_autocast != nullptr && state().autocast && ir::is_float(strong.dtype()))
    strong = current_autocast->assigned(strong, dtype());
  if (strong.type() != type())
    invalid_argument("variable \"{}\" is {}; cannot assign {}", path(), type_str(type()),
                     type_str(strong.type()));
  if (Trace* trace = Trace::current()) {
    const bool is_of_replica = detail::current_replica_trace() != nullptr;
    trace->assign(*this, is_of_replica ? aggregated(*trace, *this, strong) : strong);
    return;
  }
  if (assignment_log != nullptr) assignment_log->note(*this);
  replace(state(), strong);
}

void Variable::assign_add(const Tensor& delta) const { assign(value() + delta); }
void Variable::assign_sub(const Tensor& delta) const { assign(value() - delta); }

const std::string& Variable::device() const {
  const State& now = state();
  const runtime::Buffer* const there = detail::device_buffer(now);
  const int index = there == nullptr ? -1 : detail::index_of_device(there->client(), there->device());
  return detail::device_name(index < 0 ? now.device : index);
}

ir::Literal Variable::read() const {
  State& now = state();
  if (now.authority.load(std::memory_order_acquire) == nullptr) {
    const std::lock_guard lock(State::mutex());
    if (now.authority.load(std::memory_order_relaxed) == nullptr) return now.host_literal();
    // Another thread has just moved it.
  }
  if (const ir::Literal* const known = detail::known_value(*this)) return *known;
  ir::Literal value(now.type);
  copy_to_host(value.mutable_bytes().data());
  return value;
}

void Variable::copy_to_host(void* destination) const {
  const State& now = state();
  const State::Copy* const authority = now.authority.load(std::memory_order_acquire);
  if (authority == nullptr) {
    const ir::Literal value = read();
    std::copy(value.bytes().begin(), value.bytes().end(), static_cast<std::byte*>(destination));
    return;
  }
  if (const ir::Literal* const known = detail::known_value(*this)) {
    std::copy(known->bytes().begin(), known->bytes().end(), static_cast<std::byte*>(destination));
    return;
  }
  try {
    authority->buffer->copy_to_host(destination);
  } catch (const Error& error) {
    detail::fail_to_read(now, error);
  }
}

void Variable::load(const ir::Literal& value) const {
  if (value.type() != type())
    invalid_argument("variable \"{}\" is {}; cannot load {}", path(), type_str(type()),
                     type_str(value.type()));
  replace(state(), value.bytes().data(), [&] { return value; });
}

runtime::Buffer& Variable::buffer() const {
  state();  // throws when undefined
  return buffer(current_placement());
}

runtime::Buffer& Variable::buffer(const Placement& placement) const {
  require_defined(placement.client(), "client");
  runtime::Buffer* found = nullptr;
  detail::find_buffers({this, 1}, placement, detail::Access::kWrite, &found);
  return *found;
}

}  // namespace cornu::inline v0
