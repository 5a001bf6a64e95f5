#include "cornu/transform/softmax_terms.h"

#include <gtest/gtest.h>

#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

/// Terms of the result of an op that `build` makes of placeholders for `operands`.
template <typename Build>
std::optional<SoftmaxTerms> of_op(const std::vector<SoftmaxTerms>& operands, const Build& build) {
  const std::vector<ir::TensorType> types(operands.size(), {ir::DType::kF32, {}});
  const auto function = make_function(
      types, [&](ir::Builder& b, std::span<const ir::Value> v) { return std::vector{build(b, v)}; });
  return combined_terms(*function->body.ops().back(), operands);
}

std::optional<SoftmaxTerms> product(const SoftmaxTerms& x, const SoftmaxTerms& y) {
  return of_op({x, y}, [](auto& b, auto v) { return ops::multiply(b, v[0], v[1]); });
}
std::optional<SoftmaxTerms> quotient(const SoftmaxTerms& x, const SoftmaxTerms& y) {
  return of_op({x, y}, [](auto& b, auto v) { return ops::divide(b, v[0], v[1]); });
}
std::optional<SoftmaxTerms> difference(const SoftmaxTerms& x, const SoftmaxTerms& y) {
  return of_op({x, y}, [](auto& b, auto v) { return ops::subtract(b, v[0], v[1]); });
}
std::optional<SoftmaxTerms> sum(const SoftmaxTerms& x, const SoftmaxTerms& y) {
  return of_op({x, y}, [](auto& b, auto v) { return ops::add(b, v[0], v[1]); });
}
std::optional<SoftmaxTerms> negative(const SoftmaxTerms& x) {
  return of_op({x}, [](auto& b, auto v) { return ops::negate(b, v[0]); });
}

const SoftmaxTerms kE = terms_of(SoftmaxSymbol::kExponentials), kZ = terms_of(SoftmaxSymbol::kSums),
                   kG = terms_of(SoftmaxSymbol::kGradient), kM = terms_of(SoftmaxSymbol::kMeans),
                   kOne = {SoftmaxTerm()};

TEST(SoftmaxTermsTest, SumsOverTheKeys) {
  EXPECT_EQ(summed_terms(kE), kZ);
  EXPECT_EQ(summed_terms(*product(kG, softmax_weights())), kM);
  EXPECT_EQ(summed_terms(*product(kG, kE)), product(kZ, kM));
  EXPECT_EQ(summed_terms(kG), std::nullopt);
  EXPECT_EQ(summed_terms(*product(kE, kE)), std::nullopt);
  EXPECT_EQ(summed_terms(*product(*product(kG, kG), kE)), std::nullopt);
}

TEST(SoftmaxTermsTest, AnyOrderOfOperationsGivesTheSameTerms) {
  EXPECT_EQ(quotient(kE, kZ), softmax_weights());
  EXPECT_EQ(product(*quotient(kOne, kZ), kE), softmax_weights());
  const SoftmaxTerms w = softmax_weights();
  EXPECT_EQ(product(*difference(kG, kM), w), softmax_gradient());
  EXPECT_EQ(difference(*product(w, kG), *product(kM, w)), softmax_gradient());
  // By the rules for quotients and sums: (g / z - sum(g e / z^2)) e.
  const SoftmaxTerms of_sum = *summed_terms(*product(*product(kG, *quotient(kOne, *product(kZ, kZ))), kE));
  EXPECT_EQ(product(*sum(*quotient(kG, kZ), *negative(of_sum)), kE), softmax_gradient());
  EXPECT_NE(product(*sum(*quotient(kG, kZ), of_sum), kE), softmax_gradient());
}

TEST(SoftmaxTermsTest, FactorsAreThoseOfAllTerms) {
  const SoftmaxTerms half = *product(softmax_gradient(), {{.coefficient = 0.5}});
  EXPECT_EQ(factor_of(half, softmax_gradient()), 0.5);
  EXPECT_EQ(factor_of(*negative(half), softmax_gradient()), -0.5);
  EXPECT_EQ(factor_of(*sum(half, *product(kE, kM)), softmax_gradient()), std::nullopt);
  EXPECT_EQ(factor_of(softmax_weights(), softmax_gradient()), std::nullopt);
  EXPECT_EQ(factor_of(*difference(kE, kE), softmax_weights()), std::nullopt);
}

TEST(SoftmaxTermsTest, OtherOperationsHaveNone) {
  EXPECT_EQ(of_op({kE}, [](auto& b, auto v) { return ops::sine(b, v[0]); }), std::nullopt);
  EXPECT_EQ(quotient(kE, *sum(kZ, kM)), std::nullopt);
  EXPECT_EQ(quotient(kE, {}), std::nullopt);
}

}  // namespace
}  // namespace cornu::inline v0::transform
