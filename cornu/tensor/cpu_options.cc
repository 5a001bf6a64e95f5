#include "cornu/tensor/cpu_options.h"

#include "cornu/base/cpu_info.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {

void set_cpu_options(const CpuOptions& options) {
  runtime::ClientOptions client = default_client_options();
  if (options.num_threads != 0) client.num_threads = options.num_threads;
  client.isa = options.isa;
  detail::set_default_cpu(client);
}

std::vector<std::string> cpu_isa_level_names() {
  std::vector<std::string> names;
  for (const IsaLevel level : cpu_isa_levels()) names.emplace_back(isa_level_name(level));
  return names;
}

}  // namespace cornu::inline v0
