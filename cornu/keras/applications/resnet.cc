#include <array>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

using Depths = std::array<int, 4>;  // blocks of each stage

constexpr NormParts kResNetNorm = {.epsilon = 1.001e-5};
constexpr std::int64_t kFilters[] = {64, 128, 256, 512};

KerasTensor norm_relu(const KerasTensor& x, const std::string& prefix) {
  return activation(batch_norm(x, prefix + "_bn", kResNetNorm), prefix + "_relu", "relu");
}

/// The residual block of K. He et al., "Deep Residual Learning for Image Recognition", 2015. The strides are
/// those of the first convolution.
KerasTensor block_v1(const KerasTensor& x, const std::string& name, std::int64_t filters, int stride,
                     bool is_first) {
  KerasTensor shortcut = x;
  if (is_first) {
    shortcut =
        conv(x, name + "_0_conv", {.filters = 4 * filters, .strides = stride, .same = false, .bias = true});
    shortcut = batch_norm(shortcut, name + "_0_bn", kResNetNorm);
  }
  KerasTensor y =
      conv(x, name + "_1_conv", {.filters = filters, .strides = stride, .same = false, .bias = true});
  y = norm_relu(y, name + "_1");
  y = conv(y, name + "_2_conv", {.filters = filters, .kernel = 3, .bias = true});
  y = norm_relu(y, name + "_2");
  y = conv(y, name + "_3_conv", {.filters = 4 * filters, .same = false, .bias = true});
  y = batch_norm(y, name + "_3_bn", kResNetNorm);
  return activation(add({shortcut, y}, name + "_add"), name + "_out", "relu");
}

/// The residual block of K. He et al., "Identity Mappings in Deep Residual Networks", 2016. The strides are
/// those of the 3 x 3 convolution.
KerasTensor block_v2(const KerasTensor& x, const std::string& name, std::int64_t filters, int stride,
                     bool is_first) {
  const KerasTensor before = norm_relu(x, name + "_preact");
  KerasTensor shortcut = x;
  if (is_first) {
    shortcut = conv(before, name + "_0_conv",
                    {.filters = 4 * filters, .strides = stride, .same = false, .bias = true});
  } else if (stride > 1) {
    shortcut = max_pool(x, {}, {.size = 1, .strides = stride});
  }
  KerasTensor y = norm_relu(conv(before, name + "_1_conv", {.filters = filters, .same = false}), name + "_1");
  y = zero_padding(y, name + "_2_pad", {1, 1}, {1, 1});
  y = conv(y, name + "_2_conv", {.filters = filters, .kernel = 3, .strides = stride, .same = false});
  y = conv(norm_relu(y, name + "_2"), name + "_3_conv",
           {.filters = 4 * filters, .same = false, .bias = true});
  return add({shortcut, y}, name + "_out");
}

Model build_resnet(const Arguments& a, const char* name, const Depths& depths, bool is_v2) {
  const KerasTensor input = image_input(a, {224});
  KerasTensor x = zero_padding(input, "conv1_pad", {3, 3}, {3, 3});
  x = conv(x, "conv1_conv", {.filters = 64, .kernel = 7, .strides = 2, .same = false, .bias = true});
  if (!is_v2) x = norm_relu(x, "conv1");
  x = zero_padding(x, "pool1_pad", {1, 1}, {1, 1});
  x = max_pool(x, "pool1_pool", {});
  for (std::size_t stage = 0; stage < depths.size(); ++stage) {
    for (int i = 0; i < depths[stage]; ++i) {
      const std::string block = "conv" + std::to_string(stage + 2) + "_block" + std::to_string(i + 1);
      // The second form halves an image at the end of a stage, the first at the beginning.
      const bool halves = is_v2 ? stage < 3 && i + 1 == depths[stage] : stage > 0 && i == 0;
      x = (is_v2 ? block_v2 : block_v1)(x, block, kFilters[stage], halves ? 2 : 1, i == 0);
    }
  }
  if (is_v2) x = norm_relu(x, "post");
  return finish(a, input, dense_top(a, x, "avg_pool", true), name);
}

constexpr Depths k50 = {3, 4, 6, 3}, k101 = {3, 4, 23, 3}, k152 = {3, 8, 36, 3};

}  // namespace

ResNet50::ResNet50(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet50", options), "resnet50", k50, false)) {}
ResNet101::ResNet101(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet101", options), "resnet101", k101, false)) {}
ResNet152::ResNet152(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet152", options), "resnet152", k152, false)) {}
ResNet50V2::ResNet50V2(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet50V2", options), "resnet50v2", k50, true)) {}
ResNet101V2::ResNet101V2(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet101V2", options), "resnet101v2", k101, true)) {}
ResNet152V2::ResNet152V2(const ApplicationOptions& options)
    : Model(build_resnet(arguments_of("ResNet152V2", options), "resnet152v2", k152, true)) {}

}  // namespace cornu::inline v0::keras::applications
