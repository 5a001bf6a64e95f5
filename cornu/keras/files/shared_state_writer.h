#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cornu/keras/base/state.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras {

/// Writes training states of several processes, each with its own parts, in parallel (docs/adr/0133).
///
/// A state exists from the moment at which rank 0 replaces the file at its path, after all other ranks have
/// written theirs. So a crash at any time leaves the previous state or the new one.
/// Threads: one thread at a time.
class SharedStateWriter {
 public:
  /// All processes make it together. Errors: those of Collective::open_store.
  explicit SharedStateWriter(runtime::Collective& processes);

  /// True if processes hold parts of the state's values; the same on all processes.
  static bool is_for(const StateValues& state);
  /// The values that this process writes: the first one its parts and all whole values, the others their
  /// parts.
  StateValues own(const StateValues& state) const;
  /// Writes own() of a state; returns when the files of all processes are on disk. All processes write the
  /// same states in the same order, from any thread, also while collectives run.
  /// Errors: those of save_training_state, on all processes; kUnavailable if a process has ended; NotFound if
  ///         the first process does not see the others' files.
  void write(const std::string& path, const StateValues& own);

 private:
  void write_first(const std::string& path, const StateValues& own, const SharedState& shared);
  void write_other(const std::string& path, const StateValues& own, const SharedState& shared);

  int rank_;
  int num_processes_;
  std::shared_ptr<runtime::KeyValueStore> keys_;
  std::uint64_t run_ = 0;     // the same on all processes
  std::int64_t written_ = 0;  // number of states
};

}  // namespace cornu::inline v0::keras
