#include "cornu/tensor/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/trace/trace.h"

/// Cases that the golden table cannot express: errors, 64-bit types, and known errors of Keras.
namespace cornu::inline v0::ops {
namespace {

std::string thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// Keras 3.15 gives zeros for {0.5, 0.4, 0.3}: it sums the running sums.
TEST(OpsTest, SparsemaxIsTheNearestPointOfTheSimplex) {
  const Tensor x = Tensor::of<double>({3, 3}, {1, 2, 3, 0.5, 0.4, 0.3, 1, 0.8, -2});
  const Tensor y = sparsemax(x);
  const std::vector<double> expected = {0, 0, 1, 0.1 + 1.0 / 3, 1.0 / 3, 1.0 / 3 - 0.1, 0.6, 0.4, 0};
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(y.at(i), expected[static_cast<std::size_t>(i)], 1e-12);
  EXPECT_TRUE(sparsemax(transpose(x), 0).literal() == transpose(y).literal());
}

TEST(OpsTest, ReshapeDropsTheMaskAlsoWhereTheShapeStays) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor masked = x.with_mask(Tensor::of<bool>({2}, {true, false}));
  EXPECT_EQ(reshape(masked, {2, 3}).mask(), nullptr);
  EXPECT_EQ(broadcast_to(masked, {2, 3}).mask(), nullptr);
  EXPECT_EQ(reshape(masked, {2, -1}).id(), x.id());
}

TEST(OpsTest, AQuantileOfNoNumberHasNoGradient) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = Tensor::of<float>({2, 3}, {nan, nan, nan, 1, 2, nan});
  for (const char* method : {"linear", "lower"}) {
    GradientTape tape;
    tape.watch(x);
    const Tensor y = ops::nanquantile(x, 0.5, {.axis = 1, .method = method});
    EXPECT_TRUE(std::isnan(y[0].item<float>()));
    const std::vector<float> gradient = tape.gradient(ops::sum(y), x).to_vector<float>();
    EXPECT_EQ(std::vector<float>(gradient.begin(), gradient.begin() + 3), std::vector<float>(3, 0));
    EXPECT_EQ(gradient[3] + gradient[4], 1);
  }
}

TEST(OpsTest, SixtyFourBitTypesStay) {
  const Tensor i64 = Tensor::of<std::int64_t>({2}, {1, 3}), f64 = Tensor::of<double>({2}, {0.5, 2});
  EXPECT_EQ((i64 + 1).dtype(), DType::kI64);
  EXPECT_EQ(sum(i64).dtype(), DType::kI64);
  EXPECT_EQ((i64 * f64).dtype(), DType::kF64);
  EXPECT_EQ(mean(f64).dtype(), DType::kF64);
  EXPECT_EQ(exp(i64).dtype(), DType::kF32);
  EXPECT_EQ(divide(i64, i64).dtype(), DType::kF32);
  EXPECT_EQ(cumsum(i64).dtype(), DType::kI64);
  EXPECT_EQ(promote(Tensor::of<std::uint64_t>({}, {1}), i64), DType::kF32);
  EXPECT_EQ(promote(Tensor::of<std::uint32_t>({}, {1}), Tensor::of<std::int8_t>({}, {1})), DType::kI64);
}

TEST(OpsTest, NarrowIndicesReachFarRows) {
  const Tensor x = ops::arange(1000);
  EXPECT_EQ(ops::take(x, Tensor::of<std::int8_t>({2}, {100, -1}), {.axis = 0}).to_vector<std::int32_t>(),
            (std::vector{100, 999}));
}

