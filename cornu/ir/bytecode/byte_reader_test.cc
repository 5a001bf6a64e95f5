#include "cornu/ir/bytecode/byte_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "cornu/ir/bytecode/byte_writer.h"

namespace cornu::inline v0::ir::bytecode {
namespace {

std::uint64_t number_in(std::string_view bytes) {
  const text::Source source(bytes, "program", text::SourceForm::kBytecode);
  ByteReader reader(source, 0, bytes.size());
  const std::uint64_t number = reader.varint();
  EXPECT_TRUE(reader.is_at_end());
  return number;
}

TEST(ByteReaderTest, ZerosAtTheLowEndOfTheFirstByteCountTheOthers) {
  EXPECT_EQ(number_in("\x01"), 0);
  EXPECT_EQ(number_in("\xff"), 127);
  EXPECT_EQ(number_in(std::string_view("\x02\x02", 2)), 128);
  EXPECT_EQ(number_in("\xfe\xff"), (1 << 14) - 1);
  EXPECT_EQ(number_in(std::string_view("\x80\x01\0\0\0\0\0\0", 8)), 1);
  EXPECT_EQ(number_in(std::string_view("\0\xff\xff\xff\xff\xff\xff\xff\xff", 9)),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(ByteReaderTest, SignedNumbersAreZigzagEncoded) {
  const std::string_view bytes("\x01\x03\x05\0\xff\xff\xff\xff\xff\xff\xff\xff", 12);
  const text::Source source(bytes, "program", text::SourceForm::kBytecode);
  ByteReader reader(source, 0, bytes.size());
  for (const std::int64_t expected :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(reader.signed_varint(), expected);
}

TEST(ByteReaderTest, NumbersThatAreWrittenAreRead) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const std::uint64_t number : {std::uint64_t{1} << bits, (std::uint64_t{1} << bits) - 1}) {
      EXPECT_EQ(number_in(ByteWriter().varint(number).bytes()), number);
      const auto signed_number = static_cast<std::int64_t>(number);
      const auto negated = static_cast<std::int64_t>(0 - number);  // the smallest number's is itself
      for (const std::int64_t each : {signed_number, negated}) {
        const std::string bytes = ByteWriter().signed_varint(each).bytes();
        const text::Source source(bytes, "program", text::SourceForm::kBytecode);
        EXPECT_EQ(ByteReader(source, 0, bytes.size()).signed_varint(), each);
      }
    }
  }
}

TEST(ByteReaderTest, AnErrorHasTheOffsetOfTheByte) {
  const text::Source source("\x01\x02", "p.mlirbc", text::SourceForm::kBytecode);
  ByteReader reader(source, 0, source.size());
  EXPECT_EQ(reader.varint(), 0);
  try {
    reader.varint();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "p.mlirbc: byte 2: expected 1 more bytes; this part of the bytecode has 0");
  }
}

}  // namespace
}  // namespace cornu::inline v0::ir::bytecode
