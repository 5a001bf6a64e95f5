#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cornu/tensor/trace/variable_state.h"

namespace cornu::inline v0::detail {

/// Effect on another thread that accesses claimed variables: it waits until the claim ends, which is soon, or
/// gets an error, because the claim belongs to a run.
enum class OtherThreads { kWait, kAreRefused };

class VariableClaim;

/// A claim, or a single access that waits. Conflicting turns are served in the order of their numbers, so a
/// thread that claims a variable in a loop does not starve others.
struct ClaimTurn {
  std::thread::id thread = std::this_thread::get_id();
  std::uint64_t number = 0;
  bool is_active = false;                // true while the claim holds its variables; false: it waits
  const VariableClaim* claim = nullptr;  // null: a single access
};

/// Excludes, while it lives, other threads from reading or writing the variables of `written`, and from
/// writing those of `read`. The thread that made it may do both. An execution that updates variables in place
/// claims them: a reader would see a part of the update.
///
/// All variables are claimed atomically, so two threads never wait for each other's variables. A program that
/// takes a version of its inputs (VariableVersions) names them in `read` until it has the version. A thread
/// with a claim may make another one; if two threads would wait for each other, the second gets an error.
/// Threads: it belongs to the thread that makes it.
class VariableClaim {
 public:
  struct Variables {
    std::span<const Variable> written = {};
    std::span<const Variable> read = {};
  };

  /// `holder` is named in errors of other threads: "[fit] of model \"m\"".
  /// Lifetime: the spans' variables outlive it.
  /// Errors: FailedPrecondition, with variable and holder, if a claim of another thread refuses, or if that
  ///         thread waits for this one.
  VariableClaim(const Variables& variables, OtherThreads others, std::string holder = {});
  ~VariableClaim();
  VariableClaim(const VariableClaim&) = delete;
  VariableClaim& operator=(const VariableClaim&) = delete;

  /// Ends the claim on the variables of `read`: other threads may write them.
  void stop_reading();

  bool refuses() const { return others_ == OtherThreads::kAreRefused; }
  const std::string& holder() const { return holder_; }

 private:
  void end();

  Variables variables_;
  OtherThreads others_;
  std::string holder_;
  ClaimTurn turn_;
};

/// The number of claims. If it is 0, a value that was just read is consistent. A reader first shares the
/// value, then loads this number; a claim first increments it, then searches for sharers.
inline std::atomic<int> num_variable_claims{0};

/// True if a claim of this thread writes one of the variables. Under Variable::State::mutex().
bool is_written_by_this_thread(std::span<const Variable> variables);

/// True if another thread has a claim on the variable. Under Variable::State::mutex().
bool is_claimed_by_others(const Variable& variable);

/// The kind of access: to a set of variables, or to a single one. A single number (State::is_number) in host
/// memory is read and written atomically, so it passes claims that refuse: it may be read, and it may be
/// written if the claim only reads it. A value in a device's buffer may only be read by the execution's own
/// thread, since an execution replaces it.
enum class Wanted { kSet, kSingle };

/// Waits until no claim of another thread prevents reading (writing) all of the variables. `lock` is on
/// Variable::State::mutex() and is released while waiting.
/// Errors: FailedPrecondition, as for VariableClaim.
void wait_for_claims(std::unique_lock<std::mutex>& lock, std::span<const Variable> variables, Access access,
                     Wanted wanted = Wanted::kSet);

}  // namespace cornu::inline v0::detail