TEST(OpsTest, ErrorsNameTheFunctionAndTheShapes) {
  const Tensor x = Tensor::zeros({2, 3}), y = Tensor::zeros({4});
  EXPECT_EQ(thrown([&] { (void)add(x, y); }), "[add] shapes (2, 3) and (4,) cannot be broadcast together");
  EXPECT_EQ(thrown([&] { (void)sum(x, {.axis = 2}); }),
            "[sum] axis must be in [-2, 2) for a tensor of rank 2; got axis = 2");
  EXPECT_EQ(thrown([&] { (void)mean(x, {.axis = {0, -2}}); }).substr(0, 6), "[mean]");
  EXPECT_NE(thrown([&] { (void)matmul(x, x); }).find("[matmul] shapes (2, 3) and (2, 3)"), std::string::npos);
  EXPECT_NE(thrown([&] {
              (void)einsum("ij,jk->ik", {x, x});
            }).find("subscripts = \"ij,jk->ik\" and shapes (2, 3), (2, 3)"),
            std::string::npos);
  for (const auto& call : std::initializer_list<std::pair<const char*, std::function<void()>>>{
           {"einsum", [&] { (void)einsum("ij->ik", {x}); }},
           {"einsum", [&] { (void)einsum("i->i", {x}); }},
           {"einsum", [&] { (void)einsum("ij->ii", {x}); }},
           {"einsum", [&] { (void)einsum("i1->i", {x}); }},
           {"reshape", [&] { (void)reshape(x, {4, 2}); }},
           {"concatenate", [&] { (void)concatenate({x, y}); }},
           {"split", [&] { (void)split(x, 2, 1); }},
           {"stack", [&] { (void)stack({x, y}); }},
           {"squeeze", [&] { (void)squeeze(x, 1); }},
           {"pad", [&] { (void)pad(x, {{1, 1}}, {.mode = "mirror"}); }},
           {"take", [&] { (void)take(x, y); }},
           {"slice", [&] { (void)slice(x, {1, 1}, {3, 2}); }},
           {"slice", [&] { (void)slice(x, {1}, {2, 2}); }},
           {"slice", [&] { (void)slice(x, {0, 0}, {-2, 2}); }},
           {"slice", [&] { (void)slice(x, {3, 0}, {-1, 2}); }},
           {"digitize", [&] { (void)digitize(x, std::vector<double>{1, 3, 2}); }},
           {"scatter_update", [&] { (void)scatter_update(x, zeros({2, 1}, DType::kI32), y); }},
           {"segment_sum", [&] { (void)segment_sum(x, zeros({3}, DType::kI32)); }},
           {"top_k", [&] { (void)top_k(x, 4); }},
           {"quantile", [&] { (void)quantile(x, 1.5); }},
           {"max", [&] { (void)max(Tensor::zeros({0, 2}), {.axis = 0}); }},
           {"norm", [&] { (void)norm(x, {.ord = "max"}); }},
           {"bitwise_and", [&] { (void)bitwise_and(x, x); }},
           {"glu", [&] { (void)glu(x); }},
           {"conv", [&] { (void)conv(Tensor::zeros({1, 5, 5, 3}), Tensor::zeros({3, 3, 2, 4})); }},
           {"conv", [&] { (void)conv(Tensor::zeros({1, 2, 2, 3}), Tensor::zeros({3, 3, 3, 4})); }},
           {"conv",
            [&] { (void)conv(Tensor::zeros({1, 5, 5, 3}), Tensor::zeros({3, 3, 3, 4}), {.strides = 0}); }},
           {"conv",
            [&] { (void)conv(Tensor::zeros({1, 5, 3}), Tensor::zeros({3, 3, 4}), {.padding = "full"}); }},
           {"conv",
            [&] {
              (void)conv(Tensor::zeros({1, 5, 3}), Tensor::zeros({3, 3, 4}), {.bias = Tensor::zeros({3})});
            }},
           {"conv",
            [&] { (void)conv(Tensor::zeros({1, 5, 3}), Tensor::zeros({3, 3, 4}), {.activation = "relu"}); }},
           {"max_pool", [&] { (void)max_pool(Tensor::zeros({1, 5, 3}), 2, {.padding = "full"}); }},
           {"max_pool", [&] { (void)max_pool(Tensor::zeros({1, 5, 3}), 2, {.padding = "causal"}); }},
           {"average_pool", [&] { (void)average_pool(Tensor::zeros({1, 5, 3}), {2, 2}); }},
       })
    EXPECT_EQ(thrown(call.second).find("[" + std::string(call.first) + "] "), 0U)
        << call.first << ": " << thrown(call.second);
}

TEST(OpsTest, ConvolutionsTakeTheirBiasAndReluAndMayBeCausal) {
  const Tensor x = Tensor::of<float>({1, 4, 1}, {1, -2, 3, -4}),
               kernel = Tensor::of<float>({2, 1, 2}, {1, -1, 10, -10});
  const Tensor bias = Tensor::of<float>({2}, {0.5, -0.5});
  const Tensor plain = conv(x, kernel, {.padding = "causal"});
  EXPECT_TRUE(plain.literal() == Tensor::of<float>({1, 4, 2}, {10, -10, -19, 19, 28, -28, -37, 37}).literal())
      << plain.str();
  const Tensor cut = conv(x, kernel, {.padding = "causal", .bias = bias, .activation = "relu"});
  EXPECT_TRUE(cut.literal() == relu(plain + bias).literal()) << cut.str();
  EXPECT_TRUE(conv(x, kernel, {.padding = "causal", .bias = bias}).literal() == (plain + bias).literal());
}

TEST(OpsTest, WindowsTakeListsOfStrides) {
  EXPECT_EQ(max_pool(Tensor::zeros({1, 5, 5, 1}), {2, 2}, {.strides = {1, 3}}).shape(), (Dims{1, 4, 2, 1}));
  EXPECT_EQ(conv_transpose(Tensor::zeros({1, 2, 2, 1}), Tensor::zeros({2, 2, 1, 1}),
                           {.strides = 2, .output_padding = {1, 0}})
                .shape(),
            (Dims{1, 5, 4, 1}));
}

TEST(OpsTest, AResultWhoseShapeDependsOnValuesNeedsItsSizeInATrace) {
  const Variable ids(ir::Literal(TensorType{DType::kI32, {3}}));
  Trace trace;
  const Trace::Scope scope(trace);
  EXPECT_EQ(thrown([&] { (void)bincount(ids); }).find("[bincount] minlength"), 0U);
  EXPECT_EQ(thrown([&] { (void)segment_sum(ids, ids); }).find("[segment_sum] num_segments"), 0U);
  EXPECT_EQ(bincount(ids, {.minlength = 4}).shape(), Dims{4});
}

TEST(OpsTest, BoundsOutsideAnIntegerTypeSaturate) {
  const auto checks = [] {
    const Tensor u8 = Tensor::of<std::uint8_t>({2}, {3, 200}), i8 = Tensor::of<std::int8_t>({2}, {-128, 127});
    const Tensor i32 = Tensor::of<std::int32_t>({2}, {-5, 7});
    return std::vector<Tensor>{clip(u8, 0, 256),
                               clip(u8, -300, 300),
                               clip(i8, -128, 128),
                               max(i32, {.initial = 1e10}),
                               min(i32, {.initial = -1e10}),
                               clip(Tensor::of<std::int64_t>({1}, {5}), -1e30, 1e30)};
  };
  const std::vector<Tensor> expected = {
      Tensor::of<std::uint8_t>({2}, {3, 200}),
      Tensor::of<std::uint8_t>({2}, {3, 200}),
      Tensor::of<std::int8_t>({2}, {-128, 127}),
      Tensor::of<std::int32_t>({}, {std::numeric_limits<std::int32_t>::max()}),
      Tensor::of<std::int32_t>({}, {std::numeric_limits<std::int32_t>::min()}),
      Tensor::of<std::int64_t>({1}, {5})};
  const std::vector<Tensor> eager = checks(), compiled = function(checks)();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(eager[i].literal() == expected[i].literal()) << i << ": " << eager[i].str();
    EXPECT_TRUE(compiled[i].literal() == expected[i].literal()) << i << ": " << compiled[i].str();
  }
}

