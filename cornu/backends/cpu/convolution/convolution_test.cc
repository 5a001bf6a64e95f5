#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "cornu/backends/cpu/convolution/convolution_test_support.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/convolution/thin.h"
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

ConvolutionStep step_of(const Geometry& g, ir::DType dtype = ir::DType::kF32) {
  return {g.lhs, g.rhs, g.dimensions, g.options, dtype};
}

void expect_close(const std::vector<float>& actual, const std::vector<double>& expected,
                  const std::string& what) {
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
      {"strided",
       {3, 9, 10, 16},
       {3, 3, 16, 32},
       last,
       {.window_strides = {2, 2}, .padding_low = {0, 1}, .padding_high = {1, 0}}},
      {"strided_rest", {3, 10, 11, 16}, {2, 3, 16, 16}, last, {.window_strides = {3, 4}}},
      {"dilated",
       {2, 12, 13, 16},
       {3, 3, 16, 16},
       last,
       {.padding_low = {2, 2}, .padding_high = {2, 2}, .rhs_dilation = {2, 2}}},
      {"groups",
       {2, 7, 8, 32},
       {3, 3, 16, 32},
       last,
       {.padding_low = {1, 1}, .padding_high = {1, 1}, .feature_group_count = 2}},
      {"channels_first",
       {2, 16, 9, 8},
       {3, 3, 16, 32},
       kFirst,
       {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"pointwise", {3, 6, 6, 32}, {1, 1, 32, 16}, last, {}},
      {"pointwise_slices", {5, 33, 30, 20}, {1, 1, 20, 70}, last, {}},
      {"pointwise_line", {3, 700, 70}, {1, 70, 20}, ops::channels_last(1), {}},
      {"one_image", {1, 12, 12, 16}, {3, 3, 16, 16}, last, {}},
      {"whole_image", {6, 4, 4, 16}, {4, 4, 16, 16}, last, {}},
      {"one_to_one", {4, 9, 11, 1}, {5, 4, 1, 1}, last, {.padding_low = {2, 1}, .padding_high = {2, 2}}},
      {"line_causal",
       {3, 20, 16},
       {3, 16, 16},
       ops::channels_last(1),
       {.padding_low = {4}, .rhs_dilation = {2}}},
      {"volume", {2, 5, 6, 5, 16}, {2, 3, 2, 16, 16}, ops::channels_last(3), {.window_strides = {1, 2, 1}}},
  };
}

/// Kernels [spatial..., outputs, inputs], turned round, as Keras's transposed convolutions have them.
ops::ConvolutionDimensions transposed(std::int64_t num_axes) {
  ops::ConvolutionDimensions d = ops::channels_last(num_axes);
  std::swap(d.kernel_input_feature_dimension, d.kernel_output_feature_dimension);
  return d;
}

std::vector<Geometry> transposed_geometries() {
  std::vector<Geometry> all = {
      {"up_same",
       {3, 5, 6, 16},
       {3, 3, 32, 16},
       transposed(2),
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}}},
      {"up_valid",
       {3, 5, 4, 16},
       {2, 3, 16, 16},
       transposed(2),
       {.padding_low = {1, 2}, .padding_high = {2, 2}, .lhs_dilation = {3, 2}}},
      {"up_one_axis",
       {2, 5, 4, 16},
       {3, 3, 16, 16},
       transposed(2),
       {.padding_low = {1, 1}, .padding_high = {1, 1}, .lhs_dilation = {1, 2}}},
      {"up_dilated",
       {2, 5, 4, 16},
       {3, 2, 16, 16},
       transposed(2),
       {.padding_low = {3, 1}, .padding_high = {4, 1}, .lhs_dilation = {2, 3}, .rhs_dilation = {2, 1}}},
      {"up_to_one",
       {5, 7, 6, 32},
       {3, 3, 1, 32},
       transposed(2),
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}}},
      {"up_from_one",
       {5, 7, 6, 1},
       {3, 3, 16, 1},
       transposed(2),
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}}},
      {"up_line",
       {4, 9, 16},
       {4, 16, 16},
       transposed(1),
       {.padding_low = {3}, .padding_high = {3}, .lhs_dilation = {3}}},
      {"up_volume",
       {2, 3, 2, 4, 16},
       {2, 3, 2, 16, 16},
       transposed(3),
       {.padding_low = {1, 2, 1}, .padding_high = {1, 1, 1}, .lhs_dilation = {2, 2, 1}}},
  };
  for (Geometry& g : all) g.options.window_reversal = Dims(g.options.lhs_dilation.size(), 1);
  return all;
}

