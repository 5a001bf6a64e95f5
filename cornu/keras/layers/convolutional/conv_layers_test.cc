// Errors of convolution, pooling, padding, cropping and upsampling layers, and shapes with unknown extents.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cornu/base/error.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::string conv_error(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

template <typename L, typename Options>
std::string option_message(Options options) {
  options.name = "c1";
  return conv_error([&] { L layer(options); });
}

template <typename L, typename Options>
std::string build_message(Options options, const Dims& shape) {
  options.name = "c1";
  return conv_error([&] { L(options)->build_once(shape); });
}

using layers::Conv1D;
using layers::Conv2D;
using layers::Conv2DTranspose;
using layers::ConvOptions;
using layers::ConvTransposeOptions;

TEST(ConvTest, RefusesOptionsThatAreNotPositive) {
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.kernel_size = 3}),
            "[conv2d] filters must be positive; got filters = 0; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = {0, 3}}),
            "[conv2d] kernel_size must be positive, one number or one for each of 2 spatial axes; got "
            "kernel_size = [0, 3]; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2}),
            "[conv2d] kernel_size must be positive, one number or one for each of 2 spatial axes; got "
            "kernel_size = 0; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv1D>(ConvOptions{.filters = 2, .kernel_size = {3, 3}}),
            "[conv1d] kernel_size must be positive, one number; got kernel_size = [3, 3]; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .strides = {1, -2}}),
            "[conv2d] strides must be positive, one number or one for each of 2 spatial axes; got strides = "
            "[1, -2]; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .dilation_rate = 0}),
            "[conv2d] dilation_rate must be positive, one number or one for each of 2 spatial axes; got "
            "dilation_rate = 0; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .groups = 0}),
            "[conv2d] groups must be positive; got groups = 0; in layer \"c1\"");
  EXPECT_EQ(
      option_message<layers::DepthwiseConv2D>(
          layers::DepthwiseConvOptions{.kernel_size = 3, .depth_multiplier = -1}),
      "[depthwise_conv2d] depth_multiplier must be positive; got depth_multiplier = -1; in layer \"c1\"");
}

TEST(ConvTest, RefusesUnknownPaddingsAndFormats) {
  EXPECT_EQ(
      option_message<Conv1D>(ConvOptions{.filters = 2, .kernel_size = 3, .padding = "full"}),
      "[conv1d] padding must be \"valid\", \"same\" or \"causal\"; got padding = \"full\"; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .padding = "causal"}),
            "[conv2d] padding must be \"valid\" or \"same\"; got padding = \"causal\"; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .data_format = "NHWC"}),
            "[conv2d] data_format must be \"channels_last\" or \"channels_first\"; got data_format = "
            "\"NHWC\"; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3, .padding = "SAME"}),
            "no error");  // as in Keras
  EXPECT_EQ(Conv2D({.filters = 2, .kernel_size = 3, .data_format = "Channels_First"})
                ->compute_output_shape({kUnknown, 1, 8, 9}),
            (Dims{kUnknown, 2, 6, 7}));
}

TEST(ConvTest, RefusesStridesWithDilationAsKerasDoes) {
  EXPECT_EQ(option_message<Conv2D>(
                ConvOptions{.filters = 2, .kernel_size = 3, .strides = {2, 1}, .dilation_rate = {1, 2}}),
            "[conv2d] strides and dilation_rate cannot both be above 1; got strides = [2, 1], dilation_rate "
            "= [1, 2]; in layer \"c1\"");
  EXPECT_EQ(option_message<Conv2DTranspose>(
                ConvTransposeOptions{.filters = 2, .kernel_size = 3, .strides = 2, .dilation_rate = 2}),
            "[conv2d_transpose] strides and dilation_rate cannot both be above 1; got strides = [2, 2], "
            "dilation_rate = [2, 2]; in layer "
            "\"c1\"");
  EXPECT_EQ(option_message<layers::DepthwiseConv2D>(
                layers::DepthwiseConvOptions{.kernel_size = 3, .strides = 2, .dilation_rate = 2}),
            "no error");
}

