#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cornu/distribute/processes/sockets_support.h"

/// Liveness of processes on other machines, which MPI itself does not report (docs/adr/0092).
namespace cornu::inline v0::distribute {

/// State of the process at the other end.
enum class ConnectionState { kNone, kThere, kEnded, kUnreachable };

/// Liveness connections: a TCP connection to each process of another machine, over which nothing is sent. The
/// kernels at both ends maintain it: it closes when a process ends in any way, and breaks if the machine or
/// the link is gone for kSecondsToBreak. A process that is stopped, or computes, keeps its connections.
///
/// Owns: its sockets.
/// Errors: none. If two processes cannot be connected, their liveness is unknown.
class LivenessConnections {
 public:
  /// Concatenates the bytes of all processes in the order of their ranks.
  using AllGather = std::function<void(std::span<const std::byte> own, std::span<std::byte> all)>;

  static constexpr int kSecondsToBreak = distribute::kSecondsToBreak;

  LivenessConnections() = default;
  ~LivenessConnections();
  LivenessConnections(const LivenessConnections&) = delete;
  LivenessConnections& operator=(const LivenessConnections&) = delete;

  /// Called by all processes together. `is_elsewhere[rank]`: true if that process is on another machine.
  void connect(int rank, const std::vector<bool>& is_elsewhere, const AllGather& all_gather);
  /// The state of the process with this rank; kNone without a connection. An end, once seen, is remembered.
  ConnectionState state(int rank);

 private:
  struct LivenessConnection {
    int socket = -1;
    ConnectionState last = ConnectionState::kNone;
  };
  void drop(std::size_t rank);

  std::vector<LivenessConnection> lines_;  // by rank
};

}  // namespace cornu::inline v0::distribute
