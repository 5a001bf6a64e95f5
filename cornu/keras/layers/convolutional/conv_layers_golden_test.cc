// Convolution, pooling, padding, cropping and upsampling layers against numbers of real Keras.
#include <functional>
#include <map>

#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;
using ConvLayerMaker = std::function<LayerHandle(const json&)>;

ops::IntOrInts int_or_ints(const json& config, const char* key, std::int64_t otherwise) {
  if (!config.contains(key)) return otherwise;
  const json& value = config.at(key);
  return value.is_array() ? ops::IntOrInts(value.get<Dims>()) : ops::IntOrInts(value.get<std::int64_t>());
}

layers::BeforeAndAfter before_and_after(const json& value) {
  if (value.is_number()) return value.get<int>();
  if (value[0].is_number()) return value.get<Dims>();
  return value.get<std::vector<layers::BeforeAndAfter::Pair>>();
}

RegularizerSpec named_regularizer(const json& config, const char* key) {
  return config.contains(key) ? RegularizerSpec(config.at(key).get<std::string>()) : RegularizerSpec();
}

ConstraintSpec named_constraint(const json& config, const char* key) {
  return config.contains(key) ? ConstraintSpec(config.at(key).get<std::string>()) : ConstraintSpec();
}

/// The options that all convolution layers have.
template <typename Options>
Options convolution_options_of(const json& c) {
  Options options;
  options.kernel_size = int_or_ints(c, "kernel_size", 0);
  options.strides = int_or_ints(c, "strides", 1);
  options.padding = c.value("padding", "valid");
  options.data_format = c.value("data_format", "");
  options.dilation_rate = int_or_ints(c, "dilation_rate", 1);
  options.activation = c.value("activation", "linear");
  options.use_bias = c.value("use_bias", true);
  options.bias_regularizer = named_regularizer(c, "bias_regularizer");
  options.bias_constraint = named_constraint(c, "bias_constraint");
  if constexpr (requires { options.kernel_constraint; })
    options.kernel_constraint = named_constraint(c, "kernel_constraint");
  if constexpr (requires { options.kernel_regularizer; })
    options.kernel_regularizer = named_regularizer(c, "kernel_regularizer");
  if constexpr (requires { options.depthwise_constraint; })
    options.depthwise_constraint = named_constraint(c, "depthwise_constraint");
  if constexpr (requires { options.depthwise_regularizer; })
    options.depthwise_regularizer = named_regularizer(c, "depthwise_regularizer");
  if constexpr (requires { options.pointwise_constraint; })
    options.pointwise_constraint = named_constraint(c, "pointwise_constraint");
  if constexpr (requires { options.pointwise_regularizer; })
    options.pointwise_regularizer = named_regularizer(c, "pointwise_regularizer");
  options.activity_regularizer = named_regularizer(c, "activity_regularizer");
  return options;
}

template <typename L>
LayerHandle make_conv(const json& c) {
  auto options = convolution_options_of<layers::ConvOptions>(c);
  options.filters = c.at("filters");
  options.groups = c.value("groups", 1);
  if (c.contains("lora_rank")) options.lora_rank = c.at("lora_rank").get<std::int64_t>();
  if (c.contains("lora_alpha")) options.lora_alpha = c.at("lora_alpha").get<double>();
  return L(options);
}

template <typename L>
LayerHandle make_conv_transpose(const json& c) {
  auto options = convolution_options_of<layers::ConvTransposeOptions>(c);
  options.filters = c.at("filters");
  if (c.contains("output_padding")) options.output_padding = int_or_ints(c, "output_padding", 0);
  return L(options);
}

template <typename L>
LayerHandle make_depthwise_conv(const json& c) {
  auto options = convolution_options_of<layers::DepthwiseConvOptions>(c);
  options.depth_multiplier = c.value("depth_multiplier", 1);
  return L(options);
}

template <typename L>
LayerHandle make_separable_conv(const json& c) {
  auto options = convolution_options_of<layers::SeparableConvOptions>(c);
  options.filters = c.at("filters");
  options.depth_multiplier = c.value("depth_multiplier", 1);
  return L(options);
}

template <typename L, typename Options>
LayerHandle make_pooling(const json& c) {
  Options options = {.padding = c.value("padding", "valid"),
                     .data_format = c.value("data_format", ""),
                     .activity_regularizer = named_regularizer(c, "activity_regularizer")};
  if (c.contains("pool_size")) options.pool_size = int_or_ints(c, "pool_size", 0);
  if (c.contains("strides")) options.strides = int_or_ints(c, "strides", 0);
  return L(options);
}

template <typename L>
LayerHandle make_global_pooling(const json& c) {
  return L({.data_format = c.value("data_format", ""),
            .keepdims = c.value("keepdims", false),
            .activity_regularizer = named_regularizer(c, "activity_regularizer")});
}

