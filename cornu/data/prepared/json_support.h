#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Files of JSON that nobody vouches for. Protocol buffers write 64-bit integers as texts.
namespace cornu::inline v0::data::tfds {

/// Errors: DataLoss, naming the file, unless it is an object.
nlohmann::json parse_object(std::string_view text, std::string_view name);

/// A member, or null where there is none. Errors: DataLoss where it is something else than `type`.
const nlohmann::json* find_member(const nlohmann::json& object, const char* key, nlohmann::json::value_t type,
                                  std::string_view name);
/// A text, "" where there is none.
std::string text_member(const nlohmann::json& object, const char* key, std::string_view name);
/// A number or a text of one.
std::int64_t integer_of(const nlohmann::json& value, const char* what, std::string_view name);

}  // namespace cornu::inline v0::data::tfds
