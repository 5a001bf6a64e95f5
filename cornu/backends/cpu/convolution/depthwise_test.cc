#include "cornu/backends/cpu/convolution/depthwise.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cornu/backends/cpu/convolution/convolution_test_support.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/onednn/module.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Dims;

struct DepthwiseGeometry {
  const char* name;
  Dims lhs, rhs;
  ops::ConvolutionOptions options;
};

/// Kernels [spatial..., 1, channels].
std::vector<DepthwiseGeometry> depthwise_geometries() {
  return {
      {"same", {3, 9, 10, 20}, {3, 3, 1, 20}, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"five", {2, 15, 17, 40}, {5, 5, 1, 40}, {.padding_low = {2, 2}, .padding_high = {2, 2}}},
      {"beyond_the_edge", {2, 3, 2, 16}, {7, 5, 1, 16}, {.padding_low = {3, 4}, .padding_high = {6, 2}}},
      {"strided",
       {3, 16, 15, 33},
       {5, 3, 1, 33},
       {.window_strides = {2, 2}, .padding_low = {1, 0}, .padding_high = {2, 1}}},
      {"strides_beyond_the_kernel", {2, 13, 14, 8}, {2, 3, 1, 8}, {.window_strides = {3, 4}}},
      {"dilated",
       {2, 12, 13, 70},
       {3, 3, 1, 70},
       {.padding_low = {2, 4}, .padding_high = {2, 1}, .rhs_dilation = {2, 3}}},
      {"many_channels", {1, 7, 7, 150}, {3, 3, 1, 150}, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"tiles", {2, 97, 61, 36}, {3, 3, 1, 36}, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"strided_tiles",
       {1, 150, 90, 24},
       {5, 5, 1, 24},
       {.window_strides = {2, 2}, .padding_low = {1, 1}, .padding_high = {2, 2}}},
      {"line", {3, 50, 12}, {9, 1, 12}, {.padding_low = {8}, .padding_high = {0}}},
      {"wide_line", {2, 40, 6}, {13, 1, 6}, {.window_strides = {3}}},
      {"transposed",
       {2, 5, 6, 18},
       {3, 3, 1, 18},
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}, .window_reversal = {1, 1}}},
      {"transposed_not_reversed",
       {2, 5, 6, 18},
       {3, 4, 1, 18},
       {.padding_low = {2, 2}, .padding_high = {1, 2}, .lhs_dilation = {2, 3}}},
  };
}

ConvolutionStep depthwise_step(const DepthwiseGeometry& g, ir::DType dtype = ir::DType::kF32) {
  ops::ConvolutionOptions options = g.options;
  options.feature_group_count = g.lhs.back();
  const auto axes = static_cast<std::int64_t>(g.lhs.size()) - 2;
  return {g.lhs, g.rhs, ops::channels_last(axes), options, dtype};
}

TEST(DepthwiseConvolutionTest, AgreesWithTheLoopsInDoublePrecisionAtEachLevel) {
  ThreadPool pool(2);
  for (const DepthwiseGeometry& geometry : depthwise_geometries()) {
    const ConvolutionStep step = depthwise_step(geometry), wide = depthwise_step(geometry, ir::DType::kF64);
    ASSERT_EQ(step.convolutions.size(), 3U);
    for (std::size_t i = 0; i < step.convolutions.size(); ++i) {
      const ir::Op &op = *step.convolutions[i], &wide_op = *wide.convolutions[i];
      SCOPED_TRACE(geometry.name + std::string(" ") + std::to_string(i));
      const std::optional<ConvolutionProblem> problem = convolution_problem(op);
      ASSERT_TRUE(problem && is_depthwise_convolution(*problem));
      const std::vector<double> expected =
          run_kernel<double>(*make_direct_convolution(wide_op, 2), wide_op, pool);
      for (const IsaLevel level : cpu_isa_levels())
        EXPECT_LE(relative_error(run_kernel<float>(*make_depthwise_convolution(*problem, level, 2), op, pool),
                                 expected),
                  1e-6);
    }
  }
}

TEST(DepthwiseConvolutionTest, BitsDoNotDependOnThreads) {
  for (const DepthwiseGeometry& geometry :
       {DepthwiseGeometry{
            "same", {21, 14, 14, 96}, {3, 3, 1, 96}, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
        DepthwiseGeometry{"strided",
                          {21, 28, 28, 40},
                          {5, 5, 1, 40},
                          {.window_strides = {2, 2}, .padding_low = {1, 1}, .padding_high = {2, 2}}}}) {
    const ConvolutionStep step = depthwise_step(geometry);
    for (const ir::Op* op : step.convolutions) {
      std::vector<float> first;
      for (const int threads : {1, 2, 3, 16}) {
        ThreadPool pool(threads);
        const auto kernel =
            make_depthwise_convolution(*convolution_problem(*op), make_target("").isa, threads);
        EXPECT_GT(kernel->num_slices(), 1) << geometry.name;
        const std::vector<float> result = run_kernel<float>(*kernel, *op, pool);
        if (first.empty()) first = result;
        EXPECT_EQ(std::memcmp(first.data(), result.data(), result.size() * sizeof(float)), 0)
            << geometry.name << ", " << threads << " threads";
      }
    }
  }
}

TEST(DepthwiseConvolutionTest, TheEngineChoosesItForLargeKernelsAndWithoutOneDnn) {
  for (const std::int64_t size : {3, 5, 9}) {
    const ConvolutionStep step = depthwise_step({"", {4, 11, 11, 32}, {size, size, 1, 32}, {}});
    for (const ir::Op* op : step.convolutions) {
      const bool is_slow = size == 9 || (size == 5 && op == step.convolutions[2]);
      Target target = make_target("");
      const bool has_library = onednn::serves(target.isa);
      EXPECT_EQ(make_group_kernel(*op, target, 2)->name(), is_slow || !has_library ? "depthwise" : "oneDNN");
      target.isa = IsaLevel::kSse2;
      const bool has_library_for_sse2 = onednn::serves(target.isa);
      EXPECT_EQ(make_group_kernel(*op, target, 2)->name(),
                is_slow || !has_library_for_sse2 ? "depthwise" : "oneDNN");
    }
  }
}

TEST(DepthwiseConvolutionTest, OtherConvolutionsAreLeftToOtherKernels) {
  const auto problem = [](const Dims& lhs, const Dims& rhs, std::int64_t groups) {
    const ConvolutionStep step(lhs, rhs, ops::channels_last(static_cast<std::int64_t>(lhs.size()) - 2),
                               {.feature_group_count = groups});
    return *convolution_problem(*step.convolutions[0]);
  };
  EXPECT_TRUE(is_depthwise_convolution(problem({2, 6, 6, 8}, {3, 3, 1, 8}, 8)));
  EXPECT_FALSE(is_depthwise_convolution(problem({2, 6, 6, 8}, {3, 3, 1, 16}, 8)));     // two outputs each
  EXPECT_FALSE(is_depthwise_convolution(problem({2, 6, 6, 8}, {3, 3, 4, 8}, 2)));      // groups of four
  EXPECT_FALSE(is_depthwise_convolution(problem({2, 6, 6, 2}, {3, 3, 1, 2}, 2)));      // lanes would be empty
  EXPECT_FALSE(is_depthwise_convolution(problem({2, 25, 26, 8}, {21, 21, 1, 8}, 8)));  // too many taps
  EXPECT_FALSE(is_depthwise_convolution(problem({2, 4, 4, 4, 8}, {3, 3, 3, 1, 8}, 8)));
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
