#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

/// Elementwise operations at the limits of their dtypes. Unless a test states otherwise, the expected numbers
/// are those of Keras 3.15.1 on JAX.
namespace cornu::inline v0::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using OfOne = Tensor (*)(const Tensor&);
using OfTwo = Tensor (*)(const Tensor&, const Tensor&);

Tensor floats(DType dtype, const std::vector<float>& values) { return cast(Tensor(values), dtype); }

/// Computes f(x) eagerly and as a program.
template <typename F>
std::vector<Tensor> in_both_modes(F f, const Tensor& x) {
  return {f(x), function(f)(x)};
}

Tensor slope_of(OfOne f, const Tensor& x) {
  GradientTape tape;
  tape.watch(x);
  return tape.gradient(f(x), x);
}

TEST(NormalizeTest, ZeroVectorsStayZeroAndHaveAFiniteSlopeInEachTypeAndOrder) {
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    for (const std::int64_t order : {1, 2, 3})
      for (const std::optional<double> epsilon :
           {std::optional<double>(), std::optional(1e-12), std::optional(0.0)}) {
        const auto unit = [&](const Tensor& x) { return normalize(x, {.order = order, .epsilon = epsilon}); };
        const Tensor x = reshape(floats(dtype, {0, 0, 3, -4}), {2, 2});
        const auto value_and_slope = [&](const Tensor& at) {
          GradientTape tape;
          tape.watch(at);
          const Tensor y = unit(at);
          return std::vector<Tensor>{y, tape.gradient(y * Tensor::of<float>({2}, {0.5F, 0}), at)};
        };
        for (const std::vector<Tensor>& each : {value_and_slope(x), function(value_and_slope)(x)}) {
          const std::string what = each[0].str() + each[1].str() + " of order " + std::to_string(order);
          EXPECT_EQ(each[0].dtype(), dtype);
          EXPECT_EQ(each[0].at(0), 0) << what;
          EXPECT_NEAR(each[0].at(3),
                      order == 1   ? -4.0 / 7
                      : order == 2 ? -0.8
                                   : -4 / std::cbrt(91),
                      4e-3)
              << what;
          EXPECT_EQ(each[1].at(1), 0) << what;
          EXPECT_FALSE(std::isnan(each[1].at(0))) << what;
          if (dtype == DType::kF32 && !epsilon) {
            EXPECT_FLOAT_EQ(each[1].at(0), 0.5e7) << what;
          }
          EXPECT_TRUE(std::isfinite(each[1].at(2))) << what;
        }
      }
}

TEST(NormalizeTest, AVectorShorterThanEpsilonIsDividedByIt) {
  const Tensor x = Tensor::of<float>({2, 1}, {1e-9F, 1e-6F});
  const Tensor y = normalize(x, {.epsilon = 1e-7});
  EXPECT_FLOAT_EQ(y.at(0), 0.01F);
  EXPECT_FLOAT_EQ(y.at(1), 1.0F);
}

// Tests the promise of docs/guide/devices.md: elementwise operations are equal to the bit, sums only within
// rounding.
TEST(BitsTest, ElementwiseOperationsHaveTheSameBitsByThemselvesAndCompiled) {
  const Tensor x = arange(-20.0F, 20.0F, 0.037F), y = arange(20.0F, -20.0F, -0.037F);
  const auto compute = [](const Tensor& a, const Tensor& b) {
    const Tensor positive = abs(b) + 0.1;
    return std::vector<Tensor>{a + b,
                               a * b + a,
                               a / b,
                               exp(a),
                               log(positive),
                               tanh(a),
                               sigmoid(a),
                               sqrt(positive),
                               rsqrt(positive),
                               erf(a),
                               power(positive, a * 0.1),
                               softplus(a),
                               where(a > b, a, b)};
  };
  const std::vector<Tensor> alone = compute(x, y), compiled = function(compute)(x, y);
  for (std::size_t i = 0; i < alone.size(); ++i)
    EXPECT_EQ(alone[i].to_vector<float>(), compiled[i].to_vector<float>()) << i;
  const Tensor all = function([](const Tensor& a) { return sum(a * a); })(x);
  EXPECT_NEAR(all.at(0), sum(x * x).at(0), 1e-5 * all.at(0));
  const Tensor sines = function([](const Tensor& a) { return sin(a); })(x), sines_alone = sin(x);
  for (std::int64_t i = 0; i < sines.num_elements(); ++i)
    EXPECT_NEAR(sines.at(i), sines_alone.at(i), 2e-7) << "sin and cos within rounding";
}

