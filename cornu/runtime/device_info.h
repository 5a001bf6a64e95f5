#pragma once

#include <cstddef>
#include <string>

namespace cornu::inline v0::runtime {

/// A device of a client.
struct DeviceInfo {
  std::string type = "CPU";      // what devices are named by: "CPU", "GPU", "TPU"
  std::string kind;              // "H200" or a processor's name, for people who read it
  int number = 0;                // its place in Client::devices()
  std::size_t memory_bytes = 0;  // 0: not known
  bool is_addressable = true;    // the host reads and writes its memory in place
  bool is_simulated = false;     // there is no such device: the times that it takes follow from a profile
};

}  // namespace cornu::inline v0::runtime
