#include "cornu/backends/remote/worker/message_size.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr FieldKinds kKinds{.bytes = {1, 4}, .numbers = {2}};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string field(int number, std::string_view bytes) {
  std::string text;
  append_field_head(text, number, bytes.size());
  return text + std::string(bytes);
}

std::size_t size_of_message(std::string_view message) {
  return expanded_bytes({bytes_of(message)}, kKinds).value_or(0);
}

TEST(MessageSizeTest, ListsCountWithTheirObjectsAndBytesAsTheyAre) {
  EXPECT_EQ(size_of_message(""), 0U);
  EXPECT_EQ(size_of_message(field(1, std::string(1000, 'x')) + field(4, std::string(1000, 'x'))), 2000U);
  EXPECT_EQ(size_of_message(field(2, std::string(100, '\x01'))), 100U * 24) << "a list of numbers";
  EXPECT_EQ(size_of_message(field(2, "\x96\x01\xff\xff\x01")), 2U * 24) << "numbers of several bytes";
  EXPECT_EQ(size_of_message("\x10\x05\x10\x96\x01"), 2U * 24) << "the same, not packed";
  std::string messages;
  for (int i = 0; i < 100; ++i) messages += field(3, "");
  EXPECT_EQ(size_of_message(messages), 100U * 2 * kMostExpansion) << "empty messages";
  EXPECT_EQ(size_of_message(field(9, std::string(50, '\0'))), 52U * kMostExpansion) << "an unknown field";
}

TEST(MessageSizeTest, BytesMayLieApart) {
  const std::string message = field(1, "name") + field(2, "\x96\x01\xff\xff\x01") + field(3, "abc") +
                              std::string(
                                  "\x1d"
                                  "1234"
                                  "\x29"
                                  "12345678"
                                  "\x0b\x0c");
  const std::size_t whole = size_of_message(message);
  EXPECT_EQ(whole, 4 + 2U * 24 + 5 * kMostExpansion + 4 * 24);
  const std::string_view all = message;
  for (std::size_t cut = 0; cut <= all.size(); ++cut)
    EXPECT_EQ(expanded_bytes({bytes_of(all.substr(0, cut)), {}, bytes_of(all.substr(cut))}, kKinds), whole);
}

TEST(MessageSizeTest, WhatIsNoMessageIsToldApart) {
  for (const std::string& wrong :
       {std::string("\x12"), std::string("\x12\x05xx"), std::string("\x08"), std::string("\x08\xff"),
        std::string("\x0d\x01"), std::string("\x09\x01"), std::string("\x0e"), std::string(11, '\xff')})
    EXPECT_FALSE(expanded_bytes({bytes_of(wrong)}, kKinds).has_value()) << wrong;
}

TEST(MessageSizeTest, LargeOnesAreTakenFromTheQuotaBeforeTheyAreRead) {
  MemoryQuota quota(10 << 20);
  const auto count = [&](const std::string& message) {
    return count_message(quota, {bytes_of(message)}, kKinds);
  };
  const std::string numbers = field(2, std::string(100'000, '\x01'));
  {
    const QuotaShare share = count(numbers), another = count(numbers);
    EXPECT_EQ(quota.used_bytes(), 2 * 2'400'000U);
  }
  EXPECT_EQ(quota.used_bytes(), 0U);
  const QuotaShare small = count(field(3, std::string(10'000, 'x')));
  EXPECT_EQ(quota.used_bytes(), 0U) << "small ones do not count";
  {
    const QuotaShare bytes = count(field(4, std::string(2 << 20, 'x')));
    EXPECT_EQ(quota.used_bytes(), 2U << 20);
  }
  EXPECT_NE(error_text_of([&] { count(field(4, std::string(20 << 20, 'x'))); }).find("takes 20971520 bytes"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              count(field(3, std::string(1 << 20, 'x')));
            }).find("a decoded message takes 100663488 bytes; of 10485760"),
            std::string::npos);
  EXPECT_EQ(error_text_of([&] { count(std::string(1 << 20, '\xff')); }),
            "[worker] a message is not a protobuf message");
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
