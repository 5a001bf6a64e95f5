#include "cornu/ir/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "cornu/base/error.h"

namespace cornu::inline v0::ir {
namespace {

std::uint16_t bits_of(DType dtype, double value) {
  const Literal literal = Literal::scalar(dtype, value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, literal.bytes().data(), sizeof bits);
  return bits;
}

TEST(LiteralTest, HoldsValuesInRowMajorOrder) {
  const Literal literal = Literal::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(literal.type(), (TensorType{DType::kI32, {2, 2}}));
  EXPECT_EQ(literal.at(2), 3);
  EXPECT_EQ(literal.data<std::int32_t>()[3], 4);
  EXPECT_THROW(Literal::of<float>({2}, {1, 2, 3}), Error);
}

TEST(LiteralTest, BeginsWithZeros) {
  EXPECT_EQ(Literal({DType::kF32, {2}}), Literal::of<float>({2}, {0, 0}));
}

TEST(LiteralTest, EqualityIsOfBits) {
  const float nan = std::nanf("");
  EXPECT_EQ(Literal::of<float>({1}, {nan}), Literal::of<float>({1}, {nan}));
  EXPECT_NE(Literal::of<float>({1}, {0.0f}), Literal::of<float>({1}, {-0.0f}));
  EXPECT_NE(Literal::of<float>({1}, {0}), Literal::of<float>({1, 1}, {0}));
  EXPECT_NE(Literal::of<std::int32_t>({1}, {0}), Literal::of<float>({1}, {0}));
}

TEST(LiteralTest, KnowsSplats) {
  EXPECT_TRUE(Literal::of<float>({3}, {2, 2, 2}).is_splat());
  EXPECT_FALSE(Literal::of<float>({3}, {2, 2, 3}).is_splat());
  EXPECT_FALSE(Literal::of<float>({2}, {0.0f, -0.0f}).is_splat());
  EXPECT_FALSE(Literal({DType::kF32, {0}}).is_splat());
}

TEST(LiteralTest, F16RoundsToNearestEven) {
  EXPECT_EQ(bits_of(DType::kF16, 1), 0x3c00);
  EXPECT_EQ(bits_of(DType::kF16, -2), 0xc000);
  EXPECT_EQ(bits_of(DType::kF16, -0.0), 0x8000);
  EXPECT_EQ(bits_of(DType::kF16, 1 + 0x1p-11), 0x3c00);            // halfway, to the even one below
  EXPECT_EQ(bits_of(DType::kF16, 1 + 3 * 0x1p-11), 0x3c02);        // halfway, to the even one above
  EXPECT_EQ(bits_of(DType::kF16, 1 + 0x1p-11 + 0x1p-30), 0x3c01);  // just above halfway
  EXPECT_EQ(bits_of(DType::kF16, 2 - 0x1p-12), 0x4000);            // rounds into the next power of two
  EXPECT_EQ(bits_of(DType::kF16, 65504), 0x7bff);
  EXPECT_EQ(bits_of(DType::kF16, 65519.99), 0x7bff);
  EXPECT_EQ(bits_of(DType::kF16, 65520), 0x7c00);
  EXPECT_EQ(bits_of(DType::kF16, HUGE_VAL), 0x7c00);
  EXPECT_EQ(bits_of(DType::kF16, std::nan("")), 0x7e00);
}

TEST(LiteralTest, F16HasSubnormals) {
  EXPECT_EQ(bits_of(DType::kF16, 0x1p-24), 0x0001);
  EXPECT_EQ(bits_of(DType::kF16, 0x1p-25), 0x0000);
  EXPECT_EQ(bits_of(DType::kF16, 0x1.8p-24), 0x0002);
  EXPECT_EQ(bits_of(DType::kF16, 0x1p-14 - 0x1p-24), 0x03ff);
  EXPECT_EQ(bits_of(DType::kF16, 0x1p-14 - 0x1p-26), 0x0400);  // rounds up to the smallest normal number
  EXPECT_EQ(Literal::scalar(DType::kF16, 0x1p-24).at(0), 0x1p-24);
}

TEST(LiteralTest, BF16RoundsToNearestEven) {
  EXPECT_EQ(bits_of(DType::kBF16, 1), 0x3f80);
  EXPECT_EQ(bits_of(DType::kBF16, 1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(bits_of(DType::kBF16, 1 + 3 * 0x1p-8), 0x3f82);
  EXPECT_EQ(bits_of(DType::kBF16, -HUGE_VAL), 0xff80);
  EXPECT_EQ(bits_of(DType::kBF16, 3.4e38), 0x7f80);
  EXPECT_EQ(bits_of(DType::kBF16, std::nan("")), 0x7fc0);
}

TEST(LiteralTest, HalfPrecisionReadsBack) {
  for (DType dtype : {DType::kF16, DType::kBF16}) {
    for (double value : {0.0, 1.0, -2.5, 0.15625, 1024.0})
      EXPECT_EQ(Literal::scalar(dtype, value).at(0), value);
    EXPECT_TRUE(std::isnan(Literal::scalar(dtype, std::nan("")).at(0)));
    EXPECT_EQ(Literal::scalar(dtype, -HUGE_VAL).at(0), -HUGE_VAL);
  }
}

TEST(LiteralTest, ScalarsOfIntegersSaturate) {
  EXPECT_EQ(Literal::scalar(DType::kU8, 256).data<std::uint8_t>()[0], 255);
  EXPECT_EQ(Literal::scalar(DType::kU8, -1).data<std::uint8_t>()[0], 0);
  EXPECT_EQ(Literal::scalar(DType::kI8, 128).data<std::int8_t>()[0], 127);
  EXPECT_EQ(Literal::scalar(DType::kI32, HUGE_VAL).data<std::int32_t>()[0],
            std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(Literal::scalar(DType::kI32, std::nan("")).data<std::int32_t>()[0], 0);
  EXPECT_EQ(Literal::scalar(DType::kI64, 0x1p63).data<std::int64_t>()[0],
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Literal::scalar(DType::kI64, -1e300).data<std::int64_t>()[0],
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Literal::scalar(DType::kU64, 0x1p64).data<std::uint64_t>()[0],
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Literal::scalar(DType::kU64, 0x1p63).data<std::uint64_t>()[0], std::uint64_t{1} << 63);
  EXPECT_EQ(Literal::scalar(DType::kI1, 2).data<bool>()[0], true);
}

}  // namespace
}  // namespace cornu::inline v0::ir
