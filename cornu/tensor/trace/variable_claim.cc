#include "cornu/tensor/trace/variable_claim.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::detail {
namespace {

using State = Variable::State;

/// A waiting thread, and the one that it waits for; no thread once it has been woken.
struct Waiting {
  std::thread::id thread, other;
};

/// All waiting threads. Guarded by State::mutex().
struct Claims {
  std::vector<Waiting> waiting;
  std::condition_variable released;
  std::uint64_t last_turn = 0;
};
Claims& claims() {
  static Claims& all = *new Claims;  // never destroyed: threads may end after the program's statics
  return all;
}

thread_local int num_claims_of_this_thread = 0;
/// The number of this thread's claims that other threads wait for.
thread_local int num_awaited_claims_of_this_thread = 0;

[[noreturn]] void refuse(const State& state, Access access, const std::string& why) {
  fail(ErrorCode::kFailedPrecondition, "[variable] \"{}\" cannot be {}: another thread works with it {}",
       state.path, access == Access::kWrite ? "written" : "read", why);
}

[[noreturn]] void refuse_beside_run(const State& state, Access access, const VariableClaim& run) {
  refuse(state, access,
         fmt::format(
             "({}). Wait until that is done, or give each thread a model of its own (clone_model). Beside "
             "a fit, do it in one of its callbacks; set_stop_training(true) ends a fit",
             run.holder()));
}

bool refuses_others(const ClaimTurn& turn) { return turn.claim != nullptr && turn.claim->refuses(); }

/// True if the access must wait for a mark of another thread. Errors: FailedPrecondition if that thread's
/// claim refuses.
bool conflicts(const ClaimMark& mark, const ClaimTurn& own, const State& state, Access access,
               Wanted wanted) {
  if (mark.turn->thread == own.thread || (!mark.writes && access == Access::kRead)) return false;
  if (refuses_others(own) && !state.is_claimed_by_runs) return false;
  if (refuses_others(*mark.turn)) {
    const bool may_pass = access == Access::kRead ? !state.is_in_device_buffer() : !mark.writes;
    if (!state.is_claimed_by_runs || (wanted == Wanted::kSingle && state.is_number() && may_pass))
      return false;
    if (mark.turn->is_active) refuse_beside_run(state, access, *mark.turn->claim);
  }
  if (mark.turn->is_active) return true;
  // A thread that has a claim must not wait for a turn that may wait for that claim.
  return mark.turn->number < own.number && num_awaited_claims_of_this_thread == 0;
}

/// Calls f with the state of each variable, and with the states of its parts.
template <typename F>
void for_each_state(std::span<const Variable> variables, const F& f) {
  for (const Variable& variable : variables) {
    f(variable.state());
    if (const VariableParts* const parts = parts_of(variable))
      for (const Variable& part : parts->here) f(part.state());
  }
}

/// The turn that an access must wait for, and the variable that both want.
struct Obstacle {
  const ClaimTurn* turn = nullptr;  // null: there is none
  const State* state = nullptr;
};

Obstacle find_obstacle(std::span<const Variable> variables, const ClaimTurn& own, Access access,
                       Wanted wanted) {
  Obstacle found;
  for_each_state(variables, [&](const State& state) {
    for (const ClaimMark& mark : state.claim_marks)
      if (found.turn == nullptr && conflicts(mark, own, state, access, wanted)) found = {mark.turn, &state};
  });
  return found;
}

/// True if `thread` waits for this one, directly or through others.
bool waits_for_this_thread(std::thread::id thread) {
  const std::thread::id self = std::this_thread::get_id();
  while (thread != self) {
    const auto found = std::ranges::find(claims().waiting, thread, &Waiting::thread);
    if (found == claims().waiting.end()) return false;
    thread = found->other;
  }
  return true;
}

void wait(std::unique_lock<std::mutex>& lock, const Obstacle& obstacle, Access access) {
  const std::thread::id self = std::this_thread::get_id(), other = obstacle.turn->thread;
  if (waits_for_this_thread(other))
    refuse(*obstacle.state, access,
           "and waits for this one. Code that runs while an optimizer updates variables (a constraint, "
           "update_step) must not need those that another thread updates so");
  claims().waiting.push_back({self, other});
  claims().released.wait(lock);
  std::erase_if(claims().waiting, [&](const Waiting& one) { return one.thread == self; });
}

void mark(std::span<const Variable> variables, const ClaimTurn& turn, bool writes) {
  for_each_state(variables,
                 [&](State& state) { state.claim_marks.push_back({.turn = &turn, .writes = writes}); });
}
void unmark(std::span<const Variable> variables, const ClaimTurn& turn, bool writes) {
  for_each_state(variables, [&](State& state) {
    std::erase_if(state.claim_marks,
                  [&](const ClaimMark& one) { return one.turn == &turn && one.writes == writes; });
  });
}
/// Wakes all waiting threads, after this thread has removed marks.
void notify() {
  if (claims().waiting.empty()) return;
  const std::thread::id self = std::this_thread::get_id();
  for (Waiting& one : claims().waiting)
    if (one.other == self) one.other = {};
  claims().released.notify_all();
}

}  // namespace