TEST(OpsTest, GradientsOfRunningTotalsRunBackwards) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
               weights = Tensor::of<float>({3}, {1, 10, 100});
  const auto gradients = [&](const Tensor& values) {
    GradientTape tape({.persistent = true});
    tape.watch(values);
    const Tensor total = sum(cumsum(values, {.axis = 1}) * weights),
                 product = sum(cumprod(values, {.axis = 1}) * weights);
    return std::vector<Tensor>{tape.gradient(total, values), tape.gradient(product, values)};
  };
  for (const std::vector<Tensor>& results : {gradients(x), function(gradients)(x)}) {
    EXPECT_EQ(results[0].to_vector<float>(), (std::vector<float>{111, 110, 100, 111, 110, 100}));
    EXPECT_EQ(results[1].to_vector<float>(), (std::vector<float>{621, 310, 200, 3051, 2440, 2000}));
  }
}

// Same results as jnp: 1 / 0.1F rounds up to 10, and 10 * 0.1F is above 1.
TEST(OpsTest, TheOperatorOfRemaindersHasTheSignOfTheDivisor) {
  const Tensor x = Tensor::of<std::int32_t>({4}, {5, -5, 5, -5});
  EXPECT_EQ((x % Tensor::of<std::int32_t>({4}, {3, 3, -3, -3})).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{2, 1, -1, -2}));
  EXPECT_EQ((Tensor::of<float>({2}, {5.5F, -0.5F}) % 2.0F).to_vector<float>(),
            (std::vector<float>{1.5F, 1.5F}));
}

TEST(OpsTest, FloorDivisionIsOfTheExactQuotient) {
  constexpr float kInf = HUGE_VALF;
  const Tensor x = Tensor::of<float>({10}, {1, -1, 1, 7, 5, -5, 1, -1, 0, kInf}),
               y = Tensor::of<float>({10}, {0.1F, 0.1F, -0.1F, 2, kInf, kInf, 0, 0, 0, 2});
  const std::vector<float> expected = {9, -10, -10, 3, 0, -1, kInf, -kInf};
  for (const Tensor& quotient : {floor_divide(x, y), function(&floor_divide)(x, y)}) {
    const std::vector<float> values = quotient.to_vector<float>();
    EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + 8), expected);
    EXPECT_TRUE(std::isnan(values[8]) && std::isnan(values[9])) << "0 / 0 and inf / 2";
  }
  const Tensor again = floor_divide(x, y) * y + mod(x, y);
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(again.at(i), x.at(i), 1e-6) << i;
}

// Gradients are those of jnp where they are finite, else the limits from nearby points.
TEST(OpsTest, LogaddexpSharesTheGradientOfEqualNumbers) {
  const Tensor x = Tensor::of<float>({3}, {1, HUGE_VALF, HUGE_VALF}),
               y = Tensor::of<float>({3}, {1, HUGE_VALF, -HUGE_VALF});
  for (Tensor (*const f)(const Tensor&, const Tensor&) : {&logaddexp, &logaddexp2}) {
    GradientTape tape;
    tape.watch(x);
    tape.watch(y);
    const std::vector<Tensor> gradients = tape.gradient(f(x, y), std::vector{x, y});
    const std::vector<double> of_x = {0.5, 1, 1}, of_y = {0.5, 1, 0};
    for (std::int64_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(gradients[0].at(i), of_x[static_cast<std::size_t>(i)], 1e-6) << i;
      EXPECT_NEAR(gradients[1].at(i), of_y[static_cast<std::size_t>(i)], 1e-6) << i;
    }
  }
}

// The second derivative of log(e^x + e^y) is s (1 - s) with s = 1 / (1 + e^(y - x)), times log 2 with base 2.
TEST(OpsTest, LogaddexpHasSecondDerivativesAtEqualNumbers) {
  const Tensor x = Tensor::of<double>({3}, {1, 1.5, -HUGE_VAL}), y = Tensor::of<double>({3}, {1, 1, 1});
  const double beside = 1 / (1 + std::exp(-0.5)), beside_2 = 1 / (1 + std::exp2(-0.5)), log_2 = std::log(2.0);
  const auto second = [&](Tensor (*f)(const Tensor&, const Tensor&), bool is_first) {
    GradientTape outer;
    outer.watch(x);
    GradientTape inner;
    inner.watch(x);
    return outer.gradient(inner.gradient(is_first ? f(x, y) : f(y, x), x), x);
  };
  for (const bool is_first : {true, false}) {
    const Tensor natural = second(&logaddexp, is_first), binary = second(&logaddexp2, is_first);
    EXPECT_NEAR(natural.at(0), 0.25, 1e-12);
    EXPECT_NEAR(natural.at(1), beside * (1 - beside), 1e-12);
    EXPECT_EQ(natural.at(2), 0);
    EXPECT_NEAR(binary.at(0), 0.25 * log_2, 1e-12);
    EXPECT_NEAR(binary.at(1), beside_2 * (1 - beside_2) * log_2, 1e-12);
  }
}

