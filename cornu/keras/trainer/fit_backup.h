#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/base/state.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/worker_backup.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::keras {

/// The state from which a run continues after its device was lost: in the host's memory, or, for values on
/// the worker, in a file there.
/// Threads: one thread.
class FitBackup {
 public:
  /// Errors: InvalidArgument for an invalid interval; FailedPrecondition if the client's devices cannot be
  ///         lost.
  FitBackup(const BackupOptions& options, const Placement& placement);

  /// Polled while a run waits for its device: true, or an exception, ends the wait.
  using IsStopped = std::function<bool()>;

  /// Called before a run: if the device was lost earlier, waits until it is connected again, with an empty
  /// memory.
  /// Errors: those of the constructor; kUnavailable if the device does not come back in time; exceptions of
  ///         `is_stopped`.
  static void wait_for_lost(const BackupOptions& options, const Placement& placement,
                            const IsStopped& is_stopped);

  /// True if variables are saved by the worker and need not be read here.
  bool is_on_worker() const { return on_worker_.has_value(); }

  /// True if the next backup is due. `steps` is the number of steps since the last call.
  bool is_due(std::int64_t steps);
  /// The number of the client's session; it changes with each loss.
  std::uint64_t generation() const;
  /// Saves the current values of `list` and the history. `generation`: the session in which the first value
  /// is read. `others`: variables of programs that no list holds.
  void take(std::uint64_t generation, const StateList& list, const std::vector<Variable>& others,
            const callbacks::History& history);

  /// True if the device or the run's data on it were lost: the worker did not answer, or another thread has
  /// reconnected since the last backup.
  bool is_loss(const Error& error) const;
  /// Waits until the device is connected again, with an empty memory, or until the run is stopped, and
  /// returns the values for the list.
  /// Errors: `error` itself if there is no backup, if waiting does not help against it, if the device does
  ///         not come back in time, or if the run is stopped and variables are saved by the worker;
  ///         exceptions of `is_stopped`.
  const StateValues& recover(const Error& error, callbacks::History& history, const IsStopped& is_stopped);
  /// Loads the variables that are not among the values of recover(). Called before those values are loaded.
  /// Errors: those of WorkerBackup::load.
  void load_variables() const;

 private:
  /// Returns false if the run was stopped meanwhile.
  bool reconnect(const Error& error, const IsStopped& is_stopped);
  /// True if another thread has reconnected.
  bool is_connected_again() const;

  BackupOptions options_;
  runtime::Client& client_;
  std::uint64_t generation_ = 0;  // the client's session of this run
  std::chrono::steady_clock::time_point taken_ = std::chrono::steady_clock::now();
  std::int64_t steps_ = 0;
  int failures_ = 0;  // since the last backup
  StateValues values_;
  std::optional<WorkerBackup> on_worker_;
  std::vector<std::pair<Variable, ir::Literal>> others_;
  std::vector<std::int64_t> epochs_;
  ByName<std::vector<double>> history_{"history"};
  ByName<std::vector<Tensor>> arrays_{"history"};
};

}  // namespace cornu::inline v0::keras
