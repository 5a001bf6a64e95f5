#pragma once

#include <cstddef>
#include <span>

namespace cornu::inline v0::backends::remote {

/// Size from which copies would not stay in a processor's caches anyway.
inline constexpr std::size_t kStreamingBytes = std::size_t{32} << 20;

/// Copies bytes past the caches: the memory at `to` is not fetched before the write, and the caches keep
/// their contents. For parts of transfers of kStreamingBytes and more.
void streaming_copy(std::span<const std::byte> from, std::byte* to);

}  // namespace cornu::inline v0::backends::remote
