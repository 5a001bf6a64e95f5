#include "cornu/transform/loop_products.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Value;
using Operands = std::span<const Value>;
constexpr std::int64_t kLoopSteps = 5, kLoopRows = 3, kLoopWidth = 64;

enum class LoopForm { kForward, kBackward, kWithoutSlices, kReadsTheSum, kTransposed, kPadded };

Value step_index(ir::Builder& b, std::int64_t i) {
  return ops::scalar(b, DType::kI32, static_cast<double>(i));
}

/// A loop over rows x[i] that carries h and the sum of products of x[i] and the next h.
std::unique_ptr<ir::Function> recurrent_loop(LoopForm form) {
  const ir::TensorType xs{DType::kF64, {kLoopSteps, kLoopRows, kLoopWidth}},
      h{DType::kF64, {kLoopRows, kLoopWidth}}, sum{DType::kF64, {kLoopWidth, kLoopWidth}};
  return simplify(*make_function({xs, h, sum}, [&](ir::Builder& b, Operands v) {
    const auto body = [&](ir::Builder& c, Operands carried) -> std::vector<Value> {
      Value at = carried[0];
      if (form == LoopForm::kBackward) at = ops::subtract(c, step_index(c, kLoopSteps - 1), at);
      const Value row =
          ops::dynamic_slice(c, v[0], {at, step_index(c, 0), step_index(c, 0)}, {1, kLoopRows, kLoopWidth});
      Value x = ops::reshape(c, row, {kLoopRows, kLoopWidth});
      if (form == LoopForm::kWithoutSlices) x = ops::add(c, x, carried[1]);
      Value next = ops::subtract(c, x, carried[1]);
      if (form == LoopForm::kReadsTheSum)
        next = ops::add(c, next, ops::slice(c, carried[2], {0, 0}, {kLoopRows, kLoopWidth}, {1, 1}));
      Value right = next;
      if (form == LoopForm::kPadded) right = ops::slice(c, next, {0, 0}, {kLoopRows, kLoopWidth - 4}, {1, 1});
      Value product = ops::dot_general(c, x, right, {.lhs_contracting = {0}, .rhs_contracting = {0}});
      if (form == LoopForm::kTransposed) product = ops::transpose(c, product, {1, 0});
      if (form == LoopForm::kPadded)
        product = ops::pad(c, product, ops::scalar(c, DType::kF64, 0), {0, 1}, {0, 3}, {0, 0});
      return {ops::add(c, carried[0], step_index(c, 1)), next, ops::add(c, carried[2], product)};
    };
    const auto results = ops::while_(
        b, {step_index(b, 0), v[1], v[2]},
        [](ir::Builder& c, Operands carried) {
          return ops::compare(c, carried[0], step_index(c, kLoopSteps), ops::ComparisonDirection::kLt);
        },
        body);
    return std::vector<Value>(results.begin() + 1, results.end());
  }));
}

bool carries_the_sum(const ir::Function& function) {
  return std::ranges::any_of(function.body.ops(), [](const auto& op) {
    return op->name() == "while" && std::ranges::any_of(op->results(), [](Value v) {
             return v.dims() == ir::Dims{kLoopWidth, kLoopWidth};
           });
  });
}

/// Small whole numbers, whose sums are exact.
std::vector<ir::Literal> whole_numbers_for(const ir::Function& function) {
  std::vector<ir::Literal> inputs;
  for (const Value& argument : function.body.arguments()) {
    inputs.emplace_back(argument.type());
    for (std::int64_t i = 0; i < argument.type().num_elements(); ++i)
      inputs.back().mutable_data<double>()[i] = static_cast<double>(i * 7 % 11) - 5;
  }
  return inputs;
}

class LoopProductsTest : public testing::TestWithParam<LoopForm> {};

TEST_P(LoopProductsTest, ACarriedSumOfProductsIsOneProductAfterTheLoop) {
  const auto before = recurrent_loop(GetParam());
  ASSERT_TRUE(carries_the_sum(*before));
  const auto taken = take_products_out_of_loops(*before);
  ASSERT_NE(taken, nullptr);
  ir::verify(*taken);
  const auto after = simplify(*taken);
  ir::verify(*after);
  EXPECT_FALSE(carries_the_sum(*after));
  const std::vector<ir::Literal> inputs = whole_numbers_for(*before);
  const auto expected = backends::reference::evaluate(*before, inputs),
             actual = backends::reference::evaluate(*after, inputs);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_EQ(actual[i] == expected[i], true) << i;
}

INSTANTIATE_TEST_SUITE_P(Forms, LoopProductsTest,
                         testing::Values(LoopForm::kForward, LoopForm::kBackward, LoopForm::kWithoutSlices,
                                         LoopForm::kTransposed));

TEST(LoopProductsOfSumsTest, ASumThatTheLoopReadsStaysInIt) {
  EXPECT_EQ(take_products_out_of_loops(*recurrent_loop(LoopForm::kReadsTheSum)), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
