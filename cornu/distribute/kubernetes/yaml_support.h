#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cornu::inline v0::distribute {

/// Converts YAML to JSON: maps, lists, and scalars, which all become texts. References between parts ("*a")
/// are rejected, since they let small files expand.
/// Errors: FailedPrecondition with the file, line and column.
nlohmann::json parse_yaml(std::string_view text, const std::string& name);

}  // namespace cornu::inline v0::distribute
