#include "cornu/ops/convolution/convolution.h"

#include <gtest/gtest.h>

#include <numeric>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::convolution_folder {
namespace {

using ir::DType;

std::string conv_label(ir::TensorType lhs, ir::TensorType rhs, const ConvolutionDimensions& dimensions,
                       const ConvolutionOptions& options = {}) {
  const std::string label = error_label({std::move(lhs), std::move(rhs)}, [&](ir::Builder& b, Operands v) {
    convolution(b, v[0], v[1], dimensions, options);
  });
  return label.starts_with("[convolution] ") ? label.substr(14) : label;
}
/// [2, 5, 5, 4] with a kernel of [3, 3, 4, 6].
std::string image_label(const ConvolutionOptions& options, ir::Dims rhs = {3, 3, 4, 6}) {
  return conv_label({DType::kF32, {2, 5, 5, 4}}, {DType::kF32, std::move(rhs)}, channels_last(2), options);
}

TEST(ConvolutionTest, C1_RejectsDifferentRanks) {
  EXPECT_EQ(conv_label({DType::kF32, {2, 5, 4}}, {DType::kF32, {3, 3, 4, 6}}, channels_last(1)), "(C1)");
  EXPECT_EQ(conv_label({DType::kF32, {2}}, {DType::kF32, {3}}, channels_last(0)), "(C1)");
}

TEST(ConvolutionTest, C2_To_C9_RejectBadWindows) {
  EXPECT_EQ(image_label({.window_strides = {1}}), "(C2)");
  EXPECT_EQ(image_label({.window_strides = {1, 0}}), "(C3)");
  EXPECT_EQ(image_label({.padding_low = {1}}), "(C4)");
  EXPECT_EQ(image_label({.padding_high = {1, 1, 1}}), "(C4)");
  EXPECT_EQ(image_label({.lhs_dilation = {1}}), "(C5)");
  EXPECT_EQ(image_label({.lhs_dilation = {0, 1}}), "(C6)");
  EXPECT_EQ(image_label({.rhs_dilation = {1}}), "(C7)");
  EXPECT_EQ(image_label({.rhs_dilation = {1, -1}}), "(C8)");
  EXPECT_EQ(image_label({.window_reversal = {1}}), "(C9)");
}

TEST(ConvolutionTest, C10_C11_C14_C15_C16_RejectGroupsThatDoNotDivide) {
  EXPECT_EQ(image_label({.batch_group_count = 3}), "(C10)");
  EXPECT_EQ(image_label({.feature_group_count = 3}), "(C11)");
  EXPECT_EQ(image_label({.feature_group_count = 2}), "(C14)");
  EXPECT_EQ(image_label({.batch_group_count = 2}, {3, 3, 4, 5}), "(C15)");
  EXPECT_EQ(image_label({.feature_group_count = 2}, {3, 3, 2, 5}), "(C16)");
}

TEST(ConvolutionTest, C12_C13_C17_C18_C19_C20_RejectDimensionsThatAreNoPermutation) {
  const auto with = [](void (*change)(ConvolutionDimensions&)) {
    ConvolutionDimensions dimensions = channels_last(2);
    change(dimensions);
    return conv_label({DType::kF32, {2, 5, 5, 4}}, {DType::kF32, {3, 3, 4, 6}}, dimensions);
  };
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.input_spatial_dimensions = {1}; }), "(C12)");
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.input_batch_dimension = 1; }), "(C13)");
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.kernel_spatial_dimensions = {0}; }), "(C17)");
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.kernel_input_feature_dimension = 4; }), "(C18)");
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.output_spatial_dimensions = {0, 1, 2}; }), "(C19)");
  EXPECT_EQ(with([](ConvolutionDimensions& d) { d.output_feature_dimension = -1; }), "(C20)");
}

TEST(ConvolutionTest, C21_C22_C23_RejectBadGroupCounts) {
  EXPECT_EQ(image_label({.feature_group_count = 0}), "(C21)");
  EXPECT_EQ(image_label({.batch_group_count = -1}), "(C22)");
  EXPECT_EQ(image_label({.feature_group_count = 2, .batch_group_count = 2}), "(C23)");
}

