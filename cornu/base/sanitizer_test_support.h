#pragma once

namespace cornu::inline v0 {

/// True if a sanitizer's allocator is in use: it keeps freed memory, and ends the program where other
/// allocators return an error. GCC and Clang announce sanitizers differently.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace cornu::inline v0
