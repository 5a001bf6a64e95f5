#include "cornu/tensor/trace/variable_state.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/process_memory.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_storage.h"
#include "cornu/tensor/trace/variable_versions.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0 {

std::mutex& Variable::State::mutex() {
  static std::mutex& all = *new std::mutex;
  return all;
}

const std::shared_ptr<const ir::Literal>& Variable::State::host_literal() {
  if (host_value == nullptr) host_value = std::make_shared<const ir::Literal>(type);
  return host_value;
}

const std::byte* Variable::State::host_bytes() const {
  if (host_value != nullptr) return host_value->bytes().data();
  const Copy* const now = authority.load(std::memory_order_relaxed);
  return now == nullptr ? nullptr : now->buffer->host_data();
}

Variable::State::Copy* Variable::State::find_copy(const Placement& placement) const {
  const int at = device_at(placement);
  const auto found = std::find_if(copies.begin(), copies.end(),
                                  [&](const auto& copy) { return copy->is_at(placement, at); });
  return found == copies.end() ? nullptr : found->get();
}

bool Variable::State::is_valid(const Copy& copy) const {
  return &copy == authority.load(std::memory_order_relaxed) ||
         (copy.made_of != nullptr && copy.made_of_bytes == host_bytes());
}

detail::SeenValue Variable::State::seen() {
  CORNU_CHECK(parts == nullptr, "variable \"{}\" has its value in parts", path);
  const Copy* const now = authority.load(std::memory_order_acquire);
  if (now == nullptr) return {.literal = host_literal()};
  if (!now->client->is_addressable()) return {.client = now->client, .buffer = now->buffer};
  detail::SeenValue seen{.bytes = now->buffer->share()};
  const std::size_t size_bytes = type.size_bytes();
  if (is_number()) {
    std::memcpy(&seen.number.emplace(0), seen.bytes == nullptr ? now->buffer->host_data() : seen.bytes.get(),
                size_bytes);
    seen.bytes.reset();
  } else if (storage != nullptr) {
    seen.bytes = storage->copy(path);
  } else if (seen.bytes == nullptr) {  // a backend that does not share
    auto copy = std::make_shared_for_overwrite<std::byte[]>(std::max<std::size_t>(size_bytes, 1));
    std::copy_n(now->buffer->host_data(), size_bytes, copy.get());
    seen.bytes = std::shared_ptr<const std::byte>(copy, copy.get());
  }
  return seen;
}

void Variable::State::report_versions() {
  is_watched = false;
  for (detail::VariableVersions* const of_program : versions) of_program->on_write();
}

void Variable::State::make_authority(Copy* copy) {
  const Copy* const before = authority.exchange(copy, std::memory_order_acq_rel);
  host_value.reset();
  copy->made_of.reset();
  if (before != nullptr && before != copy) detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);
}

void Variable::State::settle(Copy* copy, bool to_write, Copies& over) {
  before_write();
  if (to_write) {
    make_authority(copy);
    erase_copies([&](const Copy& one) { return &one != copy; }, over);
    return;
  }
  const auto made_of = [](Copy& made, const std::shared_ptr<const void>& holder, const std::byte* bytes) {
    made.made_of = holder;
    made.made_of_bytes = bytes;
  };
  Copy* const before = authority.load(std::memory_order_relaxed);
  const std::shared_ptr<const std::byte> now = copy->buffer->share();
  const std::shared_ptr<const std::byte> then = before == nullptr ? nullptr : before->buffer->share();
  if (now != nullptr || (before != nullptr && then == nullptr)) {
    // The host sees writes to all of these bytes, or to none.
    for (const auto& one : copies)
      if (one.get() != copy && is_valid(*one)) made_of(*one, now, now.get());
    make_authority(copy);
  } else if (before != nullptr) {
    made_of(*copy, then, then.get());
  } else {
    made_of(*copy, host_literal(), host_literal()->bytes().data());
  }
  // They would keep a replaced client and its threads alive.
  erase_copies(
      [&](const Copy& one) {
        return &one != copy && &one != authority.load(std::memory_order_relaxed) &&
               detail::index_of_device(one.client.get(), one.buffer->device()) < 0;
      },
      over);
}

void Variable::State::erase_copies(const std::function<bool(const Copy&)>& is_over, Copies& over) {
  const std::size_t num_before = over.size();
  for (auto& copy : copies)
    if (is_over(*copy)) over.push_back(std::move(copy));
  std::erase(copies, nullptr);
  // Programs may hold their buffers.
  if (over.size() > num_before) detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);
}

