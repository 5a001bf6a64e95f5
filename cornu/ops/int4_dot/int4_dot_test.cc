#include "cornu/ops/int4_dot/int4_dot.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::int4_dot_folder {
namespace {

using ir::DType;

std::string message(const ir::TensorType& packed, const ir::Dims& scale, std::int64_t group) {
  return error_label({{DType::kF32, {2, 4}}, packed, {DType::kF32, scale}, {DType::kF32, scale}},
                     [&](ir::Builder& b, Operands v) { int4_dot(b, v[0], v[1], v[2], v[3], group); });
}

TEST(Int4DotTest, RejectsTypesAndShapesThatDoNotFit) {
  EXPECT_EQ(message({DType::kU8, {4, 3}}, {2, 5}, 2),
            "[cornu.int4_dot] packed must be tensor<4x3xi8>; got tensor<4x3xui8>");
  EXPECT_EQ(message({DType::kI8, {4, 2}}, {2, 5}, 2),
            "[cornu.int4_dot] packed must be tensor<4x3xi8>; got tensor<4x2xi8>");
  EXPECT_EQ(message({DType::kI8, {4, 3}}, {3, 5}, 2),
            "[cornu.int4_dot] scale must have 2 rows, one for each 2 of 4; got tensor<3x5xf32>");
  EXPECT_EQ(message({DType::kI8, {4, 3}}, {2, 5}, 0),
            "[cornu.int4_dot] group must be positive; got group = 0");
}

// Bytes hold the even column in their lower half: 0x8f is -1 and -8.
TEST(Int4DotTest, UnpacksBothHalvesOfAByte) {
  const auto product =
      run_op({ir::Literal::of<float>({1, 2}, {1, 10}),
              ir::Literal::of<std::int8_t>({2, 2}, {static_cast<std::int8_t>(0x8f), 7, 0x12, 3}),
              ir::Literal::of<float>({2, 3}, {1, 1, 1, 2, 2, 2}),
              ir::Literal::of<float>({2, 3}, {0, 0, 0, 1, 1, 1})},
             [](ir::Builder& b, Operands v) { return int4_dot(b, v[0], v[1], v[2], v[3], 1); });
  EXPECT_EQ(elements<float>(product[0]), (std::vector<float>{-1 + 20 * 1, -8 + 20 * 0, 7 + 20 * 2}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::int4_dot_folder