std::vector<Geometry> thin_geometries() {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  return {
      {"to_one", {4, 9, 21, 32}, {3, 3, 32, 1}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"to_two_strided",
       {3, 11, 12, 20},
       {3, 3, 20, 2},
       last,
       {.window_strides = {2, 3}, .padding_low = {0, 1}, .padding_high = {1, 1}}},
      {"to_three_dilated",
       {2, 12, 13, 24},
       {3, 3, 24, 3},
       last,
       {.padding_low = {2, 4}, .padding_high = {2, 4}, .rhs_dilation = {2, 4}}},
      {"to_four_pointwise", {3, 8, 9, 17}, {1, 1, 17, 4}, last, {}},
      {"to_nine", {3, 8, 9, 64}, {2, 3, 64, 9}, last, {.padding_low = {1, 1}, .padding_high = {0, 1}}},
      {"to_one_beyond_the_edge",
       {2, 2, 3, 16},
       {7, 7, 16, 1},
       last,
       {.padding_low = {6, 3}, .padding_high = {6, 3}}},
      {"three_in_strided_data",
       {3, 13, 14, 3},
       {4, 5, 3, 16},
       last,
       {.window_strides = {3, 2}, .padding_low = {1, 2}}},
      {"line_to_one",
       {5, 33, 16},
       {3, 16, 1},
       ops::channels_last(1),
       {.padding_low = {8}, .rhs_dilation = {4}}},
      {"volume_to_two",
       {2, 4, 5, 6, 16},
       {2, 3, 2, 16, 2},
       ops::channels_last(3),
       {.window_strides = {1, 2, 1}, .padding_low = {1, 0, 1}}},
  };
}

std::vector<Geometry> all_geometries() {
  std::vector<Geometry> all = keras_geometries();
  for (Geometry& g : transposed_geometries()) all.push_back(std::move(g));
  for (Geometry& g : thin_geometries()) all.push_back(std::move(g));
  return all;
}

std::vector<std::uint16_t> rounded(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> halves;
  for (const float x : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    halves.push_back(static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16));
  }
  return halves;
}

template <typename T>
std::vector<T> widened(const std::vector<std::uint16_t>& halves) {
  std::vector<T> numbers;
  for (const std::uint16_t half : halves)
    numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16));
  return numbers;
}

TEST(ConvolutionTest, OfBf16IsRoundedOnceAndHasTheSameBitsAtAnyNumberOfThreads) {
  if (!has_library() || make_target("").bf16 != Bf16Level::kTiles) GTEST_SKIP() << "no products by tiles";
  ThreadPool one(1), three(3);
  int num_native = 0;
  for (const Geometry& geometry : all_geometries()) {
    const ConvolutionStep step = step_of(geometry, ir::DType::kBF16),
                          wide = step_of(geometry, ir::DType::kF64);
    ASSERT_EQ(step.convolutions.size(), 3U);
    for (std::size_t i = 0; i < step.convolutions.size(); ++i) {
      const ir::Op& op = *step.convolutions[i];
      if (!find_cpu_op(op)->kernel.multiplies_bf16(op, make_target(""))) continue;
      SCOPED_TRACE(geometry.name + std::string(" ") + std::to_string(i));
      const auto lhs = rounded(random_elements<float>(op.operand(0), 1)),
                 rhs = rounded(random_elements<float>(op.operand(1), 2));
      const auto kernel = make_group_kernel(op, make_target(""), 1);
      num_native += kernel->name() == "oneDNN";
      const auto actual = run_kernel(*kernel, op, lhs, rhs, one);
      const auto expected =
          run_kernel(*make_direct_convolution(*wide.convolutions[i], 3), *wide.convolutions[i],
                     widened<double>(lhs), widened<double>(rhs), three);
      EXPECT_LE(relative_error(widened<float>(actual), expected), 2e-3);
      EXPECT_EQ(run_kernel(*make_group_kernel(op, make_target(""), 3), op, lhs, rhs, three), actual);
    }
  }
  EXPECT_GE(num_native, 10);
}

