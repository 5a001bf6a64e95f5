#include "cli/study/machine_facts.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <string_view>

#include "cornu/base/cpu_budget.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kAzureAssetTag = "7783-7084-3265-9085-8269-3286-77";  // of all its machines

std::string first_line(const fs::path& path) {
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

std::string cloud_of(const fs::path& dmi) {
  const std::string vendor = first_line(dmi / "sys_vendor");
  if (vendor == "Amazon EC2") return "aws";
  if (vendor == "Google") return "gcp";
  if (vendor == "Microsoft Corporation" && first_line(dmi / "chassis_asset_tag") == kAzureAssetTag)
    return "azure";
  return "";
}

/// A text in an object of objects; empty where there is none.
std::string text_at(const Json& object, std::initializer_list<const char*> names) {
  const Json* at = &object;
  for (const char* const name : names) {
    if (!at->is_object() || !at->contains(name)) return "";
    at = &(*at)[name];
  }
  return at->is_string() ? at->get<std::string>() : "";
}

/// The machine type in what cloud-init got from the cloud when the machine started.
std::string type_of_cloud_init(const fs::path& path) {
  std::ifstream file(path);
  const Json data = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  const std::string found[] = {text_at(data, {"ds", "meta_data", "instance-type"}),
                               text_at(data, {"ds", "meta_data", "instance_type"}),
                               text_at(data, {"ds", "meta_data", "imds", "compute", "vmSize"}),
                               text_at(data, {"ds", "meta_data", "machine-type"}),
                               text_at(data, {"ds", "meta_data", "machine_type"})};
  for (const std::string& type : found)
    // GCP's is a path: projects/1/machineTypes/n2-standard-4.
    if (!type.empty() && type.find("redacted") == std::string::npos)
      return type.substr(type.rfind('/') == std::string::npos ? 0 : type.rfind('/') + 1);
  return "";
}

/// Entries of a folder by name; none if it does not exist.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<std::string> gpu_names(const fs::path& root) {
  std::vector<std::string> names;
  for (const fs::path& gpu : entries_of(root / "proc/driver/nvidia/gpus")) {
    std::ifstream file(gpu / "information");
    for (std::string line; std::getline(file, line);) {
      constexpr std::string_view kModel = "Model:";
      if (!line.starts_with(kModel)) continue;
      const std::size_t begin = line.find_first_not_of(" \t", kModel.size());
      if (begin != std::string::npos) names.push_back(line.substr(begin));
    }
  }
  for (const fs::path& card : entries_of(root / "sys/class/drm")) {
    const std::string name = card.filename().string();
    if (!name.starts_with("card") || name.find('-') != std::string::npos) continue;  // cards, not connectors
    if (std::string product = first_line(card / "device/product_name"); !product.empty())
      names.push_back(std::move(product));
  }
  return names;
}

}  // namespace

MachineNames read_machine_names(const std::filesystem::path& root) {
  const fs::path dmi = root / "sys/class/dmi/id";
  MachineNames names{.cloud = cloud_of(dmi), .instance_type = {}, .gpus = gpu_names(root)};
  if (names.cloud == "aws") names.instance_type = first_line(dmi / "product_name");
  if (names.instance_type.empty() && !names.cloud.empty())
    names.instance_type = type_of_cloud_init(root / "run/cloud-init/instance-data.json");
  return names;
}

nlohmann::ordered_json describe_machine() {
  Json machine = {
      {"processor", cpu_info().model_name},          {"architecture", architecture()},
      {"processors", affinity_num_cpus()},           {"instruction_sets", isa_level_name(cpu_isa_level())},
      {"l3_cache_bytes", cpu_info().l3_cache_bytes}, {"memory_gib", memory_gib()}};
  const MachineNames names = read_machine_names("/");
  if (!names.gpus.empty()) machine["gpus"] = fmt::format("{}", fmt::join(names.gpus, ", "));
  if (!names.cloud.empty()) machine["cloud"] = names.cloud;
  if (!names.instance_type.empty()) machine["instance_type"] = names.instance_type;
  return machine;
}

}  // namespace cornu::inline v0::study
