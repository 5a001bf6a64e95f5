#pragma once

#include <memory>

#include "cornu/keras/config/config.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/layer/layer.h"

/// Conversion between models and configurations, for the table of classes.
namespace cornu::inline v0::keras {

class FunctionalNetwork;

namespace saving {

std::shared_ptr<Layer> make_sequential(const Config& config, const ClassId& id);
std::shared_ptr<Layer> make_functional(const Config& config, const ClassId& id);

/// Keras's get_config() of a functional model: its layers, their calls, its inputs and outputs.
/// Errors: Unimplemented, naming the layer, for calls with tensors as masks or random counters; those of
///         Layer::get_config.
Config functional_config(const FunctionalNetwork& network);

}  // namespace saving
}  // namespace cornu::inline v0::keras