TEST(ConvTest, RefusesGroupsThatDivideFiltersOrChannelsNot) {
  EXPECT_EQ(option_message<Conv2D>(ConvOptions{.filters = 4, .kernel_size = 3, .groups = 3}),
            "[conv2d] groups must divide filters; got groups = 3, filters = 4; in layer \"c1\"");
  EXPECT_EQ(
      build_message<Conv2D>(ConvOptions{.filters = 6, .kernel_size = 3, .groups = 3}, {kUnknown, 8, 8, 4}),
      "[conv2d] groups must divide the input's channels; got groups = 3 for 4 channels of the shape (None, "
      "8, 8, 4); in layer \"c1\"");
}

TEST(ConvTest, RefusesAKernelLargerThanItsInput) {
  EXPECT_EQ(build_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = {2, 5}}, {kUnknown, 8, 4, 1}),
            "[conv2d] the kernel (kernel_size = [2, 5], dilation_rate = [1, 1], padding = \"valid\") spans 5 "
            "elements along spatial axis 1, "
            "where the input has 4; got an input of shape (None, 8, 4, 1); in layer \"c1\"");
  EXPECT_NE(
      build_message<layers::SeparableConv1D>(
          layers::SeparableConvOptions{.filters = 2, .kernel_size = 3, .dilation_rate = 4}, {kUnknown, 8, 1})
          .find("spans 9 elements along spatial axis 0, where the input has 8"),
      std::string::npos);
  EXPECT_EQ(build_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 5, .padding = "same"},
                                  {kUnknown, 1, 1, 1}),
            "no error");
  EXPECT_NE(build_message<Conv2DTranspose>(
                ConvTransposeOptions{.filters = 2, .kernel_size = 2, .padding = "same", .output_padding = 0},
                {kUnknown, 1, 1, 1})
                .find("nothing would come out along spatial axis 0"),
            std::string::npos);
}

TEST(ConvTest, RefusesUnknownOrChangedChannels) {
  EXPECT_EQ(build_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3}, {kUnknown, 8, 8, kUnknown}),
            "[conv2d] the channels of the input (axis 3, data_format = \"channels_last\") must be known and "
            "positive; its shape is (None, 8, "
            "8, None); in layer \"c1\"");
  const testing::OnReferenceBackend on_reference;
  const Conv2D conv({.filters = 2, .kernel_size = 3, .name = "c1"});
  conv->build_once({kUnknown, 8, 8, 3});
  const std::string message =
      conv_error([&] { (void)conv(Tensor(ir::Literal({DType::kF32, {1, 8, 8, 1}}))); });
  EXPECT_NE(message.find("expected axis 3 of the input to be 3"), std::string::npos) << message;
  EXPECT_NE(message.find("in layer \"c1\""), std::string::npos) << message;
  EXPECT_EQ(build_message<Conv2D>(ConvOptions{.filters = 2, .kernel_size = 3}, {kUnknown, 8, 3}),
            "[conv2d] the input must have 4 dimensions: batch, 2 spatial axes and channels; its shape is "
            "(None, 8, 3); in layer \"c1\"");
}

TEST(ConvTest, RefusesAnOutputPaddingThatIsNotBelowItsStride) {
  EXPECT_EQ(option_message<Conv2DTranspose>(
                ConvTransposeOptions{.filters = 2, .kernel_size = 3, .strides = {3, 2}, .output_padding = 2}),
            "[conv2d_transpose] output_padding must be below strides along every axis; got output_padding = "
            "[2, 2], strides = [3, 2]; in "
            "layer \"c1\"");
  EXPECT_EQ(option_message<Conv2DTranspose>(
                ConvTransposeOptions{.filters = 2, .kernel_size = 3, .output_padding = {0, -1}}),
            "[conv2d_transpose] output_padding must be 0 or more, one number or one for each of 2 spatial "
            "axes; got output_padding = [0, "
            "-1]; in layer \"c1\"");
}

