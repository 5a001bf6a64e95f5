#pragma once

#include <memory>
#include <string_view>

#include "cornu/runtime/key_value_store.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// A store of keys that live at rank 0, and reach the other processes over sockets of their own:
/// it works whatever thread asks, and whatever the processes do together meanwhile. All call this together;
/// each store has keys of its own.
///
/// It notices within seconds when a process ends or its machine is gone.
/// Errors: kUnavailable, on all processes, when one cannot be connected to rank 0; those of `processes`.
std::shared_ptr<runtime::KeyValueStore> make_process_keys(runtime::Processes& processes);

/// This process among those on the same machine that see the same of its devices, in the order of their
/// ranks. All call it together. `sees`: whatever tells what is seen.
int place_on_host(runtime::Processes& processes, std::string_view sees);

}  // namespace cornu::inline v0::distribute
