#include <algorithm>
#include <cmath>
#include <span>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

constexpr Kernel kKernel = Kernel::kFanOutNormal;
constexpr double kDropConnect = 0.2;

/// Stages of M. Tan and Q. Le, "EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks",
/// 2019, and "EfficientNetV2: Smaller Models and Faster Training", 2021.
struct Stage {
  int kernel;
  int repeats;
  std::int64_t in;
  std::int64_t out;
  int expansion;
  int stride;
  double squeeze;  // channels of the squeeze over those of the input; 0: none
  bool fused;      // the expansion is a convolution with the stage's kernel, without a depthwise one
};
constexpr Stage kStages[] = {{3, 1, 32, 16, 1, 1, 0.25, false},  {3, 2, 16, 24, 6, 2, 0.25, false},
                             {5, 2, 24, 40, 6, 2, 0.25, false},  {3, 3, 40, 80, 6, 2, 0.25, false},
                             {5, 3, 80, 112, 6, 1, 0.25, false}, {5, 4, 112, 192, 6, 2, 0.25, false},
                             {3, 1, 192, 320, 6, 1, 0.25, false}};
constexpr Stage kStagesB[] = {{3, 1, 32, 16, 1, 1, 0, true},      {3, 2, 16, 32, 4, 2, 0, true},
                              {3, 2, 32, 48, 4, 2, 0, true},      {3, 3, 48, 96, 4, 2, 0.25, false},
                              {3, 5, 96, 112, 6, 1, 0.25, false}, {3, 8, 112, 192, 6, 2, 0.25, false}};
constexpr Stage kStagesS[] = {{3, 2, 24, 24, 1, 1, 0, true},       {3, 4, 24, 48, 4, 2, 0, true},
                              {3, 4, 48, 64, 4, 2, 0, true},       {3, 6, 64, 128, 4, 2, 0.25, false},
                              {3, 9, 128, 160, 6, 1, 0.25, false}, {3, 15, 160, 256, 6, 2, 0.25, false}};
constexpr Stage kStagesM[] = {{3, 3, 24, 24, 1, 1, 0, true},        {3, 5, 24, 48, 4, 2, 0, true},
                              {3, 5, 48, 80, 4, 2, 0, true},        {3, 7, 80, 160, 4, 2, 0.25, false},
                              {3, 14, 160, 176, 6, 1, 0.25, false}, {3, 18, 176, 304, 6, 2, 0.25, false},
                              {3, 5, 304, 512, 6, 1, 0.25, false}};
constexpr Stage kStagesL[] = {{3, 4, 32, 32, 1, 1, 0, true},        {3, 7, 32, 64, 4, 2, 0, true},
                              {3, 7, 64, 96, 4, 2, 0, true},        {3, 10, 96, 192, 4, 2, 0.25, false},
                              {3, 19, 192, 224, 6, 1, 0.25, false}, {3, 25, 224, 384, 6, 2, 0.25, false},
                              {3, 7, 384, 640, 6, 1, 0.25, false}};

/// The differences of a network from its family.
struct Variant {
  const char* name;
  std::int64_t size;
  double width;
  double depth;
  double dropout;
};

struct Family {
  bool is_v2;
  NormParts norm;

  std::int64_t channels(double filters, double width) const {
    const double v = filters * width;
    const auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(v + 4) / 8 * 8);
    return !is_v2 && static_cast<double>(rounded) < 0.9 * v ? rounded + 8 : rounded;
  }
};

KerasTensor norm_silu(const KerasTensor& x, const std::string& norm_name, const std::string& activation_name,
                      const NormParts& norm) {
  return activation(batch_norm(x, norm_name, norm), activation_name, "silu");
}

KerasTensor squeeze_excite_silu(const KerasTensor& x, const std::string& name, std::int64_t channels) {
  const std::int64_t wide = x.shape()[3];
  KerasTensor y = reshape(global_average_pool(x, name + "se_squeeze"), name + "se_reshape", {1, 1, wide});
  ConvParts parts = {.filters = channels, .bias = true, .activation = "silu", .initializer = kKernel};
  y = conv(y, name + "se_reduce", parts);
  parts.filters = wide;
  parts.activation = "sigmoid";
  return multiply({x, conv(y, name + "se_expand", parts)}, name + "se_excite");
}