TEST(OpsTest, LogaddexpKeepsTheSmallPartOfFarNumbers) {
  constexpr double kInf = HUGE_VAL;
  const Tensor x = Tensor::of<double>({6}, {0, -40, 1000, -kInf, kInf, -kInf}),
               y = Tensor::of<double>({6}, {-40, 0, 1000, -kInf, kInf, 3});
  const std::vector<double> expected = {
      std::exp(-40.0), std::exp(-40.0), 1000 + std::log(2.0), -kInf, kInf, 3};
  const std::vector<double> made = logaddexp(x, y).to_vector<double>();
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(made[i], expected[i]) << i;
  EXPECT_TRUE(std::isnan(logaddexp(Tensor(HUGE_VAL), Tensor(std::nan(""))).at(0)));
}

TEST(OpsTest, SincHasItsDerivativesAtZeroAndNearIt) {
  constexpr double kPi = 3.14159265358979323846;
  const Tensor x = Tensor::of<double>({4}, {0, 1e-8, -1e-3, 2e-3});
  GradientTape outer;
  outer.watch(x);
  GradientTape inner;
  inner.watch(x);
  const Tensor value = sinc(x), first = inner.gradient(value, x), second = outer.gradient(first, x);
  for (std::int64_t i = 0; i < 4; ++i) {
    const double angle = kPi * x.at(i), square = angle * angle;
    EXPECT_DOUBLE_EQ(value.at(i), i == 0 ? 1 : std::sin(angle) / angle) << i;
    EXPECT_NEAR(first.at(i), -kPi * angle * (1 - square / 10 + square * square / 280) / 3, 1e-12) << i;
    EXPECT_NEAR(second.at(i), -kPi * kPi * (1 - 3 * square / 10 + square * square / 56) / 3, 1e-9) << i;
  }
}

TEST(OpsTest, ReductionsWithoutNanHaveTheSlopeZeroAtNan) {
  const Tensor x = Tensor::of<double>({4}, {1, std::nan(""), 3, 8});
  using Reduction = Tensor (*)(const Tensor&, const ReduceOptions&);
  const std::vector<std::pair<Reduction, std::vector<double>>> expected = {
      {&nansum, {1, 0, 1, 1}},
      {&nanprod, {24, 0, 8, 3}},
      {&nanmax, {0, 0, 0, 1}},
      {&nanmin, {1, 0, 0, 0}},
      {&nanmean, {1.0 / 3, 0, 1.0 / 3, 1.0 / 3}},
      {&nanvar, {-2, 0, -2.0 / 3, 8.0 / 3}},  // 2 (x - mean) / 3
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    GradientTape tape;
    tape.watch(x);
    const Tensor slope = tape.gradient(expected[i].first(x, {}), x);
    for (std::int64_t k = 0; k < 4; ++k)
      EXPECT_NEAR(slope.at(k), expected[i].second[static_cast<std::size_t>(k)], 1e-12) << i << " " << k;
  }
}

TEST(OpsTest, ReductionsWithoutNanLeaveIntegersAsTheyAre) {
  const Tensor x = Tensor::of<std::int32_t>({3}, {4, 2, 9});
  EXPECT_EQ(nansum(x).item<std::int32_t>(), 15);
  EXPECT_EQ(nanmax(x).item<std::int32_t>(), 9);
  EXPECT_EQ(nanmean(x).item<float>(), 5);
}

TEST(OpsTest, UniqueHasPositionsInversesAndCounts) {
  const Tensor x = Tensor::of<std::int32_t>({2, 3}, {3, 1, 3, 7, 1, 3});
  const Unique all = unique(x);
  EXPECT_EQ(all.values.to_vector<int>(), (std::vector{1, 3, 7}));
  EXPECT_EQ(all.index.to_vector<int>(), (std::vector{1, 0, 3}));
  EXPECT_EQ(all.inverse.to_vector<int>(), (std::vector{1, 0, 1, 2, 0, 1}));
  EXPECT_EQ(all.inverse.shape(), x.shape());
  EXPECT_EQ(all.counts.to_vector<int>(), (std::vector{2, 3, 1}));
  const Unique more = unique(x, {.size = 5, .fill_value = -1});
  EXPECT_EQ(more.values.to_vector<int>(), (std::vector{1, 3, 7, -1, -1}));
  EXPECT_EQ(more.counts.to_vector<int>(), (std::vector{2, 3, 1, 0, 0}));
  EXPECT_EQ(unique(x, {.size = 2}).values.to_vector<int>(), (std::vector{1, 3}));
  const Tensor rows = Tensor(std::vector<int>{2, 1, 0, 5, 2, 1});
  const Unique by_row = unique(reshape(rows, {3, 2}), {.axis = 0, .size = 3, .fill_value = 9});
  EXPECT_EQ(by_row.values.to_vector<int>(), (std::vector{0, 5, 2, 1, 9, 9}));
  EXPECT_EQ(by_row.inverse.to_vector<int>(), (std::vector{1, 0, 1}));
  EXPECT_EQ(by_row.counts.to_vector<int>(), (std::vector{1, 2, 0}));
  EXPECT_EQ(unique(reshape(rows, {2, 3}), {.axis = -1}).values.to_vector<int>(),
            (std::vector{0, 1, 2, 1, 2, 5}));
  EXPECT_EQ(unique(x, {.size = 4}).values.to_vector<int>(), (std::vector{1, 3, 7, 1}));
}

