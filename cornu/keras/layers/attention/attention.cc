#include "cornu/keras/layers/attention/attention.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/attention/attention_support.h"
#include "cornu/keras/layers/regularization/noise_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The common base of Attention and AdditiveAttention, which differ in their scores and weights.
class ScoredAttention : public Layer, public AttendingLayer {
 public:
  ScoredAttention(LayerSettings settings, double dropout, std::optional<std::uint64_t> seed)
      : Layer(std::move(settings)), dropout_(dropout) {
    if (!(dropout >= 0 && dropout <= 1))
      option_error("dropout", "must be in [0, 1]", fmt::format("{}", dropout));
    if (dropout > 0) seed_generator_ = add_seed_generator(seed);
    set_supports_masking(true);
    set_type_rule(TypeRule::kOverridden);
  }

  bool takes_list() const override { return true; }

  std::vector<TensorType> compute_call_types(std::span<const TensorType> inputs,
                                             const CallArguments& arguments) const override {
    require_inputs(inputs.size());
    const Dims &query = inputs[0].dims, &value = inputs[1].dims, &key = inputs[inputs.size() - 1].dims;
    if (query.size() < 2 || value.size() < 2 || key.size() < 2)
      invalid_argument("[{}] query, value and key need axes for steps and features", tag());
    Dims output(query.begin(), query.end() - 1), scores = output;
    output.push_back(value.back());
    scores.push_back(key[key.size() - 2]);
    std::vector<TensorType> types = {{compute_dtype(), output}};
    if (arguments.return_attention_scores) types.push_back({compute_dtype(), scores});
    return types;
  }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    return compute_call_types(inputs, {});
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override {
    std::vector<Tensor> masks(outputs.size());
    if (inputs[0].mask() != nullptr) masks[0] = *inputs[0].mask();
    return masks;
  }

 protected:
  /// [batch, T, S]
  virtual Tensor scores(const Tensor& query, const Tensor& key) const = 0;
  virtual const char* tag() const = 0;

  void require_inputs(std::size_t count) const {
    if (count < 2 || count > 3)
      invalid_argument("[{}] takes [query, value] or [query, value, key]; got {} inputs", tag(), count);
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    require_inputs(inputs.size());
    const Tensor &query = inputs[0], &value = inputs[1], &key = inputs.back();
    Tensor logits = scores(query, key);
    const std::optional<Tensor> mask = scores_mask(logits, value.mask(), context.use_causal_mask);
    if (mask.has_value()) {
      const double low = logits.dtype() == DType::kF16 ? 65504.0 : 1e9;
      logits = ops::where(*mask, logits, logits - low);
    }
    const Tensor attention = ops::softmax(logits);
    Tensor weights = attention;
    if (context.training && dropout_ > 0)
      weights = noise::dropped_out(weights, dropout_, weights.shape(), *seed_generator_, context);
    Tensor output = ops::matmul(weights, value);
    if (query.mask() != nullptr) output = ops::where(ops::expand_dims(*query.mask(), -1), output, 0.0);
    if (!context.return_attention_scores) return {output};
    return {output, weights};
  }

 private:
  /// The mask of scores: true where a step may attend to another; nullopt if all may.
  static std::optional<Tensor> scores_mask(const Tensor& logits, const Tensor* value_mask, bool is_causal) {
    std::optional<Tensor> mask;
    if (value_mask != nullptr) mask = ops::expand_dims(*value_mask, -2);
    if (!is_causal) return mask;
    const Dims& shape = logits.shape();
    const Tensor causal = causal_mask(shape[shape.size() - 2], shape.back());
    return mask.has_value() ? ops::logical_and(*mask, causal) : causal;
  }

  double dropout_;
  std::optional<SeedGenerator> seed_generator_;
};

/// [batch, T, 1, features] + [batch, 1, S, features]
Tensor pairwise_sums(const Tensor& query, const Tensor& key) {
  return ops::expand_dims(query, -2) + ops::expand_dims(key, -3);
}

class AttentionLayer : public ScoredAttention {
 public:
  explicit AttentionLayer(const AttentionOptions& options)
      : ScoredAttention(layer_settings("Attention", options), options.dropout, options.seed),
        use_scale_(options.use_scale),
        is_concat_(options.score_mode == "concat") {
    if (!is_concat_ && options.score_mode != "dot")
      option_error("score_mode", "must be \"dot\" or \"concat\"", fmt::format("\"{}\"", options.score_mode));
  }

 protected:
  const char* tag() const override { return "attention"; }
  void build_for(std::span<const Dims> shapes) override {
    require_inputs(shapes.size());
    if (use_scale_) scale_ = add_weight({.name = "scale", .shape = {}, .initializer = "ones"});
    if (is_concat_) weight_ = add_weight({.name = "concat_score_weight", .shape = {}, .initializer = "ones"});
  }
  Tensor scores(const Tensor& query, const Tensor& key) const override {
    if (is_concat_) {
      const Tensor sums = pairwise_sums(query, key);
      return weight_ * ops::sum(ops::tanh(use_scale_ ? scale_ * sums : sums), {.axis = -1});
    }
    const Tensor products = ops::matmul(query, ops::swapaxes(key, -2, -1));
    return use_scale_ ? products * scale_ : products;
  }

 private:
  bool use_scale_;
  bool is_concat_;
  Variable scale_, weight_;
};

class AdditiveAttentionLayer : public ScoredAttention {
 public:
  explicit AdditiveAttentionLayer(const AdditiveAttentionOptions& options)
      : ScoredAttention(layer_settings("AdditiveAttention", options), options.dropout, options.seed),
        use_scale_(options.use_scale) {}

 protected:
  const char* tag() const override { return "additive_attention"; }
  void build_for(std::span<const Dims> shapes) override {
    require_inputs(shapes.size());
    if (!use_scale_) return;
    if (shapes[0].empty() || shapes[0].back() == kUnknown)
      invalid_argument("[additive_attention] the last extent of the query's shape {} must be known",
                       shape_with_none_str(shapes[0]));
    scale_ = add_weight({.name = "scale", .shape = {shapes[0].back()}});
  }
  Tensor scores(const Tensor& query, const Tensor& key) const override {
    const Tensor angles = ops::tanh(pairwise_sums(query, key));
    return ops::sum(use_scale_ ? scale_ * angles : angles, {.axis = -1});
  }

 private:
  bool use_scale_;
  Variable scale_;
};

}  // namespace

Attention::Attention(AttentionOptions options) : LayerHandle(std::make_shared<AttentionLayer>(options)) {}
AdditiveAttention::AdditiveAttention(AdditiveAttentionOptions options)
    : LayerHandle(std::make_shared<AdditiveAttentionLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
