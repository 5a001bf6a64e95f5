#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "cornu/distribute/cluster_resolver/cluster_spec.h"

namespace cornu::inline v0::distribute {

/// Errors: InvalidArgument with line and column, said by `tag`.
nlohmann::json parse_json(std::string_view text, const char* tag);
/// A cluster as TF_CONFIG has it. Errors: InvalidArgument that names the job, said by `tag`.
ClusterSpec to_cluster_spec(const nlohmann::json& json, const char* tag);

}  // namespace cornu::inline v0::distribute
