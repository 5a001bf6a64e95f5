#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "cornu/distribute/cluster_resolver/cluster_spec.h"

namespace cornu::inline v0::distribute {

/// Errors: InvalidArgument with `tag`, line and column.
nlohmann::json parse_json(std::string_view text, const char* tag);
/// Parses a cluster in the form of TF_CONFIG. Errors: InvalidArgument with `tag` and the job.
ClusterSpec to_cluster_spec(const nlohmann::json& json, const char* tag);

}  // namespace cornu::inline v0::distribute
