#include "cornu/transform/gradient.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;

/// A function under construction with scalar f64 arguments x and y.
class GradientTest : public testing::Test {
 protected:
  GradientTest()
      : x_(function_.body.add_argument({DType::kF64, {}})),
        y_(function_.body.add_argument({DType::kF64, {}})),
        b_(function_.body) {
    function_.name = "main";
  }

  double value(ir::Value result, double x, double y) {
    function_.body.set_results({result});
    ir::verify(function_);
    const ir::Literal arguments[] = {ir::Literal::scalar(DType::kF64, x),
                                     ir::Literal::scalar(DType::kF64, y)};
    return backends::reference::evaluate(function_, arguments)[0].at(0);
  }

  std::string error(ir::Value loss, std::vector<ir::Value> wrt) {
    try {
      gradient(b_, loss, wrt);
    } catch (const Error& error) {
      return std::string(error_code_name(error.code())) + " " + error.what();
    }
    return "";
  }

  ir::Function function_;
  ir::Value x_, y_;
  ir::Builder b_;
};

TEST_F(GradientTest, ContributionsOfAllUsesAreSummed) {
  const ir::Value square = ops::multiply(b_, x_, x_);
  const ir::Value loss = ops::add(b_, ops::multiply(b_, square, y_), x_);
  const auto gradients = gradient(b_, loss, std::vector{x_, y_});
  EXPECT_EQ(value(gradients[0], 3, 5), 31);
  EXPECT_EQ(value(gradients[1], 3, 5), 9);
}

TEST_F(GradientTest, OfSeveralOutputsAndOfAPartOfTheGraph) {
  const ir::Value square = ops::multiply(b_, x_, x_);
  const ir::Value product = ops::multiply(b_, square, y_);
  const auto all = [&] {
    std::vector<ir::Op*> ops;
    for (const auto& op : b_.block().ops()) ops.push_back(op.get());
    return ops;
  }();
  const ir::Value outputs[] = {product, square}, seeds[] = {ops::scalar(b_, DType::kF64, 10), {}},
                  wrt[] = {x_};
  EXPECT_EQ(value(vector_jacobian_product(b_, outputs, seeds, wrt, all)[0], 3, 5), 10 * 2 * 3 * 5 + 2 * 3);
  // Without the first op its result is a constant.
  EXPECT_FALSE(vector_jacobian_product(b_, outputs, seeds, wrt, std::span(all).subspan(1))[0]);
  const ir::Value wrong[] = {ops::scalar(b_, DType::kF32, 1), {}};
  EXPECT_THROW(vector_jacobian_product(b_, outputs, wrong, wrt, all), Error);
}

TEST_F(GradientTest, OfAnAbsoluteValueIsOneAtZeroAsInJax) {
  const auto gradients = gradient(b_, ops::abs(b_, x_), std::vector{x_});
  EXPECT_EQ(value(gradients[0], 0, 0), 1);
  EXPECT_EQ(value(gradients[0], -0.0, 0), 1);
  EXPECT_EQ(value(gradients[0], 2, 0), 1);
  EXPECT_EQ(value(gradients[0], -2, 0), -1);
}

TEST_F(GradientTest, IsEmptyWhereNoneFlows) {
  const ir::Value integers = ops::convert(b_, y_, DType::kI32);
  const ir::Value loss = ops::add(b_, x_, ops::convert(b_, integers, DType::kF64));
  const ir::Value unused = function_.body.add_argument({DType::kF64, {}}),
                  integer = function_.body.add_argument({DType::kI32, {}});
  const auto gradients = gradient(b_, loss, std::vector{x_, y_, unused, integer});
  EXPECT_TRUE(gradients[0]);
  EXPECT_FALSE(gradients[1]);
  EXPECT_FALSE(gradients[2]);
  EXPECT_FALSE(gradients[3]);
}