template <typename L>
LayerHandle make_zero_padding(const json& c) {
  layers::ZeroPaddingOptions options = {.data_format = c.value("data_format", ""),
                                        .activity_regularizer = named_regularizer(c, "activity_regularizer")};
  if (c.contains("padding")) options.padding = before_and_after(c.at("padding"));
  return L(options);
}

template <typename L, typename Options>
LayerHandle make_cropping(const json& c) {
  Options options;
  if (c.contains("cropping")) options.cropping = before_and_after(c.at("cropping"));
  if constexpr (requires { options.data_format; }) options.data_format = c.value("data_format", "");
  return L(options);
}

template <typename L, typename Options>
LayerHandle make_up_sampling(const json& c) {
  Options options;
  options.activity_regularizer = named_regularizer(c, "activity_regularizer");
  if (c.contains("size")) {
    if constexpr (std::is_same_v<decltype(options.size), std::int64_t>) {
      options.size = c.at("size");
    } else {
      options.size = int_or_ints(c, "size", 0);
    }
  }
  if constexpr (requires { options.data_format; }) options.data_format = c.value("data_format", "");
  if constexpr (requires { options.interpolation; })
    options.interpolation = c.value("interpolation", "nearest");
  return L(options);
}

const std::map<std::string, ConvLayerMaker>& conv_layer_makers() {
  using namespace layers;
  static const std::map<std::string, ConvLayerMaker> all = {
      {"Conv1D", make_conv<Conv1D>},
      {"Conv2D", make_conv<Conv2D>},
      {"Conv3D", make_conv<Conv3D>},
      {"Conv1DTranspose", make_conv_transpose<Conv1DTranspose>},
      {"Conv2DTranspose", make_conv_transpose<Conv2DTranspose>},
      {"Conv3DTranspose", make_conv_transpose<Conv3DTranspose>},
      {"DepthwiseConv1D", make_depthwise_conv<DepthwiseConv1D>},
      {"DepthwiseConv2D", make_depthwise_conv<DepthwiseConv2D>},
      {"SeparableConv1D", make_separable_conv<SeparableConv1D>},
      {"SeparableConv2D", make_separable_conv<SeparableConv2D>},
      {"MaxPooling1D", make_pooling<MaxPooling1D, MaxPoolingOptions>},
      {"MaxPooling2D", make_pooling<MaxPooling2D, MaxPoolingOptions>},
      {"MaxPooling3D", make_pooling<MaxPooling3D, MaxPoolingOptions>},
      {"AveragePooling1D", make_pooling<AveragePooling1D, AveragePoolingOptions>},
      {"AveragePooling2D", make_pooling<AveragePooling2D, AveragePoolingOptions>},
      {"AveragePooling3D", make_pooling<AveragePooling3D, AveragePoolingOptions>},
      {"GlobalMaxPooling1D", make_global_pooling<GlobalMaxPooling1D>},
      {"GlobalMaxPooling2D", make_global_pooling<GlobalMaxPooling2D>},
      {"GlobalMaxPooling3D", make_global_pooling<GlobalMaxPooling3D>},
      {"GlobalAveragePooling1D", make_global_pooling<GlobalAveragePooling1D>},
      {"GlobalAveragePooling2D", make_global_pooling<GlobalAveragePooling2D>},
      {"GlobalAveragePooling3D", make_global_pooling<GlobalAveragePooling3D>},
      {"ZeroPadding1D", make_zero_padding<ZeroPadding1D>},
      {"ZeroPadding2D", make_zero_padding<ZeroPadding2D>},
      {"ZeroPadding3D", make_zero_padding<ZeroPadding3D>},
      {"Cropping1D", make_cropping<Cropping1D, Cropping1DOptions>},
      {"Cropping2D", make_cropping<Cropping2D, Cropping2DOptions>},
      {"Cropping3D", make_cropping<Cropping3D, Cropping3DOptions>},
      {"UpSampling1D", make_up_sampling<UpSampling1D, UpSampling1DOptions>},
      {"UpSampling2D", make_up_sampling<UpSampling2D, UpSampling2DOptions>},
      {"UpSampling3D", make_up_sampling<UpSampling3D, UpSampling3DOptions>},
  };
  return all;
}

class ConvLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, ConvLayersGoldenTest, testing::platforms(), testing::PlatformName());

void check_conv_layers(const json& cases) {
  for (const json& row : cases) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    testing::check_layer(conv_layer_makers().at(row.at("layer"))(row.at("config")), row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(ConvLayersGoldenTest, EveryLayerIsKerass) {
  check_conv_layers(testing::load_golden("conv_layers").at("cases"));
}

TEST_P(ConvLayersGoldenTest, ConstraintsLoraAndOddGapsAreKerass) {
  check_conv_layers(testing::load_golden("layer_options").at("convolutions"));
}

}  // namespace
}  // namespace cornu::inline v0::keras
