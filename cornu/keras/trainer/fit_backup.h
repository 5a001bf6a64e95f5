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

/// The state from which a run goes on when its device was lost. It is in the host's memory, or, as far as it
/// is on the worker, in a file there.
/// Threads: one thread.
class FitBackup {
 public:
  /// Errors: InvalidArgument for an interval that is none; FailedPrecondition when the client's devices
  /// cannot be lost.
  FitBackup(const BackupOptions& options, const Placement& placement);

  /// Asked while a run waits for its device: true ends the wait, and so does an exception.
  using IsStopped = std::function<bool()>;

  /// Before a run: waits for a device that was lost already until it is there again, with nothing on it. Does
  /// nothing for one that is there.
  /// Errors: as the constructor; kUnavailable when the device does not come back in time; what `is_stopped`
  ///         throws.
  static void wait_for_lost(const BackupOptions& options, const Placement& placement,
                            const IsStopped& is_stopped);

  /// Whether variables are kept on the worker's side: nobody needs to read them here.
  bool is_on_worker() const { return on_worker_.has_value(); }

  /// Whether it is time for the next backup. `steps` were run since the last call.
  bool is_due(std::int64_t steps);
  /// The number of the client's session; another one after each loss.
  std::uint64_t generation() const;
  /// Keeps what `list` and the history are now. `generation`: of the session that the first value is read in.
  /// `others`: variables that are in no list, which programs work with.
  void take(std::uint64_t generation, const StateList& list, const std::vector<Variable>& others,
            const callbacks::History& history);

  /// Whether the device, or what the run had on it, was lost: nobody answered, or somebody else connected
  /// again since the last backup.
  bool is_loss(const Error& error) const;
  /// Waits until the device is there again, with nothing on it, or until the run is stopped, and returns the
  /// values for the list.
  /// Errors: `error` when there is no backup, when it is none that waiting helps against, when the device
  ///         does not come back in time, or when the run is stopped and variables are kept on the worker's
  ///         side; what `is_stopped` throws.
  const StateValues& recover(const Error& error, callbacks::History& history, const IsStopped& is_stopped);
  /// Gives those variables their values that the values of recover() do not hold, before the latter are
  /// loaded.
  /// Errors: as WorkerBackup::load.
  void load_variables() const;

 private:
  /// False where the run was stopped meanwhile.
  bool reconnect(const Error& error, const IsStopped& is_stopped);
  /// Whether somebody else has connected again.
  bool is_connected_again() const;

  BackupOptions options_;
  runtime::Client& client_;
  std::uint64_t generation_ = 0;  // of the client's session that the run works in
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
