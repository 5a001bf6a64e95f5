#include "cornu/base/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace cornu::inline v0 {
namespace {

TEST(ParseNumberTest, ReadsATextThatIsANumber) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500.0);
}

TEST(ParseNumberTest, ReadsNoPartOfAText) {
  for (const std::string text : {"", " 1", "1 ", "1.", "+1", "0x10", "one"})
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<double>("1.5s"), std::nullopt);
}

TEST(ParseNumberTest, ReadsNoNumberBeyondTheRange) {
  EXPECT_EQ(parse_number<int>("2147483648"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1e400"), std::nullopt);
}

}  // namespace
}  // namespace cornu::inline v0
