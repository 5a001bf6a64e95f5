#include "cornu/keras/layers/attention/multi_head_attention.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/attention/heads_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The layer's settings; the activity regularizer applies to the projections instead.
LayerSettings without_activity(LayerSettings settings) {
  settings.activity_regularizer = {};
  return settings;
}

HeadsLayer::Settings settings_of(const MultiHeadAttentionOptions& options) {
  return {.tag = "multi_head_attention",
          .num_heads = options.num_heads,
          .key_dim = options.key_dim,
          .value_dim = options.value_dim.value_or(options.key_dim),
          .dropout = options.dropout,
          .seed = options.seed,
          .sliding_window = options.sliding_window,
          .output_shape = options.output_shape,
          .attention_axes = options.attention_axes,
          .use_gate = options.use_gate,
          .has_public_projections = true};
}

class MultiHeadAttentionLayer : public HeadsLayer {
 public:
  explicit MultiHeadAttentionLayer(const MultiHeadAttentionOptions& options)
      : HeadsLayer(without_activity(layer_settings("MultiHeadAttention", options)), settings_of(options),
                   projection_options(options)),
        value_dim_(options.value_dim.value_or(options.key_dim)) {
    for (const auto& [option, value] :
         {std::pair("num_heads", options.num_heads), std::pair("key_dim", options.key_dim),
          std::pair("value_dim", value_dim_)})
      if (value <= 0) option_error(option, "must be positive", fmt::format("{}", value));
  }

  bool uses_up_masks() const override { return true; }

 protected:
  void add_to_config(Config& fields) const override {
    fields.set("value_dim", value_dim_);
    if (attention_axes().empty()) return;
    Config axes{Config::List()};
    for (const std::int64_t axis : attention_axes()) axes.append(axis);
    fields.set("attention_axes", std::move(axes));
  }

 private:
  std::int64_t value_dim_;
};

}  // namespace

MultiHeadAttention::MultiHeadAttention(MultiHeadAttentionOptions options)
    : LayerHandle(std::make_shared<MultiHeadAttentionLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
