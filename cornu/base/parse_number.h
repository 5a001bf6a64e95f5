#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace cornu::inline v0 {

/// The number that is the whole text, whatever the locale; empty for other texts and beyond the range of T.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace cornu::inline v0
