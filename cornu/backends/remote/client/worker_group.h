#pragma once

#include <memory>
#include <vector>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

/// Makes a client of the device of one session.
std::shared_ptr<runtime::Client> make_client_of(std::shared_ptr<Connection> connection);

/// Makes a group of devices of several workers, one of each: a session on each of them, linked with the
/// others (docs/adr/0090). The loss of a worker ends the group; its DistantClient::reconnect() makes new
/// sessions on all.
/// Errors: those of make_client in backend.h; InvalidArgument for a worker that is listed twice;
///         Unimplemented for a device that is not a CPU engine; kUnavailable, with both, if one worker cannot
///         reach another.
std::shared_ptr<runtime::Client> make_worker_group(const std::vector<WorkerAddress>& addresses);

}  // namespace cornu::inline v0::backends::remote
