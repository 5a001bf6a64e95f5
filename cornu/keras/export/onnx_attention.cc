#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/tensor/ops.h"

/// Layers of attention in ONNX. Sequences are [batch, steps, features], scores [batch, heads, T, S] or [batch, T, S].
namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

/// Masks that are combined; empty: all steps count.
class Masks {
 public:
  explicit Masks(OnnxGraph& graph) : graph_(graph) {}
  void add(const std::string& mask) {
    if (!mask.empty()) all_ = all_.empty() ? mask : graph_.node("And", {all_, mask});
  }
  /// A mask of steps with further axes.
  void add(const std::string& mask, const std::vector<std::int64_t>& axes) {
    if (!mask.empty()) add(graph_.node("Unsqueeze", {mask, graph_.integers(axes)}));
  }
  const std::string& all() const { return all_; }

 private:
  OnnxGraph& graph_;
  std::string all_;
};

/// The differences [T, S] of the positions of queries and keys.
std::string step_differences(OnnxGraph& graph, const std::string& query, const std::string& key) {
  const std::string zero = onnx_integer(graph, 0);
  const std::string one = onnx_integer(graph, 1);
  const auto positions = [&](const std::string& sequence, std::int64_t axis) {
    const std::string extent =
        graph.node("Shape", {sequence}, Attributes().integer("start", 1).integer("end", 2));
    const std::string count = graph.node("Squeeze", {extent, graph.integers({0})});
    return graph.node("Unsqueeze", {graph.node("Range", {zero, count, one}), graph.integers({axis})});
  };
  return graph.node("Sub", {positions(query, 1), positions(key, 0)});
}

/// The masks [T, S] of a causal call and of a window.
void add_step_masks(Masks& masks, const OnnxCall& c, const std::string& query, const std::string& key) {
  const Config* window = c.config.find("sliding_window");
  const bool has_window = window != nullptr && !window->is_null();
  if (!c.node.arguments.use_causal_mask && !has_window) return;
  OnnxGraph& graph = c.graph();
  const std::string differences = step_differences(graph, query, key);
  if (c.node.arguments.use_causal_mask)
    masks.add(graph.node("GreaterOrEqual", {differences, onnx_integer(graph, 0)}));
  if (has_window)
    masks.add(
        graph.node("Less", {graph.node("Abs", {differences}), onnx_integer(graph, window->as_integer())}));
}

void require_sequences(const OnnxCall& c) {
  for (std::size_t i = 0; i < std::min<std::size_t>(c.inputs.size(), 3); ++i)
    c.require(c.inputs[i].rank == 3, "attends over several axes");
}

// Several heads.

struct Heads {
  std::int64_t num = 0, num_shared = 0, key_dim = 0, value_dim = 0;
};

Heads heads_of(const OnnxCall& c) {
  const auto number = [&](const char* key) { return c.config.at(key).as_integer(); };
  if (c.config.contains("num_query_heads"))
    return {.num = number("num_query_heads"),
            .num_shared = number("num_key_value_heads"),
            .key_dim = number("head_dim"),
            .value_dim = number("head_dim")};
  return {.num = number("num_heads"),
          .num_shared = number("num_heads"),
          .key_dim = number("key_dim"),
          .value_dim = number("value_dim")};
}

/// x [batch, steps, features] by a kernel [features, heads, dim], as [batch, heads, steps, dim].
std::string projected(const OnnxCall& c, const std::string& x, const std::string& name, std::int64_t heads,
                      std::int64_t dim) {
  OnnxGraph& graph = c.graph();
  const Tensor kernel = c.weight((name + "/kernel").c_str()), bias = c.weight((name + "/bias").c_str());
  c.require(kernel.defined(), "has quantized projections");
  std::string y = graph.node("MatMul", {x, onnx_constant(graph, ops::reshape(kernel, {-1, heads * dim}))});
  if (bias.defined()) y = graph.node("Add", {y, onnx_constant(graph, ops::ravel(bias))});
  y = graph.node("Reshape", {y, graph.integers({0, 0, heads, dim})});
  return graph.node("Transpose", {y}, Attributes().integers("perm", Dims{0, 2, 1, 3}));
}

