#pragma once

#include <cstddef>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/base/log.h"

/// Internal, like check.h: logging without exceptions.
namespace cornu::inline v0 {

/// Logs the formatted text; the first `tag_size` characters of `format` are the tag.
void log_formatted(LogSeverity severity, fmt::string_view format, std::size_t tag_size,
                   fmt::format_args args) noexcept;

/// Logs a warning to the current sink (see log.h). The tag at the start is its component:
///
///     log_warning("[fit] the data ran out before epoch {} of {}", epoch, epochs);
template <typename... Args>
void log_warning(TaggedFormat<std::type_identity_t<Args>...> format, Args&&... args) noexcept {
  log_formatted(LogSeverity::kWarning, format.format, format.tag_size, fmt::make_format_args(args...));
}

/// Logs an error that cannot be thrown.
template <typename... Args>
void log_error(TaggedFormat<std::type_identity_t<Args>...> format, Args&&... args) noexcept {
  log_formatted(LogSeverity::kError, format.format, format.tag_size, fmt::make_format_args(args...));
}

}  // namespace cornu::inline v0
