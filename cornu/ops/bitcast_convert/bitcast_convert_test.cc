#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::ops::bitcast_convert_folder {
namespace {

TEST(BitcastConvertTest, C1_RejectsAnotherWidth) {
  EXPECT_EQ(build_error({{ir::DType::kF32, {2}}},
                        [](ir::Builder& b, std::span<const ir::Value> v) { bitcast_convert(b, v[0], ir::DType::kI64); }),
            "[bitcast_convert] (C1) operand and result must have one bit width; got tensor<2xf32> and i64");
}

TEST(BitcastConvertTest, KeepsTheBits) {
  const auto bits = run_op({ir::Literal::of<float>({2}, {1.0f, -0.0f})},
                           [](ir::Builder& b, std::span<const ir::Value> v) { return bitcast_convert(b, v[0], ir::DType::kU32); });
  EXPECT_EQ(elements<std::uint32_t>(bits[0]), (std::vector<std::uint32_t>{0x3f800000u, 0x80000000u}));
}

}  // namespace
}  // namespace cornu::ops::bitcast_convert_folder
