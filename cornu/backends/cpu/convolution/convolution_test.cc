#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/convolution/test_convolutions.h"
#include "cornu/backends/cpu/onednn/module.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

struct Geometry {
  const char* name;
  Dims lhs, rhs;
  ops::ConvolutionDimensions dimensions;
  ops::ConvolutionOptions options;
};

ConvolutionStep step_of(const Geometry& g, ir::DType dtype = ir::DType::kF32) { return {g.lhs, g.rhs, g.dimensions, g.options, dtype}; }

void expect_close(const std::vector<float>& actual, const std::vector<double>& expected, const std::string& what) {
  EXPECT_LE(relative_error(actual, expected), 2e-6) << what;
}

bool has_library() { return onednn::serves(make_target("").isa); }

const ops::ConvolutionDimensions kFirst = {.input_batch_dimension = 0,
                                           .input_feature_dimension = 1,
                                           .input_spatial_dimensions = {2, 3},
                                           .kernel_input_feature_dimension = 2,
                                           .kernel_output_feature_dimension = 3,
                                           .kernel_spatial_dimensions = {0, 1},
                                           .output_batch_dimension = 0,
                                           .output_feature_dimension = 1,
                                           .output_spatial_dimensions = {2, 3}};

std::vector<Geometry> keras_geometries() {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  return {
      {"valid", {4, 10, 9, 3}, {3, 3, 3, 32}, last, {}},
      {"same", {4, 8, 9, 32}, {3, 3, 32, 16}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"strided", {3, 9, 10, 16}, {3, 3, 16, 32}, last, {.window_strides = {2, 2}, .padding_low = {0, 1}, .padding_high = {1, 0}}},
      {"strided_rest", {3, 10, 11, 16}, {2, 3, 16, 16}, last, {.window_strides = {3, 4}}},
      {"dilated", {2, 12, 13, 16}, {3, 3, 16, 16}, last, {.padding_low = {2, 2}, .padding_high = {2, 2}, .rhs_dilation = {2, 2}}},
      {"groups", {2, 7, 8, 32}, {3, 3, 16, 32}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}, .feature_group_count = 2}},
      {"channels_first", {2, 16, 9, 8}, {3, 3, 16, 32}, kFirst, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"pointwise", {3, 6, 6, 32}, {1, 1, 32, 16}, last, {}},
      {"one_image", {1, 12, 12, 16}, {3, 3, 16, 16}, last, {}},
      {"whole_image", {6, 4, 4, 16}, {4, 4, 16, 16}, last, {}},
      {"line_causal", {3, 20, 16}, {3, 16, 16}, ops::channels_last(1), {.padding_low = {4}, .rhs_dilation = {2}}},
      {"volume", {2, 5, 6, 5, 16}, {2, 3, 2, 16, 16}, ops::channels_last(3), {.window_strides = {1, 2, 1}}},
  };
}

TEST(ConvolutionTest, EveryKernelAgreesWithTheLoopsInDoublePrecision) {
  ThreadPool pool(2);
  for (const Geometry& geometry : keras_geometries()) {
    const ConvolutionStep step = step_of(geometry), wide = step_of(geometry, ir::DType::kF64);
    ASSERT_EQ(step.convolutions.size(), 3U);
    for (std::size_t i = 0; i < step.convolutions.size(); ++i) {
      const std::vector<double> expected =
          run_kernel<double>(*make_direct_convolution(*wide.convolutions[i], 2), *wide.convolutions[i], pool);
      const ir::Op& op = *step.convolutions[i];
      const std::string what = geometry.name + std::string(" ") + std::to_string(i);
      expect_close(run_kernel<float>(*make_convolution_kernel(op, make_target(""), 2), op, pool), expected, what);
      for (IsaLevel level : cpu_isa_levels()) {
        Target target = make_target("");
        target.isa = level;
        expect_close(run_kernel<float>(*make_gemm_convolution(op, target, 2), op, pool), expected, what + " by products");
      }
    }
  }
}