void wait_for_claims(std::unique_lock<std::mutex>& lock, std::span<const Variable> variables, Access access,
                     Wanted wanted) {
  if (num_variable_claims.load(std::memory_order_relaxed) == 0 && claims().waiting.empty()) return;
  const ClaimTurn turn{.number = ++claims().last_turn};
  Obstacle obstacle = find_obstacle(variables, turn, access, wanted);
  if (obstacle.turn == nullptr) return;
  struct Marks {
    std::span<const Variable> variables;
    const ClaimTurn& turn;
    bool writes;
    ~Marks() {
      unmark(variables, turn, writes);
      notify();
    }
  } const marks{variables, turn, access == Access::kWrite};
  mark(variables, turn, marks.writes);
  while (obstacle.turn != nullptr) {
    wait(lock, obstacle, access);
    obstacle = find_obstacle(variables, turn, access, wanted);
  }
}

bool is_written_by_this_thread(std::span<const Variable> variables) {
  if (num_claims_of_this_thread == 0) return false;
  const std::thread::id self = std::this_thread::get_id();
  return std::ranges::any_of(variables, [&](const Variable& variable) {
    return std::ranges::any_of(variable.state().claim_marks, [&](const ClaimMark& one) {
      return one.writes && one.turn->is_active && one.turn->thread == self;
    });
  });
}

bool is_claimed_by_others(const Variable& variable) {
  const std::thread::id self = std::this_thread::get_id();
  return std::ranges::any_of(variable.state().claim_marks, [&](const ClaimMark& one) {
    return one.turn->is_active && one.turn->thread != self;
  });
}

VariableClaim::VariableClaim(const Variables& variables, OtherThreads others, std::string holder)
    : variables_(variables), others_(others), holder_(std::move(holder)) {
  turn_.claim = this;
  std::unique_lock lock(State::mutex());
  turn_.number = ++claims().last_turn;
  try {
    mark(variables_.written, turn_, true);
    mark(variables_.read, turn_, false);
    for (;;) {
      Access access = Access::kWrite;
      Obstacle obstacle = find_obstacle(variables_.written, turn_, access, Wanted::kSet);
      if (obstacle.turn == nullptr) {
        access = Access::kRead;
        obstacle = find_obstacle(variables_.read, turn_, access, Wanted::kSet);
      }
      if (obstacle.turn == nullptr) break;
      wait(lock, obstacle, access);
    }
  } catch (...) {
    end();
    throw;
  }
  turn_.is_active = true;
  ++num_claims_of_this_thread;
  num_variable_claims.fetch_add(1);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // sharers are searched after it
  for_each_state(variables_.written, [](State& state) {
    state.num_claims.fetch_add(1, std::memory_order_relaxed);
    state.before_write();
  });
  if (refuses()) {
    notify();  // wakes threads that wait for its turn: it refuses them from now on
  } else {
    ++num_awaited_claims_of_this_thread;
  }
}

VariableClaim::~VariableClaim() {
  const std::lock_guard lock(State::mutex());
  --num_claims_of_this_thread;
  if (!refuses()) --num_awaited_claims_of_this_thread;
  num_variable_claims.fetch_sub(1);
  end();
}

void VariableClaim::end() {
  unmark(variables_.written, turn_, true);
  unmark(variables_.read, turn_, false);
  notify();
}

void VariableClaim::stop_reading() {
  if (variables_.read.empty()) return;
  const std::lock_guard lock(State::mutex());
  unmark(std::exchange(variables_.read, {}), turn_, false);
  notify();
}

}  // namespace cornu::inline v0::detail