// Tests the promise of docs/guide/devices.md about subnormal numbers.
TEST(SubnormalsTest, CompiledCodeTakesThemForZeroAndSingleOperationsKeepThem) {
  const Tensor x = Tensor::of<float>({1}, {1e-40F});
  const auto compute = [](const Tensor& a) { return std::vector<Tensor>{log(a), sqrt(a), ceil(a), a * 0.5}; };
  const auto expect = [](const std::vector<Tensor>& found, const std::vector<double>& expected,
                         const char* where) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found[i].at(0), expected[i], std::isinf(expected[i]) ? 0 : 1e-5 * std::fabs(expected[i]))
          << i << ", " << where;
  };
  const std::vector<double> kept = {-92.10340, 1e-20, 1, 5e-41};
  expect(compute(x), kept, "single operations");
  for (const Tensor& each : {function([&](const Tensor& a) { return stack(compute(a)); })(x)}) {
    EXPECT_EQ(each.at(0), -kInfinity);
    for (std::int64_t i = 1; i < 4; ++i) EXPECT_EQ(each.at(i), 0) << i;
  }
  set_default_client(runtime::make_client("reference"));
  expect(function(compute)(x), kept, "the reference backend");
  set_default_client(nullptr);
}

struct InverseHyperbolic {
  OfOne f;
  double (*exact)(double);
  double (*slope)(double);
};
constexpr InverseHyperbolic kInverseHyperbolics[] = {
    {&arcsinh, [](double x) { return std::asinh(x); }, [](double x) { return 1 / std::sqrt(x * x + 1); }},
    {&arccosh, [](double x) { return std::acosh(x); }, [](double x) { return 1 / std::sqrt(x * x - 1); }}};

TEST(ElementwiseTest, InverseHyperbolicsDoNotOverflowInF16) {
  const Tensor x = floats(DType::kF16, {100, 255, 256, 1000, 9000});
  for (const InverseHyperbolic& row : kInverseHyperbolics) {
    for (const Tensor& y : in_both_modes(row.f, x))
      for (std::int64_t i = 0; i < 5; ++i) EXPECT_NEAR(y.at(i), row.exact(x.at(i)), 1e-2) << x.at(i);
    for (const Tensor& dx : in_both_modes([&](const Tensor& v) { return slope_of(row.f, v); }, x))
      for (std::int64_t i = 0; i < 5; ++i) {
        const double expected = row.slope(x.at(i));
        EXPECT_NEAR(dx.at(i), expected, 1e-2 * expected) << x.at(i);
      }
  }
  EXPECT_NEAR(arcsinh(-x).at(3), -std::asinh(1000), 1e-2);
}

TEST(ElementwiseTest, InverseHyperbolicsOfLargeNumbersHaveTheDigitsOfF64) {
  const Tensor x = Tensor::of<double>({3}, {2e4, 5e8, 1e300});
  for (const InverseHyperbolic& row : kInverseHyperbolics)
    for (const Tensor& y : in_both_modes(row.f, x))
      for (std::int64_t i = 0; i < 3; ++i) EXPECT_NEAR(y.at(i) / row.exact(x.at(i)), 1, 1e-12) << x.at(i);
}

TEST(ElementwiseTest, ArccoshIsNaNBelowOne) {
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kF64}) {
    const Tensor x = floats(dtype, {-1, -5000, -1e8F, -3e38F, -HUGE_VALF, 0.5F});
    for (const Tensor& y : in_both_modes(&arccosh, x))
      for (std::int64_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(y.at(i))) << x.str() << ": " << y.str();
  }
}

TEST(ElementwiseTest, SlopesAtTheEndsOfADomainAreInfinite) {
  const auto of_arcsin = [](const Tensor& x) { return slope_of(&arcsin, x); };
  for (const Tensor& dx : in_both_modes(of_arcsin, floats(DType::kF32, {1, -1})))
    EXPECT_EQ(dx.to_vector<double>(), (std::vector{kInfinity, kInfinity}));
  const auto of_arccosh = [](const Tensor& x) { return slope_of(&arccosh, x); };
  for (const Tensor& dx : in_both_modes(of_arccosh, floats(DType::kF32, {1})))
    EXPECT_EQ(dx.to_vector<double>(), (std::vector{kInfinity}));
}

TEST(ElementwiseTest, ASaturatingCastReachesTheBoundsOfTheDtype) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  struct Case {
    Tensor x;
    DType dtype;
    std::vector<double> expected;
  };
  const std::vector<Case> cases = {
      {floats(DType::kF32, {3e9F, -3e9F, HUGE_VALF, std::nanf("")}),
       DType::kI32,
       {2147483647, -2147483648, 2147483647, 0}},
      {floats(DType::kF32, {1e20F, -5}), DType::kU32, {4294967295, 0}},
      {floats(DType::kBF16, {39936, -39936}), DType::kI16, {32767, -32768}},
      {Tensor::of<std::int32_t>({3}, {70000, -70000, 9}), DType::kF16, {65504, -65504, 9}},
      {Tensor::of<std::uint32_t>({2}, {70000, 0}), DType::kF16, {65504, 0}},
      {Tensor::of<std::int32_t>({2}, {70000, -70000}), DType::kI16, {32767, -32768}},
      {Tensor::of<std::int32_t>({2}, {70000, -70000}), DType::kU32, {70000, 0}},
      {floats(DType::kF32, {HUGE_VALF, -HUGE_VALF}), DType::kF32, {kLargest, -kLargest}},
      {floats(DType::kF32, {1e6F, -HUGE_VALF}), DType::kF16, {65504, -65504}}};
  for (const Case& row : cases)
    for (const Tensor& y :
         in_both_modes([&](const Tensor& x) { return saturate_cast(x, row.dtype); }, row.x)) {
      EXPECT_EQ(y.dtype(), row.dtype);
      EXPECT_EQ(y.to_vector<double>(), row.expected) << row.x.str();
    }
}

