#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/error.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The kinds of wrong values in a step. CompileOptions::check_ids enables the check of ids, stop_on_nan the
/// others.
enum class FaultKind : std::int32_t { kIdOutOfRange, kLossNotFinite, kGradientNotFinite, kUpdateNotFinite };

/// Elements of a step to be checked.
struct FaultReport {
  FaultKind kind = FaultKind::kIdOutOfRange;
  Tensor is_wrong;            // i1, of any shape: true for wrong elements
  Tensor values;              // of that shape; the first wrong one is printed in the message
  std::string subject;        // "id", "the loss"
  std::string expected = {};  // for ids: "[0, 100)"
  std::string layer = {};     // its name; empty if there is none
};

/// True if this thread's step looks for such faults: a step that is traced, or runs op by op, for a model
/// compiled with the option. If false, callers need not add operations.
bool looks_for_faults(FaultKind kind);

/// Reports the wrong elements, from a layer's call() or a step.
///
/// Semantics: in a trace, the step records the first report that finds something (the report, the step, the
///            flat position, the value). Its update and those of all later steps are left out: weights,
///            slots, metrics and counters keep the values from before the step. The caller throws after the
///            execution. For concrete tensors, operations run at once and the error is thrown at once. No
///            effect if looks_for_faults() is false.
/// Errors:    OutOfRange for ids, DataLoss for the others, naming layer, value and position.
void report_fault(const FaultReport& report);

struct IdCheck {
  std::int64_t num_ids = 0;                     // ids are in [0, num_ids)
  std::optional<std::int64_t> ignored_id = {};  // allowed although outside the range
  std::string subject = "id";
  std::string layer = {};
};
/// Reports ids (integers, or whole numbers in a floating-point dtype) outside their range:
///
///     check_ids(ids, {.num_ids = input_dim, .layer = name()});
///
/// In a trace it adds operations only for a model that was compiled with check_ids. Concrete ids are always
/// checked, by one pass over them.
void check_ids(const Tensor& ids, const IdCheck& check);

/// The host's part of a report, without tensors.
struct FaultSite {
  FaultKind kind = FaultKind::kIdOutOfRange;
  std::string subject;
  std::string expected;
  std::string layer;
  TensorType values;

  static FaultSite of(const FaultReport& report);
  ErrorCode error_code() const {
    return kind == FaultKind::kIdOutOfRange ? ErrorCode::kOutOfRange : ErrorCode::kDataLoss;
  }
  /// "id 105 at (1, 4) is outside [0, 100)", "the loss is not finite".
  std::string message(std::int64_t position, const std::string& value) const;
};

/// Receives the reports of this thread's step.
class FaultReceiver {
 public:
  virtual ~FaultReceiver() = default;
  virtual bool looks_for(FaultKind kind) const = 0;
  /// Called for symbolic tensors.
  virtual void report_traced(const FaultReport& report) = 0;
  /// Called for concrete tensors if looks_for(): an error with this content is about to be thrown.
  virtual void found(const FaultSite& site, std::int64_t position, const std::string& value) {
    (void)site, (void)position, (void)value;
  }

  /// Makes a receiver the current one of this thread; scopes nest.
  class Scope {
   public:
    explicit Scope(FaultReceiver* receiver);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    FaultReceiver* before_;
  };
};

}  // namespace cornu::inline v0::keras
