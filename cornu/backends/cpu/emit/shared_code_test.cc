#include <gtest/gtest.h>

#include <cmath>

#include "cornu/backends/cpu/emit/compiled_step.h"
#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

// Equal groups of one program share their code.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Literal;
using ir::Value;

Literal waves(const ir::Dims& dims, float phase) {
  Literal literal(ir::TensorType{ir::DType::kF32, dims});
  float next = phase;
  for (float& x : literal.mutable_data<float>()) x = std::sin(next += 0.7F);
  return literal;
}

class SharedCodeTest : public PlanText {
 protected:
  Value layers(int count, const ir::Dims& dims) {
    Value x = fixed(dims);
    for (int i = 0; i < count; ++i) {
      const Value w = fixed({dims[1], dims[1]}), bias = fixed({dims[1]});
      x = ops::tanh(b_, ops::add(b_, ops::matmul(b_, x, w), ops::broadcast_in_dim(b_, bias, dims, {1})));
    }
    return x;
  }
  int num_functions() const {
    return compile_step(plan_, level_target(cpu_isa_level()), {})->num_functions();
  }
};

TEST_F(SharedCodeTest, OneHundredLayersHaveTheFunctionsOfAFew) {
  plan({layers(100, {4, 8})});
  EXPECT_EQ(plan_.num_groups, 200);
  // The first product reads an argument, and the last loop writes a result; the others are equal.
  EXPECT_LE(num_functions(), 4);
}

TEST_F(SharedCodeTest, AFewEqualGroupsKeepCodeOfTheirOwn) {
  plan({layers(3, {4, 8})});
  EXPECT_EQ(num_functions(), 6);
}

/// Loops, products, reductions in slices that leave partial results, constants in memory, and results.
TestBuild blocks(int count) {
  return [count](ir::Builder& b, std::span<const Value> x) {
    std::vector<Value> results;
    for (int i = 0; i < count; ++i) {
      const Literal shift = waves({x[0].dims()[1]}, static_cast<float>(i));
      const Value added =
          ops::add(b, x[0], ops::broadcast_in_dim(b, ops::constant(b, shift), x[0].dims(), {1}));
      const Value y = ops::tanh(b, ops::matmul(b, added, x[1]));
      results.push_back(ops::reduce_sum(b, ops::multiply(b, y, y), {0, 1}));
      results.push_back(ops::reduce_max(b, y, {0}));
    }
    return results;
  };
}

TEST(SharedCodeProgramsTest, SharedLoopsComputeWhatTheirOwnNumbersSay) {
  expect_as_reference({waves({8, 16}, 0), waves({16, 16}, 1)}, blocks(40));
}

TEST(SharedCodeProgramsTest, SharedLoopsInSlicesCombineTheirOwnPartialResults) {
  expect_as_reference({waves({2048, 64}, 0), waves({64, 64}, 1)}, blocks(6));
}

TEST(SharedCodeProgramsTest, SharedLoopsInRegionsAndWithSeedsOfTheirOwn) {
  const Literal seeds = Literal::of<std::uint32_t>({4}, {1, 2, 3, 4});
  expect_as_reference({seeds}, [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
    std::vector<Value> results;
    for (std::uint32_t i = 0; i < 40; ++i) {
      const Value key = ops::broadcast_in_dim(
          b, ops::constant(b, Literal::of<std::uint32_t>({}, {100'000 + 7919 * i})), {4}, {});
      results.push_back(ops::xor_(b, ops::add(b, x[0], key), ops::shift_left(b, x[0], x[0])));
      // A reduction apart from the loop, so that each seed is in a loop of its own.
      results.push_back(ops::reduce_max(b, results.back(), {0}));
    }
    return results;
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