TEST(ConvTest, KeepsUnknownExtentsUnknown) {
  EXPECT_EQ(Conv2D({.filters = 4, .kernel_size = 60, .strides = 2})
                ->compute_output_shape({kUnknown, kUnknown, 61, 3}),
            (Dims{kUnknown, kUnknown, 1, 4}));
  EXPECT_EQ(layers::MaxPooling2D({.data_format = "channels_first"})
                ->compute_output_shape({kUnknown, 3, kUnknown, 5}),
            (Dims{kUnknown, 3, kUnknown, 2}));
  const KerasTensor x = layers::Input({.shape = {kUnknown, kUnknown, 3}});
  const KerasTensor y = Conv2D({.filters = 4, .kernel_size = 100})(x);
  EXPECT_EQ(y.shape(), (Dims{kUnknown, kUnknown, kUnknown, 4}));
  EXPECT_EQ(layers::GlobalAveragePooling2D()(y).shape(), (Dims{kUnknown, 4}));
  EXPECT_EQ(layers::Conv2DTranspose({.filters = 2, .kernel_size = 3, .strides = 2})(y).shape(),
            (Dims{kUnknown, kUnknown, kUnknown, 2}));
  EXPECT_EQ(layers::UpSampling2D()(layers::ZeroPadding2D()(layers::Cropping2D({.cropping = 1})(y))).shape(),
            (Dims{kUnknown, kUnknown, kUnknown, 4}));
}

TEST(ConvTest, KernelsAreInitializedByTheirReceptiveField) {
  const Conv2D conv({.filters = 8, .kernel_size = 5});
  conv->build_once({kUnknown, 8, 8, 4});
  const Tensor kernel = conv->get_weights()[0];
  const double limit = std::sqrt(6.0 / (5 * 5 * (4 + 8)));
  double largest = 0;
  for (std::int64_t i = 0; i < kernel.num_elements(); ++i)
    largest = std::max(largest, std::fabs(kernel.at(i)));
  EXPECT_LE(largest, limit);
  EXPECT_GT(largest, 0.95 * limit);
}

TEST(ConvTest, TheMnistExampleHasKerassParameters) {
  const Sequential model({layers::Input({.shape = {28, 28, 1}}),
                          Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
                          Conv2D({.filters = 64, .kernel_size = {3, 3}, .activation = "relu"}),
                          layers::MaxPooling2D({.pool_size = {2, 2}}), layers::Dropout({.rate = 0.25}),
                          layers::Flatten(), layers::Dense({.units = 128, .activation = "relu"}),
                          layers::Dropout({.rate = 0.5}),
                          layers::Dense({.units = 10, .activation = "softmax"})});
  EXPECT_EQ(model.count_params(), 1199882);
}

TEST(PoolingTest, TakesListsAsKerasTakesTuples) {
  EXPECT_EQ(layers::MaxPooling2D({.pool_size = {3, 3}, .strides = {2, 1}})
                ->compute_output_shape({kUnknown, 7, 7, 4}),
            (Dims{kUnknown, 3, 5, 4}));
  EXPECT_EQ(layers::MaxPooling2D({.pool_size = 3, .strides = 2})->compute_output_shape({kUnknown, 7, 7, 4}),
            (Dims{kUnknown, 3, 3, 4}));
  EXPECT_EQ(layers::ZeroPadding2D({.padding = {1, 2}})->compute_output_shape({kUnknown, 7, 7, 4}),
            (Dims{kUnknown, 9, 11, 4}));
  EXPECT_EQ(layers::ZeroPadding2D({.padding = {{1, 0}, {2, 3}}})->compute_output_shape({kUnknown, 7, 7, 4}),
            (Dims{kUnknown, 8, 12, 4}));
}