TEST_F(GradientTest, ConstantZerosGoNoFurtherBack) {
  const ir::Value whole = ops::floor(b_, ops::sqrt(b_, x_));  // the slope of sqrt is infinite at 0
  const auto gradients = gradient(b_, ops::add(b_, x_, whole), std::vector{x_, y_});
  EXPECT_EQ(value(gradients[0], 0, 0), 1);
  EXPECT_FALSE(gradients[1]);
  const ir::Value zero = gradient(b_, whole, std::vector{x_})[0];
  ASSERT_TRUE(zero);
  EXPECT_TRUE(is_constant_zero(zero));
  EXPECT_EQ(zero.type(), x_.type());
  EXPECT_FALSE(gradient(b_, ops::floor(b_, ops::stop_gradient(b_, x_)), std::vector{x_})[0]);
}

TEST_F(GradientTest, StopsAtIntegers) {
  const ir::Value rounded = ops::convert(b_, ops::convert(b_, x_, DType::kI32), DType::kF64);
  const auto gradients = gradient(b_, ops::multiply(b_, rounded, y_), std::vector{x_, y_});
  EXPECT_FALSE(gradients[0]);
  EXPECT_EQ(value(gradients[1], 3, 5), 3);
}

TEST_F(GradientTest, TheLossItselfHasTheSeedAsGradient) {
  EXPECT_EQ(value(gradient(b_, x_, std::vector{x_})[0], 3, 5), 1);
  EXPECT_EQ(gradient(b_, x_, std::vector{x_}, y_)[0], y_);
}

TEST_F(GradientTest, TheSeedScalesTheGradient) {
  const ir::Value loss = ops::multiply(b_, x_, x_);
  EXPECT_EQ(value(gradient(b_, loss, std::vector{x_}, y_)[0], 3, 5), 30);
}

TEST_F(GradientTest, IntermediateValuesCanBeAskedFor) {
  const ir::Value square = ops::multiply(b_, x_, x_);
  const ir::Value loss = ops::multiply(b_, square, y_);
  EXPECT_EQ(value(gradient(b_, loss, std::vector{square})[0], 3, 5), 5);
}

TEST_F(GradientTest, GradientsOfGradients) {
  const ir::Value cube = ops::multiply(b_, x_, ops::multiply(b_, x_, x_));
  const ir::Value first = gradient(b_, cube, std::vector{x_})[0];
  const ir::Value second = gradient(b_, first, std::vector{x_})[0];
  EXPECT_EQ(value(second, 3, 0), 18);
}

TEST_F(GradientTest, ACompositeWithoutAGradientGoesThroughItsDecomposition) {
  static const ir::OpDef kCube = {
      .name = "cornu.test_cube",
      .infer = [](const ir::InferContext& context) { return std::vector{context.type(0)}; },
      .decompose =
          [](ir::Builder& b, std::span<const ir::Value> operands, const ir::Attributes&) {
            const ir::Value square = ops::multiply(b, operands[0], operands[0]);
            return std::vector{ops::multiply(b, square, operands[0])};
          }};
  const ir::Value loss = ops::add(b_, b_.create(kCube, {x_}).result(), y_);
  EXPECT_EQ(value(gradient(b_, loss, std::vector{x_})[0], 2, 0), 12);
}

TEST_F(GradientTest, ACompositeWithAGradientUsesIt) {
  const ir::Value loss = ops::relu(b_, x_);
  gradient(b_, loss, std::vector{x_});
  for (const auto& op : function_.body.ops()) EXPECT_NE(op->name(), "maximum");
}

TEST_F(GradientTest, NewOpsHaveTheLocationsOfTheirOrigin) {
  b_.set_location("dense");
  const ir::Value loss = ops::tanh(b_, x_);
  b_.set_location("optimizer");
  const std::size_t first = function_.body.ops().size();
  gradient(b_, loss, std::vector{x_});
  for (const auto& op : function_.body.ops().subspan(first)) EXPECT_EQ(op->location(), "dense (backward)");
  EXPECT_EQ(b_.location(), "optimizer");
}

TEST_F(GradientTest, RejectsALossThatIsNoFloatScalar) {
  const ir::Value vector = ops::broadcast_scalar(b_, x_, {2});
  EXPECT_EQ(error(vector, {x_}),
            "INVALID_ARGUMENT [gradient] the loss must be a floating-point scalar; got tensor<2xf64>");
}

