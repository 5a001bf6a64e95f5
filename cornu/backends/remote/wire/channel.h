#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/diagnosis.h"
#include "cornu/base/error.h"

/// Links to workers, of clients and of other workers. For sources of the module only, as wire.h.
namespace cornu::inline v0::backends::remote {

inline constexpr auto kConnectTimeout = std::chrono::seconds(10);

/// A channel, or why there is none.
struct OpenedChannel {
  std::shared_ptr<grpc::Channel> channel;
  Diagnosis failure;  // without a sentence: the channel is connected, or its first call reports why it is not
};

/// Connects to a worker with the address's security, by a channel that notices within its keep_alive when the
/// other side is gone. `token`, where it is not empty, answers the worker's challenge; the name is looked up
/// once then, before `timeout` begins, and no proxy is used. Errors: those of files with certificates.
OpenedChannel open_channel(const WorkerAddress& address, const std::string& token,
                           std::chrono::milliseconds timeout = kConnectTimeout);

/// The same for clients. Errors: also the failure, as one sentence that names the worker.
std::shared_ptr<grpc::Channel> connected_channel(const WorkerAddress& address, const std::string& token);

/// Why a call failed, as one sentence that names the worker.
Error call_error(const grpc::Status& status, const WorkerAddress& address);

}  // namespace cornu::inline v0::backends::remote
