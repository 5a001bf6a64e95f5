#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::distribute {

/// What makes a client of each device that is behind a spec: "grpc://h:1" of a worker with two devices is
/// "grpc://h:1/0", "grpc://h:1/1"; everything else is itself. Errors: as of connecting.
std::vector<std::string> specs_of_devices(const std::string& spec);

/// How many devices of each type but CPU are there. Errors: as of connecting.
std::map<std::string, int> count_accelerators(const std::string& spec);
/// Of this machine, as list_logical_devices finds them.
std::map<std::string, int> count_local_accelerators();

}  // namespace cornu::inline v0::distribute
