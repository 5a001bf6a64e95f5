#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/diagnosis.h"
#include "cornu/base/error.h"

/// Links to workers, from clients and from other workers. For sources of the module only, like wire.h.
namespace cornu::inline v0::backends::remote {

inline constexpr auto kConnectTimeout = std::chrono::seconds(10);

/// A channel, or the reason for its failure.
struct OpenedChannel {
  std::shared_ptr<grpc::Channel> channel;
  Diagnosis failure;  // without a sentence: the channel is connected, or its first call reports the reason
};

/// Connects to a worker with the address's security, by a channel that detects the loss of the other side
/// within its keep_alive. A `token` that is not empty responds to the worker's challenge; the name is then
/// resolved once, before `timeout` begins, and no proxy is used. Errors: those of files with certificates.
OpenedChannel open_channel(const WorkerAddress& address, const std::string& token,
                           std::chrono::milliseconds timeout = kConnectTimeout);

/// Connects for a client. Errors: also the failure, as one sentence that names the worker.
std::shared_ptr<grpc::Channel> connected_channel(const WorkerAddress& address, const std::string& token);

/// The reason for a failed call, as one sentence that names the worker.
Error call_error(const grpc::Status& status, const WorkerAddress& address);

}  // namespace cornu::inline v0::backends::remote
