#include "cornu/keras/layers/preprocessing/rescaling.h"

#include "cornu/base/check.h"
#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class RescalingLayer : public Layer {
 public:
  explicit RescalingLayer(RescalingOptions options)
      : Layer(layer_settings("Rescaling", options)),
        scale_(std::move(options.scale)),
        offset_(std::move(options.offset)) {
    for (const auto& [option, value] : {std::pair("scale", &scale_), std::pair("offset", &offset_)}) {
      if (!value->defined()) option_error(fmt::format("{} is missing", option));
      if (value->is_symbolic()) option_error(fmt::format("{} must be a concrete tensor", option));
      *value = ops::cast(*value, compute_dtype());
    }
    if (scale_.rank() > 0 && scale_.rank() < 3 && config::image_data_format() == "channels_first") {
      Dims shape = scale_.shape();  // of the channels, which come before rows and columns
      shape.resize(3, 1);
      scale_ = ops::reshape(scale_, shape);
    }
    set_supports_masking(true);
    set_type_rule(TypeRule::kCast);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    std::optional<Dims> shape = broadcast_shapes(input_shape, scale_.shape());
    if (shape.has_value()) shape = broadcast_shapes(*shape, offset_.shape());
    if (!shape.has_value())
      invalid_argument(
          "[rescaling] scale and offset must broadcast with the input; got the shapes {} and {} for an input "
          "of shape {}",
          shape_with_none_str(scale_.shape()), shape_with_none_str(offset_.shape()),
          shape_with_none_str(input_shape));
    return *shape;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::cast(input, compute_dtype()) * scale_ + offset_;
  }

 private:
  Tensor scale_;
  Tensor offset_;
};

}  // namespace

Rescaling::Rescaling(RescalingOptions options)
    : LayerHandle(std::make_shared<RescalingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
