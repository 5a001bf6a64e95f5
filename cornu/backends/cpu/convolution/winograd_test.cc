#include "cornu/backends/cpu/convolution/winograd.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cornu/backends/cpu/convolution/convolution_test_support.h"
#include "cornu/backends/cpu/convolution/kernels.h"

namespace cornu::inline v0::backends::cpu {
namespace {

struct Shape {
  std::int64_t batch, height, width, inputs, outputs, padding_low, padding_high;
};

std::string describe(const Shape& s) {
  std::string text;
  for (std::int64_t x : {s.batch, s.height, s.width, s.inputs, s.outputs, s.padding_low, s.padding_high})
    text += std::to_string(x) + " ";
  return text;
}

/// A 3 x 3 convolution and its gradients.
ConvolutionStep step_of(const Shape& s, ir::DType dtype = ir::DType::kF32) {
  return {{s.batch, s.height, s.width, s.inputs},
          {3, 3, s.inputs, s.outputs},
          ops::channels_last(2),
          {.padding_low = {s.padding_low, s.padding_low}, .padding_high = {s.padding_high, s.padding_high}},
          dtype};
}

// Rounding errors of the method, relative to the norm; larger for gradients of kernels, which sum the most.
constexpr double kError2 = 1e-6, kError4 = 3e-6;

void expect_agreement(const ConvolutionStep& step, const ConvolutionStep& wide, const std::string& what) {
  ASSERT_EQ(step.convolutions.size(), 3U) << what;
  ThreadPool pool(2);
  for (std::size_t i = 0; i < 3; ++i) {
    const ir::Op& op = *step.convolutions[i];
    const std::optional<ConvolutionProblem> problem = convolution_problem(op);
    ASSERT_TRUE(problem.has_value()) << what << i;
    if (problem->is_mirrored) continue;  // of few outputs; they are left to others
    ASSERT_TRUE(winograd_applies(*problem)) << what << i;
    const std::vector<double> expected =
        run_kernel<double>(*make_direct_convolution(*wide.convolutions[i], 2), *wide.convolutions[i], pool);
    for (IsaLevel level : cpu_isa_levels())
      for (int outputs : {2, 4}) {
        const auto kernel = make_winograd_convolution(*problem, outputs, level, 2);
        EXPECT_LE(relative_error(run_kernel<float>(*kernel, op, pool), expected),
                  outputs == 2 ? kError2 : kError4)
            << what << "direction " << i << ", tiles of " << outputs << ", " << isa_level_name(level);
      }
  }
}

void expect_agreement(const Shape& shape) {
  expect_agreement(step_of(shape), step_of(shape, ir::DType::kF64), describe(shape));
}

TEST(WinogradTest, AgreesWithTheDefinitionAtOddExtentsAndPaddings) {
  for (std::int64_t padding_low : {0, 1, 2})
    for (std::int64_t padding_high : {0, 1, 2})
      for (const auto& [height, width] :
           {std::pair<std::int64_t, std::int64_t>{3, 3}, {4, 7}, {6, 5}, {9, 8}, {10, 13}, {1, 14}}) {
        if (height + padding_low + padding_high < 3) continue;
        expect_agreement({2, height, width, 5, 7, padding_low, padding_high});
      }
}

TEST(WinogradTest, AgreesWithTheDefinitionForLargeKernelsAndFewTiles) {
  expect_agreement({1, 2, 4, 288, 512, 1, 1});
}

TEST(WinogradTest, AgreesWithTheDefinitionAlongLinesOfAnyDilation) {
  for (std::int64_t extent : {1, 4, 9, 13, 30})
    for (std::int64_t dilation : {1, 2, 3, 7})
      for (std::int64_t low : {std::int64_t{0}, dilation, 2 * dilation, 2 * dilation - 1}) {
        if (extent + low < 2 * dilation + 1) continue;
        const auto step = [&](ir::DType dtype) {
          return ConvolutionStep({3, extent, 18}, {3, 18, 20}, ops::channels_last(1),
                                 {.padding_low = {low}, .rhs_dilation = {dilation}}, dtype);
        };
        expect_agreement(step(ir::DType::kF32), step(ir::DType::kF64),
                         fmt::format("{} {} {} ", extent, dilation, low));
      }
}

TEST(WinogradTest, AgreesWithTheDefinitionOnImagesWithDilationOrTapsAlongOneAxis) {
  struct Form {
    ir::Dims kernel, dilation;
  };
  for (const Form& form : {Form{{3, 3}, {2, 1}},
                           {{3, 3}, {2, 3}},
                           {{3, 3}, {1, 4}},
                           {{3, 1}, {1, 1}},
                           {{3, 1}, {2, 2}},
                           {{1, 3}, {1, 3}}})
    for (std::int64_t padding : {0, 2}) {
      const auto step = [&](ir::DType dtype) {
        return ConvolutionStep(
            {2, 11, 14, 5}, {form.kernel[0], form.kernel[1], 5, 7}, ops::channels_last(2),
            {.padding_low = {padding, 1}, .padding_high = {0, padding}, .rhs_dilation = form.dilation},
            dtype);
      };
      expect_agreement(step(ir::DType::kF32), step(ir::DType::kF64),
                       fmt::format("{} {} {} ", form.kernel, form.dilation, padding));
    }
}

TEST(WinogradTest, AgreesWithTheDefinitionAtAnyNumberOfChannels) {
  for (std::int64_t inputs : {1, 3, 8, 16, 17, 31, 33, 64, 70, 129})
    for (std::int64_t outputs : {1, 15, 16, 32, 40, 65, 70})
      expect_agreement({1, 6, 7, inputs, outputs, 1, 1});
  expect_agreement({1, 5, 5, 600, 20, 1, 1});  // deeper than a panel of the products
  expect_agreement({1, 5, 5, 20, 530, 1, 1});
}

TEST(WinogradTest, AgreesWithTheDefinitionOverManyTilesAndSlices) {
  for (std::int64_t batch : {1, 2, 5}) expect_agreement({batch, 33, 30, 16, 24, 1, 1});
  expect_agreement({37, 14, 14, 32, 32, 0, 0});
}

TEST(WinogradTest, TheSameBitsAtAnyNumberOfThreads) {
  const ConvolutionStep steps[] = {
      step_of({7, 30, 31, 32, 48, 1, 1}),
      step_of({3, 17, 18, 100, 130, 0, 0}),
      {{9, 203, 48}, {3, 48, 40}, ops::channels_last(1), {.padding_low = {8}, .rhs_dilation = {4}}},
  };
  for (const ConvolutionStep& step : steps) {
    for (const ir::Op* op : step.convolutions) {
      std::vector<float> first;
      for (int threads : {1, 2, 3, 8, 16}) {
        ThreadPool pool(threads);
        const auto kernel = make_winograd_convolution(*convolution_problem(*op), 4, cpu_isa_level(), threads);
        EXPECT_GT(kernel->num_slices(), 1);
        const std::vector<float> result = run_kernel<float>(*kernel, *op, pool);
        if (first.empty()) first = result;
        EXPECT_EQ(std::memcmp(first.data(), result.data(), result.size() * sizeof(float)), 0)
            << threads << " threads";
      }
    }
  }
}

TEST(WinogradTest, LevelsWithFmaAgreeBitForBit) {
  if (cpu_isa_level() < IsaLevel::kAvx512) GTEST_SKIP() << "this CPU has no AVX-512";
  const ConvolutionStep step = step_of({3, 13, 14, 70, 40, 1, 1});
  ThreadPool pool(1);
  for (const ir::Op* op : step.convolutions) {
    const auto at = [&](IsaLevel level) {
      return run_kernel<float>(*make_winograd_convolution(*convolution_problem(*op), 4, level, 1), *op, pool);
    };
    EXPECT_EQ(at(IsaLevel::kAvx2), at(IsaLevel::kAvx512));
  }
}

TEST(WinogradTest, ABackwardKernelIsTurnedRound) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({ir::DType::kF32, {2, 9, 10, 16}}),
                  w = block.add_argument({ir::DType::kF32, {3, 3, 16, 32}});
  for (const ir::Dims& reversal : {ir::Dims{1, 1}, ir::Dims{0, 1}, ir::Dims{1, 0}}) {
    ops::convolution(b, x, w, ops::channels_last(2), {.padding_low = {1, 1}, .window_reversal = reversal});
    const ir::Op& op = *block.ops().back();
    ASSERT_EQ(op.name(), "convolution");
    ThreadPool pool(1);
    const std::vector<float> expected =
        run_kernel<float>(*make_gemm_convolution(op, make_target(""), 1), op, pool);
    const std::optional<ConvolutionProblem> problem = convolution_problem(op);
    ASSERT_TRUE(problem && winograd_applies(*problem));
    EXPECT_LE(relative_error(
                  run_kernel<float>(*make_winograd_convolution(*problem, 4, cpu_isa_level(), 1), op, pool),
                  {expected.begin(), expected.end()}),
              kError4);
  }
}

TEST(WinogradTest, ValuesThatAreNotFiniteStayInTheTilesThatReadThem) {
  const Shape shape{2, 16, 16, 16, 16, 1, 1};
  const ConvolutionStep step = step_of(shape);
  const ir::Op& op = *step.convolutions[0];
  std::vector<float> lhs = random_elements<float>(op.operand(0), 1);
  const std::vector<float> rhs = random_elements<float>(op.operand(1), 2);
  ThreadPool pool(2);
  for (float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    lhs[static_cast<std::size_t>((16 + 5) * 16 + 6) * 16 + 3] = bad;  // image 1, row 5, column 6, channel 3
    const auto kernel = make_winograd_convolution(*convolution_problem(op), 4, cpu_isa_level(), 2);
    const std::vector<float> result = run_kernel(*kernel, op, lhs, rhs, pool);
    for (std::int64_t i = 0; i < 2 * 16 * 16; ++i) {
      const std::int64_t batch = i / 256, row = i / 16 % 16, column = i % 16;
      const bool own = batch == 1 && row >= 4 && row <= 6 && column >= 5 && column <= 7,
                 tile = batch == 1 && row / 4 == 1 && column / 4 == 1;
      for (std::int64_t channel = 0; channel < 16; ++channel) {
        const bool finite = std::isfinite(result[static_cast<std::size_t>(i * 16 + channel)]);
        if (own) {
          EXPECT_FALSE(finite) << row << ", " << column;
        } else if (!tile) {
          EXPECT_TRUE(finite) << row << ", " << column;
        }
      }
    }
  }
}

TEST(WinogradTest, TilesHaveTheSizeThatNeedsTheFewestProducts) {
  const auto outputs = [](const Shape& shape) {
    std::vector<int> sizes;
    const ConvolutionStep step = step_of(shape);
    for (const ir::Op* op : step.convolutions) sizes.push_back(winograd_outputs(*convolution_problem(*op)));
    return sizes;
  };
  EXPECT_EQ(outputs({8, 16, 16, 32, 32, 1, 1}), (std::vector<int>{4, 4, 4}));
  EXPECT_EQ(outputs({32, 4, 4, 64, 64, 0, 0}),
            (std::vector<int>{2, 4, 2}));  // 2 x 2 results, a gradient of 4 x 4
  EXPECT_EQ(outputs({200, 3, 3, 64, 64, 0, 0}),
            (std::vector<int>{0, 4, 0}));  // one result: 9 products by the definition
  EXPECT_EQ(outputs({8, 32, 32, 3, 32, 1, 1}), (std::vector<int>{0, 0, 0}));  // thin
  EXPECT_EQ(outputs({1, 4, 4, 16, 16, 1, 1}), (std::vector<int>{0, 0, 0}));   // little work
  const auto of_lines = [](std::int64_t channels, std::int64_t dilation) {
    const ConvolutionStep step({8, 128, channels}, {3, channels, channels}, ops::channels_last(1),
                               {.padding_low = {2 * dilation}, .rhs_dilation = {dilation}});
    return winograd_outputs(*convolution_problem(*step.convolutions[0]));
  };
  EXPECT_EQ(of_lines(32, 1), 4);
  EXPECT_EQ(of_lines(32, 32), 4);
  EXPECT_EQ(of_lines(32, 64), 2);  // two results that are so far apart
  EXPECT_EQ(of_lines(16, 1), 0);
}

TEST(WinogradTest, OtherKernelsStridesAndLayoutsAreNotItsOwn) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({ir::DType::kF32, {2, 12, 12, 16}});
  const auto applies = [&](const ir::Dims& kernel, const ops::ConvolutionOptions& options) {
    ops::convolution(b, x, block.add_argument({ir::DType::kF32, kernel}), ops::channels_last(2), options);
    return winograd_applies(*convolution_problem(*block.ops().back()));
  };
  EXPECT_TRUE(applies({3, 3, 16, 16}, {}));
  EXPECT_FALSE(applies({3, 5, 16, 16}, {}));
  EXPECT_FALSE(applies({3, 3, 16, 16}, {.window_strides = {1, 2}}));
  EXPECT_TRUE(applies({3, 3, 16, 16}, {.rhs_dilation = {2, 1}}));
  EXPECT_TRUE(applies({3, 1, 16, 16}, {}));
  EXPECT_FALSE(applies({1, 1, 16, 16}, {}));
  EXPECT_FALSE(applies({3, 3, 8, 16}, {.feature_group_count = 2}));
  const ops::ConvolutionDimensions first = {.input_batch_dimension = 0,
                                            .input_feature_dimension = 1,
                                            .input_spatial_dimensions = {2, 3},
                                            .kernel_input_feature_dimension = 2,
                                            .kernel_output_feature_dimension = 3,
                                            .kernel_spatial_dimensions = {0, 1},
                                            .output_batch_dimension = 0,
                                            .output_feature_dimension = 1,
                                            .output_spatial_dimensions = {2, 3}};
  ops::convolution(b, block.add_argument({ir::DType::kF32, {2, 16, 12, 12}}),
                   block.add_argument({ir::DType::kF32, {3, 3, 16, 16}}), first, {});
  EXPECT_FALSE(winograd_applies(*convolution_problem(*block.ops().back())));
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
