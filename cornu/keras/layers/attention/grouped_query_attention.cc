#include "cornu/keras/layers/attention/grouped_query_attention.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/attention/heads_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The number of query heads for each head of key and value; 1 for numbers that the constructor refuses.
std::int64_t repeats_of(const GroupQueryAttentionOptions& options) {
  return options.num_key_value_heads > 0
             ? std::max<std::int64_t>(1, options.num_query_heads / options.num_key_value_heads)
             : 1;
}

HeadsLayer::Settings group_heads(const GroupQueryAttentionOptions& options) {
  return {.tag = "grouped_query_attention",
          .num_heads = options.num_query_heads,
          .repeats = repeats_of(options),
          .key_dim = options.head_dim,
          .value_dim = options.head_dim,
          .dropout = options.dropout,
          .seed = options.seed,
          .sliding_window = options.sliding_window,
          .output_shape = {},
          .attention_axes = {},
          .use_gate = options.use_gate,
          .has_public_projections = false};
}

class GroupedQueryAttentionLayer : public HeadsLayer {
 public:
  explicit GroupedQueryAttentionLayer(const GroupQueryAttentionOptions& options)
      : HeadsLayer(layer_settings("GroupedQueryAttention", options), group_heads(options),
                   projection_options(options)) {
    for (const auto& [option, value] :
         {std::pair("head_dim", options.head_dim), std::pair("num_query_heads", options.num_query_heads),
          std::pair("num_key_value_heads", options.num_key_value_heads)})
      if (value <= 0) option_error(option, "must be positive", fmt::format("{}", value));
    if (options.num_query_heads % options.num_key_value_heads != 0)
      option_error("num_key_value_heads",
                   fmt::format("must divide num_query_heads = {}", options.num_query_heads),
                   fmt::format("{}", options.num_key_value_heads));
    // Configurations contain the public name, paths and files that of the class.
    DescriptionAccess::set(*this, {"GroupQueryAttention", description().options});
  }

 protected:
  void build_for(std::span<const Dims> shapes) override {
    for (std::size_t i = 0; i < std::min<std::size_t>(shapes.size(), 3); ++i)
      if (shapes[i].size() != 3)
        invalid_argument(
            "[grouped_query_attention] query, value and key are [batch, steps, features]; got {}",
            shape_with_none_str(shapes[i]));
    HeadsLayer::build_for(shapes);
  }
};

}  // namespace

GroupQueryAttention::GroupQueryAttention(GroupQueryAttentionOptions options)
    : LayerHandle(std::make_shared<GroupedQueryAttentionLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
