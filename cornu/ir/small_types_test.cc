#include "cornu/ir/small_types.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cornu/ir/literal.h"
#include "cornu/ir/small_types_values_test_support.h"

namespace cornu::inline v0::ir {
namespace {

TEST(SmallTypesTest, EachCodeOfASmallFloatIsTheNumberOfMlDtypes) {
  for (const SmallFloatCodes& codes : kSmallFloatCodes)
    for (int code = 0; code < 1 << bit_width(codes.dtype); ++code) {
      const double wanted = std::bit_cast<float>(codes.values[code]),
                   value = small_to_double(codes.dtype, static_cast<std::uint8_t>(code));
      EXPECT_TRUE(std::isnan(wanted) ? std::isnan(value)
                                     : value == wanted && std::signbit(value) == std::signbit(wanted))
          << stablehlo_name(codes.dtype) << " " << code << ": " << value << ", wanted " << wanted;
      if (!std::isnan(wanted)) {
        EXPECT_EQ(small_from_double(codes.dtype, wanted), code) << stablehlo_name(codes.dtype);
      }
    }
}

TEST(SmallTypesTest, NumbersRoundAsInMlDtypes) {
  for (const SmallFloatRoundings& of_dtype : kSmallFloatRoundings)
    for (const SmallFloatRounding& row : of_dtype.rows) {
      const double value = std::bit_cast<float>(row.from);
      EXPECT_EQ(small_from_double(of_dtype.dtype, value), row.to)
          << stablehlo_name(of_dtype.dtype) << " of " << value;
    }
}

TEST(SmallTypesTest, IntegersSaturateAndBitsWrap) {
  EXPECT_EQ(small_from_double(DType::kI4, 100), 7);
  EXPECT_EQ(static_cast<std::int8_t>(small_from_double(DType::kI4, -100)), -8);
  EXPECT_EQ(static_cast<std::int8_t>(small_from_double(DType::kI2, -1.9)), -1);
  EXPECT_EQ(small_from_double(DType::kU4, 100), 15);
  EXPECT_EQ(small_from_double(DType::kU2, -1), 0);
  EXPECT_EQ(small_from_double(DType::kI4, std::nan("")), 0);
  EXPECT_EQ(static_cast<std::int8_t>(small_from_bits(DType::kI4, 8)), -8);
  EXPECT_EQ(small_from_bits(DType::kU2, 0xff), 3);
  EXPECT_EQ(small_to_double(DType::kI4, small_from_bits(DType::kI4, 0x1f)), -1);
}

TEST(SmallTypesTest, LiteralsHoldSmallNumbers) {
  EXPECT_EQ(Literal::scalar(DType::kI4, -3).at(0), -3);
  EXPECT_EQ(Literal::scalar(DType::kU4, 13).at(0), 13);
  EXPECT_EQ(Literal::scalar(DType::kF8E4M3FN, 3.1).at(0), 3);
  EXPECT_EQ(Literal::scalar(DType::kF4E2M1FN, 100).at(0), 6);
}

}  // namespace
}  // namespace cornu::inline v0::ir
