#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cornu::inline v0::study {

/// The properties of this machine that decide its speed: processor, architecture, number of processors,
/// memory, instruction sets, cache, and the cloud's name of the machine type where the firmware tells it.
nlohmann::ordered_json describe_machine();

/// The cloud's name of a machine type from the firmware's product and vendor names: "c7i.xlarge"; empty where
/// they name none.
std::string instance_type_of(const std::string& vendor, const std::string& product);

}  // namespace cornu::inline v0::study
