#include "cornu/keras/layers/rnn/bidirectional.h"

#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

std::string with_prefix(std::string_view prefix, std::string_view name) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::string(prefix) + std::string(name);
}

/// "none" means nullopt.
std::optional<std::string> merge_mode_of(const BidirectionalOptions& options) {
  return options.merge_mode == "none" ? std::nullopt : options.merge_mode;
}

}  // namespace

class BidirectionalLayer : public Layer {
 public:
  BidirectionalLayer(const RecurrentLayer* layer, const BidirectionalOptions& options)
      : Layer(layer_settings("Bidirectional", options)), merge_mode_(merge_mode_of(options)) {
    if (layer == nullptr) option_error("the layer is empty");
    if (merge_mode_.has_value() && *merge_mode_ != "sum" && *merge_mode_ != "mul" &&
        *merge_mode_ != "concat" && *merge_mode_ != "ave")
      option_error("merge_mode", "must be \"sum\", \"mul\", \"concat\", \"ave\" or none",
                   fmt::format("\"{}\"", *merge_mode_));
    forward_ = layer->remake(with_prefix("forward_", layer->name()), layer->options().go_backwards);
    backward_ = options.backward_layer.recurrent();
    if (backward_ == nullptr) backward_ = layer->remake(with_prefix("backward_", layer->name()), true);
    check_layers();
    const bool zero_output = forward_->options().return_sequences;
    forward_->set_zero_output_for_mask(zero_output);
    backward_->set_zero_output_for_mask(zero_output);
    track(LayerHandle(forward_), "forward_layer");
    track(LayerHandle(backward_), "backward_layer");
    set_supports_masking(true);
    set_type_rule(TypeRule::kOverridden);
  }

  const std::shared_ptr<RecurrentLayer>& forward_layer() const { return forward_; }
  const std::shared_ptr<RecurrentLayer>& backward_layer() const { return backward_; }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    const std::vector<TensorType> forward = forward_->compute_output_types(parts(inputs, true));
    const std::vector<TensorType> backward = backward_->compute_output_types(parts(inputs, false));
    std::vector<TensorType> types = {{compute_dtype(), forward[0].dims}};
    if (!merge_mode_.has_value()) types.push_back({compute_dtype(), backward[0].dims});
    if (merge_mode_ == "concat") types[0].dims.back() += backward[0].dims.back();
    types.insert(types.end(), forward.begin() + 1, forward.end());
    types.insert(types.end(), backward.begin() + 1, backward.end());
    return types;
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override {
    std::vector<Tensor> masks(outputs.size());
    if (!forward_->options().return_sequences || inputs[0].mask() == nullptr) return masks;
    masks[0] = *inputs[0].mask();
    if (!merge_mode_.has_value()) masks[1] = masks[0];
    return masks;
  }

 protected:
  void add_to_config(Config& fields) const override {
    fields.set("layer", saving::serialize<Layer>(*forward_));
    fields.set("backward_layer", saving::serialize<Layer>(*backward_));
  }

  void build_for(std::span<const Dims> input_shapes) override {
    forward_->build_once_for(parts(input_shapes, true));
    backward_->build_once_for(parts(input_shapes, false));
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    const CallArguments arguments{.mask = context.is_given_mask ? *inputs[0].mask() : Tensor()};
    std::vector<Tensor> forward = forward_->call_many(parts(inputs, true), arguments);
    const RecurrentLayer::InInputOrder in_input_order(*backward_);
    std::vector<Tensor> backward = backward_->call_many(parts(inputs, false), arguments);
    // The two layers may have other compute dtypes.
    for (Tensor* const output : {&forward[0], &backward[0]}) *output = ops::cast(*output, compute_dtype());
    if (forward_->options().return_sequences && !backward_->options().go_backwards)
      backward[0] = ops::flip(backward[0], 1);
    std::vector<Tensor> outputs;
    if (merge_mode_.has_value()) {
      outputs.push_back(merged(forward[0], backward[0]));
    } else {
      outputs = {forward[0], backward[0]};
    }
    outputs.insert(outputs.end(), forward.begin() + 1, forward.end());
    outputs.insert(outputs.end(), backward.begin() + 1, backward.end());
    return outputs;
  }

 private:
  void check_layers() const {
    const RNNOptions &forward = forward_->options(), &backward = backward_->options();
    if (forward.go_backwards == backward.go_backwards)
      option_error(fmt::format("the layers must go different ways; got go_backwards = {} for both",
                               forward.go_backwards));
    const auto demand = [&](const char* what, bool a, bool b) {
      if (a != b)
        option_error(
            fmt::format("both layers must have the same {}; got {} forward and {} backward", what, a, b));
    };
    demand("return_sequences", forward.return_sequences, backward.return_sequences);
    demand("return_state", forward.return_state, backward.return_state);
    demand("stateful", forward.stateful, backward.stateful);
  }

  /// The inputs of one of the layers: the sequence, and its part of the initial states.
  template <typename T>
  std::vector<T> parts(std::span<const T> inputs, bool is_forward) const {
    const std::size_t num_forward = forward_->cell()->state_sizes().size(),
                      num_backward = backward_->cell()->state_sizes().size();
    if (inputs.size() != 1 && inputs.size() != 1 + num_forward + num_backward)
      invalid_argument(
          "[bidirectional] expected the sequence, or the sequence and {} initial states; got {} inputs",
          num_forward + num_backward, inputs.size());
    std::vector<T> result = {inputs[0]};
    if (inputs.size() == 1) return result;
    const std::span<const T> states =
        is_forward ? inputs.subspan(1, num_forward) : inputs.subspan(1 + num_forward);
    result.insert(result.end(), states.begin(), states.end());
    return result;
  }

  Tensor merged(const Tensor& forward, const Tensor& backward) const {
    if (*merge_mode_ == "concat") return ops::concatenate({forward, backward}, -1);
    if (forward.shape() != backward.shape())
      invalid_argument("[bidirectional] merge_mode \"{}\" needs outputs of one shape; got {} and {}",
                       *merge_mode_, ir::shape_str(forward.shape()), ir::shape_str(backward.shape()));
    if (*merge_mode_ == "mul") return forward * backward;
    const Tensor sum = forward + backward;
    return *merge_mode_ == "ave" ? sum / 2.0 : sum;
  }

  std::optional<std::string> merge_mode_;
  std::shared_ptr<RecurrentLayer> forward_, backward_;
};

Bidirectional::Bidirectional(const Recurrent& layer, const BidirectionalOptions& options) {
  layer_ = std::make_shared<BidirectionalLayer>(layer.recurrent().get(), options);
  static_cast<LayerHandle&>(*this) = LayerHandle(layer_.shared());
}

Recurrent Bidirectional::forward_layer() const { return Recurrent(layer_->forward_layer()); }
Recurrent Bidirectional::backward_layer() const { return Recurrent(layer_->backward_layer()); }

void Bidirectional::reset_state() const {
  layer_->forward_layer()->reset_state();
  layer_->backward_layer()->reset_state();
}

}  // namespace cornu::inline v0::keras::layers
