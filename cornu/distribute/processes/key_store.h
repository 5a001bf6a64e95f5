#pragma once

#include <memory>
#include <string_view>

#include "cornu/runtime/key_value_store.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// Makes a rendezvous store, which is at rank 0 and serves the other processes over sockets of its own: it
/// works from any thread, whatever collectives run. All processes call this together; each store has separate
/// keys.
///
/// It detects within seconds that a process has ended or its machine is gone.
/// Errors: kUnavailable, on all processes, if one cannot be connected to rank 0; those of `processes`.
std::shared_ptr<runtime::KeyValueStore> make_process_keys(runtime::Processes& processes);

/// The local rank: this process's number among those on the same machine that see the same devices, in the
/// order of their ranks. All call it together. `sees`: a description of the visible devices.
int local_rank(runtime::Processes& processes, std::string_view sees);

}  // namespace cornu::inline v0::distribute
