#include "cornu/transform/widen_small_types.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cornu/ir/small_types.h"
#include "cornu/ir/small_types_values_test_support.h"
#include "cornu/ops/all.h"
#include "cornu/ops/parse.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Literal;

/// A vector of these bits.
Literal of_bits(DType dtype, const std::vector<std::uint8_t>& bits) {
  Literal literal(ir::TensorType{dtype, {static_cast<std::int64_t>(bits.size())}});
  for (std::size_t i = 0; i < bits.size(); ++i) literal.mutable_bytes()[i] = static_cast<std::byte>(bits[i]);
  return literal;
}

template <typename Build>
Literal run(const std::vector<Literal>& inputs, Build&& build) {
  ir::Function function;
  for (const Literal& input : inputs) function.body.add_argument(input.type());
  ir::Builder builder(function.body);
  function.body.set_results({build(builder, function.body.arguments())});
  return evaluate(function, inputs)[0];
}

TEST(WidenSmallTypesTest, AFunctionWithoutThemStays) {
  ir::Function function;
  function.body.set_results({function.body.add_argument({DType::kF16, {2}})});
  EXPECT_EQ(widen_small_types(function), nullptr);
}

TEST(WidenSmallTypesTest, EachCodeOfASmallFloatIsItsNumberAndBack) {
  for (const ir::SmallFloatCodes& codes : ir::kSmallFloatCodes) {
    std::vector<std::uint8_t> bits;
    for (int code = 0; code < 1 << ir::bit_width(codes.dtype); ++code)
      bits.push_back(static_cast<std::uint8_t>(code));
    const Literal small = of_bits(codes.dtype, bits);
    const Literal numbers = run({small}, [](ir::Builder& b, std::span<const ir::Value> v) {
      return ops::convert(b, v[0], DType::kF32);
    });
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const float wanted = std::bit_cast<float>(codes.values[i]), value = numbers.data<float>()[i];
      EXPECT_TRUE(std::isnan(wanted) ? std::isnan(value)
                                     : value == wanted && std::signbit(value) == std::signbit(wanted))
          << ir::stablehlo_name(codes.dtype) << " " << i << ": " << value;
    }
    const Literal back = run({numbers}, [&](ir::Builder& b, std::span<const ir::Value> v) {
      return ops::convert(b, v[0], codes.dtype);
    });
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (!std::isnan(std::bit_cast<float>(codes.values[i]))) {
        EXPECT_EQ(back.bytes()[i], small.bytes()[i]) << ir::stablehlo_name(codes.dtype) << " " << i;
      }
  }
}

TEST(WidenSmallTypesTest, NumbersRoundAsInMlDtypes) {
  for (const ir::SmallFloatRoundings& of_dtype : ir::kSmallFloatRoundings) {
    std::vector<float> numbers;
    for (const ir::SmallFloatRounding& row : of_dtype.rows) numbers.push_back(std::bit_cast<float>(row.from));
    const auto count = static_cast<std::int64_t>(numbers.size());
    for (const DType from : {DType::kF32, DType::kF64}) {
      const Literal y =
          run({Literal::of<float>({count}, numbers)}, [&](ir::Builder& b, std::span<const ir::Value> v) {
            return ops::convert(b, from == DType::kF64 ? ops::convert(b, v[0], from) : v[0], of_dtype.dtype);
          });
      for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(std::to_integer<int>(y.bytes()[i]), of_dtype.rows[i].to)
            << ir::stablehlo_name(of_dtype.dtype) << " of " << numbers[i];
    }
  }
}

