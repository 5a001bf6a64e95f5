#include "cornu/transform/wide_products.h"

#include <gtest/gtest.h>

#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;

bool is_matrix_product(const ir::Op& op) { return op.name() == "dot_general"; }
bool is_lstm(const ir::Op& op) { return op.name() == "cornu.lstm"; }

std::unique_ptr<ir::Function> product_of(DType dtype) {
  return make_function({{dtype, {4, 8}}, {dtype, {8, 2}}}, [](ir::Builder& b, Operands v) {
    return std::vector<ir::Value>{ops::matmul(b, v[0], v[1])};
  });
}

TEST(WideProductsTest, HalfOperandsAreConvertedAndTheProductIsRoundedOnce) {
  const auto wide = upcast_low_precision_products(*product_of(DType::kBF16), is_matrix_product);
  ASSERT_NE(wide, nullptr);
  ir::verify(*wide);
  const std::string text = ir::to_stablehlo(*wide);
  EXPECT_NE(text.find("(tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>"), std::string::npos) << text;
  EXPECT_NE(text.find("(tensor<4x2xf32>) -> tensor<4x2xbf16>"), std::string::npos) << text;
}

TEST(WideProductsTest, WideProductsStay) {
  EXPECT_EQ(upcast_low_precision_products(*product_of(DType::kF32), is_matrix_product), nullptr);
}

TEST(WideProductsTest, OtherHalvesStay) {
  const auto is_f16 = [](const ir::Op& op) { return op.result().dtype() == DType::kF16; };
  EXPECT_EQ(upcast_low_precision_products(*product_of(DType::kBF16), is_f16), nullptr);
  EXPECT_NE(upcast_low_precision_products(*product_of(DType::kF16), is_f16), nullptr);
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
  const auto wide = upcast_low_precision_products(*loop, is_matrix_product);
  ASSERT_NE(wide, nullptr);
  ir::verify(*wide);
  EXPECT_NE(ir::to_stablehlo(*wide).find("(tensor<4x4xf32>, tensor<4x4xf32>)"), std::string::npos);
}

TEST(WideProductsTest, RecurrencesRunInF32AndRoundTheirResults) {
  const auto lstm_of = [](DType dtype) {
    return make_function(
        {{dtype, {2, 3, 16}}, {dtype, {4, 16}}, {dtype, {2, 4}}, {dtype, {2, 4}}},
        [](ir::Builder& b, Operands v) {
          const auto found =
              ops::lstm(b, {.projected = v[0], .recurrent_kernel = v[1], .hidden = v[2], .carry = v[3]});
          return std::vector<ir::Value>{found.states};
        });
  };
  const auto wide = upcast_low_precision_products(*lstm_of(DType::kBF16), is_lstm);
  ASSERT_NE(wide, nullptr);
  ir::verify(*wide);
  for (const auto& op : wide->body.ops())
    if (is_lstm(*op)) {
      EXPECT_EQ(op->results()[0].dtype(), DType::kF32);
    }
  EXPECT_EQ(wide->body.results()[0].dtype(), DType::kBF16);
  EXPECT_EQ(upcast_low_precision_products(*lstm_of(DType::kF32), is_lstm), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