TEST(ConvolutionTest, EveryKernelAgreesWithTheLoopsInDoublePrecision) {
  ThreadPool pool(2);
  for (const Geometry& geometry : all_geometries()) {
    const ConvolutionStep step = step_of(geometry), wide = step_of(geometry, ir::DType::kF64);
    ASSERT_EQ(step.convolutions.size(), 3U);
    for (std::size_t i = 0; i < step.convolutions.size(); ++i) {
      const std::vector<double> expected =
          run_kernel<double>(*make_direct_convolution(*wide.convolutions[i], 2), *wide.convolutions[i], pool);
      const ir::Op& op = *step.convolutions[i];
      const std::string what = geometry.name + std::string(" ") + std::to_string(i);
      expect_close(run_kernel<float>(*make_group_kernel(op, make_target(""), 2), op, pool), expected, what);
      for (IsaLevel level : cpu_isa_levels()) {
        Target target = make_target("");
        target.isa = level;
        expect_close(run_kernel<float>(*make_gemm_convolution(op, target, 2), op, pool), expected,
                     what + " by products");
        if (const std::optional<ConvolutionProblem> problem = convolution_problem(op);
            problem && is_thin_convolution(*problem))
          expect_close(run_kernel<float>(*make_thin_convolution(*problem, level, 2), op, pool), expected,
                       what + " by dots");
      }
    }
  }
}

TEST(ConvolutionTest, KerasLayersAndTheirGradientsAreTheLibrarysThreePrimitives) {
  for (const Geometry& geometry : keras_geometries()) {
    const ConvolutionStep step = step_of(geometry);
    const ConvolutionDirection expected[] = {ConvolutionDirection::kForward,
                                             ConvolutionDirection::kBackwardData,
                                             ConvolutionDirection::kBackwardWeights};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<ConvolutionProblem> problem = convolution_problem(*step.convolutions[i]);
      ASSERT_TRUE(problem.has_value()) << geometry.name << " " << i;
      // Where the kernel has one element, forward and backward data are the same.
      if (std::string(geometry.name).find("pointwise") == std::string::npos || i != 1) {
        EXPECT_EQ(problem->direction, expected[i]) << geometry.name << " " << i;
      }
      EXPECT_FALSE(problem->has_reversed_axes()) << geometry.name << " " << i;
      if (has_library()) {
        Target target = make_target("");
        target.winograd = false;
        EXPECT_EQ(make_group_kernel(*step.convolutions[i], target, 2)->name(),
                  is_thin_convolution(*problem) ? "thin" : "oneDNN")
            << geometry.name << " " << i;
      }
    }
  }
}

TEST(ConvolutionTest, StridedPointwiseOnesOfFewChannelsAreNotTheLibrarys) {
  // The library writes after the end of its scratch memory there.
  const ConvolutionStep step = step_of({"strided_pointwise",
                                        {2, 40, 40, 3},
                                        {1, 1, 3, 32},
                                        ops::channels_last(2),
                                        {.window_strides = {2, 2}}});
  for (const ir::Op* op : step.convolutions)
    EXPECT_NE(make_group_kernel(*op, make_target(""), 2)->name(), "oneDNN");
}

TEST(ConvolutionTest, ATransposedConvolutionAndItsGradientsAreTheMirrorsPrimitives) {
  for (const Geometry& geometry : transposed_geometries()) {
    const ConvolutionStep step = step_of(geometry);
    const ConvolutionDirection expected[] = {ConvolutionDirection::kBackwardData,
                                             ConvolutionDirection::kForward,
                                             ConvolutionDirection::kBackwardWeights};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::optional<ConvolutionProblem> problem = convolution_problem(*step.convolutions[i]);
      ASSERT_TRUE(problem.has_value()) << geometry.name << " " << i;
      EXPECT_EQ(problem->direction, expected[i]) << geometry.name << " " << i;
      EXPECT_FALSE(problem->has_reversed_axes()) << geometry.name << " " << i;
      EXPECT_EQ(problem->inputs, geometry.rhs[geometry.rhs.size() - 2]) << geometry.name << " " << i;
      for (std::size_t axis = 0; axis < problem->axes.size(); ++axis) {
        EXPECT_EQ(problem->axes[axis].kernel, geometry.rhs[axis]) << geometry.name << " " << i;
        EXPECT_EQ(problem->axes[axis].stride, geometry.options.lhs_dilation[axis])
            << geometry.name << " " << i;
      }
    }
    for (const auto& op : step.block.ops()) EXPECT_NE(op->name(), "reverse") << geometry.name;
  }
}

