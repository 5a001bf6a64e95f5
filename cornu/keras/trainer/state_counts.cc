#include "cornu/keras/trainer/state_counts.h"

#include <fmt/format.h>

namespace cornu::inline v0::keras {

std::string wrong_count(const Tensor& value, const std::optional<std::int64_t>& most, const char* what) {
  const std::int64_t found = value.data<std::int64_t>()[0];
  if (found >= 0 && found <= most.value_or(found)) return {};
  if (!most.has_value()) return fmt::format("{} must not be negative; found {}", what, found);
  return fmt::format("{} must be between 0 and {}; found {}", what, *most, found);
}

}  // namespace cornu::inline v0::keras
