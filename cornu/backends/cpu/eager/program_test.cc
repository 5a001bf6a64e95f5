#include "cornu/backends/cpu/eager/program.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/base/error.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

using Build = std::function<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

int num_reference_ops(const std::vector<ir::TensorType>& arguments, const Build& build) {
  ir::Function function;
  function.name = "test";
  for (const ir::TensorType& type : arguments) function.body.add_argument(type);
  ir::Builder builder(function.body);
  function.body.set_results(build(builder, function.body.arguments()));
  int count = -1;
  (void)prepare(function, make_target(""), std::make_shared<ThreadPool>(1), &count);
  return count;
}

TEST(EagerProgramTest, WhatTrainingUsesHasKernelsOfItsOwn) {
  const ir::TensorType x{ir::DType::kF32, {4, 6}}, ids{ir::DType::kI32, {5}}, counter{ir::DType::kU32, {}};
  using Values = std::span<const ir::Value>;
  const auto one = [](auto f) {
    return [f](ir::Builder& b, Values v) { return std::vector<ir::Value>{f(b, v)}; };
  };
  EXPECT_EQ(num_reference_ops({x}, one([](ir::Builder& b, Values v) { return ops::softmax(b, v[0], 1); })),
            0);
  EXPECT_EQ(
      num_reference_ops({x}, one([](ir::Builder& b, Values v) { return ops::log_softmax(b, v[0], 0); })), 0);
  EXPECT_EQ(num_reference_ops({x}, one([](ir::Builder& b, Values v) { return ops::argmax(b, v[0], 1); })), 0);
  EXPECT_EQ(num_reference_ops({x, x}, one([](ir::Builder& b, Values v) {
                                return ops::dot_general(b, v[0], v[1], {{0}, {0}, {1}, {1}});
                              })),
            0);
  EXPECT_EQ(num_reference_ops({x, ids},
                              one([](ir::Builder& b, Values v) { return ops::gather_rows(b, v[0], v[1]); })),
            0);
  EXPECT_EQ(num_reference_ops(
                {x, x}, one([](ir::Builder& b, Values v) { return ops::concatenate(b, {v[0], v[1]}, 1); })),
            0);
  EXPECT_EQ(
      num_reference_ops({x}, one([](ir::Builder& b, Values v) { return ops::transpose(b, v[0], {1, 0}); })),
      0);
  EXPECT_EQ(num_reference_ops({counter}, one([](ir::Builder& b, Values v) {
                                return ops::random_uniform(b, v[0], v[0], v[0], {ir::DType::kF32, {8, 3}});
                              })),
            0);
}

/// The op on `count` scalars of one dtype; null where the op's shape rule refuses them.
std::shared_ptr<ir::Function> function_of(const ir::OpDef& def, std::size_t count, ir::DType dtype) {
  auto function = std::make_shared<ir::Function>();
  function->name = "test";
  std::vector<ir::Value> operands;
  for (std::size_t i = 0; i < count; ++i) operands.push_back(function->body.add_argument({dtype, {}}));
  ir::Builder builder(function->body);
  try {
    function->body.set_results({builder.create(def, operands, {}).result()});
  } catch (const cornu::Error&) {
    return nullptr;
  }
  return function;
}

/// The number of programs of one op that run by a reference kernel; counts all programs in `num_programs`.
int num_without_kernel(const ir::OpDef& def, std::size_t count, ir::DType dtype, int& num_programs) {
  const auto function = function_of(def, count, dtype);
  if (function == nullptr) return 0;
  int without = 0;
  for (const char* isa : {"sse2", "avx2"}) {
    int num_reference_ops = -1;
    (void)prepare(*function, make_target(isa), std::make_shared<ThreadPool>(1), &num_reference_ops);
    without += num_reference_ops != 0;
    ++num_programs;
  }
  return without;
}

TEST(EagerProgramTest, AnElementwiseOpHasAKernelForEveryDtypeAtEveryLevel) {
  int num_programs = 0;
  const std::pair<std::size_t, std::span<const ir::OpDef* const>> families[] = {
      {1, ops::elementwise_unary_folder::op_defs()}, {2, ops::elementwise_binary_folder::op_defs()}};
  for (const auto& [count, defs] : families)
    for (const ir::OpDef* def : defs)
      for (int number = 0; number <= static_cast<int>(ir::DType::kF64); ++number) {
        const auto dtype = static_cast<ir::DType>(number);
        EXPECT_EQ(num_without_kernel(*def, count, dtype, num_programs), 0)
            << def->name << " of " << ir::stablehlo_name(dtype);
      }
  EXPECT_GT(num_programs, 400);
}

TEST(EagerProgramTest, ElementwiseOpsWithAttributesHaveKernelsToo) {
  using Values = std::span<const ir::Value>;
  const auto one = [](auto f) {
    return [f](ir::Builder& b, Values v) { return std::vector<ir::Value>{f(b, v)}; };
  };
  for (const ir::DType dtype : {ir::DType::kF16, ir::DType::kBF16, ir::DType::kF32, ir::DType::kF64}) {
    const ir::TensorType x{dtype, {3, 5}};
    EXPECT_EQ(num_reference_ops(
                  {x}, one([](ir::Builder& b, Values v) { return ops::reduce_precision(b, v[0], 4, 3); })),
              0);
    EXPECT_EQ(num_reference_ops(
                  {x}, one([](ir::Builder& b, Values v) { return ops::convert(b, v[0], ir::DType::kI32); })),
              0);
    EXPECT_EQ(
        num_reference_ops({x}, one([](ir::Builder& b, Values v) { return ops::clamp(b, v[0], v[0], v[0]); })),
        0);
  }
}