TEST_F(GradientTest, AnOpWithoutAGradientIsAnErrorThatNamesTheLayer) {
  b_.set_location("pool");
  const ir::Value row = ops::broadcast_scalar(b_, x_, {3});
  const auto results =
      ops::reduce(b_, {row}, {ops::scalar(b_, DType::kF64, 0)}, {0},
                  [](ir::Builder& c, auto v) { return std::vector{ops::sine(c, ops::add(c, v[0], v[1]))}; });
  EXPECT_EQ(error(results[0], {x_}),
            "UNIMPLEMENTED [reduce] cannot be differentiated: only reductions by one add, multiply, maximum "
            "or minimum have a gradient; in "
            "layer \"pool\"");
  EXPECT_EQ(error(results[0], {y_}), "");  // none flows
}

TEST_F(GradientTest, AChainOfTwentyThousandOpsNeedsNoDeepStack) {
  ir::Value value = x_;
  for (int i = 0; i < 10000; ++i) value = ops::add(b_, ops::negate(b_, value), y_);
  const auto gradients = gradient(b_, value, std::vector{x_, y_});
  EXPECT_EQ(this->value(gradients[0], 3, 5), 1);
  EXPECT_EQ(this->value(gradients[1], 3, 5), 0);
}

TEST_F(GradientTest, AValueThatARegionCapturesIsAnError) {
  const ir::Value row = ops::broadcast_scalar(b_, y_, {3});
  const auto sums =
      ops::reduce(b_, {row}, {ops::scalar(b_, DType::kF64, 0)}, {0},
                  [&](ir::Builder& c, auto v) { return std::vector{ops::maximum(c, v[0], x_)}; });
  EXPECT_EQ(error(sums[0], {x_}),
            "UNIMPLEMENTED [reduce] cannot be differentiated: only reductions by one add, multiply, maximum "
            "or minimum have a gradient");
}

TEST_F(GradientTest, ArgmaxPassesNoGradient) {
  const ir::Value row = ops::broadcast_scalar(b_, y_, {3});
  const ir::Value at = ops::convert(b_, ops::argmax(b_, row, 0), DType::kF64);
  const auto gradients = gradient(b_, ops::multiply(b_, at, x_), std::vector{x_, y_});
  EXPECT_TRUE(gradients[0]);
  EXPECT_FALSE(gradients[1]);
}

/// Gradients of small floats are small floats, rounded at each step. The numbers are those of jax.grad.
TEST(GradientOfSmallFloatsTest, GradientsFlowThroughThem) {
  const auto gradient_through = [](DType dtype) {
    ir::Function function;
    ir::Builder b(function.body);
    const ir::Value x = function.body.add_argument({DType::kF32, {4}});
    const ir::Value w = function.body.add_argument({DType::kF32, {4}});
    const ir::Value small = ops::convert(b, x, dtype);
    const ir::Value y = ops::convert(b, ops::multiply(b, small, small), DType::kF32);
    const ir::Value loss = ops::reduce_sum(b, ops::multiply(b, y, w), {0});
    function.body.set_results({gradient(b, loss, std::vector{x})[0]});
    const ir::Literal arguments[] = {ir::Literal::of<float>({4}, {0.7F, -1.3F, 2.1F, 0.11F}),
                                     ir::Literal::of<float>({4}, {1, -0.5F, 3, 0.3F})};
    const ir::Literal result = backends::reference::evaluate(function, arguments)[0];
    return std::vector<float>(result.data<float>().begin(), result.data<float>().end());
  };
  EXPECT_EQ(gradient_through(DType::kF8E4M3FN), (std::vector<float>{1.375F, 1.25F, 12, 0.0703125F}));
  EXPECT_EQ(gradient_through(DType::kF8E5M2), (std::vector<float>{1.5F, 1.25F, 12, 0.0625F}));
  EXPECT_EQ(gradient_through(DType::kF4E2M1FN), (std::vector<float>{1, 2, 6, 0}));
}

}  // namespace
}  // namespace cornu::inline v0::transform
