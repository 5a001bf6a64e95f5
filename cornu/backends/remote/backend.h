#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/worker/options.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

/// The backend's name before the colon, which differs from the folder's; see cmake/Backends.cmake.
inline constexpr const char* kClientName = "grpc";
inline constexpr const char* kClientArgument = "//HOST:PORT[/DEVICE][,FIELD=VALUE...]";
inline std::vector<runtime::KnownArgument> known_arguments() { return {}; }

/// Makes a client of a worker in another process, which owns the device; see docs/guide/remote.md.
/// Errors: InvalidArgument for an invalid address; kUnavailable if no worker answers there, or if the module
///         for gRPC is not installed; FailedPrecondition if the versions are incompatible.
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

/// Serves until SIGTERM or SIGINT, then waits for running executions and returns. Executions that take longer
/// than `drain_seconds`, or a second signal, are stopped between two steps; if one does not stop within 3 s,
/// the process exits with code 1. Prints its address to standard output.
/// Errors: InvalidArgument for a non-local address without TLS and a token; those of the devices;
///         kUnavailable if the address is in use.
[[gnu::visibility("default")]] void run_worker(const WorkerOptions& options);

/// A worker's status, for people. `address`: the text after "grpc:". Errors: those of make_client.
[[gnu::visibility("default")]] std::string worker_status(const std::string& address);

/// The devices that a worker serves. Errors: those of make_client.
[[gnu::visibility("default")]] std::vector<runtime::DeviceInfo> worker_devices(const std::string& address);

}  // namespace cornu::inline v0::backends::remote
