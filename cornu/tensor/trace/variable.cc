#include "cornu/tensor/trace/variable.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/late_reads.h"
#include "cornu/tensor/trace/autocast.h"
#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_parts.h"
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

thread_local const ValuesScope* known_values = nullptr;

[[noreturn]] void fail_to_read(const State& state, const Error& error) {
  const std::string place = [&] {
    const std::lock_guard lock(state.lock);
    return state.place_str();
  }();
  throw error.with(
      {.op = "variable", .notes = fmt::format("variable \"{}\" cannot be read from {}", state.path, place)});
}

/// Calls `look`, which reads the value, while nothing changes it.
template <typename F>
auto while_unchanged(const Variable& variable, Wanted wanted, const F& look) {
  State& state = variable.state();
  {
    const std::lock_guard lock(state.lock);
    auto seen = look();
    std::atomic_thread_fence(std::memory_order_seq_cst);  // see num_variable_claims
    if (num_variable_claims.load(std::memory_order_relaxed) == 0) return seen;
  }
  std::unique_lock all(State::mutex());
  wait_for_claims(all, {&variable, 1}, Access::kRead, wanted);
  const std::lock_guard lock(state.lock);
  return look();
}

/// The value in the memory of a device that the host cannot address, moved there if needed.
Tensor value_at(const Variable& variable, const Placement& here, int device_index) {
  State& state = variable.state();
  const auto look = [&] {
    const State::Copy* const copy = state.find_copy(here);
    return copy == nullptr || !state.is_valid(*copy) ? nullptr : copy->buffer;
  };
  std::optional<VariableClaim> claim;  // held from the first move until the read
  for (;;) {
    if (std::shared_ptr<runtime::Buffer> buffer = while_unchanged(variable, Wanted::kSet, look)) {
      variable_moves.fetch_add(1, std::memory_order_acq_rel);  // the tensor shares the buffer now, too
      return Tensor::on_buffer(std::make_shared<const DeviceValue>(here.client(), std::move(buffer)),
                               device_index);
    }
    if (!claim.has_value())
      claim.emplace(VariableClaim::Variables{.read = {&variable, 1}}, OtherThreads::kWait);
    move_variables({&variable, 1}, here, Access::kRead);
  }
}

void copy_seen(const State& state, const SeenValue& seen, void* to) {
  const std::size_t size_bytes = state.type.size_bytes();
  if (size_bytes == 0) return;
  if (seen.buffer == nullptr) {
    const void* const from = seen.literal != nullptr   ? seen.literal->bytes().data()
                             : seen.number.has_value() ? static_cast<const void*>(&*seen.number)
                                                       : seen.bytes.get();
    std::memcpy(to, from, size_bytes);
    return;
  }
  try {
    seen.buffer->copy_to_host(to);
  } catch (const Error& error) {
    fail_to_read(state, error);
  }
}

}  // namespace

namespace {

/// The whole value of a variable in parts; undefined if only the first of several processes gets it.
Tensor joined_value(const Variable& variable, std::span<const SeenValue> parts,
                    const KnownValuesOptions& options) {
  const WholeAt at = options.joins_at_first_process ? WholeAt::kFirstProcess : WholeAt::kAllProcesses;
  if (at == WholeAt::kFirstProcess && spans_processes(variable) && !runtime::is_chief()) {
    join_parts(variable, parts, nullptr, at);
    return {};
  }
  ir::Literal joined(variable.type());
  join_parts(variable, parts, joined.mutable_bytes().data(), at);
  return Tensor(std::move(joined));
}

/// Reads, or begins to read if that need not be waited for.
runtime::Event begin_read(runtime::Client& client, std::span<const runtime::Read> reads, bool waits) {
  if (runtime::LateReads* const late = waits ? nullptr : runtime::late_reads(client))
    return late->read_later(reads);
  client.read(reads);
  return {};
}

}  // namespace

SeenValue seen_value(const Variable& variable) {
  return while_unchanged(variable, Wanted::kSingle, [&] { return variable.state().seen(); });
}

