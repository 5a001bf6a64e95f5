#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

namespace cornu::inline v0 {

/// A callable that can be empty, as std::function and pointers to functions can.
template <typename F>
concept NullableCallable =
    std::constructible_from<F, std::nullptr_t> && std::constructible_from<bool, const F&>;

/// Throws InvalidArgument: `argument` of `caller` is empty.
[[noreturn]] void fail_empty_function(std::string_view caller, std::string_view argument);

template <typename F>
bool is_callable(const F& function) {
  if constexpr (NullableCallable<F>) return static_cast<bool>(function);
  return true;
}

/// Refuses what cannot be called where it is given, not where it would be called. Errors: InvalidArgument.
template <typename F>
void check_callable(std::string_view caller, std::string_view argument, const F& function) {
  if (!is_callable(function)) fail_empty_function(caller, argument);
}

}  // namespace cornu::inline v0
