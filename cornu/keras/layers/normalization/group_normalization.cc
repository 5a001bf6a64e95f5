#include "cornu/keras/layers/normalization/group_normalization.h"

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/normalization/normalization_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class GroupNormalizationLayer : public normalization::ScalingLayer {
 public:
  explicit GroupNormalizationLayer(GroupNormalizationOptions options)
      : ScalingLayer(layer_settings("GroupNormalization", options)), options_(std::move(options)) {
    if (options_.groups <= 0 && options_.groups != -1)
      option_error("groups", "must be positive, or -1 for as many as channels",
                   fmt::format("{}", options_.groups));
    check_scaling(options_);
    set_supports_masking(true);
    set_type_rule(TypeRule::kCast);
    set_autocast(false);
  }

 protected:
  void build(const Dims& input_shape) override {
    axis_ = normalization::known_axis("group_normalization", options_.axis, input_shape);
    const std::int64_t channels = input_shape[static_cast<std::size_t>(axis_)];
    if (channels == 0)
      invalid_argument("[group_normalization] the input must have channels; got an input of shape {}",
                       shape_with_none_str(input_shape));
    groups_ = options_.groups == -1 ? channels : options_.groups;
    if (axis_ == 0)
      invalid_argument(
          {.argument = "axis"},
          "[group_normalization] the channels cannot be the batch; got axis = {} for an input of shape {}",
          options_.axis, shape_with_none_str(input_shape));
    if (channels % groups_ != 0)
      invalid_argument({.argument = "groups"},
                       "[group_normalization] groups must divide the {} channels; got groups = {}", channels,
                       options_.groups);
    if (options_.scale) add_gamma(options_, {channels});
    if (options_.center) add_beta(options_, {channels});
    set_input_spec({.ndim = static_cast<std::int64_t>(input_shape.size()), .axes = {{axis_, channels}}});
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    Dims grouped = input.shape(), along(input.shape().size(), 1);
    const auto at = static_cast<std::size_t>(axis_);
    along[at] = grouped[at];
    grouped[at] /= groups_;
    grouped.insert(grouped.begin() + axis_, groups_);
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = 1; axis < static_cast<std::int64_t>(grouped.size()); ++axis)
      if (axis != axis_) axes.push_back(axis);
    const Tensor x = normalization::as_dtype(input, normalization::wide_dtype(input.dtype()));
    Tensor y =
        ops::layer_normalization(ops::reshape(x, grouped), {.axis = axes, .epsilon = options_.epsilon});
    y = ops::reshape(y, input.shape());
    const auto spread = [&](const Variable& weight) {
      return ops::reshape(normalization::as_dtype(weight, x.dtype()), along);
    };
    if (gamma_.defined()) y = y * spread(gamma_);
    if (beta_.defined()) y = y + spread(beta_);
    return normalization::as_dtype(y, compute_dtype());
  }

 private:
  GroupNormalizationOptions options_;
  std::int64_t axis_ = 0;
  std::int64_t groups_ = 0;
};

}  // namespace

GroupNormalization::GroupNormalization(GroupNormalizationOptions options)
    : LayerHandle(std::make_shared<GroupNormalizationLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