TEST(OpsTest, ResultsOfAnUnknownNumberHaveAFixedSizeInATrace) {
  const auto positions = [](const Tensor& x) { return nonzero(x, {.size = 3, .fill_value = -1}); };
  const Tensor x = Tensor::of<float>({2, 3}, {0, 2, 0, 0, 0, 5});
  EXPECT_EQ(positions(x)[0].to_vector<int>(), (std::vector{0, 1, -1}));
  EXPECT_EQ(positions(x)[1].to_vector<int>(), (std::vector{1, 2, -1}));
  EXPECT_EQ(nonzero(x)[1].to_vector<int>(), (std::vector{1, 2}));
  EXPECT_EQ(nonzero(zeros({4}))[0].shape(), (Dims{0}));
  Trace trace;
  const Trace::Scope scope(trace);
  EXPECT_NE(thrown([&] { (void)nonzero(x); }).find("size must be given"), std::string::npos);
  EXPECT_NE(thrown([&] { (void)unique(x); }).find("size must be given"), std::string::npos);
  EXPECT_EQ(positions(x)[0].shape(), (Dims{3}));
}

TEST(OpsTest, APartitionHasSmallerElementsBeforeAndLargerOnesAfter) {
  const Tensor x = Tensor::of<float>({5}, {4, 1, 3, 5, 2});
  const std::vector<float> ordered = take(x, argpartition(x, 2)).to_vector<float>();
  EXPECT_EQ(ordered[2], 3);
  EXPECT_LT(std::max(ordered[0], ordered[1]), 3);
  EXPECT_GT(std::min(ordered[3], ordered[4]), 3);
  EXPECT_EQ(thrown([&] { (void)argpartition(x, 5); }),
            "[argpartition] kth must be a position of 5 elements; got kth = 5");
}

TEST(OpsTest, TrapezoidsTakePositionsOfSamples) {
  const Tensor y = Tensor::of<float>({2, 3}, {1, 2, 4, 0, 1, 0}), x = Tensor::of<float>({3}, {0, 1, 4});
  EXPECT_EQ(trapezoid(y, {.x = x}).to_vector<float>(), (std::vector<float>{10.5, 2}));
  EXPECT_EQ(trapezoid(y, {.x = Tensor::of<float>({2}, {0, 2}), .axis = 0}).to_vector<float>(),
            (std::vector<float>{1, 3, 4}));
}

TEST(OpsTest, EqualRowsHaveTheDistanceZeroWithTheSlopeZero) {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 4, 6});
  GradientTape tape;
  tape.watch(x);
  const std::vector<double> slope = tape.gradient(sum(cdist(x, x)), x).to_vector<double>(),
                            expected = {-1.2, -1.6, 1.2, 1.6};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(slope[i], expected[i], 1e-6) << i;
}

TEST(OpsTest, ABeamKeepsAsManyLabellingsAsItIsWide) {
  const Tensor logits = log(Tensor::of<float>({1, 2, 2}, {0.6F, 0.4F, 0.6F, 0.4F}));
  const Tensor lengths = Tensor::of<std::int32_t>({1}, {2});
  // The most probable steps are blanks, 0.36; one label has 0.64 in three alignments.
  const CtcDecoded greedy = ctc_decode(logits, lengths);
  EXPECT_EQ(greedy.decoded.to_vector<int>(), (std::vector{-1, -1}));
  const CtcDecoded both = ctc_decode(logits, lengths, {.strategy = "beam_search", .top_paths = 3});
  EXPECT_EQ(both.decoded.to_vector<int>(), (std::vector{1, -1, -1, -1, -1, -1}));
  EXPECT_NEAR(both.scores.at(0), std::log(0.64), 1e-6);
  EXPECT_NEAR(both.scores.at(1), std::log(0.36), 1e-6);
  EXPECT_TRUE(std::isinf(both.scores.at(2)));
  EXPECT_EQ(thrown([&] { (void)ctc_decode(logits, lengths, {.strategy = "best"}); }),
            "[ctc_decode] strategy must be \"greedy\" or \"beam_search\"; got strategy = \"best\"");
}

TEST(OpsTest, PsnrNeedsEqualShapes) {
  EXPECT_EQ(thrown([] { (void)psnr(ones({2, 3}), ones({3}), 1.0); }),
            "[psnr] x1 and x2 must have one shape; got (2, 3) and (3,)");
}

TEST(OpsTest, CeluHasTheSlopeOneAtZero) {
  const Tensor x = Tensor::of<float>({3}, {-1, 0, 1});
  for (const double alpha : {1.0, 0.5}) {
    GradientTape tape;
    tape.watch(x);
    const Tensor slope = tape.gradient(celu(x, alpha), x);
    EXPECT_NEAR(slope.at(0), std::exp(-1 / alpha), 1e-6);
    EXPECT_EQ(slope.at(1), 1);
    EXPECT_EQ(slope.at(2), 1);
  }
}

TEST(OpsTest, SearchesPutNaNLast) {
  const float nan = std::nanf("");
  const auto places = [](const Tensor& sorted, const Tensor& values, const char* side) {
    return searchsorted(sorted, values, {.side = side}).to_vector<std::int32_t>();
  };
  const Tensor sorted = Tensor::of<float>({4}, {1, 2, nan, nan}),
               values = Tensor::of<float>({3}, {nan, 2, 3});
  EXPECT_EQ(places(sorted, values, "left"), (std::vector{2, 1, 2}));
  EXPECT_EQ(places(sorted, values, "right"), (std::vector{4, 2, 2}));
  const std::vector<double> bins = {0, 1};
  EXPECT_EQ(digitize(Tensor::of<float>({3}, {nan, 0.5F, 1}), bins).to_vector<std::int32_t>(),
            (std::vector{2, 1, 2}));
}

