#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/base/error.h"

/// Links to workers, of clients and of other workers. For sources of the module only, as wire.h.
namespace cornu::inline v0::backends::remote {

inline constexpr auto kConnectTimeout = std::chrono::seconds(10);

/// A channel with the address's security that notices within its keep_alive
/// when the other side is gone. Asks the worker for a challenge where there is a token. Errors: those of
/// read_token.
std::shared_ptr<grpc::Channel> open_channel(const WorkerAddress& address);

/// What a call failed with, as one sentence that names the worker.
Error call_error(const grpc::Status& status, const WorkerAddress& address);
/// The same of the first call, which may fail for more reasons: those are
/// looked for.
Error connect_error(const grpc::Status& status, const WorkerAddress& address);

}  // namespace cornu::inline v0::backends::remote
