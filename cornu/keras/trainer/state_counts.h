#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// What is wrong with a number of steps or epochs in a state, which may come from any file: it must lie in
/// [0, most], or be no negative one where nothing says the most. Empty: nothing is wrong. `what` ("the steps
/// done of the epoch") stands in the text. For StateEntry::check.
inline std::string wrong_count(const Tensor& value, const std::optional<std::int64_t>& most,
                               const char* what) {
  const std::int64_t found = value.data<std::int64_t>()[0];
  if (found >= 0 && found <= most.value_or(found)) return {};
  if (!most.has_value()) return fmt::format("{} must not be negative; found {}", what, found);
  return fmt::format("{} must lie between 0 and {}; found {}", what, *most, found);
}

}  // namespace cornu::inline v0::keras
