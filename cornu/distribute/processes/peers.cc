#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "cornu/distribute/processes/peers_support.h"

namespace cornu::inline v0::distribute {
namespace {

struct ProcessState {
  char state = 0;  // 0: the process does not exist
  unsigned long long born = 0;
};

ProcessState state_of(long long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return {};
  // The name is in brackets and may contain anything. After it follow the state and, as the 20th word, the
  // start time.
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return {};
  ProcessState found;
  unsigned long long word = 0;
  const char* rest = text.c_str() + end + 1;
  int length = 0;
  if (std::sscanf(rest, " %c%n", &found.state, &length) != 1) return {};
  rest += length;
  for (int i = 4; i <= 22; ++i) {
    long long value = 0;
    if (std::sscanf(rest, " %lld%n", &value, &length) != 1) return {};
    rest += length;
    word = static_cast<unsigned long long>(value);
  }
  found.born = word;
  return found;
}

}  // namespace

Peer this_process() {
  Peer peer;
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, boot);
  char space[32] = {};
  if (readlink("/proc/self/ns/pid", space, sizeof(space) - 1) < 0) space[0] = 0;
  std::snprintf(peer.machine, sizeof(peer.machine), "%.40s %.30s", boot.c_str(), space);
  if (gethostname(peer.host, sizeof(peer.host) - 1) != 0) peer.host[0] = 0;
  peer.pid = getpid();
  peer.born = state_of(peer.pid).born;
  return peer;
}

bool has_ended(const Peer& peer, const Peer& here) {
  if (std::strcmp(peer.machine, here.machine) != 0) return false;
  const ProcessState now = state_of(peer.pid);
  return now.state == 0 || now.state == 'Z' || now.state == 'X' || now.born != peer.born;
}

}  // namespace cornu::inline v0::distribute
