#include <gtest/gtest.h>

#include <algorithm>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify.h"
#include "tests/conformance/gradient_function.h"

/// Every row of the conformance table, and its gradient, must give the same bits after simplify.
namespace cornu::inline v0::transform {
namespace {

/// Without broadcasts of constants, which take the place of constants of equal elements.
std::ptrdiff_t num_ops(const ir::Function& function) {
  return std::ranges::count_if(function.body.ops(), [](const auto& op) {
    return op->name() != "broadcast_in_dim" || !ops::is_constant(op->operand(0));
  });
}

void expect_same_bits(const ir::Function& function, const std::vector<ir::Literal>& inputs,
                      const std::string& name) {
  const auto simple = simplify(function);
  ir::verify(*simple);
  const auto expected = backends::reference::evaluate(function, inputs),
             actual = backends::reference::evaluate(*simple, inputs);
  ASSERT_EQ(actual.size(), expected.size()) << name;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(actual[i] == expected[i]) << name << ", result " << i;
  EXPECT_LE(num_ops(*simple), num_ops(*inline_composites(function))) << name;
}

TEST(SimplifyConformanceTest, ResultsKeepEveryBit) {
  for (const ops::ConformanceCase& row : ops::conformance_cases()) {
    const auto inputs = ops::make_inputs(row);
    expect_same_bits(*ops::make_function(row), inputs, row.name);
    if (!row.differentiable) continue;
    const auto gradient = ops::make_gradient_function(row);
    ASSERT_NE(gradient, nullptr) << row.name;
    expect_same_bits(*gradient, inputs, row.name + " (gradient)");
  }
}

/// With constants for the arguments everything folds away that the reference kernels can do.
TEST(SimplifyConformanceTest, FoldedConstantsKeepEveryBit) {
  for (const ops::ConformanceCase& row : ops::conformance_cases()) {
    const auto original = ops::make_function(row);
    ir::Function folded;
    folded.name = "main";
    ir::Builder builder(folded.body);
    ValueMap map;
    const auto inputs = ops::make_inputs(row);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      map[original->body.arguments()[i]] = ops::constant(builder, inputs[i]);
    folded.body.set_results(clone_ops(builder, original->body, map));
    expect_same_bits(folded, {}, row.name + " (constants)");
  }
}

}  // namespace
}  // namespace cornu::inline v0::transform
