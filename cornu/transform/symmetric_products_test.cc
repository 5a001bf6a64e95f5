#include "cornu/transform/symmetric_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;

std::int64_t num_products(const ir::Function& function) {
  return std::ranges::count_if(function.body.ops(),
                               [](const auto& op) { return op->name() == "dot_general"; });
}

/// The gradient of sum(weights * (x dot x)) for x [batch, vectors, width], with all products of vectors.
std::unique_ptr<ir::Function> gradient_of_pairs(DType dtype) {
  return simplify(*make_function({{dtype, {2, 4, 3}}, {dtype, {2, 4, 4}}}, [](ir::Builder& b, Operands v) {
    const ir::Value turned = ops::transpose(b, v[0], {0, 2, 1});
    const ir::Value pairs = ops::dot_general(
        b, v[0], turned,
        {.lhs_batching = {0}, .rhs_batching = {0}, .lhs_contracting = {2}, .rhs_contracting = {1}});
    const ir::Value loss = ops::reduce_sum(b, ops::multiply(b, pairs, v[1]), {0, 1, 2});
    return gradient(b, loss, v.first(1));
  }));
}

TEST(SymmetricProductsTest, TheGradientOfAllPairsIsOneProduct) {
  const auto two = gradient_of_pairs(DType::kF64);
  ASSERT_EQ(num_products(*two), 2);
  const auto one = join_symmetric_products(*two);
  ASSERT_NE(one, nullptr);
  const auto simple = simplify(*one);
  ir::verify(*simple);
  EXPECT_EQ(num_products(*simple), 1);
  ir::Literal x(two->body.arguments()[0].type()), weights(two->body.arguments()[1].type());
  for (std::int64_t i = 0; i < x.type().num_elements(); ++i)
    x.mutable_data<double>()[i] = static_cast<double>(i * 7 % 11) - 5;
  for (std::int64_t i = 0; i < weights.type().num_elements(); ++i)
    weights.mutable_data<double>()[i] = static_cast<double>(i * 5 % 13);
  // Sums of small whole numbers are exact.
  const std::array arguments = {x, weights};
  EXPECT_TRUE(backends::reference::evaluate(*two, arguments)[0] ==
              backends::reference::evaluate(*simple, arguments)[0]);
}

TEST(SymmetricProductsTest, OtherSumsOfProductsStay) {
  const auto sum_of = [](std::int64_t contracted, bool is_other_matrix) {
    return make_function({{DType::kF32, {3, 3}}, {DType::kF32, {3, 3}}, {DType::kF32, {3, 3}}},
                         [&](ir::Builder& b, Operands v) {
                           const ir::Value straight = ops::matmul(b, v[0], v[1]);
                           const ir::Value other = ops::dot_general(b, v[0], v[is_other_matrix ? 2 : 1],
                                                                    {.lhs_batching = {},
                                                                     .rhs_batching = {},
                                                                     .lhs_contracting = {contracted},
                                                                     .rhs_contracting = {0}});
                           return std::vector<ir::Value>{ops::add(b, straight, other)};
                         });
  };
  EXPECT_NE(join_symmetric_products(*sum_of(0, false)), nullptr);
  EXPECT_EQ(join_symmetric_products(*sum_of(0, true)), nullptr);
  EXPECT_EQ(join_symmetric_products(*sum_of(1, false)), nullptr);
}

TEST(SymmetricProductsTest, LowPrecisionStays) {
  EXPECT_EQ(join_symmetric_products(*gradient_of_pairs(DType::kBF16)), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
