#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

/// See make_client, worker_status and worker_devices in backend.h.
std::shared_ptr<runtime::Client> make_remote_client(const std::string& argument);
std::string worker_status_text(const std::string& argument);
std::vector<runtime::DeviceInfo> worker_device_list(const std::string& argument);

}  // namespace cornu::inline v0::backends::remote
