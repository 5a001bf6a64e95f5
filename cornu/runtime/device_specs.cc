#include "cornu/runtime/device_specs.h"

namespace cornu::inline v0::runtime {

std::vector<std::string> client_specs_for(std::string_view device_type) {
  std::vector<std::string> specs;
  for (const DeviceFinder& finder : device_finders())
    for (const std::string& argument : finder.arguments_for(device_type))
      specs.push_back(std::string(finder.backend) + ":" + argument);
  return specs;
}

}  // namespace cornu::inline v0::runtime
