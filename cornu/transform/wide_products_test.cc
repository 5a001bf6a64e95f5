#include "cornu/transform/wide_products.h"

#include <gtest/gtest.h>

#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;

std::unique_ptr<ir::Function> product_of(DType dtype) {
  return make_function({{dtype, {4, 8}}, {dtype, {8, 2}}}, [](ir::Builder& b, Operands v) {
    return std::vector<ir::Value>{ops::matmul(b, v[0], v[1])};
  });
}

TEST(WideProductsTest, HalfOperandsAreConvertedAndTheProductIsRoundedOnce) {
  const auto wide = widen_half_products(*product_of(DType::kBF16), 128);
  ASSERT_NE(wide, nullptr);
  ir::verify(*wide);
  const std::string text = ir::to_stablehlo(*wide);
  EXPECT_NE(text.find("(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>"), std::string::npos) << text;
  EXPECT_NE(text.find("(tensor<4x2xf32>) -> tensor<4x2xbf16>"), std::string::npos) << text;
}

TEST(WideProductsTest, SmallAndWideProductsStay) {
  EXPECT_EQ(widen_half_products(*product_of(DType::kBF16), 129), nullptr);
  EXPECT_EQ(widen_half_products(*product_of(DType::kF32), 0), nullptr);
}

TEST(WideProductsTest, ProductsInsideOfLoopsToo) {
  const auto loop = make_function({{DType::kF16, {4, 4}}}, [](ir::Builder& b, Operands v) {
    return ops::while_(
        b, {v[0]},
        [&](ir::Builder& c, Operands w) {
          const ir::Value sum = ops::reduce_sum(c, w[0], {0, 1});
          return ops::compare(c, sum, ops::full(c, sum.type(), 10), ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& c, Operands w) { return std::vector<ir::Value>{ops::matmul(c, w[0], w[0])}; });
  });
  const auto wide = widen_half_products(*loop, 1);
  ASSERT_NE(wide, nullptr);
  ir::verify(*wide);
  EXPECT_NE(ir::to_stablehlo(*wide).find("(tensor<4x4xf32>, tensor<4x4xf32>)"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::transform
