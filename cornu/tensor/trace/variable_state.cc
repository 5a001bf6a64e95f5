#include "cornu/tensor/trace/variable_state.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0 {

std::mutex& Variable::State::mutex() {
  static std::mutex& all = *new std::mutex;  // values move rarely: one for all variables
  return all;
}

const ir::Literal& Variable::State::host_literal() {
  if (!host_value) host_value.emplace(type);
  return *host_value;
}

const std::byte* Variable::State::host_bytes() const {
  if (host_value) return host_value->bytes().data();
  const Copy* const now = authority.load(std::memory_order_relaxed);
  return now == nullptr ? nullptr : now->buffer->host_data();
}

Variable::State::Copy* Variable::State::find_copy(const Placement& placement) const {
  const auto found =
      std::find_if(copies.begin(), copies.end(), [&](const auto& copy) { return copy->is_at(placement); });
  return found == copies.end() ? nullptr : found->get();
}

bool Variable::State::is_valid(const Copy& copy) const {
  return &copy == authority.load(std::memory_order_relaxed) ||
         (copy.made_of != nullptr && copy.made_of_bytes == host_bytes());
}

void Variable::State::make_authority(Copy* copy) {
  const Copy* const before = authority.exchange(copy, std::memory_order_acq_rel);
  host_value.reset();
  copy->made_of.reset();
  if (before != nullptr && before != copy) detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);
}

void Variable::State::settle(Copy* copy, bool to_write) {
  if (to_write) {
    make_authority(copy);
    erase_copies([&](const Copy& one) { return &one != copy; });
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
    // The host sees what becomes of these bytes, or of neither.
    for (const auto& one : copies)
      if (one.get() != copy && is_valid(*one)) made_of(*one, now, now.get());
    make_authority(copy);
  } else if (before != nullptr) {
    made_of(*copy, then, then.get());
  } else {
    const auto held = std::make_shared<const ir::Literal>(host_literal());
    made_of(*copy, held, held->bytes().data());
  }
  // A client that was replaced would be kept, and its threads.
  erase_copies([&](const Copy& one) {
    return &one != copy && &one != authority.load(std::memory_order_relaxed) &&
           detail::index_of_device(one.client.get(), one.buffer->device()) < 0;
  });
}

void Variable::State::erase_copies(const std::function<bool(const Copy&)>& is_over) {
  // Programs may have been given their buffers.
  if (std::erase_if(copies, [&](const auto& one) { return is_over(*one); }) > 0)
    detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);
}

void Variable::State::set_host_value(ir::Literal value) {
  host_value = std::move(value);
  authority.store(nullptr, std::memory_order_release);
  if (!copies.empty())
    detail::variable_moves.fetch_add(1, std::memory_order_acq_rel);  // programs may have been given them
  for (const auto& copy : copies) copy->made_of.reset();
}

void Variable::State::set_device_value(const detail::DeviceValue& value) {
  auto copy = std::make_unique<Copy>();
  copy->client = value.client();
  copy->buffer = value.buffer();
  copies.push_back(std::move(copy));
  settle(copies.back().get(), true);
}

std::string Variable::State::place_str() const {
  const Copy* const now = authority.load(std::memory_order_relaxed);
  return now == nullptr ? "the host"
                        : fmt::format("device {} of {}", now->buffer->device(), now->client->name());
}

namespace detail {
namespace {

using State = Variable::State;

/// What brings variables to one placement. Until settle() only copies that are not valid change, so an error
/// leaves all values where they were.
class Movement {
 public:
  Movement(const Placement& placement, bool to_write) : placement_(placement), to_write_(to_write) {}

  void add(State& state) {
    State::Copy* const now = state.authority.load(std::memory_order_relaxed);
    State::Copy* known = state.find_copy(placement_);
    if (known != nullptr && state.is_valid(*known)) {
      if (to_write_ && known->is_held_by_tensors()) {
        left_.emplace_back(known, placement_.client()->copy(*known->buffer, placement_.device()));
      }
      if (known != now) moves_.push_back({&state, known, nullptr});
      return;
    }
    if (known != nullptr && known->is_held_by_tensors()) known = nullptr;
    moves_.push_back({&state, known, known == nullptr ? make_copy(state) : nullptr});
    State::Copy& target = known == nullptr ? *moves_.back().made : *known;
    if (now == nullptr) {
      const bool is_zero = !state.host_value && moves_.back().made != nullptr;
      if (!is_zero || !placement_.client()->is_addressable())  // a new buffer there is zeros
        writes_.push_back({target.buffer.get(), state.host_literal().bytes().data()});
    } else if (state.host_bytes() != nullptr) {
      writes_.push_back({target.buffer.get(), state.host_bytes()});
    } else if (now->client == placement_.client()) {
      target.buffer = placement_.client()->copy(*now->buffer, placement_.device());
    } else if (std::byte* const bytes = target.buffer->writable_host_data()) {
      reads_[now->client.get()].push_back({now->buffer.get(), bytes});
    } else {
      std::vector<std::byte>& staged = staged_.emplace_back(state.type.size_bytes());
      reads_[now->client.get()].push_back({now->buffer.get(), staged.data()});
      writes_.push_back({target.buffer.get(), staged.data()});
    }
  }

  void transfer() {
    for (const auto& [client, reads] : reads_) client->read(reads);
    placement_.client()->write(writes_);
  }

  void settle() {
    for (auto& [copy, buffer] : left_) {
      copy->buffer = std::move(buffer);
      variable_moves.fetch_add(1, std::memory_order_acq_rel);
    }
    for (Move& move : moves_) {
      if (move.made != nullptr) {
        move.copy = move.made.get();
        const State::Copy* const authority = move.state->authority.load(std::memory_order_relaxed);
        move.state->erase_copies(
            [&](const State::Copy& one) { return &one != authority && one.is_at(placement_); });
        move.state->copies.push_back(std::move(move.made));
      } else if (!to_write_ && move.state->is_valid(*move.copy)) {
        continue;
      }
      move.state->settle(move.copy, to_write_);
    }
  }

 private:
  struct Move {
    State* state;
    State::Copy* copy;
    std::unique_ptr<State::Copy> made;  // null: the state has it
  };

  std::unique_ptr<State::Copy> make_copy(const State& state) {
    auto copy = std::make_unique<State::Copy>();
    copy->client = placement_.client();
    copy->buffer = copy->client->allocate(state.type, placement_.device());
    return copy;
  }

  const Placement& placement_;
  bool to_write_;
  std::vector<Move> moves_;
  /// Buffers that are left to tensors, and the copies that go on with another one.
  std::vector<std::pair<State::Copy*, std::shared_ptr<runtime::Buffer>>> left_;
  std::vector<runtime::Write> writes_;
  std::map<runtime::Client*, std::vector<runtime::Read>> reads_;
  std::vector<std::vector<std::byte>> staged_;
};

}  // namespace

void move_variables(std::span<const Variable> variables, const Placement& placement, Access access) {
  const std::lock_guard lock(State::mutex());
  Movement movement(placement, access == Access::kWrite);
  for (const Variable& variable : variables) movement.add(variable.state());
  movement.transfer();
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

}  // namespace detail

}  // namespace cornu::inline v0
