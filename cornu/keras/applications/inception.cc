#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

constexpr NormParts kInceptionNorm = {.scale = false};

/// A convolution with normalization and relu, or a pooling of 3 x 3 windows. Strided steps have padding
/// "valid".
struct Step {
  enum Kind { kConv, kAverage, kMax };
  Step(std::int64_t channels, Extents k = 1, int s = 1) : filters(channels), kernel(k), stride(s) {}
  Step(Kind k, int s) : kind(k), stride(s) {}
  Kind kind = kConv;
  std::int64_t filters = 0;
  Extents kernel = 3;
  int stride = 1;
};
using Branch = std::vector<Step>;

KerasTensor conv_norm(const KerasTensor& x, const ConvParts& parts, const std::string& name = {}) {
  const auto named = [&name](const char* end) { return name.empty() ? name : name + end; };
  return activation(batch_norm(conv(x, name, parts), named("_bn"), kInceptionNorm), named("_ac"), "relu");
}

KerasTensor run(KerasTensor x, const Branch& branch) {
  for (const Step& step : branch) {
    const PoolParts pool = {.strides = step.stride, .same = step.stride == 1};
    switch (step.kind) {
      case Step::kConv:
        x = conv_norm(x, {.filters = step.filters,
                          .kernel = step.kernel,
                          .strides = step.stride,
                          .same = step.stride == 1});
        break;
      case Step::kAverage: x = average_pool(x, {}, pool); break;
      case Step::kMax: x = max_pool(x, {}, pool); break;
    }
  }
  return x;
}

KerasTensor mixed(const KerasTensor& x, const std::string& name, const std::vector<Branch>& branches) {
  std::vector<KerasTensor> outputs;
  for (const Branch& branch : branches) outputs.push_back(run(x, branch));
  return concatenate(outputs, name);
}

/// The first layers, which both networks have.
KerasTensor stem(KerasTensor x) {
  const ConvParts valid = {.filters = 32, .kernel = 3, .same = false};
  ConvParts parts = valid;
  parts.strides = 2;
  x = conv_norm(conv_norm(x, parts), valid);
  x = run(x, {{64, 3}, {Step::kMax, 2}});
  parts = {.filters = 80, .same = false};
  x = conv_norm(x, parts);
  parts = {.filters = 192, .kernel = 3, .same = false};
  return run(conv_norm(x, parts), {{Step::kMax, 2}});
}

const Extents kRow3 = {1, 3}, kColumn3 = {3, 1}, kRow7 = {1, 7}, kColumn7 = {7, 1};

/// The last blocks of InceptionV3, whose branches branch.
KerasTensor wide_block(const KerasTensor& x, int i) {
  const KerasTensor one = run(x, {320});
  KerasTensor three = run(x, {384});
  three = mixed(three, "mixed9_" + std::to_string(i), {{{384, kRow3}}, {{384, kColumn3}}});
  KerasTensor twice = run(x, {448, {384, 3}});
  twice = mixed(twice, {}, {{{384, kRow3}}, {{384, kColumn3}}});
  const KerasTensor pool = run(x, {{Step::kAverage, 1}, 192});
  return concatenate({one, three, twice, pool}, "mixed" + std::to_string(9 + i));
}

/// C. Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015.
Model build_inception_v3(const Arguments& a) {
  const KerasTensor input = image_input(a, {299, 75});
  KerasTensor x = stem(input);
  for (int i = 0; i < 3; ++i) {
    x = mixed(x, "mixed" + std::to_string(i),
              {{64}, {48, {64, 5}}, {64, {96, 3}, {96, 3}}, {{Step::kAverage, 1}, i == 0 ? 32 : 64}});
  }
  x = mixed(x, "mixed3", {{{384, 3, 2}}, {64, {96, 3}, {96, 3, 2}}, {{Step::kMax, 2}}});
  for (int i = 4; i < 8; ++i) {
    const std::int64_t n = i == 4 ? 128 : i == 7 ? 192 : 160;
    x = mixed(x, "mixed" + std::to_string(i),
              {{192},
               {n, {n, kRow7}, {192, kColumn7}},
               {n, {n, kColumn7}, {n, kRow7}, {n, kColumn7}, {192, kRow7}},
               {{Step::kAverage, 1}, 192}});
  }
  x = mixed(x, "mixed8",
            {{192, {320, 3, 2}}, {192, {192, kRow7}, {192, kColumn7}, {192, 3, 2}}, {{Step::kMax, 2}}});
  for (int i = 0; i < 2; ++i) x = wide_block(x, i);
  return finish(a, input, dense_top(a, x, "avg_pool", false), "inception_v3");
}

KerasTensor residual_block(const KerasTensor& x, const std::string& name, double scale,
                           const std::vector<Branch>& branches, bool has_relu = true) {
  KerasTensor y = mixed(x, name + "_mixed", branches);
  y = conv(y, name + "_conv", {.filters = x.shape()[3], .bias = true});
  y = scaled_sum(x, y, scale);
  return has_relu ? activation(y, name + "_ac", "relu") : y;
}

/// C. Szegedy et al., "Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning",
/// 2016.
Model build_inception_resnet_v2(const Arguments& a) {
  const KerasTensor input = image_input(a, {299, 75});
  KerasTensor x = mixed(stem(input), "mixed_5b",
                        {{96}, {48, {64, 5}}, {64, {96, 3}, {96, 3}}, {{Step::kAverage, 1}, 64}});
  for (int i = 1; i <= 10; ++i)
    x = residual_block(x, "block35_" + std::to_string(i), 0.17,
                       {{32}, {32, {32, 3}}, {32, {48, 3}, {64, 3}}});
  x = mixed(x, "mixed_6a", {{{384, 3, 2}}, {256, {256, 3}, {384, 3, 2}}, {{Step::kMax, 2}}});
  for (int i = 1; i <= 20; ++i)
    x = residual_block(x, "block17_" + std::to_string(i), 0.1, {{192}, {128, {160, kRow7}, {192, kColumn7}}});
  x = mixed(x, "mixed_7a",
            {{256, {384, 3, 2}}, {256, {288, 3, 2}}, {256, {288, 3}, {320, 3, 2}}, {{Step::kMax, 2}}});
  for (int i = 1; i <= 10; ++i)
    x = residual_block(x, "block8_" + std::to_string(i), i < 10 ? 0.2 : 1.0,
                       {{192}, {192, {224, kRow3}, {256, kColumn3}}}, i < 10);
  x = conv_norm(x, {.filters = 1536}, "conv_7b");
  return finish(a, input, dense_top(a, x, "avg_pool", false), "inception_resnet_v2");
}

}  // namespace

InceptionV3::InceptionV3(const ApplicationOptions& options)
    : Model(build_inception_v3(arguments_of("InceptionV3", options))) {}
InceptionResNetV2::InceptionResNetV2(const ApplicationOptions& options)
    : Model(build_inception_resnet_v2(arguments_of("InceptionResNetV2", options))) {}

}  // namespace cornu::inline v0::keras::applications
