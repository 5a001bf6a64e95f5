#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/worker/options.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

/// What users write before the colon, where it is not the folder's name; see cmake/Backends.cmake.
inline constexpr const char* kClientName = "grpc";
inline constexpr const char* kClientArgument = "//HOST:PORT[/DEVICE][,FIELD=VALUE...]";
inline std::vector<runtime::KnownArgument> known_arguments() { return {}; }

/// A client of a worker in another process, which owns the device; see docs/guide/remote.md.
/// Errors: InvalidArgument for an address that is none; kUnavailable when nobody answers there, or when the
///         module that speaks gRPC is not installed; FailedPrecondition when the versions do not go together.
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

/// Serves until SIGTERM or SIGINT, then lets running executions end and returns; those that take longer than
/// `drain_seconds`, or until a second signal, end between two steps. Where one does not in 3 s, the process
/// ends with code 1. Says on the standard output where it listens.
/// Errors: InvalidArgument for an address beyond this machine without TLS and a token; those of the devices;
///         kUnavailable when the address is taken.
[[gnu::visibility("default")]] void run_worker(const WorkerOptions& options);

/// What a worker says of itself, for people. `address` as behind "grpc:". Errors: as make_client.
[[gnu::visibility("default")]] std::string worker_status(const std::string& address);

/// The devices that a worker lends. Errors: as make_client.
[[gnu::visibility("default")]] std::vector<runtime::DeviceInfo> worker_devices(const std::string& address);

}  // namespace cornu::inline v0::backends::remote
