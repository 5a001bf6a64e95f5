#include "cornu/io/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string_view>
#include <vector>

namespace cornu::inline v0::io {
namespace {

TEST(Crc32Test, GivesTheValueOfTheStandard) {
  const std::string_view text = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(text))), 0xCBF43926u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32({}, 77), 77u);
}

TEST(Crc32Test, AgreesWithZlibAtEveryLengthAndPlaceAndGoesOnWithOtherBytes) {
  std::vector<std::byte> bytes(5000);
  std::uint32_t state = 1;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
  for (std::size_t begin = 0; begin < 17; ++begin)
    for (std::size_t size = 0; begin + size <= bytes.size(); size += size < 400 ? 1 : 97) {
      const std::span<const std::byte> part = std::span(bytes).subspan(begin, size);
      const std::uint32_t before = state * static_cast<std::uint32_t>(size);
      ASSERT_EQ(crc32(part, before),
                ::crc32_z(before, reinterpret_cast<const Bytef*>(part.data()), part.size()))
          << begin << ", " << size;
    }
}

}  // namespace
}  // namespace cornu::inline v0::io
