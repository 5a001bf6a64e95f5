#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::bitcast_convert_folder {
namespace {

TEST(BitcastConvertTest, C1_RejectsElementsThatDoNotMakeAWhole) {
  const auto error = [](ir::TensorType from, ir::DType to) {
    return build_error({std::move(from)},
                       [=](ir::Builder& b, std::span<const ir::Value> v) { bitcast_convert(b, v[0], to); });
  };
  EXPECT_EQ(
      error({ir::DType::kF32, {3}}, ir::DType::kI64),
      "[bitcast_convert] (C1) the last dimension must be the 2 elements that make a i64; got tensor<3xf32>");
  EXPECT_NE(error({ir::DType::kF32, {}}, ir::DType::kI64).find("(C1)"), std::string::npos);
  EXPECT_NE(error({ir::DType::kI1, {8}}, ir::DType::kU8).find("(C1)"), std::string::npos);
}

TEST(BitcastConvertTest, TheFirstElementHasTheLowestBits) {
  const ir::Literal x = ir::Literal::of<std::uint32_t>({2}, {0x04030201u, 0x08070605u});
  const auto bytes = run_op({x}, [](ir::Builder& b, std::span<const ir::Value> v) {
    return bitcast_convert(b, v[0], ir::DType::kU8);
  });
  EXPECT_EQ(bytes[0].type().dims, (ir::Dims{2, 4}));
  EXPECT_EQ(elements<std::uint8_t>(bytes[0]), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  const auto whole = run_op({x}, [](ir::Builder& b, std::span<const ir::Value> v) {
    return bitcast_convert(b, v[0], ir::DType::kU64);
  });
  EXPECT_EQ(whole[0].type().dims, (ir::Dims{}));
  EXPECT_EQ(elements<std::uint64_t>(whole[0]), (std::vector<std::uint64_t>{0x0807060504030201u}));
}

TEST(BitcastConvertTest, ProgramsMayTakeBitsApart) {
  const ir::ParsedModule parsed = parse_stablehlo(
      "func.func @main(%x: tensor<2xui8>, %y: tensor<f32>) -> (tensor<2x8xi1>, tensor<2xi8>, tensor<f32>) {\n"
      "  %0 = stablehlo.bitcast_convert %x : (tensor<2xui8>) -> tensor<2x8xi1>\n"
      "  %1 = stablehlo.bitcast_convert %0 : (tensor<2x8xi1>) -> tensor<2xi8>\n"
      "  %2 = stablehlo.bitcast_convert %y : (tensor<f32>) -> tensor<32xi1>\n"
      "  %3 = stablehlo.bitcast_convert %2 : (tensor<32xi1>) -> tensor<f32>\n"
      "  return %0, %1, %3 : tensor<2x8xi1>, tensor<2xi8>, tensor<f32>\n}");
  const std::vector<ir::Literal> arguments = {ir::Literal::of<std::uint8_t>({2}, {0x05, 0xff}),
                                              ir::Literal::of<float>({}, {-1.5f})};
  const auto results = backends::reference::evaluate(parsed.entry(), arguments);
  for (std::int64_t i = 0; i < 16; ++i) EXPECT_EQ(results[0].at(i) != 0, i == 0 || i == 2 || i >= 8) << i;
  EXPECT_EQ(elements<std::int8_t>(results[1]), (std::vector<std::int8_t>{5, -1}));
  EXPECT_EQ(results[2].at(0), -1.5);
}

TEST(BitcastConvertTest, KeepsTheBits) {
  const auto bits = run_op(
      {ir::Literal::of<float>({2}, {1.0f, -0.0f})},
      [](ir::Builder& b, std::span<const ir::Value> v) { return bitcast_convert(b, v[0], ir::DType::kU32); });
  EXPECT_EQ(elements<std::uint32_t>(bits[0]), (std::vector<std::uint32_t>{0x3f800000u, 0x80000000u}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::bitcast_convert_folder
