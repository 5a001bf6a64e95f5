#include <utility>

#include "cornu/keras/applications/blocks_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

/// The cells of B. Zoph et al., "Learning Transferable Architectures for Scalable Image Recognition", 2017:
/// each reads the outputs of the two cells before it.
constexpr NormParts kNasNetNorm = {.momentum = 0.9997, .axis = -1};

KerasTensor unnamed_relu(const KerasTensor& x) { return activation(x, {}, "relu"); }

KerasTensor conv_norm(const KerasTensor& x, const std::string& conv_name, const std::string& norm_name,
                      std::int64_t filters) {
  const ConvParts parts = {.filters = filters, .initializer = Kernel::kHeNormal};
  return batch_norm(conv(x, conv_name, parts), norm_name, kNasNetNorm);
}

/// Two separable convolutions; the first has the strides.
KerasTensor separable(const KerasTensor& input, std::int64_t filters, int kernel, const std::string& id,
                      int stride = 1) {
  KerasTensor x = unnamed_relu(input);
  if (stride == 2) x = stride_padding(x, "separable_conv_1_pad_" + id, kernel);
  x = separable_conv(x, "separable_conv_1_" + id,
                     {.filters = filters, .kernel = kernel, .strides = stride, .same = stride == 1});
  x = unnamed_relu(batch_norm(x, "separable_conv_1_bn_" + id, kNasNetNorm));
  x = separable_conv(x, "separable_conv_2_" + id, {.filters = filters, .kernel = kernel});
  return batch_norm(x, "separable_conv_2_bn_" + id, kNasNetNorm);
}

/// The output of the cell before last in the size and with the channels of the current one.
KerasTensor adjusted(const KerasTensor& p, const KerasTensor& x, std::int64_t filters,
                     const std::string& id) {
  if (!p.defined()) return x;
  if (p.shape()[2] != x.shape()[2]) {
    const KerasTensor y = activation(p, "adjust_relu_1_" + id, "relu");
    const ConvParts parts = {.filters = filters / 2, .initializer = Kernel::kHeNormal};
    const PoolParts pool = {.size = 1};
    KerasTensor left = average_pool(y, "adjust_avg_pool_1_" + id, pool);
    left = conv(left, "adjust_conv_1_" + id, parts);
    KerasTensor right = crop_first(zero_padding(y, {}, {0, 1}, {0, 1}));
    right = average_pool(right, "adjust_avg_pool_2_" + id, pool);
    right = conv(right, "adjust_conv_2_" + id, parts);
    return batch_norm(concatenate({left, right}, {}, -1), "adjust_bn_" + id, kNasNetNorm);
  }
  if (p.shape()[3] == filters) return p;
  return conv_norm(unnamed_relu(p), "adjust_conv_projection_" + id, "adjust_bn_" + id, filters);
}

/// The output of the last cell, and of the one before.
using Cells = std::pair<KerasTensor, KerasTensor>;

Cells normal_cell(const Cells& cells, std::int64_t filters, const std::string& id) {
  const PoolParts same = {.strides = 1, .same = true};
  const auto named = [&id](const char* part) { return std::string("normal_") + part + "_" + id; };
  const auto& [x, before] = cells;
  const KerasTensor p = adjusted(before, x, filters, id);
  const KerasTensor h = conv_norm(unnamed_relu(x), named("conv_1"), named("bn_1"), filters);
  const KerasTensor left1 = separable(h, filters, 5, named("left1"));
  const KerasTensor x1 = add({left1, separable(p, filters, 3, named("right1"))}, named("add_1"));
  const KerasTensor left2 = separable(p, filters, 5, named("left2"));
  const KerasTensor x2 = add({left2, separable(p, filters, 3, named("right2"))}, named("add_2"));
  const KerasTensor x3 = add({average_pool(h, named("left3"), same), p}, named("add_3"));
  const KerasTensor left4 = average_pool(p, named("left4"), same);
  const KerasTensor x4 = add({left4, average_pool(p, named("right4"), same)}, named("add_4"));
  const KerasTensor x5 = add({separable(h, filters, 3, named("left5")), h}, named("add_5"));
  return {concatenate({p, x1, x2, x3, x4, x5}, named("concat"), -1), x};
}