void Variable::State::set_host_value(std::shared_ptr<const ir::Literal>& value) {
  before_write();
  host_value.swap(value);
  authority.store(nullptr, std::memory_order_release);
  if (!copies.empty())
    detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);  // programs may hold them
  for (const auto& copy : copies) copy->made_of.reset();
  ++num_writes;
}

void Variable::State::write_stored(const std::byte* value) {
  before_write();
  authority.load(std::memory_order_relaxed)->buffer->copy_from_host(value);
  ++num_writes;
}

void Variable::State::set_copy(std::unique_ptr<Copy> copy, Copies& over) {
  before_write();
  copies.push_back(std::move(copy));
  settle(copies.back().get(), true, over);
  ++num_writes;
}

std::string Variable::State::place_str() const {
  const Copy* const now = authority.load(std::memory_order_relaxed);
  return now == nullptr ? "the host"
                        : fmt::format("device {} of {}", now->buffer->device(), now->client->name());
}

namespace detail {

Tensor tensor_of(const Variable::State& state, const SeenValue& seen) {
  if (seen.buffer != nullptr) {
    const int index = index_of_device(seen.client.get(), seen.buffer->device());
    return Tensor::on_buffer(std::make_shared<const DeviceValue>(seen.client, seen.buffer),
                             index < 0 ? state.device : index);
  }
  const std::size_t size_bytes = state.type.size_bytes();
  if (seen.number.has_value()) {
    std::byte* to = nullptr;
    Tensor number = Tensor::uninitialized(state.type, state.device, &to);
    std::memcpy(to, &*seen.number, size_bytes);
    return number;
  }
  if (seen.literal != nullptr)
    return Tensor::from_bytes(state.type, seen.literal->bytes().data(), size_bytes, seen.literal)
        .on_device(state.device);
  return Tensor::from_bytes(state.type, seen.bytes.get(), size_bytes, seen.bytes).on_device(state.device);
}

namespace {

using State = Variable::State;

/// Moves variables to one placement. Until settle() only new objects of its own change, so an error leaves
/// all values where they were. Its thread has a claim on the variables.
class Movement {
 public:
  Movement(const Placement& placement, bool to_write) : placement_(placement), to_write_(to_write) {}

  void add(State& state) {
    CORNU_CHECK(state.parts == nullptr, "variable \"{}\" has its value in parts", state.path);
    const int device = state.device_at(placement_);
    State::Copy* const now = state.authority.load(std::memory_order_relaxed);
    if (state.storage != nullptr && !now->is_at(placement_, device))
      fail(ErrorCode::kUnimplemented,
           "[variable] \"{}\" is kept in {}, which only the CPU device can use that was current when it was "
           "made; device {} of {} cannot",
           state.path, state.storage->place(), placement_.device(), placement_.client()->name());
    if (now != nullptr && now->client != placement_.client()) check_may_leave(state, *now);
    State::Copy* known = state.find_copy(placement_);
    if (known != nullptr && state.is_valid(*known)) {
      Move move{.state = &state, .copy = known};
      if (to_write_ && known->is_held()) move.buffer = placement_.client()->copy(*known->buffer, device);
      if (known != now || move.buffer != nullptr) moves_.push_back(std::move(move));
      return;
    }
    if (known != nullptr && known->is_held()) known = nullptr;
    moves_.push_back({.state = &state, .copy = known});
    Move& move = moves_.back();
    if (known == nullptr) move.made = make_copy(state);
    runtime::Buffer& target = known == nullptr ? *move.made->buffer : *known->buffer;
    if (now == nullptr) {
      write_host_value(state, target, move.made != nullptr);
    } else if (const std::byte* const bytes = now->buffer->host_data()) {
      writes_.push_back({&target, bytes});
    } else if (now->client == placement_.client()) {
      move.buffer = placement_.client()->copy(*now->buffer, device);
    } else if (std::byte* const memory = target.writable_host_data()) {
      reads_[now->client.get()].push_back({now->buffer.get(), memory});
    } else {
      std::vector<std::byte>& staged = staged_.emplace_back(state.type.size_bytes());
      reads_[now->client.get()].push_back({now->buffer.get(), staged.data()});
      writes_.push_back({&target, staged.data()});
    }
  }

  void transfer() {
    for (const auto& [client, reads] : reads_) client->read(reads);
    placement_.client()->write(writes_);
  }

