#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>

#include "cornu/keras/network/network.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::keras {

/// The requests that end a model's runs early, and the counters of their steps.
/// Threads: set_stop_training and stop_training from any thread; the rest from the threads that run the
///          model.
class RunState {
 public:
  /// One run of fit, evaluate or predict, from before it compiles. Only the outermost scope clears stop
  /// requests and ends by set_stop_training or by its token; runs that callbacks start inside it end by
  /// Ctrl-C only.
  class Scope {
   public:
    Scope(RunState& state, bool op_by_op, const std::stop_token& stop_token = {});
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    runtime::Progress& progress() const { return progress_; }

   private:
    RunState& state_;
    runtime::Progress& progress_;
    std::optional<OpByOpScope> op_by_op_;
    std::optional<std::stop_callback<std::function<void()>>> on_stop_;  // declared last to be destroyed first
  };

  /// While it lives, a request to stop also ends compilations, which then throw Cancelled.
  class StopsCompiling {
   public:
    explicit StopsCompiling(RunState& state);
    ~StopsCompiling();
    StopsCompiling(const StopsCompiling&) = delete;
    StopsCompiling& operator=(const StopsCompiling&) = delete;

   private:
    RunState& state_;
  };

  void set_stop_training(bool stop);
  bool stop_training() const { return stop_training_.load(std::memory_order_relaxed); }

  /// Compilations are cancelled when it is set.
  const std::atomic<bool>& cancels_compilation() const { return cancels_compilation_; }
  /// The flags that Ctrl-C sets.
  std::array<std::atomic<bool>*, 4> interrupt_flags() {
    return {&interrupted_, &cancels_compilation_, &progress_.stop, &inner_progress_.stop};
  }
  bool is_interrupted() const { return interrupted_.load(); }
  /// Errors: Cancelled after Ctrl-C.
  void check_interrupted(const char* caller) const;
  /// True if the outermost run is to end. Errors: those of check_interrupted.
  bool is_stopped(const char* caller) const {
    check_interrupted(caller);
    return stop_training();
  }

  /// The progress of the outermost run; set_stop_training stops it.
  runtime::Progress& progress() { return progress_; }
  /// The progress of fit's validation, and of runs that callbacks start.
  runtime::Progress& inner_progress() { return inner_progress_; }

 private:
  std::mutex mutex_;         // guards the members below, except where a signal handler sets them
  bool token_asks_ = false;  // the token requested a stop, which cannot be revoked
  int num_stopping_compilers_ = 0;
  std::atomic<bool> stop_training_{false};
  std::atomic<bool> interrupted_{false};
  std::atomic<bool> cancels_compilation_{false};
  std::atomic<int> num_running_{0};
  runtime::Progress progress_;
  runtime::Progress inner_progress_;
};

}  // namespace cornu::inline v0::keras
