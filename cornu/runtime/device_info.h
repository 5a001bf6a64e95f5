#pragma once

#include <cstddef>
#include <string>

namespace cornu::inline v0::runtime {

/// A device of a client.
struct DeviceInfo {
  std::string type = "CPU";      // the type in device names: "CPU", "GPU", "TPU"
  std::string kind;              // "H200" or a processor's name, for people
  int number = 0;                // its index in Client::devices()
  std::size_t memory_bytes = 0;  // 0: unknown
  bool is_addressable = true;    // the host reads and writes its memory in place
  bool is_simulated = false;     // the device does not exist: its times follow from a profile
};

}  // namespace cornu::inline v0::runtime
