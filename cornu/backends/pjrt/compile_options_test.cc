#include "cornu/backends/pjrt/compile_options.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

TEST(CompileOptionsTest, TheNumbersOfReplicasAndPartitionsAreAlwaysThere) {
  EXPECT_EQ(hex(encode_compile_options({})), "1a0420012801");
}

TEST(CompileOptionsTest, DevicesBecomeAnAssignment) {
  EXPECT_EQ(hex(encode_compile_options({.devices = {0, 1}})), "1a10200228014a0a080210011a040a020001");
  // A number of two bytes in a varint.
  EXPECT_EQ(hex(encode_compile_options({.devices = {300}})), "1a10200128014a0a080110011a040a02ac02");
}

TEST(CompileOptionsTest, OptionsGoByTheTypeThatTheyLookLike) {
  const auto entry = [](const std::string& value) {
    return hex(encode_compile_options({.xla_options = {{"x", value}}}))
        .substr(std::string("1a0420012801").size());
  };
  EXPECT_EQ(entry("true"), "3a070a017812021001");
  EXPECT_EQ(entry("false"), "3a070a017812021000");
  EXPECT_EQ(entry("5"), "3a070a017812021805");
  EXPECT_EQ(entry("0.5"), "3a0e0a0178120921000000000000e03f");
  EXPECT_EQ(entry("ab"), "3a090a017812040a026162");
}

TEST(CompileOptionsTest, XlaFlagsAreWordsWithTwoDashes) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"xla_a", "1"}, {"xla_b", "true"}, {"c", "x=y"}};
  EXPECT_EQ(parse_xla_flags("  --xla_a=1 --xla_b\n--c=x=y "), expected);
  EXPECT_TRUE(parse_xla_flags("").empty());
  for (const char* bad : {"xla_a=1", "-x", "--", "--a b"}) {
    try {
      parse_xla_flags(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