VariableValues::VariableValues(std::span<const Variable> variables, const KnownValuesOptions& options)
    : hides_other_threads_(options.hides_other_threads) {
  struct Seen {
    const Variable* variable;
    SeenValue value;
    std::vector<SeenValue> parts;  // of a variable in parts
  };
  std::vector<Seen> all;
  std::unordered_set<const void*> met;
  values_.reserve(variables.size());
  all.reserve(variables.size());
  met.reserve(variables.size());
  {
    std::unique_lock lock(State::mutex());
    wait_for_claims(lock, variables, Access::kRead);
    for (const Variable& variable : variables) {
      if (!met.insert(variable.id()).second) continue;
      State& state = variable.state();
      const std::lock_guard one(state.lock);
      if (Tensor known = ValuesScope::known(variable); known.defined()) {  // an enclosing scope has it
        values_.push_back({variable.id(), std::move(known), state.num_writes});
        continue;
      }
      if (const VariableParts* const parts = state.parts.get())
        all.push_back({&variable, {}, seen_parts(*parts)});
      else
        all.push_back({&variable, state.seen(), {}});
      values_.push_back({variable.id(), {}, state.num_writes});
    }
  }
  std::map<runtime::Client*, std::vector<runtime::Read>> reads;
  std::map<runtime::Client*, const State*> first;
  auto next = all.begin();
  for (Known& known : values_) {
    if (known.value.defined()) continue;
    const auto& [variable, seen, parts] = *next++;
    const State& state = variable->state();
    if (!parts.empty()) {
      known.value = joined_value(*variable, parts, options);
      continue;
    }
    if (seen.buffer == nullptr || !options.reads_devices) {
      if (seen.buffer != nullptr) variable_moves.fetch_add(1, std::memory_order_acq_rel);  // held now, too
      known.value = tensor_of(state, seen);
      continue;
    }
    std::byte* to = nullptr;
    known.value = Tensor::uninitialized(state.type, current_device_index(), &to);
    reads[seen.client.get()].push_back({seen.buffer.get(), to});
    first.try_emplace(seen.client.get(), &state);
  }
  for (const auto& [client, of_client] : reads) {
    try {
      reading_.push_back(begin_read(*client, of_client, options.waits));
    } catch (const Error& error) {
      fail_to_read(*first.at(client), error);
    }
  }
  std::ranges::sort(values_, std::ranges::less(), &Known::id);
}

bool VariableValues::is_ready() const {
  return std::ranges::all_of(reading_, [](const runtime::Event& event) { return event.is_ready(); });
}

void VariableValues::wait() const {
  for (const runtime::Event& event : reading_) event.wait();
}

const VariableValues::Known* VariableValues::known(const void* id) const {
  const auto found = std::ranges::lower_bound(values_, id, std::ranges::less(), &Known::id);
  return found == values_.end() || found->id != id ? nullptr : &*found;
}

Tensor VariableValues::find(const Variable& variable) const {
  const Known* const found = known(variable.id());
  if (found == nullptr || found->is_over) return {};
  const bool is_old = !hides_other_threads_ && found->num_writes != variable.state().num_writes;
  return is_old ? Tensor() : found->value;
}

ValuesScope::ValuesScope(const VariableValues& values)
    : values_(values), before_(std::exchange(known_values, this)) {}
ValuesScope::~ValuesScope() { known_values = before_; }

Tensor ValuesScope::known(const Variable& variable) {
  return known_values == nullptr ? Tensor() : known_values->values_.find(variable);
}

void ValuesScope::forget(const Variable& variable) {
  for (const ValuesScope* scope = known_values; scope != nullptr; scope = scope->before_)
    if (const auto* const known = scope->values_.known(variable.id())) known->is_over = true;
}

