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

/// What becomes of another thread that wants claimed variables: it waits until the claim ends, which is soon,
/// or gets an error, because the claim is that of a run.
enum class OtherThreads { kWait, kAreRefused };

class VariableClaim;

/// A claim, or a single access that waits. Turns that conflict are served in the order of their numbers, so a
/// thread that claims a variable in a loop does not keep others waiting.
struct ClaimTurn {
  std::thread::id thread = std::this_thread::get_id();
  std::uint64_t number = 0;
  bool is_active = false;                // whether the claim holds its variables; false: it waits
  const VariableClaim* claim = nullptr;  // null: a single access
};

/// While it lives, other threads neither read nor write the variables of `written`, and do not write those of
/// `read`. The thread that made it does both. An execution that updates variables in place has a claim on
/// them: a reader would see a part of the update.
///
/// All variables are claimed at one moment, so two threads do not wait for each other's. A program that takes
/// a version of what it reads (VariableVersions) names that in `read` until it has the version. A thread that
/// has a claim may make another one; where two threads would wait for each other, the second is refused.
/// Threads: it belongs to the thread that makes it.
class VariableClaim {
 public:
  struct Variables {
    std::span<const Variable> written = {};
    std::span<const Variable> read = {};
  };

  /// `holder` is named to threads that are refused: "[fit] of model \"m\"".
  /// Lifetime: the spans' variables outlive it.
  /// Errors: FailedPrecondition, naming variable and holder, where a claim of another thread refuses, or
  ///         where that thread waits for this one.
  VariableClaim(const Variables& variables, OtherThreads others, std::string holder = {});
  ~VariableClaim();
  VariableClaim(const VariableClaim&) = delete;
  VariableClaim& operator=(const VariableClaim&) = delete;

  /// Ends the claim on the variables of `read`: others may write them.
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

/// How many claims there are: without any, one load says that a value which was just seen is whole. Who looks
/// shares the value first and loads this behind; who claims adds itself first and looks for sharers behind.
inline std::atomic<int> num_variable_claims{0};

/// Whether a claim of this thread writes one of the variables. Under Variable::State::mutex().
bool is_written_by_this_thread(std::span<const Variable> variables);

/// True if another thread has a claim on the variable. Under Variable::State::mutex().
bool is_claimed_by_others(const Variable& variable);

/// Which variables claims are looked at for: all; or a single one. A single number (State::is_number) in host
/// memory is read and written whole at any time, so it passes claims that refuse: it may be read, and written
/// where the claim only reads it. An execution on a device replaces what is in the device's buffer: only its
/// own thread may look at that.
enum class Wanted { kSet, kSingle };

/// Returns when no claim of another thread stands in the way of reading (writing) all of the variables.
/// `lock` is one of Variable::State::mutex(), which is given up meanwhile.
/// Errors: FailedPrecondition as above.
void wait_for_claims(std::unique_lock<std::mutex>& lock, std::span<const Variable> variables, Access access,
                     Wanted wanted = Wanted::kSet);

}  // namespace cornu::inline v0::detail