TEST(EagerProgramTest, OtherOpsRunByTheirReferenceKernel) {
  const ir::TensorType x{ir::DType::kF32, {4}};
  const auto loop = [](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::while_(
        b, {v[0]},
        [](ir::Builder& c, std::span<const ir::Value> s) {
          return ops::compare(c, ops::reduce_sum(c, s[0], {0}), ops::scalar(c, ir::DType::kF32, 10),
                              ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& c, std::span<const ir::Value> s) {
          return std::vector<ir::Value>{ops::add(c, s[0], s[0])};
        });
  };
  EXPECT_EQ(num_reference_ops({x}, loop), 1);
}

TEST(EagerProgramTest, AnElementwiseOpWalksAsManyAxesAsThereAre) {
  constexpr int kPairs = 9;
  constexpr std::size_t kRows = 1 << kPairs;  // elements of x, which has every first axis, and of y
  ir::Dims x_dims, y_dims, dims, all;
  for (int pair = 0; pair < kPairs; ++pair) {
    x_dims.insert(x_dims.end(), {2, 1});
    y_dims.insert(y_dims.end(), {1, 2});
    dims.insert(dims.end(), {2, 2});
    all.insert(all.end(), {2 * pair, 2 * pair + 1});
  }
  ir::Function function;
  function.name = "test";
  const ir::Value x = function.body.add_argument({ir::DType::kF32, x_dims}),
                  y = function.body.add_argument({ir::DType::kF32, y_dims});
  ir::Builder b(function.body);
  function.body.set_results(
      {ops::add(b, ops::broadcast_in_dim(b, x, dims, all), ops::broadcast_in_dim(b, y, dims, all))});
  std::vector<float> of_x(kRows), of_y(kRows), sums(kRows * kRows), expected(kRows * kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    of_x[i] = static_cast<float>(i);
    of_y[i] = static_cast<float>(i * kRows);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::size_t row = 0, column = 0;  // the index's even and odd axes
    for (int pair = kPairs - 1; pair >= 0; --pair) {
      row = 2 * row + (i >> (2 * pair + 1)) % 2;
      column = 2 * column + (i >> (2 * pair)) % 2;
    }
    expected[i] = of_x[row] + of_y[column];
  }
  const std::byte* const inputs[] = {reinterpret_cast<const std::byte*>(of_x.data()),
                                     reinterpret_cast<const std::byte*>(of_y.data())};
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(sums.data())};
  prepare(function, make_target(""), std::make_shared<ThreadPool>(2))->run(inputs, outputs);
  EXPECT_EQ(sums == expected, true);
}

TEST(EagerProgramTest, AProductWithoutTermsIsZeroAndOneWithoutElementsRuns) {
  for (const ir::DType dtype : {ir::DType::kBF16, ir::DType::kF16, ir::DType::kF32, ir::DType::kI32})
    for (const std::int64_t num_rows : {3, 0}) {
      ir::Function function;
      function.name = "test";
      const ir::Value x = function.body.add_argument({dtype, {num_rows, num_rows == 0 ? 2 : 0}}),
                      y = function.body.add_argument({dtype, {x.dims()[1], 5}});
      ir::Builder b(function.body);
      function.body.set_results({ops::matmul(b, x, y)});
      const std::vector<std::byte> elements(64);
      const std::byte* const inputs[] = {elements.data(), elements.data()};
      std::vector<std::byte> product(64, std::byte{0xFF});
      std::byte* const outputs[] = {product.data()};
      prepare(function, make_target(""), std::make_shared<ThreadPool>(1))->run(inputs, outputs);
      const std::size_t num_bytes = function.body.results()[0].type().size_bytes();
      for (std::size_t i = 0; i < product.size(); ++i)
        EXPECT_EQ(product[i], i < num_bytes ? std::byte{0} : std::byte{0xFF})
            << ir::stablehlo_name(dtype) << ", " << num_rows << " rows, byte " << i;
    }
}

TEST(EagerProgramTest, TemporariesThatAreNotNeededAtTheSameTimeShareMemory) {
  constexpr std::int64_t kExtent = 1 << 14;
  auto function = std::make_shared<ir::Function>();
  const ir::Value x = function->body.add_argument({ir::DType::kF32, {kExtent}});
  ir::Builder b(function->body);
  const ir::Value one = ops::scalar(b, ir::DType::kF32, 1);
  ir::Value y = x;
  for (std::int64_t distance = 1; distance < kExtent; distance *= 2)
    y = ops::multiply(b, y, ops::pad(b, y, one, {distance}, {-distance}, {0}));
  function->body.set_results({y});
  const Target target = make_target("");
  const Parts parts = Builder(function, elements::kernel_set(target.isa), target, 1).build();
  EXPECT_LE(parts.temporary_bytes, 4 * kExtent * sizeof(float));
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::eager
