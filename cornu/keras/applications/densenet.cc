#include <array>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

constexpr NormParts kDenseNetNorm = {.epsilon = 1.001e-5};
constexpr std::int64_t kGrowth = 32;

KerasTensor norm_relu(const KerasTensor& x, const std::string& norm_name, const std::string& relu_name) {
  return activation(batch_norm(x, norm_name, kDenseNetNorm), relu_name, "relu");
}

/// The networks of G. Huang et al., "Densely Connected Convolutional Networks", 2016; `depths` are the
/// numbers of layers of the dense blocks.
Model build_densenet(const Arguments& a, const char* name, const std::array<int, 4>& depths) {
  const KerasTensor input = image_input(a, {224});
  KerasTensor x = zero_padding(input, {}, {3, 3}, {3, 3});
  x = conv(x, "conv1_conv", {.filters = 64, .kernel = 7, .strides = 2, .same = false});
  x = norm_relu(x, "conv1_bn", "conv1_relu");
  x = max_pool(zero_padding(x, {}, {1, 1}, {1, 1}), "pool1", {});
  for (std::size_t block = 0; block < depths.size(); ++block) {
    const std::string number = std::to_string(block + 2);
    for (int i = 1; i <= depths[block]; ++i) {
      const std::string prefix = "conv" + number + "_block" + std::to_string(i);
      KerasTensor y = norm_relu(x, prefix + "_0_bn", prefix + "_0_relu");
      y = conv(y, prefix + "_1_conv", {.filters = 4 * kGrowth, .same = false});
      y = norm_relu(y, prefix + "_1_bn", prefix + "_1_relu");
      y = conv(y, prefix + "_2_conv", {.filters = kGrowth, .kernel = 3});
      x = concatenate({x, y}, prefix + "_concat");
    }
    if (block == 3) break;
    const std::string prefix = "pool" + number;
    x = norm_relu(x, prefix + "_bn", prefix + "_relu");
    x = conv(x, prefix + "_conv", {.filters = x.shape()[3] / 2, .same = false});
    x = average_pool(x, prefix + "_pool", {.size = 2});
  }
  x = norm_relu(x, "bn", "relu");
  return finish(a, input, dense_top(a, x, "avg_pool", true), name);
}

}  // namespace

DenseNet121::DenseNet121(const ApplicationOptions& options)
    : Model(build_densenet(arguments_of("DenseNet121", options), "densenet121", {6, 12, 24, 16})) {}
DenseNet169::DenseNet169(const ApplicationOptions& options)
    : Model(build_densenet(arguments_of("DenseNet169", options), "densenet169", {6, 12, 32, 32})) {}
DenseNet201::DenseNet201(const ApplicationOptions& options)
    : Model(build_densenet(arguments_of("DenseNet201", options), "densenet201", {6, 12, 48, 32})) {}

}  // namespace cornu::inline v0::keras::applications