TEST(ConvolutionTest, WeightsGradientsOverADilatedLhsAreTheMirrorsToo) {
  for (Geometry geometry : transposed_geometries()) {
    // Kernels that are not turned round: the gradient slides the result's gradient over the dilated lhs.
    geometry.options.window_reversal.clear();
    const ConvolutionStep step = step_of(geometry), wide = step_of(geometry, ir::DType::kF64);
    const ir::Op& op = *step.convolutions[2];
    const std::optional<ConvolutionProblem> problem = convolution_problem(op);
    ASSERT_TRUE(problem.has_value()) << geometry.name;
    EXPECT_EQ(problem->direction, ConvolutionDirection::kBackwardWeights) << geometry.name;
    EXPECT_TRUE(problem->is_mirrored && problem->has_reversed_axes()) << geometry.name;
    ThreadPool pool(2);
    expect_close(
        run_kernel<float>(*make_group_kernel(op, make_target(""), 2), op, pool),
        run_kernel<double>(*make_direct_convolution(*wide.convolutions[2], 2), *wide.convolutions[2], pool),
        geometry.name);
  }
}

TEST(ConvolutionTest, ResultsOfFewChannelsAreDotsAndTheirWeightsGradientsAreMirrored) {
  for (const Geometry& geometry : thin_geometries()) {
    const ConvolutionStep step = step_of(geometry);
    const bool is_strided = !geometry.options.window_strides.empty() && geometry.lhs.size() == 4;
    const std::size_t thin = geometry.lhs.back() < geometry.rhs.back() ? 1 : 0;
    const std::int64_t channels = std::min(geometry.lhs.back(), geometry.rhs.back());
    EXPECT_EQ(make_group_kernel(*step.convolutions[thin], make_target(""), 2)->name() == "thin",
              channels <= 4)
        << geometry.name;
    const std::optional<ConvolutionProblem> weights = convolution_problem(*step.convolutions[2]);
    ASSERT_TRUE(weights.has_value()) << geometry.name;
    const bool is_thin = geometry.rhs.back() < geometry.lhs.back();
    EXPECT_EQ(weights->is_mirrored, is_thin && !is_strided && geometry.lhs.size() < 5) << geometry.name;
  }
}

TEST(ConvolutionTest, ATransposedConvolutionIsBackwardDataAlsoWithAKernelThatMustBeTurnedRound) {
  for (const std::int64_t reversed : {0, 1}) {
    const Geometry geometry = {"transposed",
                               {2, 5, 6, 16},
                               {3, 3, 16, 32},
                               ops::channels_last(2),
                               {.padding_low = {2, 2},
                                .padding_high = {1, 2},
                                .lhs_dilation = {2, 2},
                                .window_reversal = {reversed, reversed}}};
    const ConvolutionStep step = step_of(geometry), wide = step_of(geometry, ir::DType::kF64);
    const std::optional<ConvolutionProblem> problem = convolution_problem(*step.convolutions[0]);
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->direction, ConvolutionDirection::kBackwardData);
    EXPECT_EQ(problem->has_reversed_axes(), reversed == 0);
    ThreadPool pool(1);
    expect_close(
        run_kernel<float>(*make_group_kernel(*step.convolutions[0], make_target(""), 1),
                          *step.convolutions[0], pool),
        run_kernel<double>(*make_direct_convolution(*wide.convolutions[0], 1), *wide.convolutions[0], pool),
        "transposed");
  }
}

