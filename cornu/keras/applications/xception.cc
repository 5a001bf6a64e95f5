#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

KerasTensor separable_norm(const KerasTensor& x, const std::string& name, std::int64_t filters) {
  return batch_norm(separable_conv(x, name, {.filters = filters, .kernel = 3}), name + "_bn", {.axis = -1});
}

/// Two separable convolutions and a pooling, beside a strided convolution.
KerasTensor halving_block(const KerasTensor& x, const std::string& block, std::int64_t first_filters,
                          std::int64_t filters, bool begins_with_relu) {
  KerasTensor shortcut = conv(x, {}, {.filters = filters, .strides = 2});
  shortcut = batch_norm(shortcut, {}, {.axis = -1});
  KerasTensor y = begins_with_relu ? activation(x, block + "_sepconv1_act", "relu") : x;
  y = separable_norm(y, block + "_sepconv1", first_filters);
  y = separable_norm(activation(y, block + "_sepconv2_act", "relu"), block + "_sepconv2", filters);
  return add({max_pool(y, block + "_pool", {.same = true}), shortcut}, {});
}

/// F. Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", 2016.
Model build_xception(const Arguments& a) {
  const KerasTensor input = image_input(a, {299, 71});
  KerasTensor x = input;
  for (int i = 1; i <= 2; ++i) {
    const std::string name = "block1_conv" + std::to_string(i);
    x = conv(x, name, {.filters = 32 * i, .kernel = 3, .strides = 3 - i, .same = false});
    x = activation(batch_norm(x, name + "_bn", {.axis = -1}), name + "_act", "relu");
  }
  x = halving_block(x, "block2", 128, 128, false);
  x = halving_block(x, "block3", 256, 256, true);
  x = halving_block(x, "block4", 728, 728, true);
  for (int block = 5; block <= 12; ++block) {
    KerasTensor y = x;
    for (int i = 1; i <= 3; ++i) {
      const std::string name = "block" + std::to_string(block) + "_sepconv" + std::to_string(i);
      y = separable_norm(activation(y, name + "_act", "relu"), name, 728);
    }
    x = add({y, x}, {});
  }
  x = halving_block(x, "block13", 728, 1024, true);
  for (int i = 1; i <= 2; ++i) {
    const std::string name = "block14_sepconv" + std::to_string(i);
    x = activation(separable_norm(x, name, 1024 + 512 * i), name + "_act", "relu");
  }
  return finish(a, input, dense_top(a, x, "avg_pool", false), "xception");
}

}  // namespace

Xception::Xception(const ApplicationOptions& options)
    : Model(build_xception(arguments_of("Xception", options))) {}

}  // namespace cornu::inline v0::keras::applications
