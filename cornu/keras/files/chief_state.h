#pragma once

#include <functional>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// Returns to all of several processes the result of `read` in the first: only the first needs access to the
/// files.
/// Errors: those of `read` in the first process; kUnavailable in the others.
StateValues state_of_chief(const std::function<StateValues()>& read);

/// Returns the result of `read` in each of several processes, which all have access to the files.
/// Errors: those of `read` in the processes that cannot read; kUnavailable, with such a rank, in the others.
StateValues state_of_each(const std::function<StateValues()>& read);

}  // namespace cornu::inline v0::keras
