#include <array>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

/// The block of Z. Liu et al., "A ConvNet for the 2020s", 2022.
KerasTensor convnext_block(const KerasTensor& x, const std::string& name, std::int64_t channels) {
  KerasTensor y =
      conv(x, name + "_depthwise_conv", {.filters = channels, .kernel = 7, .bias = true, .groups = channels});
  y = dense(layer_norm(y, name + "_layernorm"), name + "_pointwise_conv_1", 4 * channels, {});
  y = dense(activation(y, name + "_gelu", "gelu"), name + "_pointwise_conv_2", channels, {});
  y = layer_scale(y, name + "_layer_scale", channels);
  return x + activation(y, name + "_identity", "linear");
}

Model build_convnext(Arguments a, const ConvNeXtOptions& options, const char* usual_name,
                     const Dims& channels, int depth_of_third) {
  const std::string name = a.name.empty() ? usual_name : a.name;
  const KerasTensor input = image_input(a, {224});
  KerasTensor x = input;
  if (options.include_preprocessing && input.shape()[3] == 3) {
    const auto squared = [](double v) { return v * v; };
    x = normalization(x, name + "_prestem_normalization", -1, {0.485 * 255, 0.456 * 255, 0.406 * 255},
                      {squared(0.229 * 255), squared(0.224 * 255), squared(0.225 * 255)});
  }
  const int depths[] = {3, 3, depth_of_third, 3};
  for (std::size_t stage = 0; stage < 4; ++stage) {
    ConvParts parts = {.filters = channels[stage], .kernel = 2, .strides = 2, .same = false, .bias = true};
    if (stage == 0) {
      parts.kernel = parts.strides = 4;
      x = patches(x, name + "_stem", false, name + "_stem_layernorm", name + "_stem_conv", parts);
    } else {
      const std::string prefix = name + "_downsampling_", number = "_" + std::to_string(stage - 1);
      x = patches(x, prefix + "block" + number, true, prefix + "layernorm" + number, prefix + "conv" + number,
                  parts);
    }
    for (int i = 0; i < depths[stage]; ++i)
      x = convnext_block(x, name + "_stage_" + std::to_string(stage) + "_block_" + std::to_string(i),
                         channels[stage]);
  }
  if (a.include_top) {
    x = layer_norm(global_average_pool(x, name + "_head_gap"), name + "_head_layernorm");
    x = dense(x, name + "_head_dense", a.classes, a.classifier_activation);
  } else {
    x = layer_norm(pooled(a, x), {});
  }
  return finish(a, input, x, name);
}

}  // namespace

ConvNeXtTiny::ConvNeXtTiny(const ConvNeXtOptions& o)
    : Model(build_convnext(arguments_of("ConvNeXtTiny", o), o, "convnext_tiny", {96, 192, 384, 768}, 9)) {}
ConvNeXtSmall::ConvNeXtSmall(const ConvNeXtOptions& o)
    : Model(build_convnext(arguments_of("ConvNeXtSmall", o), o, "convnext_small", {96, 192, 384, 768}, 27)) {}
ConvNeXtBase::ConvNeXtBase(const ConvNeXtOptions& o)
    : Model(build_convnext(arguments_of("ConvNeXtBase", o), o, "convnext_base", {128, 256, 512, 1024}, 27)) {}
ConvNeXtLarge::ConvNeXtLarge(const ConvNeXtOptions& o)
    : Model(
          build_convnext(arguments_of("ConvNeXtLarge", o), o, "convnext_large", {192, 384, 768, 1536}, 27)) {}
ConvNeXtXLarge::ConvNeXtXLarge(const ConvNeXtOptions& o)
    : Model(build_convnext(arguments_of("ConvNeXtXLarge", o), o, "convnext_xlarge", {256, 512, 1024, 2048},
                           27)) {}

}  // namespace cornu::inline v0::keras::applications