/// NumPy's int4 keeps zeros in the upper bits of a negative number.
TEST(WidenSmallTypesTest, UnusedBitsOfArgumentsDoNotCount) {
  for (const auto& [dtype, expected] : {std::pair{DType::kI4, std::vector<double>{-2, -8, 7}},
                                        std::pair{DType::kU4, std::vector<double>{14, 8, 7}}}) {
    const Literal y = run({of_bits(dtype, {0x0e, 0x88, 0xf7})},
                          [](ir::Builder& b, auto v) { return ops::convert(b, v[0], DType::kI8); });
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(y.at(i), expected[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(WidenSmallTypesTest, SmallIntegersWrapInArithmeticAndSaturateFromFloats) {
  const Literal x = of_bits(DType::kI4, {7, 0xf8, 3, 0xff}), y = of_bits(DType::kI4, {1, 0xff, 4, 2});
  const auto result = [&](auto build) {
    std::vector<double> values;
    const Literal literal = run({x, y}, build);
    for (std::int64_t i = 0; i < 4; ++i) values.push_back(literal.at(i));
    return values;
  };
  using Values = std::span<const ir::Value>;
  EXPECT_EQ(result([](ir::Builder& b, Values v) { return ops::add(b, v[0], v[1]); }),
            (std::vector<double>{-8, 7, 7, 1}));
  EXPECT_EQ(result([](ir::Builder& b, Values v) { return ops::multiply(b, v[0], v[1]); }),
            (std::vector<double>{7, -8, -4, -2}));
  EXPECT_EQ(result([](ir::Builder& b, Values v) { return ops::count_leading_zeros(b, v[0]); }),
            (std::vector<double>{1, 0, 2, 0}));
  EXPECT_EQ(result([](ir::Builder& b, Values v) { return ops::popcnt(b, v[0]); }),
            (std::vector<double>{3, 1, 2, 4}));
  EXPECT_EQ(
      result([](ir::Builder& b, Values v) { return ops::shift_right_logical(b, v[0], ops::abs(b, v[1])); }),
      (std::vector<double>{3, 4, 0, 3}));
  const Literal from_float = run({Literal::of<float>({4}, {100, -100, 7.9F, std::nanf("")})},
                                 [](ir::Builder& b, Values v) { return ops::convert(b, v[0], DType::kI4); });
  EXPECT_EQ(from_float.at(0), 7);
  EXPECT_EQ(from_float.at(1), -8);
  EXPECT_EQ(from_float.at(2), 7);
  EXPECT_EQ(from_float.at(3), 0);
}

TEST(WidenSmallTypesTest, BitsArePackedWithTheFirstElementLowest) {
  const Literal packed =
      run({of_bits(DType::kU4, {1, 2, 15, 0})}, [](ir::Builder& b, std::span<const ir::Value> v) {
        return ops::bitcast_convert(b, v[0], DType::kU16);
      });
  EXPECT_EQ(packed.data<std::uint16_t>()[0], 0x0f21);
  const Literal unpacked = run(
      {Literal::of<std::uint16_t>({1}, {0x0f21})},
      [](ir::Builder& b, std::span<const ir::Value> v) { return ops::bitcast_convert(b, v[0], DType::kI4); });
  EXPECT_EQ(unpacked.type(), (ir::TensorType{DType::kI4, {1, 4}}));
  EXPECT_EQ(unpacked.at(0), 1);
  EXPECT_EQ(unpacked.at(2), -1);
  const Literal bits = run(
      {of_bits(DType::kF8E5M2, {0x3c, 0xbc})},
      [](ir::Builder& b, std::span<const ir::Value> v) { return ops::bitcast_convert(b, v[0], DType::kI8); });
  EXPECT_EQ(bits.data<std::int8_t>()[1], static_cast<std::int8_t>(0xbc));
}

TEST(WidenSmallTypesTest, RegionsAndLoopsCarryThem) {
  const ir::ParsedModule parsed = ops::parse_stablehlo(R"(
    func.func @main(%x: tensor<5xi4>) -> tensor<i4> {
      %zero = stablehlo.constant dense<-1> : tensor<i4>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xi4>, tensor<i4>) -> tensor<i4>
      %1 = stablehlo.while(%k = %0) : tensor<i4>
       cond {
        %end = stablehlo.constant dense<3> : tensor<i4>
        %c = stablehlo.compare LT, %k, %end, SIGNED : (tensor<i4>, tensor<i4>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i4>
        %next = stablehlo.add %k, %one : tensor<i4>
        stablehlo.return %next : tensor<i4>
      }
      return %1 : tensor<i4>
    })");
  const Literal y = evaluate(parsed.entry(), std::vector<Literal>{of_bits(DType::kI4, {7, 7, 7, 7, 7})})[0];
  EXPECT_EQ(y.at(0), 3);  // 34 wraps to 2
}

}  // namespace
}  // namespace cornu::inline v0::transform
