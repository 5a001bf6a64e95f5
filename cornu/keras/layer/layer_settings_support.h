#pragma once

#include "cornu/keras/config/described_options_support.h"
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
  if constexpr (saving::HasFields<const Options>) settings.described = saving::describe(options);
  return settings;
}

}  // namespace cornu::inline v0::keras