TEST(ConvolutionTest, I1_RejectsBooleans) {
  EXPECT_EQ(conv_label({DType::kI1, {2, 5, 4}}, {DType::kI1, {3, 4, 6}}, channels_last(1)), "(I1)");
}

TEST(ConvolutionTest, C27_RejectsDifferentDtypes) {
  EXPECT_EQ(conv_label({DType::kF32, {2, 5, 4}}, {DType::kF64, {3, 4, 6}}, channels_last(1)), "(C27)");
}

TEST(ConvolutionTest, SumsProductsOverWindowsAndFeatures) {
  const ir::Literal x = ir::Literal::of<float>({1, 4, 1}, {1, 2, 3, 4}),
                    kernel = ir::Literal::of<float>({2, 1, 1}, {10, 1});
  const auto run = [&](const ConvolutionOptions& options) {
    return elements<float>(run_op({x, kernel}, [&](ir::Builder& b, Operands v) {
      return convolution(b, v[0], v[1], channels_last(1), options);
    })[0]);
  };
  EXPECT_EQ(run({}), (std::vector<float>{12, 23, 34}));
  EXPECT_EQ(run({.window_reversal = {1}}), (std::vector<float>{21, 32, 43}));
  EXPECT_EQ(run({.window_strides = {2}, .padding_low = {1}}), (std::vector<float>{1, 23}));
  EXPECT_EQ(run({.lhs_dilation = {2}}), (std::vector<float>{10, 2, 20, 3, 30, 4}));
}

TEST(ConvolutionTest, AKernelLargerThanTheInputGivesNothing) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {1, 2, 1}}),
                  kernel = block.add_argument({DType::kF32, {3, 1, 1}});
  EXPECT_EQ(convolution(b, x, kernel, channels_last(1)).dims(), (ir::Dims{1, 0, 1}));
}

// With ones everywhere each product adds one to the sum of the result.
TEST(ConvolutionTest, MultiplyAddsAreThoseOfElementsAlone) {
  const std::vector<ConvolutionOptions> all = {
      {},
      {.window_strides = {2, 3}, .padding_low = {2, 1}, .padding_high = {0, 3}},
      {.padding_low = {-1, 2}, .padding_high = {3, -2}},
      {.padding_low = {2, 2}, .padding_high = {2, 2}, .lhs_dilation = {2, 3}},
      {.window_strides = {2, 3},
       .padding_low = {7, 4},
       .padding_high = {3, 9},
       .lhs_dilation = {4, 2},
       .rhs_dilation = {1, 3}},
      {.window_strides = {3, 2},
       .padding_low = {4, -1},
       .padding_high = {5, 6},
       .lhs_dilation = {2, 3},
       .rhs_dilation = {3, 2}},
      {.rhs_dilation = {2, 1}, .feature_group_count = 2},
      {.window_reversal = {1, 0}, .batch_group_count = 2},
      {.window_strides = {1, 1}, .padding_low = {50, 0}, .padding_high = {50, 0}, .lhs_dilation = {5, 1}},
  };
  for (const ConvolutionOptions& options : all) {
    const std::int64_t inputs = options.feature_group_count == 2 ? 2 : 4;
    ir::Block block;
    ir::Builder b(block);
    const ir::Value x = block.add_argument({DType::kF64, {2, 7, 8, 4}}),
                    kernel = block.add_argument({DType::kF64, {3, 2, inputs, 6}});
    const ir::Value y = convolution(b, x, kernel, channels_last(2), options);
    const auto ones = [](const ir::TensorType& type) {
      return ir::Literal::of<double>(type.dims,
                                     std::vector<double>(static_cast<std::size_t>(type.num_elements()), 1));
    };
    const std::vector<double> sums =
        elements<double>(run_op({ones(x.type()), ones(kernel.type())}, [&](ir::Builder& c, Operands v) {
          return convolution(c, v[0], v[1], channels_last(2), options);
        })[0]);
    EXPECT_EQ(convolution_multiply_adds(*y.op()), std::accumulate(sums.begin(), sums.end(), 0.0))
        << ir::shape_str(y.dims());
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::convolution_folder
