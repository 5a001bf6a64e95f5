#include "cornu/tensor/value/device_discovery.h"

#include <map>
#include <mutex>

#include "cornu/base/error.h"
#include "cornu/runtime/device_specs.h"

namespace cornu::inline v0::detail {

std::vector<std::string> connect_found_devices(std::string_view device_type) {
  static std::mutex& mutex = *new std::mutex;
  static auto& tried = *new std::map<std::string, std::string>;  // why a spec cannot be used; empty: it can
  const std::lock_guard lock(mutex);
  std::vector<std::string> reasons;
  for (const std::string& spec : runtime::client_specs_for(device_type)) {
    const auto [entry, is_new] = tried.try_emplace(spec);
    if (is_new) {
      try {
        connect_devices(spec);
      } catch (const Error& error) {
        entry->second = error.what();
      }
    }
    if (!entry->second.empty()) reasons.push_back(entry->second);
  }
  return reasons;
}

}  // namespace cornu::inline v0::detail
