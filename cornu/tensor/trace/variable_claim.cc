#include "cornu/tensor/trace/variable_claim.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::detail {
namespace {

using State = Variable::State;

/// All claims. Under State::mutex().
struct Claims {
  std::vector<const VariableClaim*> active;
  std::condition_variable released;
  int num_waiting = 0;
};
Claims& claims() {
  static Claims& all = *new Claims;  // threads may end after the program's statics
  return all;
}

[[noreturn]] void refuse(const State& state, const VariableClaim& claim, Access access) {
  fail(ErrorCode::kFailedPrecondition,
       "[variable] \"{}\" cannot be {}: another thread works with it ({}). Wait until that is done "
       "(set_stop_training(true) ends a fit), or give each thread a model of its own (clone_model)",
       state.path, access == Access::kWrite ? "written" : "read", claim.holder());
}

/// Whether the claim has to end before. Errors: FailedPrecondition where it refuses.
bool stands_in_the_way(const VariableClaim& claim, std::span<const Variable> variables, Access access,
                       Wanted wanted) {
  for (const Variable& variable : variables) {
    const State& state = variable.state();
    if (!state.is_claimable) continue;
    const bool writes = claim.writes(variable);
    if (!writes && (access == Access::kRead || !claim.reads(variable))) continue;
    const bool passes = wanted == Wanted::kSingle && state.is_number() && claim.refuses() &&
                        (access == Access::kRead || !writes);
    if (passes) continue;
    if (claim.refuses()) refuse(state, claim, access);
    return true;
  }
  return false;
}

bool is_claimed(std::span<const Variable> variables, Access access, Wanted wanted) {
  const std::thread::id self = std::this_thread::get_id();
  return std::ranges::any_of(claims().active, [&](const VariableClaim* claim) {
    return claim->thread() != self && stands_in_the_way(*claim, variables, access, wanted);
  });
}

void wait(std::unique_lock<std::mutex>& lock) {
  ++claims().num_waiting;
  claims().released.wait(lock);
  --claims().num_waiting;
}

std::vector<Variable::Id> sorted_ids(std::span<const Variable> variables) {
  std::vector<Variable::Id> ids;
  ids.reserve(variables.size());
  for (const Variable& variable : variables) ids.push_back(variable.id());
  std::ranges::sort(ids, std::less<>());
  return ids;
}

bool is_among(const Variable& variable, std::span<const Variable> variables,
              const std::vector<Variable::Id>& ids) {
  return ids.empty() ? std::ranges::find(variables, variable) != variables.end()
                     : std::ranges::binary_search(ids, variable.id(), std::less<>());
}

}  // namespace

void wait_for_claims(std::unique_lock<std::mutex>& lock, std::span<const Variable> variables, Access access,
                     Wanted wanted) {
  while (is_claimed(variables, access, wanted)) wait(lock);
}

bool is_written_by_this_thread(std::span<const Variable> variables) {
  const std::thread::id self = std::this_thread::get_id();
  return std::ranges::any_of(claims().active, [&](const VariableClaim* claim) {
    return claim->thread() == self &&
           std::ranges::any_of(variables, [&](const Variable& one) { return claim->writes(one); });
  });
}

VariableClaim::VariableClaim(const Variables& variables, OtherThreads others, std::string holder)
    : variables_(variables), others_(others), holder_(std::move(holder)) {
  if (refuses()) {  // it lives long enough for that to pay
    written_ids_ = sorted_ids(variables_.written);
    read_ids_ = sorted_ids(variables_.read);
  }
  std::unique_lock lock(State::mutex());
  while (is_claimed(variables_.written, Access::kWrite, Wanted::kSet) ||
         is_claimed(variables_.read, Access::kRead, Wanted::kSet))
    wait(lock);
  claims().active.push_back(this);
  num_variable_claims.fetch_add(1);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // sharers are looked for behind it
  for (const Variable& variable : variables_.written) {
    variable.state().num_claims.fetch_add(1, std::memory_order_relaxed);
    variable.state().before_write();
  }
}

VariableClaim::~VariableClaim() {
  const std::lock_guard lock(State::mutex());
  std::erase(claims().active, this);
  num_variable_claims.fetch_sub(1);
  if (claims().num_waiting > 0) claims().released.notify_all();
}

void VariableClaim::stop_reading() {
  if (variables_.read.empty()) return;
  const std::lock_guard lock(State::mutex());
  variables_.read = {};
  read_ids_.clear();
  if (claims().num_waiting > 0) claims().released.notify_all();
}

bool VariableClaim::writes(const Variable& variable) const {
  return is_among(variable, variables_.written, written_ids_);
}
bool VariableClaim::reads(const Variable& variable) const {
  return is_among(variable, variables_.read, read_ids_);
}

}  // namespace cornu::inline v0::detail
