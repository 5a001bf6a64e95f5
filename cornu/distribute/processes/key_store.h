#pragma once

#include <string_view>

#include "cornu/runtime/collective.h"

namespace cornu::inline v0::distribute {

/// The local rank: this process's number among those on the same machine that see the same devices, in the
/// order of their ranks. All call it together. `sees`: a description of the visible devices.
int local_rank(runtime::Collective& processes, std::string_view sees);

}  // namespace cornu::inline v0::distribute
