#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/custom_objects.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct DescriptionLimits {
  /// What the model's weights, and apart from them what its options make besides (tables of interpolation
  /// weights, steps that are unrolled), may take. Unset: the memory that this process can have.
  std::optional<std::int64_t> max_bytes = {};
};

/// A new model of what Model::to_json or Keras, from version 2 on, wrote, with new weights; not compiled.
/// Errors: InvalidArgument that names class and key for what is no such model; nothing but Cornu's own
///         classes, and those of `custom_objects`, is ever made. ResourceExhausted, naming the weight, before
///         memory beyond `limits` is taken.
Model model_from_json(StringViewArgument json, const CustomObjects& custom_objects = {},
                      const DescriptionLimits& limits = {});
/// The same from `saving::serialize` of a model.
Model model_from_config(const Config& config, const CustomObjects& custom_objects = {},
                        const DescriptionLimits& limits = {});

struct CloneOptions {  // options/models.toml
  /// Function that returns the layer of the clone for a layer; not called for inputs and operations. Empty: a
  /// new layer of the same configuration.
  std::function<LayerHandle(const LayerHandle&)> clone_function = {};
};

/// A model of new layers with new weights, like this one: Sequential, functional, with shared layers and
/// models inside. Not compiled.
///
///     keras::Model target = keras::clone_model(online);
///     target.set_weights(online.get_weights());
///
/// Errors: Unimplemented, naming the layer, for layers that have no configuration (see Layer::get_config)
///         unless clone_function makes them, and for models of the user's classes.
Model clone_model(const Model& model, const CloneOptions& options = {});

namespace saving {
class KerasVersion;

/// The same for a file of some version, without limits of its own.
Model make_model(const Config& description, const KerasVersion& version, const CustomObjects& custom_objects);
}  // namespace saving

namespace models {
using keras::clone_model;
using keras::model_from_json;
}  // namespace models

}  // namespace cornu::inline v0::keras