/// Heads of keys or values, each as often as queries share it.
std::string repeated(OnnxGraph& graph, const std::string& x, const Heads& heads) {
  if (heads.num == heads.num_shared) return x;
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < heads.num; ++i) places.push_back(i / (heads.num / heads.num_shared));
  return graph.node("Gather", {x, graph.integers(places)}, Attributes().integer("axis", 1));
}

/// The weights of attention. Keras has two implementations, which differ where a step may attend to none.
std::string weights_of(const OnnxCall& c, const std::string& scores, const std::string& mask) {
  OnnxGraph& graph = c.graph();
  const Attributes last = Attributes().integer("axis", -1);
  if (mask.empty()) return graph.node("Softmax", {scores}, last);
  const bool is_fused = c.config.at("dropout").as_number() == 0 && !c.node.arguments.return_attention_scores;
  const double low = is_fused ? -0.7 * std::numeric_limits<float>::max() : -1e9;
  const std::string weights =
      graph.node("Softmax", {graph.node("Where", {mask, scores, onnx_scalar(graph, low)})}, last);
  return is_fused ? weights : graph.node("Where", {mask, weights, onnx_scalar(graph, 0)});
}

std::string heads_mask(const OnnxCall& c, const std::string& query, const std::string& key) {
  Masks masks(c.graph());
  if (c.inputs.size() == 4) {
    const std::string given = c.graph().node("Cast", {c.to.last(c.inputs[3])},
                                             Attributes().integer("to", OnnxGraph::element_type(DType::kI1)));
    masks.add(c.inputs[3].rank == 4 ? given : c.graph().node("Unsqueeze", {given, c.graph().integers({1})}));
  }
  masks.add(c.inputs[0].mask, {1, 3});
  for (std::size_t i = 1; i < std::min<std::size_t>(c.inputs.size(), 3); ++i)
    masks.add(c.inputs[i].mask, {1, 2});
  add_step_masks(masks, c, query, key);
  return masks.all();
}

std::vector<OnnxValue> sequence_attention(const OnnxCall& c) {
  OnnxGraph& graph = c.graph();
  const Heads heads = heads_of(c);
  const std::string query = c.to.last(c.inputs[0]), value = c.to.last(c.inputs[1]),
                    key = c.to.last(c.inputs[c.inputs.size() > 2 ? 2 : 1]);
  const std::string q = projected(c, query, "query", heads.num, heads.key_dim);
  const std::string k = repeated(graph, projected(c, key, "key", heads.num_shared, heads.key_dim), heads);
  const std::string v =
      repeated(graph, projected(c, value, "value", heads.num_shared, heads.value_dim), heads);
  const std::string scaled =
      graph.node("Mul", {q, onnx_scalar(graph, 1 / std::sqrt(static_cast<double>(heads.key_dim)))});
  const std::string by_key = graph.node("Transpose", {k}, Attributes().integers("perm", Dims{0, 1, 3, 2}));
  const std::string scores = weights_of(c, graph.node("MatMul", {scaled, by_key}), heads_mask(c, query, key));
  std::string mixed = graph.node("MatMul", {scores, v});
  if (c.config.at("use_gate").as_bool())
    mixed = graph.node(
        "Mul", {mixed, graph.node("Sigmoid", {projected(c, query, "gate", heads.num, heads.value_dim)})});
  mixed = graph.node("Transpose", {mixed}, Attributes().integers("perm", Dims{0, 2, 1, 3}));
  mixed = graph.node("Reshape", {mixed, graph.integers({0, 0, heads.num * heads.value_dim})});
  const Tensor kernel = c.weight("attention_output/kernel"), bias = c.weight("attention_output/bias");
  c.require(kernel.rank() == 3, "has an output_shape of several axes");
  std::string y = graph.node(
      "MatMul", {mixed, onnx_constant(graph, ops::reshape(kernel, {heads.num * heads.value_dim, -1}))});
  if (bias.defined()) y = graph.node("Add", {y, onnx_constant(graph, bias)});
  std::vector<OnnxValue> results = {c.to.made_last(3, y)};
  results[0].mask = c.inputs[0].mask;
  if (c.node.arguments.return_attention_scores) results.push_back(c.to.made_last(4, scores));
  return results;
}

