#include "cornu/data/prepared/json_support.h"

#include <fmt/format.h>

#include <limits>

#include "cornu/base/parse_number.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data::tfds {

using nlohmann::json;

json parse_object(std::string_view text, std::string_view name) {
  json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object()) io::corrupt(name, 0, "no JSON object");
  return parsed;
}

const json* find_member(const json& object, const char* key, json::value_t type, std::string_view name) {
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  if (found->type() != type) io::corrupt(name, 0, fmt::format("\"{}\" is of another type", key));
  return &*found;
}

std::string text_member(const json& object, const char* key, std::string_view name) {
  const json* const found = find_member(object, key, json::value_t::string, name);
  return found == nullptr ? "" : found->get<std::string>();
}

std::int64_t integer_of(const json& value, const char* what, std::string_view name) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return value.get<std::int64_t>();
  if (value.is_number_integer() && !value.is_number_unsigned()) return value.get<std::int64_t>();
  if (value.is_string()) {
    const auto number = parse_number<std::int64_t>(value.get_ref<const std::string&>());
    if (number.has_value()) return *number;
  }
  io::corrupt(name, 0, fmt::format("{} is not an integer of 64 bits", what));
}

}  // namespace cornu::inline v0::data::tfds