TEST(OpsTest, NothingIsReadAlongAnAxisOfNoElements) {
  EXPECT_EQ(take(zeros({0, 3}), zeros({0}, DType::kI32), {.axis = 0}).shape(), (Dims{0, 3}));
  EXPECT_EQ(take_along_axis(zeros({0, 3}), zeros({0, 2}, DType::kI32), {.axis = 1}).shape(), (Dims{0, 2}));
  EXPECT_EQ(diagonal(zeros({0, 0})).shape(), (Dims{0}));
  EXPECT_EQ(trace(zeros({0, 0})).item<float>(), 0);
  EXPECT_EQ(thrown([] { (void)take(zeros({0, 3}), zeros({1}, DType::kI32), {.axis = 0}); }),
            "[take] there is nothing to read along axis 0 of shape (0, 3)");
}

// The expected values of this test and the following ones up to AVarianceBeyondF16IsItsLargestNumber are
// those of Keras 3.15 on JAX.
TEST(OpsTest, StartsOfSlicesCountFromTheEndAndAreMovedToFit) {
  const Tensor x = reshape(arange(20, DType::kF32), {4, 5});
  const auto starts = [](int row, int column) { return Tensor::of<std::int32_t>({2}, {row, column}); };
  const auto compiled =
      function([](const Tensor& from, const Tensor& at) { return slice(from, at, {2, 3}); });
  struct Case {
    int row, column;
    std::vector<float> expected;
  };
  for (const Case& row : {Case{-1, -9, {10, 11, 12, 15, 16, 17}}, Case{-3, -4, {6, 7, 8, 11, 12, 13}},
                          Case{3, 4, {12, 13, 14, 17, 18, 19}}}) {
    const Tensor at = starts(row.row, row.column);
    EXPECT_EQ(slice(x, {row.row, row.column}, {2, 3}).to_vector<float>(), row.expected);
    EXPECT_EQ(slice(x, at, {2, 3}).to_vector<float>(), row.expected);
    EXPECT_EQ(slice(x, cast(at, DType::kI8), {2, 3}).to_vector<float>(), row.expected);
    EXPECT_EQ(compiled(x, at).to_vector<float>(), row.expected);
  }
  EXPECT_EQ(slice(x, {-1, -2}, {1, 2}).to_vector<float>(), (std::vector<float>{18, 19}));
  const Tensor updates = full({2, 3}, -1, DType::kF32);
  for (const StartIndices& at : {StartIndices{-1, -9}, StartIndices(starts(-1, -9))})
    EXPECT_EQ(slice_update(x, at, updates).to_vector<float>(),
              (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, 13, 14, -1, -1, -1, 18, 19}));
}

TEST(OpsTest, AnItemIsThatOfPython) {
  const Tensor x = reshape(arange(6, {.dtype = DType::kF32}), {2, 3});
  const auto first = [](const Tensor& a) { return get_item(a, {Slice(), 0}); };  // a[:, 0]
  EXPECT_EQ(first(x).to_vector<float>(), (std::vector<float>{0, 3}));
  EXPECT_EQ(function(first)(x).to_vector<float>(), (std::vector<float>{0, 3}));
  EXPECT_EQ(get_item(x, {kEllipsis, kNewAxis, 1}).shape(), (Dims{2, 1}));
  EXPECT_TRUE(get_item(x, {}).literal() == x.literal());
  GradientTape tape;
  const Variable v(x);
  EXPECT_EQ(tape.gradient(sum(first(v)), v).to_vector<float>(), (std::vector<float>{1, 0, 0, 1, 0, 0}));
  const auto text_of = [&](const std::vector<Index>& key) { return thrown([&] { (void)get_item(x, key); }); };
  EXPECT_NE(text_of({0, 3}).find("position 3 is outside axis 1, which has 3 elements"), std::string::npos);
  EXPECT_NE(text_of({-3}).find("position -3 is outside axis 0"), std::string::npos);
  EXPECT_NE(text_of({0, 0, Slice()}).find("at most 2 positions or slices"), std::string::npos);
  EXPECT_NE(text_of({kEllipsis, kEllipsis}).find("one ellipsis"), std::string::npos);
}

