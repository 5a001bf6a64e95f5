#pragma once

#include <string>
#include <vector>

/// Which processes of this machine are alive: MPI itself does not say.
namespace cornu::inline v0::distribute {

/// A process, as it says itself who it is. Sent as it is.
struct Peer {
  char machine[80] = {};  // its boot, and its space of process numbers
  char host[64] = {};     // its name, for errors
  long long pid = 0;
  unsigned long long born = 0;  // so that a process that gets its number is not taken for it
};

Peer this_process();
/// Whether it has ended, as far as can be seen from `here`: of other machines nothing can.
bool has_ended(const Peer& peer, const Peer& here);

}  // namespace cornu::inline v0::distribute
