#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// What is wrong with a number of steps or epochs in a state, which may come from any file: it must lie in
/// [0, most], or be no negative one where nothing says the most. Empty: nothing is wrong. `what` ("the steps
/// done of the epoch") stands in the text. For StateEntry::check.
std::string wrong_count(const Tensor& value, const std::optional<std::int64_t>& most, const char* what);

}  // namespace cornu::inline v0::keras