  /// Publishes the moves. Under State::mutex().
  void settle() {
    for (Move& move : moves_) {
      State& state = *move.state;
      state.before_write();
      const std::lock_guard lock(state.lock);
      if (move.made != nullptr) {
        move.copy = move.made.get();
        if (move.buffer != nullptr) move.copy->buffer.swap(move.buffer);
        const State::Copy* const authority = state.authority.load(std::memory_order_relaxed);
        const int at = state.device_at(placement_);
        state.erase_copies(
            [&](const State::Copy& one) { return &one != authority && one.is_at(placement_, at); }, over_);
        state.copies.push_back(std::move(move.made));
      } else if (move.buffer != nullptr) {
        move.copy->buffer.swap(move.buffer);
        variable_moves.fetch_add(1, std::memory_order_acq_rel);
      } else if (!to_write_ && state.is_valid(*move.copy)) {
        continue;
      }
      state.settle(move.copy, to_write_, over_);
    }
  }

 private:
  /// Refuses to move a part of a variable from a group of devices, each of which has a value of its own.
  void check_may_leave(const State& state, const State::Copy& now) const {
    if (state.core < 0 || runtime::device_group(now.client.get()) == nullptr) return;
    fail(
        ErrorCode::kFailedPrecondition,
        "[variable] \"{}\" is in parts on {}, which device {} of {} cannot use: run this in the scope of the "
        "strategy",
        state.path, now.client->name(), placement_.device(), placement_.client()->name());
  }

  struct Move {
    State* state;
    State::Copy* copy;                             // null: `made` becomes the copy
    std::unique_ptr<State::Copy> made = {};        // null: the state has the copy
    std::shared_ptr<runtime::Buffer> buffer = {};  // the copy's new buffer; null: it keeps its own
  };

  std::unique_ptr<State::Copy> make_copy(const State& state) {
    auto copy = std::make_unique<State::Copy>();
    copy->client = placement_.client();
    const runtime::ProcessMemoryScope scope(state.is_read_by_processes());
    copy->buffer = copy->client->allocate(state.type, state.device_at(placement_));
    return copy;
  }

  void write_host_value(State& state, runtime::Buffer& target, bool is_new) {
    const std::lock_guard all(State::mutex());
    const std::lock_guard lock(state.lock);
    const bool is_zero = state.host_value == nullptr && is_new;
    if (is_zero && placement_.client()->is_addressable()) return;  // a new buffer there is zeros
    writes_.push_back({&target, literals_.emplace_back(state.host_literal())->bytes().data()});
  }

  const Placement& placement_;
  bool to_write_;
  std::vector<Move> moves_;
  std::vector<runtime::Write> writes_;
  std::map<runtime::Client*, std::vector<runtime::Read>> reads_;
  std::vector<std::vector<std::byte>> staged_;
  std::vector<std::shared_ptr<const ir::Literal>> literals_;
  State::Copies over_;
};

}  // namespace

void move_variables(std::span<const Variable> variables, const Placement& placement, Access access) {
  const bool to_write = access == Access::kWrite;
  const VariableClaim claim(
      to_write ? VariableClaim::Variables{.written = variables} : VariableClaim::Variables{.read = variables},
      OtherThreads::kWait);
  static std::mutex& moving = *new std::mutex;  // values move rarely, so one thread at a time moves them
  const std::lock_guard one_at_a_time(moving);
  Movement movement(placement, to_write);
  for (const Variable& variable : variables) movement.add(variable.state());
  movement.transfer();
  const std::lock_guard lock(State::mutex());
  movement.settle();
}

void find_buffers(std::span<const Variable> variables, const Placement& placement, Access access,
                  runtime::Buffer** buffers) {
  const bool to_write = access == Access::kWrite;
  bool all_found = true;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    buffers[i] = variables[i].state().find(placement, to_write);
    all_found = all_found && buffers[i] != nullptr;
  }
  if (all_found) return;
  move_variables(variables, placement, access);
  const std::lock_guard lock(State::mutex());
  for (std::size_t i = 0; i < variables.size(); ++i)
    buffers[i] = variables[i].state().find_copy(placement)->buffer.get();
}

std::vector<std::shared_ptr<runtime::Buffer>> hold_numbers(std::span<const Variable> variables,
                                                           const Placement& placement,
                                                           runtime::Buffer** buffers) {
  std::vector<std::shared_ptr<runtime::Buffer>> held;
  if (placement.client()->is_addressable()) return held;
  const std::lock_guard lock(State::mutex());
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const State& state = variables[i].state();
    if (!state.is_number()) continue;
    const State::Copy* const copy = state.find_copy(placement);
    if (copy == nullptr) continue;
    held.push_back(copy->buffer);
    buffers[i] = copy->buffer.get();  // another thread may have replaced the one that was found
  }
  return held;
}

}  // namespace detail

}  // namespace cornu::inline v0
