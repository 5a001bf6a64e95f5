#pragma once

#include <memory>

namespace cornu::inline v0::runtime {

class KeyValueStore;

/// A process among those whose clients of one kind share their lists of devices ("node" in PJRT).
struct ClientNode {
  int id = 0;
  int count = 1;
  /// Rank among the processes on the same machine that see the same devices. In this order each takes
  /// `num_devices` of them; 0: the client's setting, else one.
  int local_rank = 0;
  int num_devices = 0;
  std::shared_ptr<KeyValueStore> keys = nullptr;
};

}  // namespace cornu::inline v0::runtime
