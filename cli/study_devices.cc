#include "cli/study_devices.h"

#include <string_view>
#include <utility>

namespace cornu::inline v0::cli {

std::vector<std::string> devices_here() {
  std::vector<std::string> devices = {"cpu"};
  for (const runtime::BackendEntry& entry : runtime::backend_entries())
    if (entry.name == std::string_view("pjrt"))
      for (const runtime::KnownArgument& known : entry.known_arguments())
        devices.push_back("pjrt:" + known.argument);
  return devices;
}

bool is_of_device(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kResourceExhausted:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnimplemented: return true;
    default: return false;
  }
}

StudyDevices::StudyDevices(const std::vector<std::string>& devices, MachineOptions machine)
    : machine_(std::move(machine)) {
  check_machine_options(machine_, devices);
  for (const std::string& device : devices) {
    if (tried_.contains(device)) continue;
    Tried tried{.is_simulated = device.starts_with("sim:")};  // where there is no client to be asked
    try {
      tried.is_simulated = make(device)->is_simulated();
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      tried.error = error;
    }
    tried_.emplace(device, std::move(tried));
  }
}

std::shared_ptr<runtime::Client> StudyDevices::make(const std::string& device) const {
  if (const auto tried = tried_.find(device); tried != tried_.end() && tried->second.error.has_value())
    throw Error(*tried->second.error);
  return runtime::make_client(with_virtual_clock(device), client_options(machine_));
}

bool StudyDevices::is_simulated(const std::string& device) const { return tried_.at(device).is_simulated; }

std::string StudyDevices::shown(const std::string& device) const {
  return is_simulated(device) ? device + " (simulated)" : device;
}

}  // namespace cornu::inline v0::cli