TEST(OpsTest, AddNIsTheSumOfAll) {
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  EXPECT_EQ(add_n({x, x, x}).to_vector<float>(), (std::vector<float>{3, 6}));
  EXPECT_EQ(add_n(std::vector<Tensor>{x}).to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_THROW(add_n(std::vector<Tensor>()), Error);
}

TEST(OpsTest, AnExtentOfMinusOneTakesTheRestOfTheAxis) {
  const Tensor x = reshape(arange(20, DType::kF32), {4, 5}), at = Tensor::of<std::int32_t>({2}, {1, 2});
  const std::vector<float> expected = {7, 8, 9, 12, 13, 14, 17, 18, 19};
  for (const Tensor& part : {slice(x, {1, 2}, {-1, -1}), slice(x, at, {-1, -1})}) {
    EXPECT_EQ(part.shape(), (Dims{3, 3}));
    EXPECT_EQ(part.to_vector<float>(), expected);
  }
  EXPECT_EQ(slice(x, {4, 0}, {-1, 2}).shape(), (Dims{0, 2}));
  EXPECT_EQ(thrown([&] {
              (void)function(
                  [](const Tensor& from, const Tensor& start) { return slice(from, start, {-1, 2}); })(x, at);
            }).find("[slice] shape must have no -1"),
            0U);
}

TEST(OpsTest, NegativeIndicesOfScattersCountFromTheEnd) {
  const Tensor indices = Tensor::of<std::int8_t>({5, 1}, {-1, -4, -5, 4, 1}),
               updates = Tensor::of<float>({5}, {1, 2, 4, 8, 16});
  const std::vector<float> expected = {2, 16, 0, 1};
  EXPECT_EQ(scatter(indices, updates, {4}).to_vector<float>(), expected);
  for (const char* reduction : {"", "add", "max"})
    EXPECT_EQ(scatter_update(zeros({4}), indices, updates, {.reduction = reduction}).to_vector<float>(),
              expected)
        << reduction;
  EXPECT_EQ(scatter(Tensor::of<std::int32_t>({1, 2}, {-1, -3}), Tensor::of<float>({1}, {5}), {2, 3})
                .to_vector<float>(),
            (std::vector<float>{0, 0, 0, 5, 0, 0}));
}

TEST(OpsTest, LabelsThatAreNoClassAreInNoTopK) {
  const Tensor predictions = broadcast_to(Tensor::of<float>({3}, {1, 2, 3}), {4, 3});
  const Tensor labels = Tensor::of<std::int32_t>({4}, {3, -1, -4, 5});
  const std::vector<double> expected = {0, 1, 0, 0};
  for (const std::int64_t k : {1, 3})
    for (const Tensor& found :
         {in_top_k(labels, predictions, k), in_top_k(cast(labels, DType::kI8), predictions, k)})
      for (std::int64_t i = 0; i < 4; ++i)
        EXPECT_EQ(found.at(i), expected[static_cast<std::size_t>(i)]) << k << " " << i;
}

TEST(OpsTest, OnlyMatmulAndEinsumWidenBytes) {
  const Tensor x = Tensor::of<std::int8_t>({2}, {100, 100}), yes = Tensor::of<bool>({2}, {true, true});
  for (const Tensor& y : {dot(x, x), inner(x, x), vdot(x, x), tensordot(x, x, {.axes = 1})}) {
    EXPECT_EQ(y.dtype(), DType::kI8);
    EXPECT_EQ(y.at(0), 32);
  }
  for (const Tensor& y : {matmul(x, x), einsum("i,i->", {x, x})}) {
    EXPECT_EQ(y.dtype(), DType::kI32);
    EXPECT_EQ(y.at(0), 20000);
  }
  for (const Tensor& y : {dot(yes, x), matmul(yes, x), einsum("i,i->", {x, yes})}) {
    EXPECT_EQ(y.dtype(), DType::kI8);
    EXPECT_EQ(y.at(0), -56);
  }
  EXPECT_EQ(einsum("i->", {x}).at(0), 200);
  EXPECT_EQ(einsum("i->i", {x}).dtype(), DType::kI32);
  EXPECT_EQ(einsum("i,i,i->", {x, x, x}).at(0), 2000000);
  EXPECT_EQ(einsum("i,j->", {x, x}).at(0), 40000);
}

TEST(OpsTest, EinsumOfBooleansIsLogical) {
  const Tensor x = Tensor::of<bool>({2, 2}, {true, true, false, false}),
               y = Tensor::of<bool>({2, 2}, {true, false, true, false});
  const Tensor product = einsum("ij,jk->ik", {x, y});
  EXPECT_EQ(product.dtype(), DType::kI1);
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(product.at(i), i == 0 ? 1 : 0) << i;
  for (const Tensor& any :
       {einsum("ij->", {x}), einsum("ij,kl->", {x, y}), einsum("ij,ij,ij->", {x, x, y})}) {
    EXPECT_EQ(any.dtype(), DType::kI1);
    EXPECT_EQ(any.at(0), 1);
  }
}

TEST(OpsTest, ReductionsThatKeepAnEmptyAxisAreEmpty) {
  const Tensor x = zeros({0, 3});
  EXPECT_EQ(median(x, {.axis = 1}).shape(), Dims{0});
  EXPECT_EQ(percentile(x, 50, {.axis = 1}).shape(), Dims{0});
  EXPECT_EQ(quantile(x, {0.5, 0.3}, {.axis = 1, .keepdims = true}).shape(), (Dims{2, 0, 1}));
  EXPECT_EQ(thrown([&] { (void)median(x, {.axis = 0}); }).find("[quantile] there is no element"), 0U);
  EXPECT_EQ(logsumexp(zeros({0})).at(0), -HUGE_VAL);
  EXPECT_EQ(logsumexp(x, {.axis = 0}).to_vector<float>(), (std::vector<float>(3, -HUGE_VALF)));
  EXPECT_EQ(logsumexp(x, {.axis = 1}).shape(), Dims{0});
}

TEST(OpsTest, TheNearestQuantileIsInTheMiddleTheLower) {
  const Tensor x = Tensor::of<float>({5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(quantile(x, {0.1, 0.125, 0.375, 0.625, 0.7, 0.875}, {.method = "nearest"}).to_vector<float>(),
            (std::vector<float>{1, 1, 2, 3, 4, 4}));
}

TEST(OpsTest, TheOrderOfANormMayBeALiteralZero) {
  EXPECT_EQ(norm(Tensor::of<float>({3}, {1, 0, 2}), {.ord = 0}).item<float>(), 2);
}

TEST(OpsTest, BinsMayFall) {
  const Tensor x = Tensor::of<float>({8}, {0, 1, 1.5F, 2, 2.5F, 3, 4, std::nanf("")});
  EXPECT_EQ(digitize(x, std::vector<double>{3, 2, 1}).to_vector<std::int32_t>(),
            (std::vector{3, 2, 2, 1, 1, 0, 0, 0}));
  EXPECT_EQ(digitize(x, std::vector<double>{}).to_vector<std::int32_t>(), std::vector<std::int32_t>(8));
}

TEST(OpsTest, BincountCountsNegativeNumbersAsZero) {
  const Tensor x = Tensor::of<std::int32_t>({5}, {-1, -5, 0, 1, 3});
  EXPECT_EQ(bincount(x).to_vector<std::int32_t>(), (std::vector{3, 1, 0, 1}));
  EXPECT_EQ(bincount(Tensor::of<std::int8_t>({2}, {-1, -2})).to_vector<std::int32_t>(), std::vector{2});
}

TEST(OpsTest, NoSequenceIsLongerThanTheInput) {
  EXPECT_EQ(extract_sequences(zeros({3}), 5, 1).shape(), (Dims{0, 5}));
  EXPECT_EQ(extract_sequences(zeros({1, 3}), 6, 2).shape(), (Dims{1, 0, 6}));
}

TEST(OpsTest, RollsOfOneAxisAddUp) {
  const Tensor x = reshape(arange(6), {2, 3});
  EXPECT_EQ(roll(x, {1, 1}, {.axis = 1}).to_vector<std::int32_t>(), (std::vector{1, 2, 0, 4, 5, 3}));
  EXPECT_EQ(roll(x, 1, {.axis = {0, 1}}).to_vector<std::int32_t>(), (std::vector{5, 3, 4, 2, 0, 1}));
  EXPECT_EQ(thrown([&] { (void)roll(x, {1, 2, 1}, {.axis = {0, 1}}); }).find("[roll] there must be"), 0U);
}

TEST(OpsTest, AVarianceBeyondF16IsItsLargestNumber) {
  const Moments of_halves = moments(cast(Tensor::of<float>({2}, {60000, -60000}), DType::kF16), 0);
  EXPECT_EQ(of_halves.variance.dtype(), DType::kF16);
  EXPECT_EQ(of_halves.variance.at(0), 65504);
  EXPECT_EQ(of_halves.mean.at(0), 0);
}

TEST(OpsTest, PoolsFarLargerThanTheirInputSeeAllOfIt) {
  const Tensor x = Tensor::of<float>({1, 2, 2, 1}, {1, 5, 3, 2});
  const auto pooled_and_gradient = [](const Tensor& inputs) {
    constexpr std::int64_t kHuge = std::int64_t{1} << 33;
    GradientTape tape;
    tape.watch(inputs);
    const Tensor largest = max_pool(inputs, kHuge, {.strides = 1, .padding = "same"});
    return std::vector<Tensor>{largest, average_pool(inputs, kHuge, {.strides = 1, .padding = "same"}),
                               tape.gradient(sum(largest), inputs)};
  };
  const std::vector<Tensor> eager = pooled_and_gradient(x), compiled = function(pooled_and_gradient)(x);
  for (const std::vector<Tensor>& results : {eager, compiled}) {
    EXPECT_EQ(results[0].to_vector<float>(), (std::vector<float>{5, 5, 5, 5}));
    EXPECT_EQ(results[1].to_vector<float>(), (std::vector<float>{2.75F, 2.75F, 2.75F, 2.75F}));
    EXPECT_EQ(results[2].to_vector<float>(), (std::vector<float>{0, 4, 0, 0}));
  }
}

TEST(OpsTest, ACountBeyond32BitsHas64) {
  Trace trace;
  const Trace::Scope scope(trace);
  EXPECT_EQ(count_nonzero(zeros({1 << 16, 1 << 15}, DType::kI8)).dtype(), DType::kI64);
  EXPECT_EQ(count_nonzero(zeros({1 << 16, 1 << 15}, DType::kI8), 1).dtype(), DType::kI32);
}

/// Sets a rounding mode or traps, and restores the environment.
class FloatSettings {
 public:
  FloatSettings() { std::fegetenv(&before_); }
  ~FloatSettings() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
};

TEST(FloatEnvironmentTest, NoResultDependsOnTheRoundingModeOfTheCaller) {
  const Tensor x = Tensor::of<float>({3}, {0.1F, 1.7F, -2.3F}), y = Tensor::of<float>({3}, {3, 7, 11});
  const auto compute = [](const Tensor& a, const Tensor& b) {
    return std::vector<Tensor>{exp(a),
                               a / b,
                               a * 0.1,
                               sum(a),
                               matmul(reshape(a, {1, 3}), reshape(b, {3, 1})),
                               cast(a * 1e-3, DType::kBF16)};
  };
  const std::vector<Tensor> expected = compute(x, y), expected_compiled = function(compute)(x, y);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const FloatSettings settings;
    std::fesetround(mode);
    const std::vector<Tensor> eager = compute(x, y), compiled = function(compute)(x, y);
    EXPECT_EQ(std::fegetround(), mode);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(eager[i].literal() == expected[i].literal()) << i << " in mode " << mode;
      EXPECT_TRUE(compiled[i].literal() == expected_compiled[i].literal()) << i << " in mode " << mode;
    }
  }
}

TEST(FloatEnvironmentTest, TrappedExceptionsOfTheCallerDoNotStopAnOperation) {
  const FloatSettings settings;
  ::feenableexcept(FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO);
  const Tensor x = Tensor::of<float>({2}, {1000, 0});
  EXPECT_TRUE(std::isinf(exp(x).at(0)));
  EXPECT_TRUE(std::isinf((1e300 / x).at(1)));
  EXPECT_TRUE(std::isinf(function([](const Tensor& a) { return exp(a) * 1e300; })(x).at(0)));
  EXPECT_EQ(::fegetexcept(), FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO);
}

}  // namespace
}  // namespace cornu::inline v0::ops