std::vector<ir::Literal> read_all(std::span<const Variable> variables) {
  const VariableValues known(variables, {.hides_other_threads = true});
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
  state_->is_table = options.is_table;
  state_->replicas = detail::current_replica_set();
  state_->host_value = std::make_shared<const ir::Literal>(initial_value);
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
bool Variable::is_table() const { return state().is_table; }

namespace {

/// The current value, shared with the variable until the next write.
Tensor shared_value(const Variable& variable) {
  if (Tensor known = detail::ValuesScope::known(variable); known.defined()) return known;
  if (detail::parts_of(variable) != nullptr)
    return Tensor(variable.read()).on_device(detail::current_device_index());
  const detail::CurrentDevice& device = detail::current_device();
  if (device.is_foreign) {
    // Operations on a device find the value there.
    const Placement here = current_placement();
    if (!here.client()->is_addressable()) return detail::value_at(variable, here, device.index);
  }
  const detail::SeenValue seen = detail::seen_value(variable);
  if (seen.buffer != nullptr)
    detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);  // the tensor shares the buffer now, too
  return detail::tensor_of(variable.state(), seen);
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
  if (Trace* trace = Trace::current()) return wanted(detail::value_in_replica(*this, trace->read(*this)));
  if (!detail::op_recorders().empty()) detail::refuse_table_of_pool(*this, "a step with gradients");
  const Tensor value = shared_value(*this);
  for (const auto& recorder : detail::op_recorders()) recorder->record_read(*this, value);
  return wanted(value);
}

namespace {

/// Largest number of bytes copied under the global lock; larger values are copied while only users of this
/// variable wait.
constexpr std::size_t kFewBytes = 4096;

/// Replaces the value: in place by `copy_to` if the buffer is addressable, else by `make_literal`, which a
/// device receives when it next needs the value.
template <typename CopyTo, typename MakeLiteral>
void replace(const Variable& variable, const CopyTo& copy_to, const MakeLiteral& make_literal) {
  Variable::State& state = variable.state();
  detail::ValuesScope::forget(variable);
  std::optional<detail::VariableClaim> claim;
  if (state.type.size_bytes() > kFewBytes)
    claim.emplace(detail::VariableClaim::Variables{.written = {&variable, 1}}, detail::OtherThreads::kWait);
  std::shared_ptr<const ir::Literal> literal;
  for (;;) {
    std::unique_lock all(Variable::State::mutex());
    detail::wait_for_claims(all, {&variable, 1}, detail::Access::kWrite, detail::Wanted::kSingle);
    std::unique_lock one(state.lock);
    if (state.is_in_host_buffer()) {
      state.before_write();
      ++state.num_writes;
      if (claim.has_value()) {  // keeps other threads away
        one.unlock();
        all.unlock();
      }
      copy_to(*state.authority.load(std::memory_order_relaxed)->buffer);
      return;
    }
    if (literal != nullptr) {
      state.set_host_value(literal);
      return;
    }
    one.unlock();
    all.unlock();
    literal = std::make_shared<const ir::Literal>(make_literal());
  }
}

/// Replaces the value by one in a device's memory. Returns false, with nothing changed, if another thread's
/// run reads the variable: its executions use the buffers that this would free.
bool replace_there(const Variable& variable, const detail::DeviceValue& value) {
  auto copy = std::make_unique<Variable::State::Copy>();
  copy->client = value.client();
  copy->buffer = value.buffer();
  Variable::State::Copies over;  // freed without the locks
  std::unique_lock all(Variable::State::mutex());
  detail::wait_for_claims(all, {&variable, 1}, detail::Access::kWrite, detail::Wanted::kSingle);
  if (detail::is_claimed_by_others(variable)) return false;
  detail::ValuesScope::forget(variable);
  const std::lock_guard one(variable.state().lock);
  variable.state().set_copy(std::move(copy), over);
  return true;
}

void replace(const Variable& variable, const Tensor& value) {
  if (detail::parts_of(variable) != nullptr) return detail::write_parts(variable, value.bytes());
  Variable::State& state = variable.state();
  const detail::DeviceValue* const there = value.device_value();
  const bool stays_there = there != nullptr && [&] {
    const std::lock_guard lock(state.lock);
    return !state.is_in_host_buffer();
  }();
  if (stays_there && replace_there(variable, *there)) return;
  const std::byte* const bytes = value.bytes();
  replace(
      variable, [&](runtime::Buffer& buffer) { buffer.copy_from_host(bytes); },
      [&] { return value.literal(); });
}

}  // namespace

namespace {

/// The value before redirect_gradient ops, which distinguish reads for tapes.
ir::Value told_together(ir::Value value) {
  while (value.op() != nullptr && ops::is_redirect_gradient(*value.op())) value = value.op()->operand(0);
  return value;
}

/// Combines the values that replicas assign by the variable's aggregation. For `variable + x`, as assign_add
/// and metrics assign, the sum contains the variable once.
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
  // Accumulation over steps is summed; the sum of any other assignment would grow with the number of
  // replicas.
  if (variable.synchronization() == VariableSynchronization::kOnRead) return value;
  return detail::all_reduce(value, ReplicaReduction::kSum);
}

}  // namespace

