#pragma once

#include <pjrt_c_api.h>

#include <cstddef>
#include <string>
#include <type_traits>

#include "cornu/base/check.h"

/// An error that a caller of the C interface owns.
struct PJRT_Error {
  PJRT_Error_Code code = PJRT_Error_Code_UNKNOWN;
  std::string message;
};

namespace cornu::inline v0::plugin {

/// The error of the exception that is being handled.
PJRT_Error current_error() noexcept;

/// Registers the handler that finds out about forks; more calls do nothing.
void watch_forks();
/// True in a forked child of the process that loaded the plug-in: the threads of its clients stayed in the
/// parent.
bool is_forked_child();

/// Throws InvalidArgument if a caller's struct is smaller than the fields that the function uses.
void check_struct_size(std::size_t actual, std::size_t needed);
/// Throws FailedPrecondition in a forked child.
void check_not_forked();
/// Throws FailedPrecondition inside a callback, where waiting for work would never end.
void check_not_in_host_function();

/// Calls f(*args); what it throws becomes the result.
template <typename Args, typename F>
PJRT_Error* guarded(Args* args, const F& f) noexcept {
  try {
    check_struct_size(args->struct_size, sizeof(Args));
    f(*args);
    return nullptr;
  } catch (...) {
    return new PJRT_Error(current_error());
  }
}

/// Makes `function`, a lambda without captures that takes the arguments by reference, an entry of the interface.
template <typename Args, typename F>
void set_entry(PJRT_Error* (*&entry)(Args*), F) {
  static_assert(std::is_empty_v<F>);
  entry = [](Args* args) -> PJRT_Error* { return guarded(args, F{}); };
}

/// The same for a function that computes or moves data, which fails in a forked child. (JAX ends the process if
/// a function that only describes an object fails.)
template <typename Args, typename F>
void set_work(PJRT_Error* (*&entry)(Args*), F) {
  static_assert(std::is_empty_v<F>);
  entry = [](Args* args) -> PJRT_Error* {
    return guarded(args, [](Args& checked) {
      check_not_forked();
      F{}(checked);
    });
  };
}

/// The same for a function that releases an object. In a forked child it does nothing: locks of the parent's
/// threads may be held for ever.
template <typename Args, typename F>
void set_release(PJRT_Error* (*&entry)(Args*), F) {
  static_assert(std::is_empty_v<F>);
  entry = [](Args* args) -> PJRT_Error* {
    if (is_forked_child()) return nullptr;
    return guarded(args, F{});
  };
}

}  // namespace cornu::inline v0::plugin
