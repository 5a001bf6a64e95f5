#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cornu::inline v0::distribute {

/// YAML as JSON: maps, lists, and scalars, which all become texts. References between parts ("*a") are
/// refused, since they make small files large.
/// Errors: FailedPrecondition that names the file, line and column.
nlohmann::json parse_yaml(std::string_view text, const std::string& name);

}  // namespace cornu::inline v0::distribute
