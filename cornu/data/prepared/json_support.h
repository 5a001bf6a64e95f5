#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Parsing of untrusted JSON files. Protocol buffers write 64-bit integers as texts.
namespace cornu::inline v0::data::tfds {

/// Errors: DataLoss, with the file's name, unless the text is an object.
nlohmann::json parse_object(std::string_view text, std::string_view name);

/// A member, or null if it is missing. Errors: DataLoss if it is not of type `type`.
const nlohmann::json* find_member(const nlohmann::json& object, const char* key, nlohmann::json::value_t type,
                                  std::string_view name);
/// A text; "" if it is missing.
std::string text_member(const nlohmann::json& object, const char* key, std::string_view name);
/// The integer in a number, or in the text of a number.
std::int64_t integer_of(const nlohmann::json& value, const char* what, std::string_view name);

}  // namespace cornu::inline v0::data::tfds
