#include "cornu/ops/elementwise_binary/elementwise_binary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::elementwise_binary_folder {
namespace {

using ir::DType;
using ir::Literal;
using Function = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

template <typename T>
T apply(Function function, T x, T y) {
  return run_op({Literal::of<T>({}, {x}), Literal::of<T>({}, {y})},
                [&](ir::Builder& b, std::span<const ir::Value> v) { return function(b, v[0], v[1]); })[0]
      .template data<T>()[0];
}

std::string error(Function function, const ir::TensorType& x, const ir::TensorType& y) {
  return build_error({x, y}, [&](ir::Builder& b, std::span<const ir::Value> v) { function(b, v[0], v[1]); });
}

/// Gradients of x and y at a point, for an incoming gradient of 1.
std::pair<double, double> slopes(Function function, double x, double y) {
  ir::Function f;
  f.name = "main";
  const ir::Value x_value = f.body.add_argument({DType::kF64, {}}),
                  y_value = f.body.add_argument({DType::kF64, {}});
  const ir::Value one = f.body.add_argument({DType::kF64, {}});
  ir::Builder b(f.body);
  const ir::Value result = function(b, x_value, y_value);
  const ir::Value incoming[] = {one};
  f.body.set_results(result.op()->def().gradient({b, *result.op(), incoming}));
  const Literal arguments[] = {Literal::scalar(DType::kF64, x), Literal::scalar(DType::kF64, y),
                               Literal::scalar(DType::kF64, 1)};
  const std::vector<Literal> results = backends::reference::evaluate(f, arguments);
  return {results[0].at(0), results[1].at(0)};
}

constexpr auto kMin = std::numeric_limits<std::int32_t>::min();
constexpr auto kMax = std::numeric_limits<std::int32_t>::max();

TEST(ElementwiseBinaryTest, C1_RejectsOperandsOfDifferentTypes) {
  EXPECT_EQ(error(&add, {DType::kF32, {2}}, {DType::kF32, {3}}),
            "[add] (C1) lhs and rhs must have one type; got tensor<2xf32> and tensor<3xf32>");
  EXPECT_NE(error(&multiply, {DType::kF32, {2}}, {DType::kF64, {2}}), "");
  EXPECT_NE(error(&multiply, {DType::kF32, {2}}, {DType::kF32, {}}), "");
}

TEST(ElementwiseBinaryTest, I1_RejectsDtypesThatTheOpDoesNotTake) {
  EXPECT_EQ(error(&and_, {DType::kF32, {}}, {DType::kF32, {}}),
            "[and] (I1) lhs must be of i1 or integers; got tensor<f32>");
  EXPECT_NE(error(&shift_left, {DType::kI1, {}}, {DType::kI1, {}}), "");
  EXPECT_NE(error(&subtract, {DType::kI1, {}}, {DType::kI1, {}}), "");
  EXPECT_EQ(error(&maximum, {DType::kI1, {}}, {DType::kI1, {}}), "");
}

TEST(ElementwiseBinaryTest, BooleansAddAsOrAndMultiplyAsAnd) {
  EXPECT_TRUE(apply(&add, true, true));
  EXPECT_FALSE(apply(&multiply, true, false));
  EXPECT_TRUE(apply(&maximum, true, false));
  EXPECT_FALSE(apply(&minimum, true, false));
  EXPECT_FALSE(apply(&xor_, true, true));
}

TEST(ElementwiseBinaryTest, IntegersWrapAround) {
  EXPECT_EQ(apply(&add, kMax, 1), kMin);
  EXPECT_EQ(apply(&subtract, kMin, 1), kMax);
  EXPECT_EQ(apply(&multiply, kMax, 2), -2);
  EXPECT_EQ(apply<std::uint16_t>(&multiply, 65535, 65535), 1);
  EXPECT_EQ(apply<std::uint32_t>(&power, 3, 40), static_cast<std::uint32_t>(12157665459056928801ull));
}

TEST(ElementwiseBinaryTest, IntegerDivisionNeverTraps) {
  EXPECT_EQ(apply(&divide, 7, 0), -1);
  EXPECT_EQ(apply<std::uint32_t>(&divide, 7, 0), 0xffffffffu);
  EXPECT_EQ(apply(&divide, kMin, -1), kMin);
  EXPECT_EQ(apply(&divide, -7, 2), -3);
  EXPECT_EQ(apply(&remainder, 7, 0), 7);
  EXPECT_EQ(apply(&remainder, kMin, -1), 0);
}

TEST(ElementwiseBinaryTest, RemainderHasTheDividendsSign) {
  EXPECT_EQ(apply(&remainder, -7, 3), -1);
  EXPECT_EQ(apply(&remainder, 7, -3), 1);
  EXPECT_EQ(apply(&remainder, -7.5f, 2.0f), -1.5f);
}

TEST(ElementwiseBinaryTest, IntegerPowersOfNegativeExponentsVanishButForUnits) {
  EXPECT_EQ(apply(&power, 2, -1), 0);
  EXPECT_EQ(apply(&power, 1, -5), 1);
  EXPECT_EQ(apply(&power, -1, -5), -1);
  EXPECT_EQ(apply(&power, -1, -4), 1);
  EXPECT_EQ(apply(&power, 0, 0), 1);
}

TEST(ElementwiseBinaryTest, ShiftsByTheWidthOrMoreGiveZeroOrTheSign) {
  EXPECT_EQ(apply(&shift_left, 1, 32), 0);
  EXPECT_EQ(apply(&shift_left, 1, -1), 0);
  EXPECT_EQ(apply(&shift_right_logical, -1, 32), 0);
  EXPECT_EQ(apply(&shift_right_logical, -1, 28), 15);
  EXPECT_EQ(apply(&shift_right_arithmetic, -8, 40), -1);
  EXPECT_EQ(apply(&shift_right_arithmetic, 8, 40), 0);
  EXPECT_EQ(apply(&shift_right_arithmetic, -8, 1), -4);
  EXPECT_EQ(apply<std::uint8_t>(&shift_right_arithmetic, 0x80, 1), 0xc0);
  EXPECT_EQ(apply<std::int64_t>(&shift_right_arithmetic, -8, 0), -8);
}

TEST(ElementwiseBinaryTest, ExtremaAreNaNWhenEitherIs) {
  const float nan = std::nanf("");
  for (Function f : {&maximum, &minimum}) {
    EXPECT_TRUE(std::isnan(apply(f, nan, 1.0f)));
    EXPECT_TRUE(std::isnan(apply(f, 1.0f, nan)));
  }
}

TEST(ElementwiseBinaryTest, ExtremaShareTheGradientAtATie) {
  EXPECT_EQ(slopes(&maximum, 2, 2), (std::pair{0.5, 0.5}));
  EXPECT_EQ(slopes(&minimum, 2, 2), (std::pair{0.5, 0.5}));
  EXPECT_EQ(slopes(&maximum, 3, 2), (std::pair{1.0, 0.0}));
  EXPECT_EQ(slopes(&minimum, 3, 2), (std::pair{0.0, 1.0}));
}

TEST(ElementwiseBinaryTest, PowersGradientIsFiniteAtZero) {
  EXPECT_EQ(slopes(&power, 0, 2), (std::pair{0.0, 0.0}));
  EXPECT_EQ(slopes(&power, 0, 1), (std::pair{1.0, 0.0}));
  EXPECT_EQ(slopes(&power, 0, 0), (std::pair{0.0, 0.0}));
  EXPECT_EQ(slopes(&power, -2, 2).first, -4.0);
}

}  // namespace
}  // namespace cornu::inline v0::ops::elementwise_binary_folder
