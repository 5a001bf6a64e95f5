#include "cornu/ops/chlo_unary/chlo_unary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::chlo_unary_folder {
namespace {

using ir::DType;
using Unary = ir::Value (*)(ir::Builder&, ir::Value);

template <typename T>
std::vector<T> apply(Unary function, const std::vector<T>& x) {
  const ir::Literal literal =
      ir::Literal::of<T>({static_cast<std::int64_t>(x.size())}, std::span<const T>(x));
  return elements<T>(run_op({literal}, [=](ir::Builder& b, Operands v) { return function(b, v[0]); })[0]);
}

/// The largest distance from `exact` in units in the last place.
template <typename T>
double worst_ulp(Unary function, long double (*exact)(long double), const std::vector<T>& x) {
  const std::vector<T> y = apply<T>(function, x);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double wanted = exact(x[i]);
    const T rounded = static_cast<T>(wanted);
    if (!std::isfinite(rounded) || rounded == 0) {
      EXPECT_TRUE(y[i] == rounded || (std::isnan(y[i]) && std::isnan(rounded))) << x[i] << ": " << y[i];
      continue;
    }
    const T size = std::fabs(rounded);
    const long double unit =
        std::max(size - std::nextafter(size, T(0)), std::numeric_limits<T>::denorm_min());
    const auto error = static_cast<double>(std::fabs(y[i] - wanted) / unit);
    EXPECT_LE(error, 3.5) << "at " << x[i] << ": " << y[i];
    worst = std::max(worst, error);
  }
  return worst;
}

/// Numbers of all magnitudes up to `end`, of both signs, and many in [-2, 2].
template <typename T>
std::vector<T> sweep(double end) {
  std::vector<T> x = {T(0), T(1), T(-1), static_cast<T>(end), static_cast<T>(-end)};
  for (int i = 0; i < 4000; ++i) {
    const double part = (i + 0.37) / 4000;
    const double magnitude = std::exp(-60 + part * (60 + std::log(end)));
    for (const double value : {magnitude, 2 * part, end * part}) {
      x.push_back(static_cast<T>(std::min(value, end)));
      x.push_back(-x.back());
    }
  }
  return x;
}

struct Function {
  const char* name;
  Unary function;
  long double (*exact)(long double);
  double end_f32, end_f64;
};

TEST(ChloUnaryTest, IsWithinThreeUnitsInTheLastPlace) {
  const Function functions[] = {
      {"asin", &asin, &std::asin, 1, 1},           {"acos", &acos, &std::acos, 1, 1},
      {"atan", &atan, &std::atan, 1e30, 1e300},    {"sinh", &sinh, &std::sinh, 89.4, 710.4},
      {"cosh", &cosh, &std::cosh, 89.4, 710.4},    {"asinh", &asinh, &std::asinh, 3e38, 1e308},
      {"acosh", &acosh, &std::acosh, 3e38, 1e308}, {"atanh", &atanh, &std::atanh, 1, 1}};
  for (const Function& f : functions) {
    SCOPED_TRACE(f.name);
    EXPECT_LE(worst_ulp<float>(f.function, f.exact, sweep<float>(f.end_f32)), 3) << "f32";
    EXPECT_LE(worst_ulp<double>(f.function, f.exact, sweep<double>(f.end_f64)), 3) << "f64";
  }
}

TEST(ChloUnaryTest, KeepsZerosInfinitiesAndNan) {
  const double infinity = HUGE_VAL;
  for (const Unary odd : {&asin, &atan, &sinh, &asinh, &atanh, &bessel_i1e}) {
    const std::vector<double> y = apply<double>(odd, {0.0, -0.0, std::nan("")});
    EXPECT_TRUE(y[0] == 0 && !std::signbit(y[0]));
    EXPECT_TRUE(y[1] == 0 && std::signbit(y[1]));
    EXPECT_TRUE(std::isnan(y[2]));
  }
  EXPECT_EQ(apply<double>(&sinh, {infinity, -infinity}), (std::vector<double>{infinity, -infinity}));
  EXPECT_EQ(apply<double>(&cosh, {infinity, -infinity}), (std::vector<double>{infinity, infinity}));
  EXPECT_EQ(apply<double>(&asinh, {infinity, -infinity}), (std::vector<double>{infinity, -infinity}));
  EXPECT_EQ(apply<double>(&atanh, {1, -1}), (std::vector<double>{infinity, -infinity}));
}

TEST(ChloUnaryTest, TellsInfinities) {
  const ir::Literal x = ir::Literal::of<float>({4}, {HUGE_VALF, -HUGE_VALF, 1, std::nanf("")});
  const auto of = [&](Unary test) {
    return elements<bool>(run_op({x}, [=](ir::Builder& b, Operands v) { return test(b, v[0]); })[0]);
  };
  EXPECT_EQ(of(&is_inf), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(of(&is_pos_inf), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(of(&is_neg_inf), (std::vector<bool>{false, true, false, false}));
}

// e^-x I1(x), computed with mpmath in 40 digits.
TEST(ChloUnaryTest, BesselFunctionsHaveTheValuesOfTables) {
  const std::vector<double> x = {0.5, -1, 3, 8, 20, 700};
  const std::vector<double> wanted = {0.1564208031848717,  -0.20791041534970845, 0.19682671329730085,
                                      0.13414249329269818, 0.087506222183288665, 0.015070519444716847};
  const std::vector<double> y = apply<double>(&bessel_i1e, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i] / wanted[i], 1, 3 * std::numeric_limits<double>::epsilon()) << x[i];
}

TEST(ChloUnaryTest, RejectsOtherDtypes) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { sinh(b, v[0]); }),
            "[cornu.sinh] the operand must be floating-point; got tensor<2xi32>");
  EXPECT_NE(build_error({{DType::kI1, {2}}}, [](ir::Builder& b, Operands v) { square(b, v[0]); }), "");
}

TEST(ChloUnaryTest, AreReadUnderTheirNamesInChlo) {
  for (const char* const name :
       {"square", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "bessel_i1e", "tan"})
    EXPECT_NE(find_full_name(std::string("chlo.") + name), nullptr) << name;
  EXPECT_EQ(find_full_name("chlo.softmax"), nullptr);
  EXPECT_EQ(find_full_name("stablehlo.asin"), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::ops::chlo_unary_folder
