#include "cornu/backends/cpu/reduce_window/reduce_window.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"
#include "cornu/ops/run_reference.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;

using BuildWindow = Value (*)(ir::Builder&, Value, const ops::WindowOptions&);

Literal small_numbers(DType dtype, const ir::Dims& dims) {
  Literal literal(ir::TensorType{DType::kF64, dims});
  std::mt19937 random(7);
  for (double& x : literal.mutable_data<double>()) x = static_cast<double>(random() % 9) - 4;
  ir::Function function;
  ir::Builder b(function.body);
  function.body.set_results({ops::convert(b, function.body.add_argument(literal.type()), dtype)});
  return transform::evaluate(function, std::span(&literal, 1))[0];
}

/// The kernel of the one op that `build` makes on x, and the reference.
std::pair<Literal, Literal> run_both(const Literal& x, BuildWindow build, const ops::WindowOptions& window) {
  ir::Function function;
  ir::Builder b(function.body);
  const Value y = build(b, function.body.add_argument(x.type()), window);
  function.body.set_results({y});
  const ir::Op& op = *y.op();
  EXPECT_TRUE(has_reduce_window_kernel(op));
  ThreadPool pool(3);
  const std::unique_ptr<GroupKernel> kernel =
      make_reduce_window_kernel(op, make_target(""), pool.num_threads());
  Literal result(y.type());
  const AlignedBytes scratch = allocate_aligned(kernel->scratch_bytes(), "scratch");
  const Literal& init = op.operand(1).op()->attributes().get<Literal>("value");
  const std::byte* const operands[] = {x.bytes().data(), init.bytes().data()};
  std::byte* const results[] = {result.mutable_bytes().data()};
  kernel->run({operands, results, scratch.get()}, pool);
  return {result, transform::evaluate(function, std::span(&x, 1))[0]};
}

const std::vector<ops::WindowOptions>& windows() {
  static const std::vector<ops::WindowOptions> all = {
      {.dimensions = {1, 1, 1, 1}},
      {.dimensions = {1, 2, 3, 1}},
      {.dimensions = {1, 3, 3, 1}, .padding_low = {0, 1, 2, 0}, .padding_high = {0, 1, 0, 0}},
      {.dimensions = {1, 4, 5, 1},
       .strides = {1, 3, 7, 1},
       .padding_low = {0, 3, 0, 0},
       .padding_high = {0, 0, 4, 0}},
      {.dimensions = {1, 2, 2, 1},
       .strides = {1, 5, 3, 1},
       .padding_low = {0, -2, -1, 0},
       .padding_high = {0, 3, -4, 0}},
      {.dimensions = {1, 1, 1, 3},
       .strides = {2, 1, 1, 2},
       .padding_low = {0, 0, 0, 1},
       .padding_high = {0, 0, 0, 1}},
      {.dimensions = {1, 10, 1, 1}, .padding_low = {0, 9, 0, 0}},
      {.dimensions = {1, 10, 1, 1}, .padding_high = {0, 9, 0, 0}},
      {.dimensions = {1, 1, 4, 1}, .padding_low = {0, 0, 15, 0}, .padding_high = {0, 0, 15, 0}},
      {.dimensions = {1, 2000, 2000, 1},
       .strides = {1, 2, 1, 1},
       .padding_low = {0, 1994, 999, 0},
       .padding_high = {0, 8, 1000, 0}},
  };
  return all;
}

class ReduceWindowKernelTest : public testing::TestWithParam<DType> {};

TEST_P(ReduceWindowKernelTest, IsTheReferenceForEveryPlaceOfTheWindows) {
  for (const ir::Dims& dims : {ir::Dims{2, 9, 7, 3}, ir::Dims{3, 10, 8, 1}, ir::Dims{1, 6, 5, 70}}) {
    const Literal x = small_numbers(GetParam(), dims);
    for (const ops::WindowOptions& window : windows()) {
      for (const BuildWindow build :
           {ops::reduce_window_sum, ops::reduce_window_max, ops::reduce_window_min}) {
        const auto [result, expected] = run_both(x, build, window);
        EXPECT_EQ(ops::compare_literals(result, expected), "")
            << ir::shape_str(window.dimensions) << " over " << ir::shape_str(dims);
      }
    }
  }
  const auto [result, expected] =
      run_both(small_numbers(GetParam(), {6, 4}), ops::reduce_window_product, {.dimensions = {3, 2}});
  EXPECT_EQ(ops::compare_literals(result, expected), "");
}

INSTANTIATE_TEST_SUITE_P(Types, ReduceWindowKernelTest,
                         testing::Values(DType::kF32, DType::kF64, DType::kI32, DType::kU8, DType::kI64,
                                         DType::kF16, DType::kBF16),
                         [](const auto& row) { return std::string(ir::numpy_name(row.param)); });

TEST(ReduceWindowKernelTest, NaNsAndSignsOfZeroAreThoseOfTheReference) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Literal x = Literal::of<float>({9}, {0.0F, -0.0F, -0.0F, -1, nan, 2, -HUGE_VALF, HUGE_VALF, 0});
  for (const BuildWindow build : {ops::reduce_window_max, ops::reduce_window_min}) {
    for (const std::int64_t size : {2, 3, 9}) {
      const auto [result, expected] =
          run_both(x, build, {.dimensions = {size}, .padding_low = {1}, .padding_high = {size - 1}});
      for (std::int64_t i = 0; i < result.type().num_elements(); ++i) {
        EXPECT_EQ(std::isnan(result.at(i)), std::isnan(expected.at(i))) << i;
        if (std::isnan(expected.at(i))) continue;
        EXPECT_EQ(result.at(i), expected.at(i)) << i;
      }
    }
  }
}

TEST(ReduceWindowKernelTest, CompiledProgramsLeaveLargeWindowsToIt) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 33;
  const Literal x = small_numbers(DType::kF32, {2, 6, 5, 20});
  expect_as_reference({x}, [&](ir::Builder& b, std::span<const Value> v) -> std::vector<Value> {
    const ops::WindowOptions same = {.dimensions = {1, kHuge, kHuge, 1},
                                     .padding_low = {0, (kHuge - 1) / 2, (kHuge - 1) / 2, 0},
                                     .padding_high = {0, kHuge / 2, kHuge / 2, 0}};
    const Value moved = ops::add(b, v[0], v[0]);
    return {ops::reduce_window_max(b, moved, same), ops::reduce_window_sum(b, moved, same),
            ops::cumulative_sum(b, ops::reshape(b, moved, {1200}), 0),
            ops::cumulative_sum(b, ops::reshape(b, moved, {12, 100}), 1, true)};
  });
}

TEST(ReduceWindowKernelTest, ARunningTotalOfAMillionIsExactToTheLastBit) {
  Literal x(ir::TensorType{DType::kF32, {1 << 20}});
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(0, 1);
  for (float& value : x.mutable_data<float>()) value = uniform(random);
  ir::Function function;
  ir::Builder b(function.body);
  function.body.set_results({ops::cumulative_sum(b, function.body.add_argument(x.type()), 0)});
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const auto program = client->prepare(function);
  std::vector<float> result(1 << 20);
  const std::byte* const in = x.bytes().data();
  std::byte* const out = reinterpret_cast<std::byte*>(result.data());
  program->run({&in, 1}, {&out, 1});
  double sum = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    sum += static_cast<double>(x.data<float>()[i]);
    ASSERT_EQ(result[i], static_cast<float>(sum)) << i;
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
