#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cornu/base/compiler.h"

namespace cornu::inline v0 {

/// Types accepted as text: a string, a view, a literal, a std::filesystem::path or another class that
/// converts to one of the first two.
template <typename T>
concept StringLike = !std::is_same_v<std::remove_cvref_t<T>, std::nullptr_t> &&
                     (std::convertible_to<T, std::string_view> || std::convertible_to<T, std::string>);

// A separate namespace, so that argument-dependent lookup finds no function of cornu for these types.
namespace argument_detail {

/// The type of parameters that take a text and keep or pass on a std::string. A parameter of type std::string
/// also accepts braces, through constructors of std::string that cut the text or read past its end:
///
///     load_model({.path = path, .append = true});  // GCC 12, without a warning: std::string(path, 1)
///     load_model({"a.keras", "b.keras"});          // std::string(begin, end)
///
/// This class has no constructor with two arguments or a list, so the compiler rejects such braces; braces
/// around one text are that text. A list constructor, even a deleted one, would make GCC 12 accept `{.path =
/// path}` (tests/interface).
class StringArgument : public std::string {
 public:
  template <typename T>
    requires(StringLike<T> && !std::derived_from<std::remove_cvref_t<T>, StringArgument>)
  StringArgument(T&& text) : std::string(made_from(std::forward<T>(text))) {}

 private:
  template <typename T>
  static std::string made_from(T&& text) {
    if constexpr (std::is_convertible_v<T, const char*>) {
      const char* const begin = text;
      return begin == nullptr ? std::string() : std::string(begin);
    } else if constexpr (std::convertible_to<T, std::string>) {
      return std::forward<T>(text);
    } else {
      return std::string(static_cast<std::string_view>(text));
    }
  }
};

/// The type of parameters that only read a text.
/// Lifetime: that of its source, which as an argument lasts for the call.
class StringViewArgument : public std::string_view {
 public:
  template <typename T>
    requires(std::convertible_to<T, std::string_view> && StringLike<T> &&
             !std::derived_from<std::remove_cvref_t<T>, StringViewArgument>)
  constexpr StringViewArgument(T&& text) : std::string_view(made_from(text)) {}

 private:
  template <typename T>
  static constexpr std::string_view made_from(const T& text) {
    if constexpr (std::is_convertible_v<const T&, const char*>) {
      const char* const begin = text;
      return begin == nullptr ? std::string_view() : std::string_view(begin);
    } else {
      return text;
    }
  }
};

}  // namespace argument_detail

using argument_detail::StringArgument;
using argument_detail::StringViewArgument;

}  // namespace cornu::inline v0
