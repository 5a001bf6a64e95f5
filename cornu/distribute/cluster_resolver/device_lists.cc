#include "cornu/distribute/cluster_resolver/device_lists.h"

#include <algorithm>

#include <fmt/format.h>

#include "cornu/backends/remote/backend.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr std::string_view kProtocol = "grpc:";

/// Adds a device: "//h:1,ca_file=c" becomes "//h:1/DEVICE,ca_file=c".
std::string with_device(const std::string& address, std::size_t device) {
  const std::size_t fields = std::min(address.find(','), address.size());
  return fmt::format("{}{}/{}{}", kProtocol, address.substr(0, fields), device, address.substr(fields));
}

bool names_device(const std::string& address) {
  const std::string place = address.substr(0, address.find(','));
  return place.find('/', 2) != std::string::npos;
}

}  // namespace

std::vector<std::string> specs_of_devices(const std::string& spec) {
  if (!spec.starts_with(kProtocol)) return {spec};
  const std::string address = spec.substr(kProtocol.size());
  if (names_device(address)) return {spec};
  const std::size_t count = backends::remote::worker_devices(address).size();
  std::vector<std::string> specs;
  specs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) specs.push_back(with_device(address, i));
  return specs;
}

std::map<std::string, int> count_accelerators(const std::string& spec) {
  std::map<std::string, int> counts;
  const auto add = [&](const runtime::DeviceInfo& info) {
    if (info.type != "CPU") ++counts[info.type];
  };
  if (spec.starts_with(kProtocol)) {
    for (const runtime::DeviceInfo& info : backends::remote::worker_devices(spec.substr(kProtocol.size())))
      add(info);
  } else {
    const std::shared_ptr<runtime::Client> client = runtime::make_client(spec);
    for (const runtime::DeviceInfo& info : client->devices()) add(info);
  }
  return counts;
}

std::map<std::string, int> count_local_accelerators() {
  std::map<std::string, int> counts;
  for (const LogicalDevice& device : list_logical_devices())
    if (device.device_type != "CPU") ++counts[device.device_type];
  return counts;
}

}  // namespace cornu::inline v0::distribute
