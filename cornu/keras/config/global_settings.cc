#include "cornu/keras/config/global_settings.h"

#include <atomic>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/ir/dtype.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/tensor/ops/data_format.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::config {
namespace {

constexpr std::int64_t kNoLimit = 0;

std::atomic<std::int64_t> most_epochs{kNoLimit};
std::atomic<std::int64_t> most_steps{kNoLimit};

std::optional<std::int64_t> limit_of(const std::atomic<std::int64_t>& most) {
  const std::int64_t value = most.load(std::memory_order_relaxed);
  return value == kNoLimit ? std::nullopt : std::optional(value);
}

void set_limit(std::atomic<std::int64_t>& most, std::optional<std::int64_t> value, const char* name) {
  if (value.has_value() && *value < 1)
    invalid_argument({.argument = name}, "[set_{}] {} must be at least 1, or unset for no limit; got {}",
                     name, name, *value);
  most.store(value.value_or(kNoLimit), std::memory_order_relaxed);
}

}  // namespace

std::string floatx() { return std::string(ir::numpy_name(current_floatx())); }

void set_floatx(const StringArgument& dtype) {
  const std::optional<ir::DType> given = ir::dtype_from_name(dtype);
  const bool fits = given == ir::DType::kF16 || given == ir::DType::kBF16 || given == ir::DType::kF32 ||
                    given == ir::DType::kF64;
  if (!fits)
    invalid_argument(
        {.argument = "dtype"},
        "[set_floatx] dtype must be \"float16\", \"bfloat16\", \"float32\" or \"float64\"; got \"{}\"",
        dtype);
  set_current_floatx(*given);
}

double epsilon() { return cornu::detail::small_number(); }

void set_epsilon(double value) {
  if (!(value > 0) || !std::isfinite(value))
    invalid_argument({.argument = "value"}, "[set_epsilon] value must be positive and finite; got {}", value);
  cornu::detail::set_small_number(value);
}

std::string image_data_format() { return std::string(cornu::detail::default_data_format()); }

void set_image_data_format(const StringArgument& data_format) {
  const bool is_first = data_format == "channels_first";
  if (!is_first && data_format != "channels_last")
    invalid_argument({.argument = "data_format"},
                     "[set_image_data_format] data_format must be \"channels_last\" or \"channels_first\"; "
                     "got \"{}\"",
                     data_format);
  cornu::detail::set_default_data_format(is_first);
}

std::string matmul_precision() { return runtime::precision_name(runtime::default_precision()); }

void set_matmul_precision(const StringArgument& precision) {
  runtime::set_default_precision(runtime::parse_precision(precision, "[set_matmul_precision] "));
}

std::optional<std::int64_t> max_epochs() { return limit_of(most_epochs); }
void set_max_epochs(std::optional<std::int64_t> max_epochs) {
  set_limit(most_epochs, max_epochs, "max_epochs");
}
std::optional<std::int64_t> max_steps_per_epoch() { return limit_of(most_steps); }
void set_max_steps_per_epoch(std::optional<std::int64_t> max_steps_per_epoch) {
  set_limit(most_steps, max_steps_per_epoch, "max_steps_per_epoch");
}

}  // namespace cornu::inline v0::keras::config

namespace cornu::inline v0::keras::utils {

std::string standardize_dtype(std::optional<ir::DType> dtype) {
  return std::string(ir::numpy_name(dtype.value_or(current_floatx())));
}

std::string standardize_dtype(const StringArgument& dtype) {
  const std::optional<ir::DType> known = ir::dtype_from_name(dtype);
  if (!known.has_value())
    invalid_argument({.argument = "dtype"},
                     "[standardize_dtype] dtype must be the name of a dtype; got \"{}\"", dtype);
  return standardize_dtype(known);
}

}  // namespace cornu::inline v0::keras::utils
