#include "cornu/keras/layers/attention/heads_support.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/regularization/noise_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// exp(x) divided by its sum over the last axes.
Tensor softmax_over(const Tensor& x, std::size_t num_axes) {
  if (num_axes == 1) return ops::softmax(x);
  Dims axes;
  for (std::size_t i = num_axes; i > 0; --i) axes.push_back(-static_cast<std::int64_t>(i));
  const Tensor e = ops::exp(x - ops::max(x, {.axis = axes, .keepdims = true}));
  return e / ops::sum(e, {.axis = axes, .keepdims = true});
}

}  // namespace

HeadsLayer::HeadsLayer(LayerSettings settings, Settings of_heads, const ProjectionOptions& options)
    : Layer(std::move(settings)), settings_(std::move(of_heads)) {
  const auto check_positive = [&](const char* option, std::optional<std::int64_t> value) {
    if (value.has_value() && *value <= 0) option_error(option, "must be positive", fmt::format("{}", *value));
  };
  check_positive("sliding_window", settings_.sliding_window);
  if (!(settings_.dropout >= 0 && settings_.dropout <= 1))
    option_error("dropout", "must be in [0, 1]", fmt::format("{}", settings_.dropout));
  check_initializer("kernel_initializer", options.kernel_initializer);
  check_initializer("bias_initializer", options.bias_initializer);
  check_regularizer("kernel_regularizer", options.kernel_regularizer);
  check_regularizer("bias_regularizer", options.bias_regularizer);
  check_regularizer("activity_regularizer", options.activity_regularizer);
  check_constraint("kernel_constraint", options.kernel_constraint);
  check_constraint("bias_constraint", options.bias_constraint);
  set_supports_masking(true);
  set_type_rule(TypeRule::kOverridden);
  attention_axes_.assign(settings_.attention_axes.given().begin(), settings_.attention_axes.given().end());
  const bool is_public = settings_.has_public_projections;
  query_ = add_projection("query", is_public ? "query_dense" : "_query_dense", 1, options);
  key_ = add_projection("key", is_public ? "key_dense" : "_key_dense", 1, options);
  if (settings_.use_gate) gate_ = add_projection("gate", "_gate_dense", 1, options, true);
  value_ = add_projection("value", is_public ? "value_dense" : "_value_dense", 1, options);
  output_ = add_projection("attention_output", is_public ? "output_dense" : "_output_dense", 2, options);
  const std::int64_t shared_heads = settings_.num_heads / settings_.repeats;
  query_->set_output_dims({settings_.num_heads, settings_.key_dim});
  key_->set_output_dims({shared_heads, settings_.key_dim});
  value_->set_output_dims({shared_heads, settings_.value_dim});
  if (gate_ != nullptr) gate_->set_output_dims({settings_.num_heads, settings_.value_dim});
  if (settings_.dropout > 0) seed_generator_ = add_seed_generator(settings_.seed);
}

HeadsLayer::ProjectionPointer HeadsLayer::add_projection(const char* name, const char* attribute,
                                                         std::size_t num_contracted,
                                                         const ProjectionOptions& options, bool is_gate) {
  auto projection = std::make_shared<Projection>(name, num_contracted, options, is_gate);
  track(std::shared_ptr<Layer>(projection), attribute);
  return projection;
}

void HeadsLayer::require_inputs(std::span<const Dims> shapes) const {
  if (shapes.size() < 2 || shapes.size() > 4)
    invalid_argument("[{}] takes query and value, then key and attention_mask if there are; got {} inputs",
                     settings_.tag, shapes.size());
  const Dims &query = shapes[0], &value = shapes[1], &key = shapes[shapes.size() > 2 ? 2 : 1];
  if (query.size() < 3 || value.size() < 3 || key.size() != value.size())
    invalid_argument(
        "[{}] query, value and key need a batch, steps and features; got the shapes {}, {} and {}",
        settings_.tag, shape_with_none_str(query), shape_with_none_str(value), shape_with_none_str(key));
  for (std::size_t i = 1; i + 1 < value.size(); ++i)
    if (value[i] != key[i] && value[i] != kUnknown && key[i] != kUnknown)
      invalid_argument("[{}] value and key must have the same steps; got the shapes {} and {}", settings_.tag,
                       shape_with_none_str(value), shape_with_none_str(key));
}

Dims HeadsLayer::attention_axes_for(std::int64_t rank) const {
  Dims axes;
  for (std::int64_t axis : settings_.attention_axes.given()) {
    if (axis < 0) axis += rank;
    if (axis < 1 || axis > rank - 2)
      invalid_argument("[{}] attention_axes must be between the batch and the features of rank {}; got {}",
                       settings_.tag, rank, axis);
    axes.push_back(axis);
  }
  if (axes.empty())
    for (std::int64_t axis = 1; axis < rank - 1; ++axis) axes.push_back(axis);
  return axes;
}

void HeadsLayer::build_for(std::span<const Dims> shapes) {
  require_inputs(shapes);
  const Dims &query = shapes[0], &value = shapes[1], &key = shapes[shapes.size() > 2 ? 2 : 1];
  attention_axes_ = attention_axes_for(static_cast<std::int64_t>(value.size()));
  query_->build_once(query);
  key_->build_once(key);
  if (gate_ != nullptr) gate_->build_once(query);
  value_->build_once(value);
  output_->set_output_dims(settings_.output_shape.value_or(Dims{query.back()}));
  Dims mixed(query.begin(), query.end() - 1);
  mixed.insert(mixed.end(), {settings_.num_heads, settings_.value_dim});
  output_->build_once(mixed);
}