/// A depthwise convolution; the first version pads strided ones by a layer.
KerasTensor depthwise(const KerasTensor& x, const std::string& name, const Stage& stage, bool is_v2) {
  const bool pads = !is_v2 && stage.stride == 2;
  const KerasTensor padded = pads ? stride_padding(x, name + "dwconv_pad", stage.kernel) : x;
  return depthwise_conv(
      padded, name + (is_v2 ? "dwconv2" : "dwconv"),
      {.kernel = stage.kernel, .strides = stage.stride, .same = !pads, .initializer = kKernel});
}

KerasTensor efficient_block(const KerasTensor& x, const std::string& name, const Stage& stage,
                            double drop_rate, const Family& family) {
  const bool expands = stage.expansion != 1;
  KerasTensor y = x;
  if (expands) {
    y = conv(y, name + "expand_conv",
             {.filters = stage.in * stage.expansion,
              .kernel = stage.fused ? stage.kernel : 1,
              .strides = stage.fused ? stage.stride : 1,
              .initializer = kKernel});
    y = norm_silu(y, name + "expand_bn", name + "expand_activation", family.norm);
  }
  if (!stage.fused)
    y = norm_silu(depthwise(y, name, stage, family.is_v2), name + "bn", name + "activation", family.norm);
  if (stage.squeeze > 0) {
    const auto channels = static_cast<std::int64_t>(static_cast<double>(stage.in) * stage.squeeze);
    y = squeeze_excite_silu(y, name, std::max<std::int64_t>(1, channels));
  }
  const bool is_spatial = stage.fused && !expands;
  y = conv(y, name + "project_conv",
           {.filters = stage.out,
            .kernel = is_spatial ? stage.kernel : 1,
            .strides = is_spatial ? stage.stride : 1,
            .initializer = kKernel});
  y = batch_norm(y, name + "project_bn", family.norm);
  if (is_spatial) y = activation(y, name + "project_activation", "silu");
  if (stage.stride != 1 || stage.in != stage.out) return y;
  if (drop_rate > 0) y = drop_examples(y, name + "drop", drop_rate);
  return add({y, x}, name + "add");
}

KerasTensor all_blocks(KerasTensor x, std::span<const Stage> stages, const Variant& variant,
                       const Family& family) {
  const auto repeats = [&variant](const Stage& stage) {
    return static_cast<int>(std::ceil(variant.depth * stage.repeats));
  };
  // The second version divides by the number of blocks before scaling.
  int total = 0;
  for (const Stage& stage : stages) total += family.is_v2 ? stage.repeats : repeats(stage);
  int index = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    Stage stage = stages[s];
    stage.in = family.channels(static_cast<double>(stage.in), variant.width);
    stage.out = family.channels(static_cast<double>(stage.out), variant.width);
    const int count = repeats(stage);
    for (int i = 0; i < count; ++i) {
      const std::string name = "block" + std::to_string(s + 1) + static_cast<char>('a' + i) + "_";
      x = efficient_block(x, name, stage, kDropConnect * index++ / total, family);
      stage.stride = 1;
      stage.in = stage.out;
    }
  }
  return x;
}

KerasTensor top(const Arguments& a, KerasTensor x, const Variant& variant, const Family& family) {
  x = conv(x, "top_conv", {.filters = family.channels(1280, variant.width), .initializer = kKernel});
  x = norm_silu(x, "top_bn", "top_activation", family.norm);
  if (!a.include_top) return pooled(a, x, "avg_pool", "max_pool");
  x = dropout(global_average_pool(x, "avg_pool"), "top_dropout", variant.dropout);
  return dense(x, "predictions", a.classes, a.classifier_activation, Kernel::kThirdFanOutUniform,
               family.is_v2);
}

Model build_efficientnet(const Arguments& a, const Variant& variant) {
  const Family family = {.is_v2 = false, .norm = {}};
  const KerasTensor input = image_input(a, {variant.size});
  KerasTensor x = normalization(rescaling(input, 1 / 255.0, 0.0), {}, 3, {}, {});
  x = stride_padding(x, "stem_conv_pad", 3);
  x = conv(x, "stem_conv",
           {.filters = family.channels(32, variant.width),
            .kernel = 3,
            .strides = 2,
            .same = false,
            .initializer = kKernel});
  x = norm_silu(x, "stem_bn", "stem_activation", family.norm);
  x = all_blocks(x, kStages, variant, family);
  return finish(a, input, top(a, x, variant, family), variant.name);
}