TEST(PoolingTest, RefusesBadWindows) {
  EXPECT_EQ(option_message<layers::AveragePooling2D>(layers::AveragePoolingOptions{}),
            "[average_pooling2d] pool_size must be positive, one number or one for each of 2 spatial axes; "
            "got pool_size = 0; in layer "
            "\"c1\"");
  EXPECT_EQ(option_message<layers::MaxPooling1D>(layers::MaxPoolingOptions{.strides = 0}),
            "[max_pooling1d] strides must be positive, one number; got strides = 0; in layer \"c1\"");
  EXPECT_EQ(
      option_message<layers::MaxPooling2D>(layers::MaxPoolingOptions{.padding = "causal"}),
      "[max_pooling2d] padding must be \"valid\" or \"same\"; got padding = \"causal\"; in layer \"c1\"");
  const std::string message =
      conv_error([] { (void)layers::MaxPooling2D({.name = "c1"})(layers::Input({.shape = {1, 4, 3}})); });
  EXPECT_EQ(message,
            "[max_pooling2d] the window (pool_size = [2, 2], padding = \"valid\") spans 2 elements along "
            "spatial axis 0, where the input has "
            "1; got an input of shape (None, 1, 4, 3); in layer \"c1\"");
}

TEST(ConvTest, ABatchOfNoRowsGivesNoRows) {
  const testing::OnReferenceBackend on_reference;
  const Tensor none{ir::Literal({DType::kF32, {0, 8, 8, 3}})};
  EXPECT_EQ(Conv2D({.filters = 2, .kernel_size = 3, .activation = "relu"})(none).shape(), (Dims{0, 6, 6, 2}));
  EXPECT_EQ(layers::MaxPooling2D()(none).shape(), (Dims{0, 4, 4, 3}));
}

