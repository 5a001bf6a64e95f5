#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

namespace cornu::inline v0 {

/// A callable that can be empty, such as std::function and function pointers.
template <typename F>
concept NullableCallable =
    std::constructible_from<F, std::nullptr_t> && std::constructible_from<bool, const F&>;

/// Throws InvalidArgument for an empty `argument` of `caller`.
[[noreturn]] void fail_empty_function(std::string_view caller, std::string_view argument);

template <typename F>
bool is_callable(const F& function) {
  if constexpr (NullableCallable<F>) return static_cast<bool>(function);
  return true;
}

/// Rejects an empty callable when it is passed, not when it would be called. Errors: InvalidArgument.
template <typename F>
void check_callable(std::string_view caller, std::string_view argument, const F& function) {
  if (!is_callable(function)) fail_empty_function(caller, argument);
}

}  // namespace cornu::inline v0
