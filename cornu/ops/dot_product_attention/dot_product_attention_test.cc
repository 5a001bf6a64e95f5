#include "cornu/ops/dot_product_attention/dot_product_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::dot_product_attention_folder {
namespace {

using ir::DType;
using ir::TensorType;

std::string error_of(const TensorType& query, const TensorType& key, const TensorType& value,
                     const TensorType& mask = {DType::kI1, {1, 1, 1, 5}}) {
  return error_label({query, key, value, mask},
                     [](ir::Builder& b, Operands v) { dot_product_attention(b, v[0], v[1], v[2], v[3]); });
}

const TensorType kQuery{DType::kF32, {2, 3, 4, 8}}, kKey{DType::kF32, {2, 5, 4, 8}},
    kValue{DType::kF32, {2, 5, 4, 6}};

TEST(DotProductAttentionTest, RejectsKeysAndValuesThatDoNotFit) {
  EXPECT_NE(error_of(kQuery, {DType::kF32, {2, 5, 4, 7}}, kValue).find("key must be tensor<2x5x4x8xf32>"),
            std::string::npos);
  EXPECT_NE(error_of(kQuery, kKey, {DType::kF32, {2, 6, 4, 6}}).find("value must be tensor<2x5x4x6xf32>"),
            std::string::npos);
  EXPECT_NE(
      error_of(kQuery, {DType::kF32, {2, 0, 4, 8}}, {DType::kF32, {2, 0, 4, 6}}).find("at least one key"),
      std::string::npos);
  EXPECT_NE(error_of({DType::kF32, {2, 3, 8}}, kKey, kValue).find("query must have a batch, steps, heads"),
            std::string::npos);
}

TEST(DotProductAttentionTest, RejectsMasksThatDoNotFit) {
  EXPECT_NE(error_of(kQuery, kKey, kValue, {DType::kI1, {2, 2, 3, 5}})
                .find("mask must be i1 [2 or 1, 4 or 1, 3 or 1, 5]"),
            std::string::npos);
  EXPECT_NE(error_of(kQuery, kKey, kValue, {DType::kI1, {1, 1, 1, 1}}).find("mask must be"),
            std::string::npos);
  EXPECT_NE(error_of(kQuery, kKey, kValue, {DType::kF32, {1, 1, 1, 5}}).find("mask must be"),
            std::string::npos);
}

TEST(DotProductAttentionTest, AQueryThatMaySeeNothingSeesAllAlike) {
  const auto y = run_op(
      {ir::Literal::of<float>({1, 1, 1, 1}, {2}), ir::Literal::of<float>({1, 2, 1, 1}, {1, 5}),
       ir::Literal::of<float>({1, 2, 1, 1}, {3, 5}), ir::Literal::of<bool>({1, 1, 1, 2}, {false, false})},
      [](ir::Builder& b, Operands v) { return dot_product_attention(b, v[0], v[1], v[2], v[3]).output; });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{4}));
}

TEST(DotProductAttentionTest, WeighsValuesByTheSoftmaxOfScaledProducts) {
  const auto y = run_op({ir::Literal::of<double>({1, 1, 1, 1}, {1}),
                         ir::Literal::of<double>({1, 2, 1, 1}, {0, 2 * std::log(3)}),
                         ir::Literal::of<double>({1, 2, 1, 1}, {4, 8})},
                        [](ir::Builder& b, Operands v) {
                          return dot_product_attention(b, v[0], v[1], v[2], {}, {.scale = 0.5}).output;
                        });
  EXPECT_NEAR(y[0].at(0), 7, 1e-14);
}

}  // namespace
}  // namespace cornu::inline v0::ops::dot_product_attention_folder
