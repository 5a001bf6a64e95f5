#include "cornu/backends/remote/wire/streaming_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if __has_include(<emmintrin.h>)  // every x86-64; others copy as usual
#include <emmintrin.h>
#endif

namespace cornu::inline v0::backends::remote {

void streaming_copy(std::span<const std::byte> from, std::byte* to) {
#ifdef __SSE2__
  constexpr std::size_t kWord = sizeof(__m128i), kLine = 4 * kWord;
  const std::size_t before = (kWord - reinterpret_cast<std::uintptr_t>(to) % kWord) % kWord;
  if (from.size() >= before + kLine) {
    std::memcpy(to, from.data(), before);
    to += before;
    from = from.subspan(before);
    for (; from.size() >= kLine; from = from.subspan(kLine), to += kLine) {
      const auto* const words = reinterpret_cast<const __m128i*>(from.data());
      auto* const places = reinterpret_cast<__m128i*>(to);
      const __m128i line[] = {_mm_loadu_si128(words), _mm_loadu_si128(words + 1), _mm_loadu_si128(words + 2),
                              _mm_loadu_si128(words + 3)};
      for (std::size_t i = 0; i < 4; ++i) _mm_stream_si128(places + i, line[i]);
    }
    _mm_sfence();
  }
#endif
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

}  // namespace cornu::inline v0::backends::remote