TEST(ConvolutionTest, PaddingTimesAnInfiniteWeightIsNothing) {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({ir::DType::kF32, {2, 5, 4, 3}}),
                  w = block.add_argument({ir::DType::kF32, {3, 3, 3, 2}});
  const ir::Op& op = *ops::convolution(b, x, w, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}).op();
  const std::vector<float> lhs(2 * 5 * 4 * 3, 0.5F);
  std::vector<float> rhs(3 * 3 * 3 * 2, 0.25F), expected(2 * 5 * 4 * 2);
  rhs[0] = std::numeric_limits<float>::infinity();  // of the first tap, which rows at the upper and left edge
                                                    // do not see
  const std::byte* const operands[] = {reinterpret_cast<const std::byte*>(lhs.data()),
                                       reinterpret_cast<const std::byte*>(rhs.data())};
  ThreadPool pool(2);
  const auto run = [&](const GroupKernel& kernel, std::vector<float>& result) {
    std::byte* const results[] = {reinterpret_cast<std::byte*>(result.data())};
    std::vector<std::byte> scratch(kernel.scratch_bytes() + 64);
    kernel.run({operands, results,
                scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64},
               pool);
  };
  run(*make_direct_convolution(op, 2), expected);
  EXPECT_EQ(expected[0], 4 * 3 * 0.125F);
  for (IsaLevel level : cpu_isa_levels()) {
    Target target = make_target("");
    target.isa = level;
    std::vector<float> actual(expected.size());
    run(*make_gemm_convolution(op, target, 2), actual);
    EXPECT_EQ(actual, expected);
    run(*make_thin_convolution(*convolution_problem(op), level, 2), actual);
    EXPECT_EQ(actual, expected);
  }
}

TEST(ConvolutionTest, AKernelKnowsItsScratchMemoryBeforeItIsBuiltAndWritesNoFurther) {
  constexpr std::size_t kBehind = 4096;
  for (const Geometry& geometry : all_geometries()) {
    const ConvolutionStep step = step_of(geometry);
    for (const ir::Op* op : step.convolutions) {
      const int threads = 3;
      const auto kernel = make_group_kernel(*op, make_target(""), threads);
      const std::size_t bytes = kernel->scratch_bytes();
      EXPECT_EQ(make_group_kernel(*op, make_target(""), threads)->scratch_bytes(), bytes) << geometry.name;
      kernel->build();
      EXPECT_EQ(kernel->scratch_bytes(), bytes) << geometry.name;
      const std::vector<float> lhs = random_elements<float>(op->operand(0), 1),
                               rhs = random_elements<float>(op->operand(1), 2);
      std::vector<float> result(static_cast<std::size_t>(op->result().type().num_elements()));
      const std::byte* const operands[] = {reinterpret_cast<const std::byte*>(lhs.data()),
                                           reinterpret_cast<const std::byte*>(rhs.data())};
      std::byte* const results[] = {reinterpret_cast<std::byte*>(result.data())};
      std::vector<std::byte> memory(bytes + 64 + kBehind, std::byte{0xab});
      std::byte* const scratch =
          memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
      ThreadPool pool(threads);
      kernel->run({operands, results, scratch}, pool);
      EXPECT_TRUE(std::all_of(scratch + bytes, scratch + bytes + kBehind, [](std::byte b) {
        return b == std::byte{0xab};
      })) << geometry.name;
    }
  }
}

TEST(ConvolutionTest, TheSameBitsAtAnyNumberOfThreadsAlsoWithALastSliceOfItsOwn) {
  const ops::ConvolutionDimensions last = ops::channels_last(2);
  const Geometry geometries[] = {
      {"odd_batch", {37, 14, 14, 32}, {3, 3, 32, 32}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"channels_first",
       {37, 32, 14, 14},
       {3, 3, 32, 32},
       kFirst,
       {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"pointwise", {37, 28, 28, 32}, {1, 1, 32, 48}, last, {}},
      {"thin", {37, 28, 28, 32}, {3, 3, 32, 2}, last, {.padding_low = {1, 1}, .padding_high = {1, 1}}},
      {"transposed",
       {37, 14, 14, 32},
       {3, 3, 32, 32},
       transposed(2),
       {.padding_low = {2, 2}, .padding_high = {1, 1}, .lhs_dilation = {2, 2}, .window_reversal = {1, 1}}},
  };
  for (const Geometry& geometry : geometries) {
    const ConvolutionStep step = step_of(geometry);
    for (const ir::Op* op : step.convolutions) {
      for (const bool products : {false, true}) {
        std::vector<float> first;
        for (int threads : {1, 2, 3, 8, 16}) {
          ThreadPool pool(threads);
          const auto kernel = products ? make_gemm_convolution(*op, make_target(""), threads)
                                       : make_group_kernel(*op, make_target(""), threads);
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
