#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/ops/digamma/digamma.h"
#include "cornu/ops/erf/erf.h"
#include "cornu/ops/erf_inv/erf_inv.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/lgamma/lgamma.h"
#include "cornu/ops/special_values_test_support.h"

/// Special functions against values of 60 digits (tools/special_functions.py), in units in the last place.
namespace cornu::inline v0::ops {
namespace {

using ir::DType;
using SpecialFunction = ir::Value (*)(ir::Builder&, ir::Value);

template <typename T>
std::vector<T> special(SpecialFunction function, const std::vector<T>& x) {
  const ir::Literal literal = ir::Literal::of<T>({static_cast<std::int64_t>(x.size())}, x);
  return elements<T>(run_op({literal}, [=](ir::Builder& b, Operands v) { return function(b, v[0]); })[0]);
}

/// The largest error in units in the last place of the value, or of max(1, |value|).
template <typename T>
double worst_ulp(SpecialFunction function, std::span<const SpecialValue> values, bool of_at_least_one) {
  std::vector<T> x;
  for (const SpecialValue& value : values) x.push_back(static_cast<T>(value.x));
  const std::vector<T> y = special<T>(function, x);
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T wanted = static_cast<T>(values[i].y);
    const T size = of_at_least_one ? std::max(std::fabs(wanted), T(1)) : std::fabs(wanted);
    const T unit = std::max(std::nextafter(size, std::numeric_limits<T>::infinity()) - size,
                            std::numeric_limits<T>::min());
    const double error = std::fabs(static_cast<double>(y[i]) - values[i].y) / static_cast<double>(unit);
    if (!(error <= worst)) worst = error;
    // Visible when a bound is exceeded.
    if (!(error <= 16))
      ADD_FAILURE() << "at " << values[i].x << " is " << y[i] << ", must be " << values[i].y;
  }
  return worst;
}

struct Accuracy {
  SpecialFunction function;
  std::span<const SpecialValue> values, values_f64;
  double ulp;
  bool of_at_least_one = false;
  double f32_ulp = ulp;
};

void expect_accuracy(const Accuracy& a) {
  EXPECT_LE(worst_ulp<float>(a.function, a.values, a.of_at_least_one), a.f32_ulp);
  EXPECT_LE(worst_ulp<double>(a.function, a.values, a.of_at_least_one), a.ulp);
  if (a.values_f64.empty()) return;
  EXPECT_LE(worst_ulp<double>(a.function, a.values_f64, a.of_at_least_one), a.ulp);
}

template <std::size_t kCount>
std::vector<SpecialValue> with_sign(const SpecialValue (&values)[kCount], bool positive) {
  std::vector<SpecialValue> some;
  for (const SpecialValue& value : values)
    if ((value.x > 0) == positive) some.push_back(value);
  return some;
}

TEST(SpecialFunctionsTest, Erf) { expect_accuracy({&erf, kErfValues, {}, 3}); }
TEST(SpecialFunctionsTest, Erfc) { expect_accuracy({&erfc, kErfcValues, kErfcF64Values, 3}); }
TEST(SpecialFunctionsTest, ErfInv) { expect_accuracy({&erf_inv, kErfInvValues, kErfInvF64Values, 6}); }
TEST(SpecialFunctionsTest, LogGammaOfPositiveNumbers) {
  expect_accuracy({&lgamma, with_sign(kLgammaValues, true), {}, 3, false, 0.51});
}
TEST(SpecialFunctionsTest, LogGammaOfNegativeNumbers) {
  expect_accuracy({&lgamma, with_sign(kLgammaValues, false), {}, 3, true, 0.51});
}
TEST(SpecialFunctionsTest, DigammaOfPositiveNumbers) {
  expect_accuracy({&digamma, with_sign(kDigammaValues, true), {}, 3, false, 0.51});
}
/// Each interval has a root, near which only the absolute error is small.
TEST(SpecialFunctionsTest, DigammaOfNegativeNumbers) {
  expect_accuracy({&digamma, with_sign(kDigammaValues, false), {}, 4, true, 0.51});
}

TEST(SpecialFunctionsTest, LimitsPolesAndNaN) {
  const double inf = HUGE_VAL, nan = std::nan("");
  const auto same = [](const std::vector<double>& actual, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i])))
          << i << ": " << actual[i];
  };
  same(special<double>(&erf, {inf, -inf, nan, -0.0}), {1, -1, nan, 0});
  same(special<double>(&erfc, {inf, -inf, nan, 30}), {0, 2, nan, 0});
  same(special<double>(&erf_inv, {1, -1, 1.5, -2, nan}), {inf, -inf, nan, nan, nan});
  same(special<double>(&lgamma, {inf, -inf, 0, -1, -7, nan}), {inf, inf, inf, inf, inf, nan});
  same(special<double>(&digamma, {inf, 0, -1, -3, nan}), {inf, nan, nan, nan, nan});
}

TEST(SpecialFunctionsTest, HalvesAreComputedInF32) {
  const auto y = run_op({ir::Literal::scalar(DType::kBF16, 0.5)},
                        [](ir::Builder& b, Operands v) { return erf(b, v[0]); });
  EXPECT_EQ(y[0].type().dtype, DType::kBF16);
  EXPECT_EQ(y[0].at(0), 0.51953125);
}

TEST(SpecialFunctionsTest, RejectIntegers) {
  for (const SpecialFunction function : {&erf, &erfc, &erf_inv, &lgamma, &digamma})
    EXPECT_NE(build_error({{DType::kI32, {2}}}, [=](ir::Builder& b, Operands v) { function(b, v[0]); })
                  .find("floating-point"),
              std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops
