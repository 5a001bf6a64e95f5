#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Checks a number of steps or epochs in a state, which may come from any file: it must be in [0, most], or
/// at least 0 if `most` is not given. Returns the error text, which names `what` ("the steps done of the
/// epoch"), or an empty string. For StateEntry::check.
std::string wrong_count(const Tensor& value, const std::optional<std::int64_t>& most, const char* what);

}  // namespace cornu::inline v0::keras
