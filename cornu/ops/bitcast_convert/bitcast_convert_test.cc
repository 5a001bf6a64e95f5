#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

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

TEST(BitcastConvertTest, KeepsTheBits) {
  const auto bits = run_op(
      {ir::Literal::of<float>({2}, {1.0f, -0.0f})},
      [](ir::Builder& b, std::span<const ir::Value> v) { return bitcast_convert(b, v[0], ir::DType::kU32); });
  EXPECT_EQ(elements<std::uint32_t>(bits[0]), (std::vector<std::uint32_t>{0x3f800000u, 0x80000000u}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::bitcast_convert_folder
