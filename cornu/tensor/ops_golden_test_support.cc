#include "cornu/tensor/ops_golden_test_support.h"

#include "cornu/tensor/function_calls_support.h"

// Calls that ops::calls does not make: the golden file has their arguments in another form.
namespace cornu::inline v0::ops_golden {
namespace {

using namespace ops::calls;

/// The key of get_item: [begin, end, step] is a slice, "..." an ellipsis, null a new axis.
std::vector<Index> key_of(const Call& c) {
  std::vector<Index> key;
  for (const nlohmann::json& part : c.get<nlohmann::json>("key")) {
    const auto bound = [&](std::size_t i) {
      return i < part.size() && !part[i].is_null() ? std::optional(part[i].get<std::int64_t>())
                                                   : std::nullopt;
    };
    if (part.is_number()) {
      key.emplace_back(part.get<std::int64_t>());
    } else if (part.is_array() && part.size() == 1) {
      key.emplace_back(Slice{.end = bound(0)});  // as Python's slice(end)
    } else if (part.is_array()) {
      key.emplace_back(Slice{.begin = bound(0), .end = bound(1), .step = bound(2).value_or(1)});
    } else if (part.is_null()) {
      key.emplace_back(kNewAxis);
    } else {
      key.emplace_back(kEllipsis);
    }
  }
  return key;
}
}  // namespace

Tensors call_clip(const Call& c) {
  if (c.inputs().size() == 3) return {ops::clip(c[0], c[1], c[2])};
  return {ops::clip(c[0], c.get<double>("x_min"), c.get<double>("x_max"))};
}
Tensors call_select(const Call& c) {
  return {ops::select(Tensors{c[0], c[1]}, Tensors{c[2], c[3]}, c.get<Tensor>("default"))};
}

Tensors call_quantile(const Call& c) {
  return {ops::quantile(c[0], c.get<ops::Quantiles>("q"), quantile_options(c))};
}
Tensors call_percentile(const Call& c) {
  return {ops::percentile(c[0], c.get<ops::Quantiles>("q"), quantile_options(c))};
}
Tensors call_nanquantile(const Call& c) {
  return {ops::nanquantile(c[0], c.get<ops::Quantiles>("q"), quantile_options(c))};
}
Tensors call_nanpercentile(const Call& c) {
  return {ops::nanpercentile(c[0], c.get<ops::Quantiles>("q"), quantile_options(c))};
}
Tensors call_average(const Call& c) {
  ops::AverageOptions options = average_options(c);
  if (c.inputs().size() > 1) options.weights = c[1];
  return {ops::average(c[0], options)};
}

Tensors call_shape(const Call& c) {
  Tensors extents;
  for (const std::int64_t extent : ops::shape(c[0])) extents.push_back(extent);
  return extents;
}
Tensors call_pad(const Call& c) {
  using Widths = std::vector<std::pair<std::int64_t, std::int64_t>>;
  if (c.get<nlohmann::json>("pad_width").is_number())
    return {ops::pad(c[0], c.get<std::int64_t>("pad_width"), pad_options(c))};
  return {ops::pad(c[0], c.get<Widths>("pad_width"), pad_options(c))};
}
Tensors call_full(const Call& c) {
  return {ops::full(c.get<Dims>("shape"), c.get<Tensor>("fill_value"), create_options(c))};
}
Tensors call_full_like(const Call& c) {
  return {ops::full_like(c[0], c.get<Tensor>("fill_value"), create_like_options(c))};
}
Tensors call_arange(const Call& c) {
  if (!c.has("stop")) return {ops::arange(c.get<std::int64_t>("start"))};
  using O = ops::ArangeOptions;
  return {
      ops::arange(c.options<O>("start", &O::start, "stop", &O::stop, "step", &O::step, "dtype", &O::dtype))};
}

Tensors call_get_item(const Call& c) { return {ops::get_item(c[0], key_of(c))}; }
Tensors call_slice(const Call& c) {
  const ops::StartIndices starts =
      c.has("start_indices") ? ops::StartIndices(c.get<Dims>("start_indices")) : ops::StartIndices(c[1]);
  return {ops::slice(c[0], starts, c.get<Dims>("shape"))};
}
Tensors call_slice_update(const Call& c) {
  return {ops::slice_update(c[0], c.get<Dims>("start_indices"), c[1])};
}
Tensors call_digitize(const Call& c) { return {ops::digitize(c[0], c.get<std::vector<double>>("bins"))}; }
Tensors call_bincount(const Call& c) {
  ops::BincountOptions options = bincount_options(c);
  if (c.inputs().size() > 1) options.weights = c[1];
  return {ops::bincount(c[0], options)};
}
Tensors call_top_k(const Call& c) {
  const ops::TopK top = ops::top_k(c[0], c.get<std::int64_t>("k"));
  return {top.values, top.indices};
}

Tensors call_tensordot(const Call& c) {
  if (!c.has("axes")) return {ops::tensordot(c[0], c[1])};
  const auto axes = c.get<nlohmann::json>("axes");
  if (axes.is_number()) return {ops::tensordot(c[0], c[1], axes.get<std::int64_t>())};
  return {ops::tensordot(c[0], c[1], axes[0].get<Dims>(), axes[1].get<Dims>())};
}

Tensors call_moments(const Call& c) {
  const auto [mean, variance] = ops::moments(c[0], c.get<ops::Axes>("axes"), moments_options(c));
  return {mean, variance};
}
Tensors call_batch_normalization(const Call& c) {
  ops::BatchNormalizationOptions options = batch_normalization_options(c);
  if (c.inputs().size() > 3) options.offset = c[3], options.scale = c[4];
  return {ops::batch_normalization(c[0], c[1], c[2], options)};
}
Tensors call_layer_normalization(const Call& c) {
  ops::LayerNormalizationOptions options = layer_normalization_options(c);
  if (c.inputs().size() > 1) options.gamma = c[1], options.beta = c[2];
  return {ops::layer_normalization(c[0], options)};
}
Tensors call_rms_normalization(const Call& c) {
  ops::RmsNormalizationOptions options = rms_normalization_options(c);
  if (c.inputs().size() > 1) options.scale = c[1];
  return {ops::rms_normalization(c[0], options)};
}
Tensors call_dot_product_attention(const Call& c) {
  ops::AttentionOptions options = attention_options(c);
  const std::string which = c.has("which") ? c.get<std::string>("which") : "";
  if (which == "mask" || which == "both") options.mask = c[3];
  if (which == "bias") options.bias = c[3];
  if (which == "both") options.bias = c[4];
  return {ops::dot_product_attention(c[0], c[1], c[2], options)};
}

}  // namespace cornu::inline v0::ops_golden
