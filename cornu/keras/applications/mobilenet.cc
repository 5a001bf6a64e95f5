#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

/// `v` rounded to a multiple of 8, not below 90 % of `v`.
std::int64_t channels_of(double v) {
  const std::int64_t rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(v + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * v ? rounded + 8 : rounded;
}

std::string name_with_width(const char* name, double alpha, std::int64_t rows) {
  char text[64];
  std::snprintf(text, sizeof text, "%s_%0.2f_%s", name, alpha,
                rows == kUnknown ? "None" : std::to_string(rows).c_str());
  return text;
}

/// A. Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications",
/// 2017.
Model build_mobilenet(const Arguments& a, const MobileNetOptions& options) {
  const KerasTensor input = image_input(a, {224});
  const auto width = [&options](std::int64_t filters) {
    return static_cast<std::int64_t>(static_cast<double>(filters) * options.alpha);
  };
  const NormParts norm = {.axis = -1};
  KerasTensor x = conv(input, "conv1", {.filters = width(32), .kernel = 3, .strides = 2});
  x = relu(batch_norm(x, "conv1_bn", norm), "conv1_relu", 6);
  const std::int64_t filters[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
  for (int block = 1; block <= 13; ++block) {
    const std::string number = std::to_string(block), depthwise = "conv_dw_" + number,
                      pointwise = "conv_pw_" + number;
    const bool halves = block == 2 || block == 4 || block == 6 || block == 12;
    if (halves) x = zero_padding(x, "conv_pad_" + number, {0, 1}, {0, 1});
    x = depthwise_conv(x, depthwise,
                       {.kernel = 3,
                        .strides = halves ? 2 : 1,
                        .same = !halves,
                        .depth_multiplier = options.depth_multiplier});
    x = relu(batch_norm(x, depthwise + "_bn", norm), depthwise + "_relu", 6);
    x = conv(x, pointwise, {.filters = width(filters[block - 1])});
    x = relu(batch_norm(x, pointwise + "_bn", norm), pointwise + "_relu", 6);
  }
  const std::string name = name_with_width("mobilenet", options.alpha, input.shape()[1]);
  if (!a.include_top) return finish(a, input, pooled(a, x), name);
  x = dropout(global_average_pool(x, {}, true), "dropout", options.dropout);
  x = conv(x, "conv_preds", {.filters = a.classes, .bias = true});
  x = reshape(x, "reshape_2", {a.classes});
  return finish(a, input, activation(x, "predictions", a.classifier_activation), name);
}

struct InvertedBlock {
  std::int64_t filters;
  int stride;
  int count;
};

/// M. Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018.
Model build_mobilenet_v2(const Arguments& a, double alpha) {
  const KerasTensor input = image_input(a, {224});
  const NormParts norm = {.momentum = 0.999, .axis = -1};
  KerasTensor x = conv(input, "Conv1", {.filters = channels_of(32 * alpha), .kernel = 3, .strides = 2});
  x = relu(batch_norm(x, "bn_Conv1", norm), "Conv1_relu", 6);
  constexpr InvertedBlock kBlocks[] = {{16, 1, 1}, {24, 2, 2},  {32, 2, 3}, {64, 2, 4},
                                       {96, 1, 3}, {160, 2, 3}, {320, 1, 1}};
  int id = 0;
  for (const auto& [filters, first_stride, count] : kBlocks) {
    for (int i = 0; i < count; ++i, ++id) {
      const std::string prefix = id == 0 ? "expanded_conv_" : "block_" + std::to_string(id) + "_";
      const std::int64_t in = x.shape()[3];
      const std::int64_t out =
          channels_of(static_cast<double>(static_cast<std::int64_t>(static_cast<double>(filters) * alpha)));
      const int stride = i == 0 ? first_stride : 1;
      KerasTensor y = x;
      if (id > 0) {
        y = conv(y, prefix + "expand", {.filters = 6 * in});
        y = relu(batch_norm(y, prefix + "expand_BN", norm), prefix + "expand_relu", 6);
      }
      if (stride == 2) y = stride_padding(y, prefix + "pad", 3);
      y = depthwise_conv(y, prefix + "depthwise", {.kernel = 3, .strides = stride, .same = stride == 1});
      y = relu(batch_norm(y, prefix + "depthwise_BN", norm), prefix + "depthwise_relu", 6);
      y = batch_norm(conv(y, prefix + "project", {.filters = out}), prefix + "project_BN", norm);
      x = in == out && stride == 1 ? add({x, y}, prefix + "add") : y;
    }
  }
  const std::int64_t last = alpha > 1 ? channels_of(1280 * alpha) : 1280;
  x = conv(x, "Conv_1", {.filters = last, .same = false});
  x = relu(batch_norm(x, "Conv_1_bn", norm), "out_relu", 6);
  return finish(a, input, dense_top(a, x, {}, false),
                name_with_width("mobilenetv2", alpha, input.shape()[1]));
}

struct V3Block {
  double expansion;
  std::int64_t filters;
  bool large_kernel;
  int stride;
  bool squeezes;
  bool hard_silu;
};
constexpr V3Block kSmall[] = {{1, 16, false, 2, true, false},
                              {72.0 / 16, 24, false, 2, false, false},
                              {88.0 / 24, 24, false, 1, false, false},
                              {4, 40, true, 2, true, true},
                              {6, 40, true, 1, true, true},
                              {6, 40, true, 1, true, true},
                              {3, 48, true, 1, true, true},
                              {3, 48, true, 1, true, true},
                              {6, 96, true, 2, true, true},
                              {6, 96, true, 1, true, true},
                              {6, 96, true, 1, true, true}};
constexpr V3Block kLarge[] = {
    {1, 16, false, 1, false, false},  {4, 24, false, 2, false, false},  {3, 24, false, 1, false, false},
    {3, 40, true, 2, true, false},    {3, 40, true, 1, true, false},    {3, 40, true, 1, true, false},
    {6, 80, false, 2, false, true},   {2.5, 80, false, 1, false, true}, {2.3, 80, false, 1, false, true},
    {2.3, 80, false, 1, false, true}, {6, 112, false, 1, true, true},   {6, 112, false, 1, true, true},
    {6, 160, true, 2, true, true},    {6, 160, true, 1, true, true},    {6, 160, true, 1, true, true}};

constexpr NormParts kNormV3 = {.momentum = 0.999, .axis = -1};

KerasTensor activation_v3(const KerasTensor& x, bool hard_silu) {
  return hard_silu ? activation(x, {}, "hard_silu") : relu(x, {});
}

/// The features times relu6(x + 3) / 6 of two small layers on their mean.
KerasTensor squeeze_excite_hard(const KerasTensor& x, const std::string& block, std::int64_t channels) {
  const std::string prefix = block + "squeeze_excite_";
  KerasTensor y = global_average_pool(x, prefix + "avg_pool", true);
  y = conv(y, prefix + "conv", {.filters = channels_of(static_cast<double>(channels) * 0.25), .bias = true});
  y = conv(relu(y, prefix + "relu"), prefix + "conv_1", {.filters = channels, .bias = true});
  y = relu(y + 3.0, {}, 6) * (1.0 / 6.0);
  return multiply({x, y}, prefix + "mul");
}

KerasTensor block_v3(const KerasTensor& x, int id, const V3Block& block, const MobileNetV3Options& options) {
  const bool minimal = options.minimalistic, hard_silu = block.hard_silu && !minimal;
  const int kernel = block.large_kernel && !minimal ? 5 : 3;
  const std::string prefix = id == 0 ? "expanded_conv_" : "expanded_conv_" + std::to_string(id) + "_";
  const std::int64_t in = x.shape()[3], out = channels_of(static_cast<double>(block.filters) * options.alpha);
  const std::int64_t wide = channels_of(static_cast<double>(in) * block.expansion);
  KerasTensor y = x;
  if (id > 0) {
    y = conv(y, prefix + "expand", {.filters = wide});
    y = activation_v3(batch_norm(y, prefix + "expand_bn", kNormV3), hard_silu);
  }
  if (block.stride == 2) y = stride_padding(y, prefix + "depthwise_pad", kernel);
  y = depthwise_conv(y, prefix + "depthwise",
                     {.kernel = kernel, .strides = block.stride, .same = block.stride == 1});
  y = activation_v3(batch_norm(y, prefix + "depthwise_bn", kNormV3), hard_silu);
  if (block.squeezes && !minimal) y = squeeze_excite_hard(y, prefix, wide);
  y = batch_norm(conv(y, prefix + "project", {.filters = out}), prefix + "project_bn", kNormV3);
  return block.stride == 1 && in == out ? add({x, y}, prefix + "add") : y;
}

/// A. Howard et al., "Searching for MobileNetV3", 2019. An input without a given shape has open extents, as
/// in Keras.
Model build_mobilenet_v3(const Arguments& a, const MobileNetV3Options& options,
                         std::span<const V3Block> blocks, std::int64_t last_channels) {
  const KerasTensor input = image_input(a, {kUnknown});
  KerasTensor x = options.include_preprocessing ? rescaling(input, 1 / 127.5, -1.0) : input;
  x = batch_norm(conv(x, "conv", {.filters = 16, .kernel = 3, .strides = 2}), "conv_bn", kNormV3);
  x = activation_v3(x, !options.minimalistic);
  for (std::size_t i = 0; i < blocks.size(); ++i) x = block_v3(x, static_cast<int>(i), blocks[i], options);
  x = conv(x, "conv_1", {.filters = channels_of(static_cast<double>(x.shape()[3] * 6))});
  x = activation_v3(batch_norm(x, "conv_1_bn", kNormV3), !options.minimalistic);
  if (!a.include_top) return finish(a, input, pooled(a, x, "avg_pool", "max_pool"), a.network);
  if (options.alpha > 1) last_channels = channels_of(static_cast<double>(last_channels) * options.alpha);
  x = conv(global_average_pool(x, {}, true), "conv_2", {.filters = last_channels, .bias = true});
  x = activation_v3(x, !options.minimalistic);
  if (options.dropout_rate > 0) x = dropout(x, {}, options.dropout_rate);
  x = flatten(conv(x, "logits", {.filters = a.classes, .bias = true}), {});
  return finish(a, input, activation(x, "predictions", a.classifier_activation), a.network);
}

}  // namespace

MobileNet::MobileNet(const MobileNetOptions& options)
    : Model(build_mobilenet(arguments_of("MobileNet", options), options)) {}
MobileNetV2::MobileNetV2(const MobileNetV2Options& options)
    : Model(build_mobilenet_v2(arguments_of("MobileNetV2", options), options.alpha)) {}
MobileNetV3Small::MobileNetV3Small(const MobileNetV3Options& options)
    : Model(build_mobilenet_v3(arguments_of("MobileNetV3Small", options), options, kSmall, 1024)) {}
MobileNetV3Large::MobileNetV3Large(const MobileNetV3Options& options)
    : Model(build_mobilenet_v3(arguments_of("MobileNetV3Large", options), options, kLarge, 1280)) {}

}  // namespace cornu::inline v0::keras::applications