std::vector<TensorType> HeadsLayer::compute_call_types(std::span<const TensorType> inputs,
                                                       const CallArguments& arguments) const {
  const std::vector<Dims> shapes = shapes_of(inputs);
  require_inputs(shapes);
  const Dims &query = shapes[0], &value = shapes[1];
  Dims output(query.begin(), query.end() - 1), scores;
  const Dims features = settings_.output_shape.value_or(Dims{query.back()});
  output.insert(output.end(), features.begin(), features.end());
  std::vector<TensorType> types = {{compute_dtype(), output}};
  if (!arguments.return_attention_scores) return types;
  const Dims axes = attention_axes_for(static_cast<std::int64_t>(value.size()));
  const auto is_step = [&](std::size_t axis) {
    return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
  };
  for (std::size_t axis = 0; axis + 1 < query.size(); ++axis)
    if (!is_step(axis)) scores.push_back(query[axis]);
  scores.push_back(settings_.num_heads);
  for (const Dims* steps : {&query, &value})
    for (const std::int64_t axis : axes) scores.push_back((*steps)[static_cast<std::size_t>(axis)]);
  types.push_back({compute_dtype(), scores});
  return types;
}

std::vector<Tensor> HeadsLayer::compute_mask(std::span<const Tensor> inputs,
                                             std::span<const Tensor> outputs) const {
  std::vector<Tensor> masks(outputs.size());
  if (inputs[0].mask() != nullptr) masks[0] = *inputs[0].mask();
  return masks;
}

std::optional<Tensor> HeadsLayer::mask_for(std::span<const Tensor> inputs, bool is_causal) const {
  std::optional<Tensor> all;
  const auto add = [&](const Tensor& mask) { all = all.has_value() ? ops::logical_and(*all, mask) : mask; };
  if (inputs.size() == 4) add(ops::cast(inputs[3], DType::kI1));
  if (const Tensor* mask = inputs[0].mask()) add(ops::expand_dims(ops::cast(*mask, DType::kI1), -1));
  for (std::size_t i = 1; i < std::min<std::size_t>(inputs.size(), 3); ++i)
    if (const Tensor* mask = inputs[i].mask()) add(ops::expand_dims(ops::cast(*mask, DType::kI1), -2));
  const std::int64_t num_queries = inputs[0].shape()[1], num_keys = inputs[1].shape()[1];
  if (is_causal) add(causal_mask(num_queries, num_keys));
  if (settings_.sliding_window.has_value())
    add(window_mask(num_queries, num_keys, *settings_.sliding_window));
  return all;
}

std::vector<Tensor> HeadsLayer::call_for(std::span<const Tensor> inputs, const CallContext& context) {
  const Tensor& key_input = inputs[inputs.size() > 2 ? 2 : 1];
  Tensor query = (*query_)(inputs[0]), key = (*key_)(key_input), value = (*value_)(inputs[1]);
  const std::optional<Tensor> gate =
      gate_ == nullptr ? std::nullopt : std::optional<Tensor>((*gate_)(inputs[0]));
  if (settings_.repeats > 1) {
    key = ops::repeat(key, settings_.repeats, {.axis = 2});
    value = ops::repeat(value, settings_.repeats, {.axis = 2});
  }
  const std::size_t num_axes = attention_axes_.size();
  const auto rank = static_cast<std::size_t>(query.rank());
  const AttentionEquations equations(rank, attention_axes_);
  const double scale = 1 / std::sqrt(static_cast<double>(settings_.key_dim));
  const auto scores_rank = static_cast<std::int64_t>(rank - 1 + num_axes);
  // Keras has two implementations, which differ where a step may attend to none.
  const bool is_fused = settings_.dropout == 0 && !context.return_attention_scores && rank == 4;
  std::optional<Tensor> mask = mask_for(inputs, context.use_causal_mask && !is_fused);
  if (mask.has_value()) mask = with_heads_axes(*mask, scores_rank, num_axes);

  Tensor scores, mixed;
  if (is_fused) {
    mixed = ops::dot_product_attention(
        query, key, value,
        {.mask = mask.value_or(Tensor()), .scale = scale, .is_causal = context.use_causal_mask});
  } else {
    const Tensor products = ops::einsum(equations.products, {key, query * scale});
    if (mask.has_value()) {
      const double low = products.dtype() == DType::kF16 ? -3e4 : -1e9;
      scores = ops::where(*mask, softmax_over(ops::where(*mask, products, low), num_axes), 0.0);
    } else {
      scores = softmax_over(products, num_axes);
    }
    Tensor weights = scores;
    if (context.training && settings_.dropout > 0)
      weights = noise::dropped_out(scores, settings_.dropout, scores.shape(), *seed_generator_, context);
    mixed = ops::einsum(equations.mix, {weights, value});
  }
  if (gate.has_value()) mixed = mixed * *gate;
  Tensor output = (*output_)(mixed);
  if (!context.return_attention_scores) return {output};
  return {output, scores};
}

}  // namespace cornu::inline v0::keras::layers