Model build_efficientnet_v2(const Arguments& a, bool include_preprocessing, const Variant& variant,
                            std::span<const Stage> stages) {
  const Family family = {.is_v2 = true, .norm = {.momentum = 0.9}};
  const KerasTensor input = image_input(a, {variant.size});
  KerasTensor x = input;
  if (include_preprocessing) {
    if (stages.data() == kStagesB && input.shape()[3] == 3) {
      x = normalization(rescaling(x, 1 / 255.0, 0.0), {}, 3, {0.485, 0.456, 0.406},
                        {0.229 * 0.229, 0.224 * 0.224, 0.225 * 0.225});
    } else {
      x = rescaling(x, 1 / 128.0, -1.0);
    }
  }
  x = conv(x, "stem_conv",
           {.filters = family.channels(static_cast<double>(stages[0].in), variant.width),
            .kernel = 3,
            .strides = 2,
            .initializer = kKernel});
  x = norm_silu(x, "stem_bn", "stem_activation", family.norm);
  x = all_blocks(x, stages, variant, family);
  return finish(a, input, top(a, x, variant, family), variant.name);
}

}  // namespace

EfficientNetB0::EfficientNetB0(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB0", o), {"efficientnetb0", 224, 1.0, 1.0, 0.2})) {}
EfficientNetB1::EfficientNetB1(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB1", o), {"efficientnetb1", 240, 1.0, 1.1, 0.2})) {}
EfficientNetB2::EfficientNetB2(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB2", o), {"efficientnetb2", 260, 1.1, 1.2, 0.3})) {}
EfficientNetB3::EfficientNetB3(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB3", o), {"efficientnetb3", 300, 1.2, 1.4, 0.3})) {}
EfficientNetB4::EfficientNetB4(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB4", o), {"efficientnetb4", 380, 1.4, 1.8, 0.4})) {}
EfficientNetB5::EfficientNetB5(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB5", o), {"efficientnetb5", 456, 1.6, 2.2, 0.4})) {}
EfficientNetB6::EfficientNetB6(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB6", o), {"efficientnetb6", 528, 1.8, 2.6, 0.5})) {}
EfficientNetB7::EfficientNetB7(const ApplicationOptions& o)
    : Model(build_efficientnet(arguments_of("EfficientNetB7", o), {"efficientnetb7", 600, 2.0, 3.1, 0.5})) {}

EfficientNetV2B0::EfficientNetV2B0(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2B0", o), o.include_preprocessing,
                                  {"efficientnetv2-b0", 224, 1.0, 1.0, 0.2}, kStagesB)) {}
EfficientNetV2B1::EfficientNetV2B1(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2B1", o), o.include_preprocessing,
                                  {"efficientnetv2-b1", 240, 1.0, 1.1, 0.2}, kStagesB)) {}
EfficientNetV2B2::EfficientNetV2B2(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2B2", o), o.include_preprocessing,
                                  {"efficientnetv2-b2", 260, 1.1, 1.2, 0.2}, kStagesB)) {}
EfficientNetV2B3::EfficientNetV2B3(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2B3", o), o.include_preprocessing,
                                  {"efficientnetv2-b3", 300, 1.2, 1.4, 0.2}, kStagesB)) {}
EfficientNetV2S::EfficientNetV2S(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2S", o), o.include_preprocessing,
                                  {"efficientnetv2-s", 384, 1.0, 1.0, 0.2}, kStagesS)) {}
EfficientNetV2M::EfficientNetV2M(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2M", o), o.include_preprocessing,
                                  {"efficientnetv2-m", 480, 1.0, 1.0, 0.2}, kStagesM)) {}
EfficientNetV2L::EfficientNetV2L(const EfficientNetV2Options& o)
    : Model(build_efficientnet_v2(arguments_of("EfficientNetV2L", o), o.include_preprocessing,
                                  {"efficientnetv2-l", 480, 1.0, 1.0, 0.2}, kStagesL)) {}

}  // namespace cornu::inline v0::keras::applications
