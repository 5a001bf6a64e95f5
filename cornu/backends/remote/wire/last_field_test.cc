#include "cornu/backends/remote/wire/last_field.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

namespace cornu::inline v0::backends::remote {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_of(const Parts& parts) {
  std::string text(size_of(parts), '\0');
  copy_bytes(parts, reinterpret_cast<std::byte*>(text.data()));
  return text;
}

/// Field 1 is a number, field 2 text, field 3 four bytes, field 5 eight.
const std::string kHead = std::string(
    "\x08\x96\x01\x12\x03"
    "abc"
    "\x1d"
    "1234"
    "\x29"
    "12345678");

TEST(LastFieldTest, BytesLieApartAndAreFoundWhereverTheMessageIsCut) {
  std::string message = kHead;
  const std::string data(300, 'x');
  append_field_head(message, 4, data.size());
  message += data;
  for (std::size_t cut = 0; cut <= message.size(); ++cut) {
    const std::string_view all = message;
    const auto split =
        split_last_field({bytes_of(all.substr(0, cut)), bytes_of(""), bytes_of(all.substr(cut))}, 4);
    ASSERT_TRUE(split.has_value()) << cut;
    EXPECT_EQ(split->head, kHead);
    EXPECT_EQ(text_of(split->data), data);
  }
}

TEST(LastFieldTest, AMessageMayHaveNoSuchField) {
  const auto split = split_last_field({bytes_of(kHead)}, 4);
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->head, kHead);
  EXPECT_TRUE(split->data.empty());
  EXPECT_TRUE(split_last_field({}, 4).has_value());
}

TEST(LastFieldTest, WhatIsNoSuchMessageIsToldApart) {
  for (const std::string& wrong : {
           std::string("\x22\x03"
                       "abcd"),  // something follows
           std::string("\x22\x05"
                       "abcd"),                                          // cut off
           std::string("\x22"),                                          // no length
           std::string("\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),  // a length of 2^64 - 1
           std::string("\x12\x7f"
                       "ab"),        // an earlier field is cut off
           std::string(11, '\xff'),  // a tag without an end
           std::string("\x0b\x0c"),  // a group
       })
    EXPECT_FALSE(split_last_field({bytes_of(wrong)}, 4).has_value());
}

TEST(LastFieldTest, PartsAreTakenPieceByPiece) {
  PartsReader reader({bytes_of("ab"), bytes_of(""), bytes_of("cdef")});
  EXPECT_EQ(text_of(reader.take(0)), "");
  EXPECT_EQ(text_of(reader.take(3)), "abc");
  EXPECT_EQ(text_of(reader.take(3)), "def");
  EXPECT_EQ(reader.left(), 0U);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
