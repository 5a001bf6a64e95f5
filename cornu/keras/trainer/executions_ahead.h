#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>

#include "cornu/keras/trainer/step_runner.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::keras {

/// The executions of a run that were submitted and are not known to be done: a device that works by itself has
/// its next execution before the last one is done.
///
/// Limits: kMostExecutions, and kMostBytes of rows. An execution that was begun more than kMostSeconds ago is
///         waited for before a third one is submitted, so that a request to stop takes effect soon. A device of
///         another process limits executions and their time itself (runtime::AsyncExecutable), since the time
///         of the link is no work; up to kMostDistant are submitted to it.
/// Errors: an execution that fails reports it late, perhaps by another call that uses its results. After any
///         error, take_failure() tells which execution it was.
/// Threads: one thread.
class ExecutionsAhead {
 public:
  static constexpr std::size_t kMostExecutions = 16, kMostDistant = 256;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  static constexpr double kMostSeconds = 0.1;

  /// `progress` reports and stops what run() waits for. Both arguments must outlive this object.
  ExecutionsAhead(StepRunner& step, runtime::Progress& progress) : step_(step), progress_(progress) {}
  ExecutionsAhead(const ExecutionsAhead&) = delete;
  ExecutionsAhead& operator=(const ExecutionsAhead&) = delete;

  /// Runs an execution; returns its number of steps. Does not wait for it where the device works by itself,
  /// unless it `is_timed` or executions take longer than kMostSeconds: then this saves next to nothing, and
  /// the progress within an execution is reported.
  /// `first_step`: the steps of the run before it. Errors: those of this execution, and of earlier ones.
  std::int64_t run(const Batches& batches, std::int64_t first_step, bool is_timed);
  /// True if the last execution was submitted and is not known to be done.
  bool is_ahead() const { return !running_.empty() && !running_.back().done.is_ready(); }
  /// Waits for all executions. Errors: theirs.
  void finish();

  /// The first execution that has failed.
  struct Failure {
    std::int64_t first_step = 0;  // as run() got it
    std::int64_t steps_done = 0;  // of its steps
    std::exception_ptr error;
  };
  /// Waits for all executions and forgets them; returns the first that failed, if one did.
  std::optional<Failure> take_failure();

 private:
  struct Running {
    std::int64_t first_step = 0;
    std::size_t num_bytes = 0;
    double begin = 0;
    runtime::Progress progress = {};
    std::exception_ptr error = nullptr;
    runtime::Event done = {};  // the last member: until it is done, the execution uses `progress`
  };
  std::int64_t submit(const Batches& batches, std::int64_t first_step);
  std::int64_t wait_for(const Batches& batches, std::int64_t first_step);
  void note_seconds(double seconds) { is_slow_ = seconds > kMostSeconds; }
  /// Waits for the first execution and forgets it unless it fails.
  void finish_first();
  void make_room(std::size_t num_bytes);
  /// Seconds by the device's clock. On a virtual clock nothing depends on the speed of this machine.
  double now() const;
  /// True if the step's device is in another process.
  bool is_distant() const;

  StepRunner& step_;
  runtime::Progress& progress_;
  std::deque<Running> running_;
  std::size_t num_bytes_ = 0;
  double last_end_ = 0;  // of an execution that was waited for
  bool is_slow_ = false;
};

}  // namespace cornu::inline v0::keras
