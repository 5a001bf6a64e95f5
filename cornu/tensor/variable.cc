#include "cornu/tensor/variable.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/run_op.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/variable_watcher.h"

namespace cornu::inline v0 {
namespace {

thread_local std::vector<Variable>* variable_watcher = nullptr;
thread_local detail::AssignmentLog* assignment_log = nullptr;
std::atomic<std::uint64_t> last_trainable_epoch{0};

}  // namespace

namespace detail {

VariableWatcherScope::VariableWatcherScope(std::vector<Variable>* made) : before_(std::exchange(variable_watcher, made)) {}
VariableWatcherScope::~VariableWatcherScope() { variable_watcher = before_; }
AssignmentLog::AssignmentLog() : before_(std::exchange(assignment_log, this)) {}
AssignmentLog::~AssignmentLog() { assignment_log = before_; }
void AssignmentLog::note(const Variable& variable) {
  const auto known = [&](const auto& entry) { return entry.first == variable; };
  if (std::none_of(assigned_.begin(), assigned_.end(), known)) assigned_.emplace_back(variable, Tensor(variable.read()));
}
void AssignmentLog::undo() {
  for (const auto& [variable, value] : assigned_) variable.load(value.literal());
  assigned_.clear();
}
std::uint64_t trainable_epoch() { return last_trainable_epoch.load(std::memory_order_acquire); }

}  // namespace detail

struct Variable::State {
  std::string name;
  std::string path;
  TensorType type;
  bool trainable = true;
  std::function<Tensor(const Tensor&)> constraint;
  std::optional<ir::Literal> host_value;  // until the buffer is made
  // The client outlives its buffer.
  std::shared_ptr<runtime::Client> client;
  std::unique_ptr<runtime::Buffer> buffer;
  int device = 0;

  Tensor value() const {
    if (host_value) return Tensor(*host_value).on_device(device);
    const std::shared_ptr<const std::byte> bytes = buffer->share();
    if (bytes != nullptr) return Tensor::from_bytes(type, bytes.get(), type.size_bytes(), bytes).on_device(device);
    ir::Literal copy(type);
    buffer->copy_to_host(copy.mutable_bytes().data());
    return Tensor(copy).on_device(device);
  }
};

namespace {

ir::Literal literal_of(const Tensor& initial_value, const VariableOptions& options) {
  if (!initial_value.defined()) invalid_argument("[variable] the initial value is undefined; in variable \"{}\"", options.name);
  if (initial_value.is_symbolic())
    fail(ErrorCode::kFailedPrecondition,
         "[variable] the initial value is symbolic, it has no elements yet: make the variable outside of the function, or from a concrete "
         "tensor, and assign; in variable \"{}\"",
         options.name);
  return initial_value.literal();
}

}  // namespace

Variable::Variable(const Tensor& initial_value, VariableOptions options)
    : Variable{literal_of(initial_value, options), std::move(options)} {}  // braces: in this order

Variable::Variable(const ir::Literal& initial_value, VariableOptions options) : state_(std::make_shared<State>()) {
  if (options.name.find('/') != std::string::npos)
    invalid_argument("[variable] name must not contain \"/\", which separates the parts of a path; got name = \"{}\"", options.name);
  state_->name = std::move(options.name);
  state_->path = options.path.empty() ? state_->name : std::move(options.path);
  state_->type = initial_value.type();
  state_->trainable = options.trainable;
  state_->constraint = std::move(options.constraint);
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

Tensor Variable::value() const {
  if (Trace* trace = Trace::current()) return trace->read(*this);
  const Tensor value = state().value();
  for (const auto& recorder : detail::op_recorders()) recorder->record_read(*this, value);
  return value;
}

void Variable::assign(const Tensor& value) const {
  const Tensor strong = value.is_weak() ? value.strong_scalar(dtype()) : value;
  if (strong.type() != type())
    invalid_argument("variable \"{}\" is {}; cannot assign {}", path(), type_str(type()), type_str(strong.type()));
  if (Trace* trace = Trace::current()) {
    trace->assign(*this, strong);
    return;
  }
  if (assignment_log != nullptr) assignment_log->note(*this);
  State& now = state();
  if (now.buffer == nullptr) {
    now.host_value = strong.literal();
  } else {
    now.buffer->copy_from_host(strong.bytes());
  }
}

void Variable::assign_add(const Tensor& delta) const { assign(value() + delta); }
void Variable::assign_sub(const Tensor& delta) const { assign(value() - delta); }

const std::string& Variable::device() const { return detail::device_name(state().device); }

ir::Literal Variable::read() const {
  const State& now = state();
  if (now.host_value) return *now.host_value;
  ir::Literal value(now.type);
  now.buffer->copy_to_host(value.mutable_bytes().data());
  return value;
}

void Variable::load(const ir::Literal& value) const {
  if (value.type() != type()) invalid_argument("variable \"{}\" is {}; cannot load {}", path(), type_str(type()), type_str(value.type()));
  State& now = state();
  if (now.buffer == nullptr) {
    now.host_value = value;
  } else {
    now.buffer->copy_from_host(value.bytes().data());
  }
}

runtime::Buffer& Variable::buffer() const { return buffer(default_client()); }

runtime::Buffer& Variable::buffer(const std::shared_ptr<runtime::Client>& client) const {
  State& now = state();
  if (now.buffer == nullptr || now.client != client) {
    const ir::Literal value = read();
    std::unique_ptr<runtime::Buffer> buffer = require_defined(client, "client").allocate(now.type);
    buffer->copy_from_host(value.bytes().data());
    now.buffer = std::move(buffer);
    now.client = client;
    now.host_value.reset();
  }
  return *now.buffer;
}

}  // namespace cornu::inline v0