/// Attention over some axes between batch and features: these become one axis of steps, the others rows of the batch.
class AxesAsSteps {
 public:
  AxesAsSteps(OnnxGraph& graph, std::int64_t rank, const Dims& attended) : graph_(graph), rank_(rank) {
    order_ = {0};
    for (std::int64_t axis = 1; axis < rank - 1; ++axis)
      if (std::ranges::find(attended, axis) == attended.end()) order_.push_back(axis);
    num_leading_ = static_cast<std::int64_t>(order_.size());
    order_.insert(order_.end(), attended.begin(), attended.end());
    order_.push_back(rank - 1);
  }

  /// x [batch, ..., features] as [rows, steps, features].
  std::string steps_of(const std::string& x) const {
    const std::string turned = graph_.node("Transpose", {x}, Attributes().integers("perm", order_));
    const std::string shape =
        concatenated({product(extents(turned, 0, num_leading_)),
                      product(extents(turned, num_leading_, rank_ - 1)), extents(turned, rank_ - 1, rank_)});
    return graph_.node("Reshape", {turned, shape});
  }
  /// The reverse for y [rows, steps, outputs], with the other extents of x.
  std::string axes_of(const std::string& y, const std::string& x) const {
    const std::string turned = graph_.node("Transpose", {x}, Attributes().integers("perm", order_));
    const std::string shape = concatenated({extents(turned, 0, rank_ - 1), extents(y, 2, 3)});
    Dims back(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      back[static_cast<std::size_t>(order_[i])] = static_cast<std::int64_t>(i);
    return graph_.node("Transpose", {graph_.node("Reshape", {y, shape})},
                       Attributes().integers("perm", back));
  }

 private:
  std::string extents(const std::string& x, std::int64_t first, std::int64_t last) const {
    return graph_.node("Shape", {x}, Attributes().integer("start", first).integer("end", last));
  }
  std::string product(const std::string& extents) const { return graph_.node("ReduceProd", {extents}); }
  std::string concatenated(const std::vector<std::string>& parts) const {
    return graph_.node("Concat", parts, Attributes().integer("axis", 0));
  }

  OnnxGraph& graph_;
  std::int64_t rank_, num_leading_ = 1;
  Dims order_;
};

std::vector<OnnxValue> heads_attention(const OnnxCall& c) {
  const bool is_sequence =
      std::ranges::all_of(std::span(c.inputs).first(std::min<std::size_t>(c.inputs.size(), 3)),
                          [](const OnnxValue& input) { return input.rank == 3; });
  if (is_sequence) return sequence_attention(c);
  c.require(c.inputs.size() < 4 && !c.node.arguments.use_causal_mask &&
                !c.node.arguments.return_attention_scores &&
                std::ranges::all_of(c.inputs, [](const OnnxValue& input) { return input.mask.empty(); }),
            "attends over several axes with masks or returns scores");
  c.require(c.config.contains("attention_axes"), "attends over several axes");
  Dims attended;
  for (const Config& axis : c.config.at("attention_axes").as_list())
    attended.push_back(axis.as_integer() < 0 ? axis.as_integer() + c.rank() : axis.as_integer());
  std::ranges::sort(attended);
  const AxesAsSteps axes(c.graph(), c.rank(), attended);
  const std::string query = c.to.last(c.x());
  std::vector<OnnxValue> sequences;
  for (OnnxValue& input : c.inputs) {
    c.require(input.rank == c.rank(), "attends over several axes of inputs of different ranks");
    sequences.push_back(c.to.made_last(3, axes.steps_of(c.to.last(input))));
  }
  std::vector<OnnxValue> results = sequence_attention({c.to, c.node, c.layer, c.config, sequences});
  return {c.to.made_last(c.rank(), axes.axes_of(c.to.last(results.at(0)), query))};
}

// Attention by Luong and Bahdanau.

/// The sum over features of scale * tanh(scale_of_sum * (query + key)), [batch, T, S].
std::string additive_scores(const OnnxCall& c, const std::string& query, const std::string& key,
                            const Tensor& scale, const Tensor& scale_of_sum) {
  OnnxGraph& graph = c.graph();
  std::string x = graph.node("Add", {graph.node("Unsqueeze", {query, graph.integers({2})}),
                                     graph.node("Unsqueeze", {key, graph.integers({1})})});
  if (scale_of_sum.defined()) x = graph.node("Mul", {x, onnx_constant(graph, scale_of_sum)});
  x = graph.node("Tanh", {x});
  if (scale.defined()) x = graph.node("Mul", {x, onnx_constant(graph, scale)});
  return graph.node("ReduceSum", {x, graph.integers({-1})}, Attributes().integer("keepdims", 0));
}

std::string scores_of(const OnnxCall& c, const std::string& query, const std::string& key) {
  const Tensor scale = c.weight("scale");
  if (c.layer.class_name() == "AdditiveAttention") return additive_scores(c, query, key, scale, {});
  if (c.config.at("score_mode").as_string() == "concat")
    return additive_scores(c, query, key, c.weight("concat_score_weight"), scale);
  OnnxGraph& graph = c.graph();
  const std::string by_key = graph.node("Transpose", {key}, Attributes().integers("perm", Dims{0, 2, 1}));
  const std::string products = graph.node("MatMul", {query, by_key});
  return scale.defined() ? graph.node("Mul", {products, onnx_constant(graph, scale)}) : products;
}

std::vector<OnnxValue> scored_attention(const OnnxCall& c) {
  require_sequences(c);
  OnnxGraph& graph = c.graph();
  const std::string query = c.to.last(c.inputs[0]), value = c.to.last(c.inputs[1]),
                    key = c.to.last(c.inputs.back());
  std::string scores = scores_of(c, query, key);
  Masks masks(graph);
  masks.add(c.inputs[1].mask, {1});
  add_step_masks(masks, c, query, key);
  if (!masks.all().empty()) {
    constexpr double kLarge = 1e9;
    scores =
        graph.node("Where", {masks.all(), scores, graph.node("Sub", {scores, onnx_scalar(graph, kLarge)})});
  }
  const std::string weights = graph.node("Softmax", {scores}, Attributes().integer("axis", -1));
  std::string y = graph.node("MatMul", {weights, value});
  if (!c.inputs[0].mask.empty())
    y = graph.node("Where", {graph.node("Unsqueeze", {c.inputs[0].mask, graph.integers({-1})}), y,
                             onnx_scalar(graph, 0)});
  std::vector<OnnxValue> results = {c.to.made_last(3, y)};
  results[0].mask = c.inputs[0].mask;
  if (c.node.arguments.return_attention_scores) results.push_back(c.to.made_last(3, weights));
  return results;
}

constexpr OnnxTranslation kAttentionLayers[] = {
    {"AdditiveAttention", scored_attention, true},
    {"Attention", scored_attention, true},
    {"GroupedQueryAttention", heads_attention, true},
    {"MultiHeadAttention", heads_attention, true},
};

}  // namespace

std::span<const OnnxTranslation> onnx_attention_layers() { return kAttentionLayers; }

}  // namespace cornu::inline v0::keras
