#pragma once

#include <string>
#include <vector>

#include "cornu/distribute/strategy/strategy.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::distribute {

inline constexpr int kNumLogicalDevices = 8;

/// "CPU:0", ... of a process that has made kNumLogicalDevices of them.
inline std::vector<std::string> first_devices(int count, const std::string& type = "CPU") {
  set_logical_devices({.cpu = kNumLogicalDevices});
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(type + ":" + std::to_string(i));
  return names;
}

inline MirroredStrategy mirrored(int num_replicas) {
  return MirroredStrategy({.devices = first_devices(num_replicas)});
}

}  // namespace cornu::inline v0::distribute
