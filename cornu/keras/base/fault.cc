#include "cornu/keras/base/fault.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

thread_local FaultReceiver* current_receiver = nullptr;

bool is_id(double value, const IdCheck& check) {
  if (value >= 0 && value < static_cast<double>(check.num_ids) && value == std::floor(value)) return true;
  return check.ignored_id.has_value() && value == static_cast<double>(*check.ignored_id);
}

FaultReport report_of(const Tensor& ids, const IdCheck& check, const Tensor& is_wrong) {
  return {.kind = FaultKind::kIdOutOfRange,
          .is_wrong = is_wrong,
          .values = ids,
          .subject = check.subject,
          .expected = fmt::format("[0, {})", check.num_ids),
          .layer = check.layer};
}

[[noreturn]] void throw_fault(const FaultReport& report, std::size_t position, const std::string& value) {
  const FaultSite site = FaultSite::of(report);
  // A receiver that does not look for this kind would not recognize the error as its fault; the error then
  // goes to the caller.
  if (looks_for_faults(site.kind)) current_receiver->found(site, static_cast<std::int64_t>(position), value);
  throw Error(site.error_code(), site.message(static_cast<std::int64_t>(position), value),
              {.layer = site.layer});
}

void check_concrete_ids(const Tensor& ids, const IdCheck& check) {
  const bool walked = ir::visit_dtype(ids.dtype(), [&]<typename T>() {
    const std::span<const T> values = ids.data<T>();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!is_id(static_cast<double>(values[i]), check))
        throw_fault(report_of(ids, check, {}), i, fmt::format("{}", values[i]));
  });
  if (!walked) check_concrete_ids(ops::cast(ids, DType::kF32), check);
}

/// True if an integer dtype represents numbers >= `bound`.
bool reaches(DType dtype, std::int64_t bound) {
  bool result = true;
  ir::visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_integral_v<T>)
      result = std::cmp_greater_equal(+std::numeric_limits<T>::max(), bound);
  });
  return result;
}

/// True if an integer dtype represents this number; otherwise a conversion would change it.
bool holds(DType dtype, std::int64_t value) {
  bool result = true;
  ir::visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) result = std::in_range<T>(value);
  });
  return result;
}

Tensor outside(const Tensor& given, const IdCheck& check) {
  // Bounds are rounded in f16 and bf16, so ids near them could be reported wrongly.
  const Tensor ids = ir::is_float(given.dtype()) && ir::bit_width(given.dtype()) < 32
                         ? ops::cast(given, DType::kF32)
                         : given;
  Tensor is_wrong = ops::less(ids, 0);
  const auto also = [&](const Tensor& other) { is_wrong = ops::logical_or(is_wrong, other); };
  if (ir::is_float(ids.dtype())) {
    also(ops::greater_equal(ids, static_cast<double>(check.num_ids)));
    also(ops::not_equal(ids, ops::floor(ids)));  // also finds NaN
  } else if (reaches(ids.dtype(), check.num_ids)) {
    also(ops::greater_equal(ids, check.num_ids));
  }
  if (!check.ignored_id.has_value() || !holds(ids.dtype(), *check.ignored_id)) return is_wrong;
  return ops::logical_and(is_wrong, ops::not_equal(ids, *check.ignored_id));
}

/// The index of the element at this flat position: "(1, 4)".
std::string index_str(std::int64_t position, const Dims& dims) {
  Dims index(dims.size());
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    index[axis] = position % dims[axis];
    position /= dims[axis];
  }
  return ir::shape_str(index);
}

}  // namespace

FaultSite FaultSite::of(const FaultReport& report) {
  return {report.kind, report.subject, report.expected, report.layer, report.values.type()};
}

std::string FaultSite::message(std::int64_t position, const std::string& value) const {
  const std::string place = values.dims.empty() ? std::string() : " at " + index_str(position, values.dims);
  if (kind == FaultKind::kIdOutOfRange)
    return fmt::format("{} {}{} is outside {}", subject, value, place, expected);
  return subject + " is not finite";
}

bool looks_for_faults(FaultKind kind) {
  return current_receiver != nullptr && current_receiver->looks_for(kind);
}

void report_fault(const FaultReport& report) {
  if (!looks_for_faults(report.kind)) return;
  if (report.is_wrong.dtype() != DType::kI1 || report.is_wrong.shape() != report.values.shape())
    invalid_argument("[report_fault] is_wrong must be bool, of the values' shape {}; got {}",
                     ir::shape_str(report.values.shape()), type_str(report.is_wrong.type()));
  if (report.is_wrong.is_symbolic() || report.values.is_symbolic()) {
    current_receiver->report_traced(report);
    return;
  }
  const std::span<const bool> is_wrong = report.is_wrong.data<bool>();
  for (std::size_t i = 0; i < is_wrong.size(); ++i)
    if (is_wrong[i])
      throw_fault(report, i, fmt::format("{}", report.values.at(static_cast<std::int64_t>(i))));
}

void check_ids(const Tensor& ids, const IdCheck& check) {
  if (!ids.is_symbolic()) {
    check_concrete_ids(ids, check);
    return;
  }
  if (!looks_for_faults(FaultKind::kIdOutOfRange)) return;
  report_fault(report_of(ids, check, outside(ids, check)));
}

FaultReceiver::Scope::Scope(FaultReceiver* receiver) : before_(std::exchange(current_receiver, receiver)) {}
FaultReceiver::Scope::~Scope() { current_receiver = before_; }

}  // namespace cornu::inline v0::keras
