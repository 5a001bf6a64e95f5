#pragma once

#include <memory>
#include <vector>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

/// A client of the device of one session.
std::shared_ptr<runtime::Client> make_client_of(std::shared_ptr<Connection> connection);

/// A group of devices of several workers, one of each: a session on each of them, linked with the others
/// (docs/adr/0090). A worker that is lost takes the group with it; its DistantClient::reconnect() makes
/// new sessions on all.
/// Errors: as make_client in backend.h; InvalidArgument for a worker that comes twice; Unimplemented for a
///         device that is no CPU engine; kUnavailable, naming both, when one worker cannot reach another.
std::shared_ptr<runtime::Client> make_worker_group(const std::vector<WorkerAddress>& addresses);

}  // namespace cornu::inline v0::backends::remote