TEST(ElementwiseTest, HalvesStayBesideIntegersBooleansAndNumbers) {
  const std::vector<Tensor> others = {Tensor::of<std::int32_t>({2}, {1, 2}),
                                      Tensor::of<bool>({2}, {true, true}), 2.5};
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    const Tensor x = floats(dtype, {3, 1});
    for (const OfTwo f : {&hypot, &logaddexp, &logaddexp2, &divide_no_nan})
      for (const Tensor& other : others) {
        EXPECT_EQ(f(x, other).dtype(), dtype) << other.str();
        EXPECT_EQ(f(other, x).dtype(), dtype) << other.str();
      }
  }
  const Tensor x = floats(DType::kF16, {3, 1});
  EXPECT_NEAR(hypot(x, 2.5).at(0), 3.906, 1e-2);
  EXPECT_NEAR(logaddexp(x, 2.5).at(1), 2.7014, 1e-2);
  EXPECT_NEAR(logaddexp2(x, others[0]).at(0), 3.322, 1e-2);
  EXPECT_NEAR(divide_no_nan(x, 2.5).at(0), 1.2, 1e-2);
  EXPECT_EQ(hypot(x, Tensor::of<float>({2}, {1, 2})).dtype(), DType::kF32);
}

TEST(ElementwiseTest, IntegersBecomeFloatsWhereABoundIsInfiniteAndInRelu6) {
  const Tensor numbers = Tensor::of<std::int32_t>({3}, {0, 1, 7});
  for (const DType dtype : {DType::kI8, DType::kU8, DType::kI32, DType::kU32}) {
    const Tensor x = cast(numbers, dtype);
    EXPECT_TRUE(relu6(x).literal() == ir::Literal::of<float>({3}, {0, 1, 6})) << x.str();
    EXPECT_TRUE(clip(x, 0, kInfinity).literal() == ir::Literal::of<float>({3}, {0, 1, 7})) << x.str();
    EXPECT_TRUE(clip(x, -kInfinity, 3).literal() == ir::Literal::of<float>({3}, {0, 1, 3})) << x.str();
    EXPECT_EQ(clip(x, 0, 6).dtype(), dtype);
  }
  EXPECT_TRUE(relu6(Tensor::of<bool>({2}, {false, true})).literal() == ir::Literal::of<float>({2}, {0, 1}));
}

TEST(ElementwiseTest, ReluKeepsIntegersAndCountsBooleans) {
  const Tensor numbers = Tensor::of<std::int32_t>({3}, {0, 1, 7});
  for (const DType dtype : {DType::kI8, DType::kU8, DType::kU32, DType::kU64})
    for (const Tensor& y : in_both_modes(&relu, cast(numbers, dtype))) {
      EXPECT_EQ(y.dtype(), dtype);
      EXPECT_EQ(y.to_vector<int>(), (std::vector{0, 1, 7}));
    }
  for (const Tensor& y : in_both_modes(&relu, Tensor::of<bool>({2}, {false, true})))
    EXPECT_TRUE(y.literal() == ir::Literal::of<std::int32_t>({2}, {0, 1}));
}

TEST(ElementwiseTest, HardTanhKeepsIntegers) {
  for (const DType dtype : {DType::kI8, DType::kU8, DType::kU32, DType::kU64})
    for (const Tensor& y : in_both_modes(&hard_tanh, cast(Tensor::of<std::int32_t>({3}, {0, 1, 7}), dtype))) {
      EXPECT_EQ(y.dtype(), dtype);
      EXPECT_EQ(y.to_vector<int>(), (std::vector{0, 1, 1}));
    }
  EXPECT_EQ(hard_tanh(Tensor::of<std::int8_t>({2}, {-7, -1})).to_vector<int>(), (std::vector{-1, -1}));
}

TEST(ElementwiseTest, PowersAndShiftsOfBooleansAreIntegers) {
  const Tensor x = Tensor::of<bool>({4}, {true, false, true, false}),
               y = Tensor::of<bool>({4}, {true, true, false, false});
  const auto integers = [](std::initializer_list<std::int32_t> values) {
    return ir::Literal::of<std::int32_t>({4}, values);
  };
  EXPECT_TRUE(power(x, y).literal() == integers({1, 0, 1, 1}));
  EXPECT_TRUE(power(x, true).literal() == integers({1, 0, 1, 0}));
  EXPECT_TRUE(bitwise_left_shift(x, y).literal() == integers({2, 0, 1, 0}));
  EXPECT_TRUE(bitwise_right_shift(x, y).literal() == integers({0, 0, 1, 0}));
  EXPECT_EQ(power(x, Tensor::of<std::int8_t>({4}, {2, 2, 0, 0})).dtype(), DType::kI8);
}

}  // namespace
}  // namespace cornu::inline v0::ops