void Variable::assign(const Tensor& value) const {
  Tensor strong = value.is_weak() ? value.strong_scalar(dtype()) : value;
  if (current_autocast != nullptr && state().autocast && ir::is_float(strong.dtype()))
    strong = current_autocast->assigned(strong, dtype());
  const bool is_part = detail::num_replicas_with_parts(*this) > 1;
  if (strong.type() != type() && !(is_part && strong.type() == detail::type_here(*this)))
    invalid_argument("variable \"{}\" is {}; cannot assign {}", path(),
                     type_str(is_part ? detail::type_here(*this) : type()), type_str(strong.type()));
  if (Trace* trace = Trace::current()) {
    const bool is_of_replica = !is_part && detail::current_replica_trace() != nullptr;
    trace->assign(*this, is_of_replica ? aggregated(*trace, *this, strong) : strong);
    return;
  }
  if (assignment_log != nullptr) assignment_log->note(*this);
  replace(*this, strong);
}

void Variable::assign_add(const Tensor& delta) const { assign(value() + delta); }
void Variable::assign_sub(const Tensor& delta) const { assign(value() - delta); }

const std::string& Variable::device() const {
  const State& now = state();
  const auto there = [&]() -> std::shared_ptr<runtime::Buffer> {
    const std::lock_guard lock(now.lock);
    const State::Copy* const authority = now.authority.load(std::memory_order_acquire);
    return authority == nullptr || authority->client->is_addressable() ? nullptr : authority->buffer;
  }();
  const int index = there == nullptr ? -1 : detail::index_of_device(there->client(), there->device());
  return detail::device_name(index < 0 ? now.device : index);
}

ir::Literal Variable::read() const {
  if (const Tensor known = detail::ValuesScope::known(*this); known.defined()) return known.literal();
  if (detail::parts_of(*this) != nullptr) {
    ir::Literal joined(type());
    detail::read_parts(*this, joined.mutable_bytes().data());
    return joined;
  }
  const detail::SeenValue seen = detail::seen_value(*this);
  if (seen.literal != nullptr) return *seen.literal;
  ir::Literal value(type());
  detail::copy_seen(state(), seen, value.mutable_bytes().data());
  return value;
}

void Variable::copy_to_host(void* destination) const {
  const Tensor known = detail::ValuesScope::known(*this);
  if (!known.defined() && detail::parts_of(*this) != nullptr)
    return detail::read_parts(*this, static_cast<std::byte*>(destination));
  if (!known.defined()) return detail::copy_seen(state(), detail::seen_value(*this), destination);
  std::copy_n(known.bytes(), type().size_bytes(), static_cast<std::byte*>(destination));
}

void Variable::load(const ir::Literal& value) const {
  if (value.type() != type())
    invalid_argument("variable \"{}\" is {}; cannot load {}", path(), type_str(type()),
                     type_str(value.type()));
  if (detail::parts_of(*this) != nullptr) return detail::write_parts(*this, value.bytes().data());
  replace(
      *this, [&](runtime::Buffer& buffer) { buffer.copy_from_host(value.bytes().data()); },
      [&] { return value; });
}

runtime::Buffer& Variable::buffer() const {
  state();  // throws when undefined
  return buffer(current_placement());
}

runtime::Buffer& Variable::buffer(const Placement& placement) const {
  require_defined(placement.client(), "client");
  if (detail::parts_of(*this) != nullptr)
    fail(ErrorCode::kFailedPrecondition,
         "variable \"{}\" is sharded: its parts are in several buffers. Read it by read() or value()",
         path());
  // The caller is about to write it: versions in use by runs keep the present value.
  const detail::VariableClaim claim({.written = {this, 1}}, detail::OtherThreads::kWait);
  runtime::Buffer* found = nullptr;
  detail::find_buffers({this, 1}, placement, detail::Access::kWrite, &found);
  return *found;
}

}  // namespace cornu::inline v0
