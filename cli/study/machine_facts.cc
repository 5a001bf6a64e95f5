#include "cli/study/machine_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "cornu/base/cpu_budget.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::study {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string architecture() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

/// Rounded: the kernel keeps a part that differs from start to start.
double memory_gib() {
  return std::round(static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 30));
}

}  // namespace

std::string instance_type_of(const std::string& vendor, const std::string& product) {
  return vendor == "Amazon EC2" ? product : "";
}

nlohmann::ordered_json describe_machine() {
  nlohmann::ordered_json machine = {
      {"processor", cpu_info().model_name},          {"architecture", architecture()},
      {"processors", affinity_num_cpus()},           {"instruction_sets", isa_level_name(cpu_isa_level())},
      {"l3_cache_bytes", cpu_info().l3_cache_bytes}, {"memory_gib", memory_gib()}};
  if (std::string type = instance_type_of(first_line("/sys/class/dmi/id/sys_vendor"),
                                          first_line("/sys/class/dmi/id/product_name"));
      !type.empty())
    machine["instance_type"] = std::move(type);
  return machine;
}

}  // namespace cornu::inline v0::study