TEST(ConvolutionTest, KerasLayersAndTheirGradientsAreTheLibrarysThreePrimitives) {
  for (const Geometry& geometry : keras_geometries()) {
    const ConvolutionStep step = step_of(geometry);
    const ConvolutionDirection expected[] = {ConvolutionDirection::kForward, ConvolutionDirection::kBackwardData,
                                             ConvolutionDirection::kBackwardWeights};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<ConvolutionProblem> problem = convolution_problem(*step.convolutions[i]);
      ASSERT_TRUE(problem.has_value()) << geometry.name << " " << i;
      // Where the kernel has one element, forward and backward data are the same.
      if (geometry.name != std::string("pointwise") || i != 1) {
        EXPECT_EQ(problem->direction, expected[i]) << geometry.name << " " << i;
      }
      EXPECT_FALSE(problem->has_reversed_axes()) << geometry.name << " " << i;
      if (has_library()) {
        Target target = make_target("");
        target.winograd = false;
        EXPECT_EQ(make_convolution_kernel(*step.convolutions[i], target, 2)->name(), "oneDNN") << geometry.name << " " << i;
      }
    }
  }
}

TEST(ConvolutionTest, ATransposedConvolutionIsBackwardDataAlsoWithAKernelThatMustBeTurnedRound) {
  for (const std::int64_t reversed : {0, 1}) {
    const Geometry geometry = {
        "transposed",
        {2, 5, 6, 16},
        {3, 3, 16, 32},
        ops::channels_last(2),
        {.padding_low = {2, 2}, .padding_high = {1, 2}, .lhs_dilation = {2, 2}, .window_reversal = {reversed, reversed}}};
    const ConvolutionStep step = step_of(geometry), wide = step_of(geometry, ir::DType::kF64);
    const std::optional<ConvolutionProblem> problem = convolution_problem(*step.convolutions[0]);
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->direction, ConvolutionDirection::kBackwardData);
    EXPECT_EQ(problem->has_reversed_axes(), reversed == 0);
    ThreadPool pool(1);
    expect_close(run_kernel<float>(*make_convolution_kernel(*step.convolutions[0], make_target(""), 1), *step.convolutions[0], pool),
                 run_kernel<double>(*make_direct_convolution(*wide.convolutions[0], 1), *wide.convolutions[0], pool), "transposed");
  }
}

TEST(ConvolutionTest, PaddingTimesAnInfiniteWeightIsNothing) {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({ir::DType::kF32, {2, 5, 4, 3}}), w = block.add_argument({ir::DType::kF32, {3, 3, 3, 2}});
  const ir::Op& op = *ops::convolution(b, x, w, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}).op();
  const std::vector<float> lhs(2 * 5 * 4 * 3, 0.5F);
  std::vector<float> rhs(3 * 3 * 3 * 2, 0.25F), expected(2 * 5 * 4 * 2);
  rhs[0] = std::numeric_limits<float>::infinity();  // of the first tap, which rows at the upper and left edge do not see
  const std::byte* const operands[] = {reinterpret_cast<const std::byte*>(lhs.data()), reinterpret_cast<const std::byte*>(rhs.data())};
  ThreadPool pool(2);
  const auto run = [&](const GroupKernel& kernel, std::vector<float>& result) {
    std::byte* const results[] = {reinterpret_cast<std::byte*>(result.data())};
    std::vector<std::byte> scratch(kernel.scratch_bytes() + 64);
    kernel.run({operands, results, scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64}, pool);
  };
  run(*make_direct_convolution(op, 2), expected);
  EXPECT_EQ(expected[0], 4 * 3 * 0.125F);
  for (IsaLevel level : cpu_isa_levels()) {
    Target target = make_target("");
    target.isa = level;
    std::vector<float> actual(expected.size());
    run(*make_gemm_convolution(op, target, 2), actual);
    EXPECT_EQ(actual, expected);
  }
}

TEST(ConvolutionTest, TheSameBitsAtAnyNumberOfThreadsAlsoWithALastSliceOfItsOwn) {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  const Geometry geometries[] = {
      {"odd_batch", {37, 14, 14, 32}, {3, 3, 32, 32}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"channels_first", {37, 32, 14, 14}, {3, 3, 32, 32}, kFirst, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
  };
  for (const Geometry& geometry : geometries) {
    const ConvolutionStep step = step_of(geometry);
    for (const ir::Op* op : step.convolutions) {
      for (const bool products : {false, true}) {
        std::vector<float> first;
        for (int threads : {1, 2, 3, 8}) {
          ThreadPool pool(threads);
          const auto kernel =
              products ? make_gemm_convolution(*op, make_target(""), threads) : make_convolution_kernel(*op, make_target(""), threads);
          EXPECT_GT(kernel->num_slices(), 1) << geometry.name;
          const std::vector<float> result = run_kernel<float>(*kernel, *op, pool);
          if (first.empty()) first = result;
          EXPECT_EQ(std::memcmp(first.data(), result.data(), result.size() * sizeof(float)), 0)
              << geometry.name << ", " << threads << " threads";
        }
      }
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
