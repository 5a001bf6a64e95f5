#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/base/fault.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

/// Faults that a model's steps look for: compile's check_ids and stop_on_nan.
struct FaultOptions {
  bool ids = false;
  bool non_finite = false;
  bool any() const { return ids || non_finite; }
};

/// The first fault of an execution.
struct StepFault {
  FaultSite site;
  std::int64_t step = 0;        // its index in the execution, from 0
  std::int64_t batch_size = 0;  // the rows of that step, with padding
  std::int64_t position = 0;    // row-major, in the reported values
  std::string value;
};

/// The fault word of one step program, kept as state of the program: the report that first found something,
/// the step, the position and the value. A program whose step reports nothing has no such state.
/// Threads: one thread.
class StepFaults : public FaultReceiver {
 public:
  explicit StepFaults(FaultOptions options);

  bool looks_for(FaultKind kind) const override {
    return kind == FaultKind::kIdOutOfRange ? options_.ids : options_.non_finite;
  }
  void report_traced(const FaultReport& report) override;
  /// Ends the trace of the step. From the first fault on, assignments have no effect, neither those of its
  /// step nor later ones.
  void finish(Trace& trace) const;

  /// True if the variable is part of the fault word.
  bool owns(const Variable& variable) const {
    return variable == site_ || variable == step_ || variable == position_ || variable == value_;
  }
  bool has_sites() const { return !sites_.empty(); }
  /// Called before an execution.
  void reset() const;
  /// Called when the variables may have been overwritten with values of a state: the next execution begins
  /// with zeros.
  void forget() const { is_known_good_ = false; }
  /// Reads the fault after an execution, when the variables may be read together (see detail::ValuesScope).
  /// The step's batches had `batch_size` rows, including padding.
  std::optional<StepFault> read(std::int64_t batch_size) const;

 private:
  FaultOptions options_;
  std::vector<FaultSite> sites_;
  // i64 scalars.
  Variable site_;                          // 0: none, else index in sites_ plus 1
  Variable step_;                          // the steps without a fault since it was zero
  Variable position_;                      // of the first wrong element
  Variable value_;                         // an integer, or the bits of an f32
  mutable std::int64_t steps_before_ = 0;  // step_ before this execution
  /// True if there was no fault and step_ equals steps_before_: no reset, and so no transfer, is needed.
  mutable bool is_known_good_ = false;
};

/// The context of a fault, for its message.
struct FaultPlace {
  const char* caller;  // "fit"
  std::string step;    // " in epoch 1, step 3 of 6"
  const BatchSource& source;
  Batches batches;  // the batches of the step alone
};
[[noreturn]] void throw_fault(const StepFault& fault, const FaultPlace& place);

/// Reports the elements of x that are not finite. No effect for integers.
void report_non_finite(FaultKind kind, const Tensor& x, const std::string& subject);

}  // namespace cornu::inline v0::keras
