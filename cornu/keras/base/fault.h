#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/error.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// What can be wrong with the values of a step. CompileOptions::check_ids looks for ids, stop_on_nan for the
/// others.
enum class FaultKind : std::int32_t { kIdOutOfRange, kLossNotFinite, kGradientNotFinite, kUpdateNotFinite };

/// Elements of a step that may be wrong.
struct FaultReport {
  FaultKind kind = FaultKind::kIdOutOfRange;
  Tensor is_wrong;            // i1, of any shape
  Tensor values;              // of that shape: where is_wrong, the first one goes into the message
  std::string subject;        // "id", "the loss"
  std::string expected = {};  // of ids: "[0, 100)"
  std::string layer = {};     // its name; empty: none
};

/// Whether somebody looks for such faults here: a step that is traced, or runs op by op, for a model that was
/// compiled with the option. Where it is false, no operation need be made.
bool looks_for_faults(FaultKind kind);

/// Says which elements are wrong, from a layer's call() or a step.
///
/// Semantics: in a trace the step notes the first report that holds (which report, which step, the flat
///            position, the value), and its update and those of all steps after it are left out: weights,
///            slots, metrics and counters stay as they were before. After the execution the caller throws.
///            Operations run at once where tensors are concrete, and so does the error. Nothing happens where
///            looks_for_faults() is false.
/// Errors:    OutOfRange for ids, DataLoss for the others, naming layer, value and position.
void report_fault(const FaultReport& report);

struct IdCheck {
  std::int64_t num_ids = 0;                     // ids are in [0, num_ids)
  std::optional<std::int64_t> ignored_id = {};  // allowed all the same
  std::string subject = "id";
  std::string layer = {};
};
/// Reports ids (integers, or whole numbers in a floating-point dtype) outside their range:
///
///     check_ids(ids, {.num_ids = input_dim, .layer = name()});
///
/// In a trace it adds operations only for a model that was compiled with check_ids. Concrete ids are checked
/// always: that costs a walk over them.
void check_ids(const Tensor& ids, const IdCheck& check);

/// What a report says without its values: kept on the host.
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

/// Gets the reports of this thread's step.
class FaultReceiver {
 public:
  virtual ~FaultReceiver() = default;
  virtual bool looks_for(FaultKind kind) const = 0;
  /// Of symbolic tensors.
  virtual void report_traced(const FaultReport& report) = 0;
  /// Of concrete ones, where looks_for() says so: an error with this is about to be thrown.
  virtual void found(const FaultSite& site, std::int64_t position, const std::string& value) {
    (void)site, (void)position, (void)value;
  }

  /// Makes a receiver this thread's; scopes nest.
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