Cells reduction_cell(const Cells& cells, std::int64_t filters, const std::string& id) {
  const PoolParts halves = {};
  const auto named = [&id](const char* part) { return std::string("reduction_") + part + "_" + id; };
  const auto& [x, before] = cells;
  const KerasTensor p = adjusted(before, x, filters, id);
  const KerasTensor h = conv_norm(unnamed_relu(x), named("conv_1"), named("bn_1"), filters);
  const KerasTensor padded = stride_padding(h, named("pad_1"), 3);
  const KerasTensor left1 = separable(h, filters, 5, named("left1"), 2);
  const KerasTensor x1 = add({left1, separable(p, filters, 7, named("right1"), 2)}, named("add_1"));
  const KerasTensor left2 = max_pool(padded, named("left2"), halves);
  const KerasTensor x2 = add({left2, separable(p, filters, 7, named("right2"), 2)}, named("add_2"));
  const KerasTensor left3 = average_pool(padded, named("left3"), halves);
  const KerasTensor x3 = add({left3, separable(p, filters, 5, named("right3"), 2)}, named("add3"));
  const KerasTensor x4 = add({x2, average_pool(x1, named("left4"), {.strides = 1, .same = true})}, {});
  const KerasTensor left5 = separable(x1, filters, 3, named("left4"));
  const KerasTensor x5 = add({left5, max_pool(padded, named("right5"), halves)}, named("add4"));
  return {concatenate({x2, x3, x4, x5}, named("concat"), -1), x};
}

struct Sizing {
  const char* name;
  std::int64_t image_size;
  std::int64_t filters;
  int num_cells;  // normal cells of each of the three stages
  std::int64_t stem_filters;
  bool skips_reductions;  // the cell before last is the one before the reduction
};

Model build_nasnet(const Arguments& a, const Sizing& sizing) {
  const KerasTensor input = image_input(a, {sizing.image_size});
  const KerasTensor first = conv(input, "stem_conv1",
                                 {.filters = sizing.stem_filters,
                                  .kernel = 3,
                                  .strides = 2,
                                  .same = false,
                                  .initializer = Kernel::kHeNormal});
  Cells cells = {batch_norm(first, "stem_bn1", kNasNetNorm), KerasTensor()};
  cells = reduction_cell(cells, sizing.filters / 4, "stem_1");
  cells = reduction_cell(cells, sizing.filters / 2, "stem_2");
  for (int stage = 0; stage < 3; ++stage) {
    const std::int64_t filters = sizing.filters << stage;
    const int begin = stage * sizing.num_cells;
    if (stage > 0) {
      const KerasTensor before = cells.second;
      cells = reduction_cell(cells, filters, "reduce_" + std::to_string(begin));
      if (sizing.skips_reductions) cells.second = before;
    }
    for (int i = 0; i < sizing.num_cells; ++i)
      cells = normal_cell(cells, filters, std::to_string(begin + i + (stage > 0 ? 1 : 0)));
  }
  const KerasTensor x = unnamed_relu(cells.first);
  return finish(a, input, dense_top(a, x, {}, false), sizing.name);
}

}  // namespace

NASNetMobile::NASNetMobile(const ApplicationOptions& options)
    : Model(build_nasnet(arguments_of("NASNetMobile", options), {"nasnet_mobile", 224, 44, 4, 32, false})) {}
NASNetLarge::NASNetLarge(const ApplicationOptions& options)
    : Model(build_nasnet(arguments_of("NASNetLarge", options), {"nasnet_large", 331, 168, 6, 96, true})) {}

}  // namespace cornu::inline v0::keras::applications
