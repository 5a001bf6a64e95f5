#pragma once

#include <array>
#include <atomic>
#include <optional>

#include "cornu/keras/network/network.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::keras {

/// What ends the runs of a model early, and the counters of their steps.
/// Threads: set_stop_training and stop_training from any; the rest from those that run the model.
class RunState {
 public:
  /// One run of fit, evaluate or predict, from before it compiles. Only the outermost one clears requests to
  /// stop, and only it ends by set_stop_training; runs that callbacks start inside it end by Ctrl-C alone.
  class Scope {
   public:
    Scope(RunState& state, bool op_by_op);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    runtime::Progress& progress() const { return progress_; }

   private:
    RunState& state_;
    runtime::Progress& progress_;
    std::optional<OpByOpScope> op_by_op_;
  };

  void set_stop_training(bool stop);
  bool stop_training() const { return stop_training_.load(std::memory_order_relaxed); }

  /// Set by Ctrl-C for the run that goes on; the compiler gives up when it sees it.
  const std::atomic<bool>& interrupted() const { return interrupted_; }
  /// The flags that Ctrl-C sets.
  std::array<std::atomic<bool>*, 3> interrupt_flags() {
    return {&interrupted_, &progress_.stop, &inner_progress_.stop};
  }
  /// Errors: Cancelled after a Ctrl-C.
  void check_interrupted(const char* caller) const;

  /// The progress of the outermost run, which set_stop_training stops.
  runtime::Progress& progress() { return progress_; }
  /// The progress of validation in fit, and of runs that callbacks start.
  runtime::Progress& inner_progress() { return inner_progress_; }

 private:
  std::atomic<bool> stop_training_{false};
  std::atomic<bool> interrupted_{false};
  std::atomic<int> num_running_{0};
  runtime::Progress progress_;
  runtime::Progress inner_progress_;
};

}  // namespace cornu::inline v0::keras