TEST(ConvTest, IntegersAreTakenAsTheLayersDtype) {
  const testing::OnReferenceBackend on_reference;
  const Tensor image = Tensor::of<std::int32_t>({1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor sum = Conv2D({.filters = 1, .kernel_size = 2, .kernel_initializer = "ones"})(image);
  EXPECT_EQ(sum.dtype(), DType::kF32);
  EXPECT_EQ(sum.at(0), 10);
  const Tensor greatest = layers::MaxPooling2D()(image);
  EXPECT_EQ(greatest.dtype(), DType::kI32);
  EXPECT_EQ(greatest.at(0), 4);
  EXPECT_EQ(layers::AveragePooling2D({.pool_size = 2})(image).at(0), 2.5);
}

TEST(UpSamplingTest, InterpolatedIntegersAreRounded) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y = layers::UpSampling2D({.size = {1, 2}, .interpolation = "bilinear"})(
      Tensor::of<std::int32_t>({1, 1, 2, 1}, {0, 5}));
  EXPECT_EQ(y.dtype(), DType::kI32);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(y.at(static_cast<std::int64_t>(i)), (std::vector<double>{0, 1, 4, 5})[i]);
}

TEST(PoolingTest, RefusesInputsWithoutElementsAlsoWhenItIsCalled) {
  const testing::OnReferenceBackend on_reference;
  const auto error_of = [](const LayerHandle& layer, const Dims& shape) -> std::string {
    try {
      (void)layer(Tensor::zeros(shape));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(layers::GlobalMaxPooling1D({.name = "p"}), {2, 0, 3}),
            "[global_max_pooling1d] the input has no elements along spatial axis 0; its shape is (2, 0, 3); "
            "in layer \"p\"");
  EXPECT_EQ(error_of(layers::GlobalAveragePooling2D({.name = "p"}), {2, 4, 0, 3}),
            "[global_average_pooling2d] the input has no elements along spatial axis 1; its shape is (2, 4, "
            "0, 3); in layer \"p\"");
  EXPECT_EQ(
      error_of(layers::Conv1D({.filters = 1, .kernel_size = 2, .padding = "causal", .name = "c"}), {1, 0, 2}),
      "[conv1d] a causal convolution needs at least one step; got an input of shape (None, 0, 2); in layer "
      "\"c\"");
}

TEST(ConvTest, SamePaddingOfNothingGivesNothingAsInKeras) {
  for (const char* platform : {"reference", "cpu"}) {
    set_default_client(runtime::make_client(platform));
    const Tensor x = Tensor::zeros({1, 0, 4, 2});
    EXPECT_EQ(layers::Conv2D({.filters = 3, .kernel_size = 3, .padding = "same"})(x).shape(),
              (Dims{1, 0, 4, 3}));
    EXPECT_EQ(layers::MaxPooling2D({.pool_size = 2, .padding = "same"})(x).shape(), (Dims{1, 0, 2, 2}));
    set_default_client(nullptr);
  }
}

TEST(PoolingTest, AMaskThatHidesEverythingGivesNaNAsInKeras) {
  const testing::OnReferenceBackend on_reference;
  const Tensor x = Tensor::of<float>({2, 2, 1}, {1, 2, 3, 4})
                       .with_mask(Tensor::of<bool>({2, 2}, {false, false, true, false}));
  const Tensor y = layers::GlobalAveragePooling1D()(x);
  EXPECT_TRUE(std::isnan(y.at(0)));
  EXPECT_EQ(y.at(1), 3);
}

TEST(PaddingTest, RefusesNegativeAmountsAndOtherNumbersOfAxes) {
  EXPECT_EQ(option_message<layers::ZeroPadding2D>(layers::ZeroPaddingOptions{.padding = {1, 2, 3}}),
            "[zero_padding2d] padding must be one number, 2, or 2 pairs (before, after), none negative; got "
            "padding = [1, 2, 3]; in layer "
            "\"c1\"");
  EXPECT_EQ(option_message<layers::ZeroPadding1D>(layers::ZeroPaddingOptions{.padding = {0, -1}}),
            "[zero_padding1d] padding must be one number or two (before, after), none negative; got padding "
            "= [0, -1]; in layer \"c1\"");
  EXPECT_EQ(option_message<layers::Cropping2D>(layers::Cropping2DOptions{.cropping = {{1, 2}, {3, -4}}}),
            "[cropping2d] cropping must be one number, 2, or 2 pairs (before, after), none negative; got "
            "cropping = [[1, 2], [3, -4]]; in "
            "layer \"c1\"");
}

TEST(PaddingTest, AmountsHave64Bits) {
  const std::int64_t amount = std::int64_t{1} << 33;
  EXPECT_EQ(layers::BeforeAndAfter(amount).pairs(1),
            (std::vector<layers::BeforeAndAfter::Pair>{{amount, amount}}));
}

TEST(CroppingTest, RefusesToLeaveNothing) {
  EXPECT_EQ(conv_error([] {
              (void)layers::Cropping1D({.cropping = {2, 1}, .name = "c1"})(layers::Input({.shape = {3, 2}}));
            }),
            "[cropping1d] cropping must leave something of every axis; got cropping = [2, 1] for an input of "
            "shape (None, 3, 2); in layer "
            "\"c1\"");
}

TEST(UpSamplingTest, RefusesUnknownInterpolationsAndSizes) {
  EXPECT_EQ(option_message<layers::UpSampling2D>(layers::UpSampling2DOptions{.interpolation = "cubic"}),
            "[up_sampling2d] interpolation must be \"nearest\", \"bilinear\", \"bicubic\", \"lanczos3\" or "
            "\"lanczos5\"; got interpolation = "
            "\"cubic\"; in layer \"c1\"");
  EXPECT_EQ(option_message<layers::UpSampling1D>(layers::UpSampling1DOptions{.size = 0}),
            "[up_sampling1d] size must be positive, one number; got size = 0; in layer \"c1\"");
}

}  // namespace
}  // namespace cornu::inline v0::keras
