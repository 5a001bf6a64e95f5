#pragma once

#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layer/layer.h"

/// For the sources of Cornu's own layers.
namespace cornu::inline v0::keras {

/// The LayerSettings given in a layer's options, and the options themselves, from which get_config() is
/// written. (Aggregates with designated initializers cannot have a common base.)
template <typename Options>
LayerSettings layer_settings(const char* class_name, const Options& options) {
  LayerSettings settings{
      .class_name = class_name, .name = options.name, .trainable = options.trainable, .dtype = options.dtype};
  if constexpr (requires { options.input_shape; }) settings.input_shape = options.input_shape;
  if constexpr (requires { options.activity_regularizer; })
    settings.activity_regularizer = options.activity_regularizer;
  if constexpr (saving::HasFields<const Options>) {
    // A configuration has the data format of the layer, also after set_image_data_format().
    if constexpr (requires { options.data_format.empty(); }) {
      if (options.data_format.empty() && config::image_data_format() != "channels_last") {
        Options chosen = options;
        chosen.data_format = config::image_data_format();
        settings.described = saving::describe(chosen);
        return settings;
      }
    }
    settings.described = saving::describe(options);
  }
  return settings;
}

}  // namespace cornu::inline v0::keras
