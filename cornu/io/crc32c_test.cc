#include "cornu/io/crc32c.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace cornu::inline v0::io {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Crc32cTest, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(crc32c({}), 0u);
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xE3069283u);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32)), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xFF})), 0x62A8AB43u);
}

TEST(Crc32cTest, TheInstructionAndTheTableAgreeAtEveryLengthAndPlace) {
  std::vector<std::byte> bytes(5000);
  std::uint32_t state = 1;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
  for (std::size_t begin = 0; begin < 9; ++begin)
    for (std::size_t size = 0; begin + size <= bytes.size(); size += size < 40 ? 1 : 97) {
      const std::span<const std::byte> part = std::span(bytes).subspan(begin, size);
      ASSERT_EQ(crc32c(part, 77), detail::crc32c_by_table(part, 77)) << begin << ", " << size;
    }
}

TEST(Crc32cTest, PartsGoOnWhereTheOnesBeforeThemEnd) {
  EXPECT_EQ(crc32c(bytes_of("56789"), crc32c(bytes_of("1234"))), crc32c(bytes_of("123456789")));
}

}  // namespace
}  // namespace cornu::inline v0::io
