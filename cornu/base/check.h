#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cornu/base/error.h"

/// Internal helpers for sources (not for installed headers: they pull in fmt).
namespace cornu::inline v0 {

/// Throws Error(kInvalidArgument) with a formatted message.
template <typename... Args>
[[noreturn]] void invalid_argument(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorCode::kInvalidArgument, fmt::format(format, std::forward<Args>(args)...));
}

/// Throws Error(code) with a formatted message.
template <typename... Args>
[[noreturn]] void fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// Prints file, line, condition and message to stderr and aborts: our own bug.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message);

}  // namespace cornu::inline v0

/// Aborts with the formatted values when our own invariant does not hold.
#define CORNU_CHECK(condition, ...)                                                         \
  do {                                                                                      \
    if (!(condition)) [[unlikely]]                                                          \
      ::cornu::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
