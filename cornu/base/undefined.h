#pragma once

namespace cornu::inline v0 {

/// Throws FailedPrecondition: `what` ("variable") was used where it refers to nothing.
[[noreturn]] void throw_undefined(const char* what);

/// What a handle refers to. All classes that hold what they are by a pointer read it through this, so that a
/// default-constructed, null or moved-from one is an error of the caller's and not a fault; the test is of a
/// pointer that is loaded anyway.
/// Errors: FailedPrecondition, naming `what`, for a null pointer.
template <typename Pointer>
decltype(auto) require_defined(const Pointer& pointer, const char* what) {
  if (pointer == nullptr) [[unlikely]]
    throw_undefined(what);
  return *pointer;
}

}  // namespace cornu::inline v0
