#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/trainer/evaluation_run.h"
#include "cornu/keras/trainer/late_logs.h"

namespace cornu::inline v0::keras {

/// Adds a validation's values to an epoch's logs, as "val_" and their names.
void add_validation(const Logs& validation, Logs& logs);

/// An epoch of fit whose executions were submitted, and whose logs may still be on their way.
struct LateEpoch {
  std::int64_t epoch = 0;
  std::int64_t first_step = 0;  // the steps of the run before it
  std::int64_t num_steps = 0;
  std::unique_ptr<LateLogs> logs;
  std::unique_ptr<LateEvaluation> validation;  // null: none

  bool is_ready() const { return logs->is_ready() && (validation == nullptr || validation->is_ready()); }
  /// Waits. Errors: that of the first execution that has failed.
  Logs get() const;
};

/// The epochs that a run of fit has submitted and not reported to its callbacks, which are a History and a
/// progress bar. The callbacks see the same calls as without delay, except that an epoch's batches are one call.
/// Threads: one thread.
class LateEpochs {
 public:
  explicit LateEpochs(callbacks::CallbackList& callbacks) : callbacks_(callbacks) {}

  bool empty() const { return epochs_.empty(); }
  void push(LateEpoch epoch) { epochs_.push_back(std::move(epoch)); }

  /// Called when an epoch begins: now for the callbacks, or when the epochs before it are reported.
  void begin(std::int64_t epoch);
  /// Reports the epochs whose logs have arrived. `step`: the number of submitted steps of the current epoch.
  /// Errors: that of the first execution that has failed; the epochs before it were reported.
  void report_ready(std::int64_t step);
  /// The same for all epochs, after waiting for their logs. A current epoch without steps does not
  /// begin for callbacks that have not seen it.
  void report_all(std::int64_t step);
  /// Reports the epochs that end before step `failed` of the run. Returns the epoch of that step, and forgets
  /// it and those after it; nullopt if that is the current epoch.
  std::optional<LateEpoch> report_before(std::int64_t failed, std::int64_t step);

 private:
  void report_first();
  /// Tells the callbacks of the current epoch if they do not know it.
  void catch_up(std::int64_t step);
  void call_begin(std::int64_t epoch, std::int64_t num_steps);

  callbacks::CallbackList& callbacks_;
  std::deque<LateEpoch> epochs_;
  std::optional<std::int64_t> unknown_;  // the current epoch, if the callbacks do not know it
};

}  // namespace cornu::inline v0::keras
