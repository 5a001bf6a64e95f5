#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cornu/base/error.h"

/// Internal helpers for sources (not for installed headers: they pull in fmt).
namespace cornu::inline v0 {

/// The size of the tag, "[dense] " or "[{}] ", at the start of a message's format; 0 without one.
consteval std::size_t size_of_tag(std::string_view format) {
  if (!format.starts_with('[')) return 0;
  const std::size_t end = format.find(']');
  if (end == std::string_view::npos || end == 1 || !format.substr(end).starts_with("] ")) return 0;
  for (const char c : format.substr(1, end - 1)) {
    const bool is_of_a_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_of_a_name && std::string_view("_.:{}").find(c) == std::string_view::npos) return 0;
  }
  return end + 2;
}

/// The format of an error or a message. A tag at its start is the notation for ErrorFields::op or
/// LogMessage::component: the compiler splits it off, so that texts need not be searched for it later.
template <typename... Args>
struct TaggedFormat {
  template <std::size_t N>
  consteval TaggedFormat(const char (&text)[N]) : format(text), tag_size(size_of_tag({text, N - 1})) {}

  fmt::format_string<Args...> format;
  std::size_t tag_size;
};

/// The parts of "[dense] units must be 3".
struct TaggedText {
  std::string tag;   // "dense"; empty without one
  std::string text;  // "units must be 3"
};
TaggedText format_tagged(fmt::string_view format, std::size_t tag_size, fmt::format_args args);

/// Throws Error(code) with the formatted message, whose first `tag_size` characters of format are the tag.
[[noreturn]] void fail_formatted(ErrorCode code, ErrorFields fields, fmt::string_view format,
                                 std::size_t tag_size, fmt::format_args args);

/// Throws Error(code) with a formatted message and fields:
///
///     fail(ErrorCode::kNotFound, {.layer = name()}, "[load] no weight \"{}\"", path);
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, ErrorFields fields, TaggedFormat<std::type_identity_t<Args>...> format,
                       Args&&... args) {
  fail_formatted(code, std::move(fields), format.format, format.tag_size, fmt::make_format_args(args...));
}
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, TaggedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  fail_formatted(code, {}, format.format, format.tag_size, fmt::make_format_args(args...));
}

/// Throws Error(kInvalidArgument) with a formatted message, and fields.
template <typename... Args>
[[noreturn]] void invalid_argument(ErrorFields fields, TaggedFormat<std::type_identity_t<Args>...> format,
                                   Args&&... args) {
  fail_formatted(ErrorCode::kInvalidArgument, std::move(fields), format.format, format.tag_size,
                 fmt::make_format_args(args...));
}
template <typename... Args>
[[noreturn]] void invalid_argument(TaggedFormat<std::type_identity_t<Args>...> format, Args&&... args) {
  fail_formatted(ErrorCode::kInvalidArgument, {}, format.format, format.tag_size,
                 fmt::make_format_args(args...));
}

/// Prints file, line, condition and message to stderr and aborts, for bugs of Cornu. Bypasses the program's
/// log sink: after a broken invariant, a lock or the program's code might prevent the abort.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message);

}  // namespace cornu::inline v0

/// Aborts with the formatted values if an invariant of Cornu does not hold.
#define CORNU_CHECK(condition, ...)                                                         \
  do {                                                                                      \
    if (!(condition)) [[unlikely]]                                                          \
      ::cornu::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
