#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::distribute {

/// The client spec of each device of a spec: a worker "grpc://h:1" with two devices gives "grpc://h:1/0",
/// "grpc://h:1/1"; any other spec gives itself. Errors: those of connecting.
std::vector<std::string> specs_of_devices(const std::string& spec);

/// The number of devices of each type except CPU. Errors: those of connecting.
std::map<std::string, int> count_accelerators(const std::string& spec);
/// The devices of this machine, as found by list_logical_devices.
std::map<std::string, int> count_local_accelerators();

}  // namespace cornu::inline v0::distribute
