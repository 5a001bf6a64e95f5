#pragma once

#include <atomic>
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

/// While it lives, other threads neither read nor write the variables of `written`, and do not write those of
/// `read`. The thread that made it does both. An execution that updates variables in place has a claim on
/// them: a reader would see a part of the update.
///
/// All variables are claimed at one moment, so two threads never wait for each other's. A program that takes a
/// version of what it reads (VariableVersions) names that in `read` until it has the version.
/// Threads: it belongs to the thread that makes it.
class VariableClaim {
 public:
  struct Variables {
    std::span<const Variable> written = {};
    std::span<const Variable> read = {};
  };

  /// `holder` is named to threads that are refused: "[fit] of model \"m\"".
  /// Lifetime: the spans' variables outlive it.
  /// Errors: FailedPrecondition, naming variable and holder, where a claim of another thread refuses.
  VariableClaim(const Variables& variables, OtherThreads others, std::string holder = {});
  ~VariableClaim();
  VariableClaim(const VariableClaim&) = delete;
  VariableClaim& operator=(const VariableClaim&) = delete;

  /// Ends the claim on the variables of `read`: others may write them.
  void stop_reading();

  bool writes(const Variable& variable) const;
  bool reads(const Variable& variable) const;
  std::thread::id thread() const { return thread_; }
  bool refuses() const { return others_ == OtherThreads::kAreRefused; }
  const std::string& holder() const { return holder_; }

 private:
  Variables variables_;
  std::vector<Variable::Id> written_ids_, read_ids_;  // sorted; empty: `variables_` are gone through
  OtherThreads others_;
  std::string holder_;
  std::thread::id thread_ = std::this_thread::get_id();
};

/// How many claims there are: without any, one load says that a value which was just seen is whole. Who looks
/// shares the value first and loads this behind; who claims adds itself first and looks for sharers behind.
inline std::atomic<int> num_variable_claims{0};

/// Whether a claim of this thread writes one of the variables. Under Variable::State::mutex().
bool is_written_by_this_thread(std::span<const Variable> variables);

/// Which variables claims are looked at for: all; or a single one, where a number (State::is_number) passes
/// claims that refuse, because it is read and written whole at any time.
enum class Wanted { kSet, kSingle };

/// Returns when no claim of another thread stands in the way of reading (writing) all of the variables.
/// `lock` is one of Variable::State::mutex(), which is given up meanwhile.
/// Errors: FailedPrecondition as above.
void wait_for_claims(std::unique_lock<std::mutex>& lock, std::span<const Variable> variables, Access access,
                     Wanted wanted = Wanted::kSet);

}  // namespace cornu::inline v0::detail
