#pragma once

#include <string>
#include <vector>

/// Liveness of processes on this machine, which MPI itself does not report.
namespace cornu::inline v0::distribute {

/// A process's identity, as it reports it. Sent as it is.
struct Peer {
  char machine[80] = {};  // identifies its boot, and its namespace of process numbers
  char host[64] = {};     // its name, for errors
  long long pid = 0;
  unsigned long long born = 0;  // start time, to distinguish a later process with the same number
};

Peer this_process();
/// True if it is known to have ended; always false for processes on another machine than `here`.
bool has_ended(const Peer& peer, const Peer& here);

}  // namespace cornu::inline v0::distribute
