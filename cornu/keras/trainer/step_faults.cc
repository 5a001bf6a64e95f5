#include "cornu/keras/trainer/step_faults.h"

#include <bit>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {
namespace {

Variable word(const char* name) {
  return Variable(ir::Literal(TensorType{DType::kI64, {}}),
                  {.name = name, .path = std::string("fault/") + name, .trainable = false});
}

/// A scalar in the representation of the fault word.
Tensor as_bits(const Tensor& x) {
  if (!ir::is_float(x.dtype())) return ops::cast(x, DType::kI64);
  const Tensor value = ops::cast(x, DType::kF32);
  const Tensor bits = detail::run_op(detail::OpKey("bitcast_convert"), {&value, 1},
                                     [](ir::Builder& b, std::span<const ir::Value> v) {
                                       return ops::bitcast_convert(b, v[0], DType::kI32);
                                     });
  return ops::cast(bits, DType::kI64);
}

std::string value_str(std::int64_t bits, DType dtype) {
  if (ir::is_float(dtype)) return fmt::format("{}", std::bit_cast<float>(static_cast<std::int32_t>(bits)));
  return dtype == DType::kU64 ? fmt::format("{}", static_cast<std::uint64_t>(bits)) : fmt::format("{}", bits);
}

std::int64_t read_word(const Variable& variable) {
  std::int64_t value = 0;
  variable.copy_to_host(&value);
  return value;
}

}  // namespace

StepFaults::StepFaults(FaultOptions options)
    : options_(options),
      site_(word("site")),
      step_(word("step")),
      position_(word("position")),
      value_(word("value")) {}

void StepFaults::report_traced(const FaultReport& report) {
  const std::int64_t n = report.values.num_elements();
  if (n == 0) return;
  FaultSite site = FaultSite::of(report);
  const detail::ReplicaTrace* const replica = detail::current_replica_trace();
  const bool has_rows = replica != nullptr && !site.values.dims.empty() && replica->num_rows > 0 &&
                        site.values.dims[0] % replica->num_rows == 0;
  if (has_rows) site.values.dims[0] *= replica->num_replicas;
  sites_.push_back(std::move(site));
  const std::int64_t end = has_rows ? n * replica->num_replicas : n;
  const DType dtype = end < std::numeric_limits<std::int32_t>::max() ? DType::kI32 : DType::kI64;
  const auto number = [&](std::int64_t value) { return Tensor(value).strong_scalar(dtype); };
  const Tensor own =
      ops::min(ops::where(ops::reshape(report.is_wrong, {n}), ops::arange(n, dtype), number(end)));
  const Tensor start = ops::reshape(ops::minimum(own, number(n - 1)), {1});
  Tensor value = as_bits(ops::reshape(ops::slice(ops::reshape(report.values, {n}), start, {1}), {}));
  Tensor position = own;
  if (replica != nullptr) {
    // The first faulty position among all replicas' rows, and its value.
    const Tensor place =
        has_rows ? ops::where(ops::less(own, number(end)),
                              own + ops::cast(detail::replica_id(), dtype) * number(n), number(end))
                 : own;
    position = detail::all_reduce(place, detail::ReplicaReduction::kMin);
    const Tensor none = Tensor(std::numeric_limits<std::int64_t>::min()).strong_scalar(DType::kI64);
    value = detail::all_reduce(ops::where(ops::equal(place, position), value, none),
                               detail::ReplicaReduction::kMax);
  }
  const Tensor is_first = ops::logical_and(ops::equal(site_, 0), ops::less(position, number(end)));
  const auto set = [&](const Variable& variable, const Tensor& now) {
    variable.assign(ops::where(is_first, now, variable.value()));
  };
  set(position_, ops::cast(position, DType::kI64));
  set(value_, value);
  set(site_, Tensor(static_cast<std::int64_t>(sites_.size())).strong_scalar(DType::kI64));
}

void StepFaults::finish(Trace& trace) const {
  if (!has_sites()) return;
  const Tensor is_good = ops::equal(site_, 0);
  step_.assign(step_.value() + ops::cast(is_good, DType::kI64));
  const Variable own[] = {site_, step_, position_, value_};
  trace.predicate_assignments(is_good, own);
}

void StepFaults::reset() const {
  if (!has_sites()) return;
  if (std::exchange(is_known_good_, false)) return;
  static const auto& kZero = *new ir::Literal(TensorType{DType::kI64, {}});
  for (const Variable& variable : {site_, step_, position_, value_}) variable.load(kZero);
  steps_before_ = 0;
}

std::optional<StepFault> StepFaults::read(std::int64_t batch_size) const {
  if (!has_sites()) return std::nullopt;
  const std::int64_t site = read_word(site_);
  if (site == 0) {
    steps_before_ = read_word(step_);
    is_known_good_ = true;
    return std::nullopt;
  }
  StepFault fault{.site = sites_.at(static_cast<std::size_t>(site - 1)),
                  .step = read_word(step_) - steps_before_,
                  .batch_size = batch_size,
                  .position = read_word(position_),
                  .value = {}};
  fault.value = value_str(read_word(value_), fault.site.values.dtype);
  return fault;
}

namespace {

/// The row of the step that the values at the fault's position belong to; -1 if it is not known. A layer
/// inside TimeDistributed sees the steps of a row as successive rows.
std::int64_t row_of(const StepFault& fault) {
  const TensorType& values = fault.site.values;
  if (values.dims.empty() || fault.batch_size == 0 || values.dims[0] % fault.batch_size != 0) return -1;
  return fault.position / (values.num_elements() / fault.batch_size);
}

}  // namespace

void throw_fault(const StepFault& fault, const FaultPlace& place) {
  std::string cause;
  const std::span<const std::int64_t> rows = place.batches.rows_of(0);
  if (fault.site.kind == FaultKind::kIdOutOfRange) {
    const std::int64_t row = row_of(fault);
    if (row >= 0 && row < static_cast<std::int64_t>(rows.size()))
      cause = fmt::format(" ({})", place.source.row_name(rows[static_cast<std::size_t>(row)]));
  } else {
    const std::optional<NonFinite> found = place.batches.arrays->find_non_finite(rows);
    cause = found.has_value() ? fmt::format(" ({} of {})", place.source.row_name(found->row), found->value)
                              : " (the rows of this step are finite: a smaller learning rate may help)";
  }
  fail(fault.site.error_code(), {.layer = fault.site.layer},
       "[{}] {}{}{}; all weights are as they were before that step", place.caller,
       fault.site.message(fault.position, fault.value), place.step, cause);
}

void report_non_finite(FaultKind kind, const Tensor& x, const std::string& subject) {
  if (!x.defined() || !ir::is_float(x.dtype()) || !looks_for_faults(kind)) return;
  report_fault(
      {.kind = kind, .is_wrong = ops::logical_not(ops::is_finite(x)), .values = x, .subject = subject});
}

}  // namespace cornu::inline v0::keras
