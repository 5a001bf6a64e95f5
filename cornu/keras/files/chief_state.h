#pragma once

#include <functional>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// What `read` gives in the first of several processes, for all of them: files need not lie where the
/// others look.
/// Errors: what it throws there; kUnavailable in the others.
StateValues state_of_chief(const std::function<StateValues()>& read);

}  // namespace cornu::inline v0::keras
