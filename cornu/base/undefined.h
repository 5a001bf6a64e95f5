#pragma once

namespace cornu::inline v0 {

/// Throws FailedPrecondition: `what` ("variable") was used but refers to nothing.
[[noreturn]] void throw_undefined(const char* what);

/// Dereferences a handle's pointer. All handle classes use it, so that use of a default-constructed, null or
/// moved-from handle throws an error instead of crashing. The check is cheap: the pointer is loaded anyway.
/// Errors: FailedPrecondition, with `what`, for a null pointer.
template <typename Pointer>
decltype(auto) require_defined(const Pointer& pointer, const char* what) {
  if (pointer == nullptr) [[unlikely]]
    throw_undefined(what);
  return *pointer;
}

}  // namespace cornu::inline v0
