#include "cornu/keras/layers/core/wrapper.h"

#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {

Wrapper::Wrapper(const LayerHandle& layer, LayerSettings settings)
    : Layer(std::move(settings)), layer_(layer) {
  if (layer_.shared() == nullptr) option_error("the layer is empty");
  track(layer_, "layer");
}

void Wrapper::build_for(std::span<const Dims> input_shapes) { layer_->build_once_for(input_shapes); }

void Wrapper::add_to_config(Config& fields) const { fields.set("layer", saving::serialize(*layer_)); }

}  // namespace cornu::inline v0::keras::layers
