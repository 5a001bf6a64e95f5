#pragma once

namespace cornu::inline v0::keras {

/// False under sanitizers: their allocators end the program where others refuse.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kAllocatorRefuses = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool kAllocatorRefuses = false;
#else
inline constexpr bool kAllocatorRefuses = true;
#endif
#else
inline constexpr bool kAllocatorRefuses = true;
#endif

}  // namespace cornu::inline v0::keras
