#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// The properties of this machine that decide its speed: processor, architecture, number of processors,
/// memory, instruction sets, cache; its GPUs, its cloud and the cloud's name of the machine type where files
/// of the firmware, of drivers or of cloud-init tell them. Uses no network.
nlohmann::ordered_json describe_machine();

/// Names of a machine in files below `root`, "/" of a running system.
struct MachineNames {
  std::string cloud;              // "aws", "azure" or "gcp"; empty: none, or not known
  std::string instance_type;      // "c7i.xlarge"; empty: not known
  std::vector<std::string> gpus;  // one for each, as its driver names it
};
/// Reads the firmware's names (AWS has the type there), cloud-init's instance data (AWS, Azure and GCP), and
/// those of the NVIDIA and AMD drivers. Files that are missing or malformed have no names.
MachineNames read_machine_names(const std::filesystem::path& root);

}  // namespace cornu::inline v0::study
