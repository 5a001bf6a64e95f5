#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/custom_objects.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct DescriptionLimits {
  /// The most bytes for the model's weights, and separately for other tensors made from its options (tables
  /// of interpolation weights, unrolled steps). Unset: the memory available to this process.
  std::optional<std::int64_t> max_bytes = {};
};

/// Makes a model from the result of Model::to_json, or of Keras from version 2 on, with new weights; not
/// compiled.
/// Errors: InvalidArgument, naming class and key, for text that is not such a model; only Cornu's own
///         classes, and those of `custom_objects`, are ever made. ResourceExhausted, naming the weight,
///         before memory beyond `limits` is allocated.
Model model_from_json(StringViewArgument json, const CustomObjects& custom_objects = {},
                      const DescriptionLimits& limits = {});
/// Makes a model from the result of `saving::serialize`.
Model model_from_config(const Config& config, const CustomObjects& custom_objects = {},
                        const DescriptionLimits& limits = {});

/// Calls a layer of a clone on its inputs, with the arguments of the original's call.
using CloneCall = std::function<std::vector<KerasTensor>(
    const LayerHandle& layer, std::span<const KerasTensor> inputs, const CallArguments& arguments)>;

struct CloneOptions {  // options/models.toml
  /// Function that returns the layer of the clone for a layer; not called for inputs and operations. Empty: a
  /// new layer of the same configuration.
  std::function<LayerHandle(const LayerHandle&)> clone_function = {};
  /// Function that calls a layer of the clone of a functional model and returns its outputs; it may add
  /// further layers. Empty: the layer alone is called. Inner models that are cloned by `recursive` receive
  /// it, Sequential ones excepted.
  CloneCall call_function = {};
  /// Tensors in place of the inputs, in their order and of their shapes. Empty: new inputs.
  std::vector<KerasTensor> input_tensors = {};
  /// True: inner Sequential and functional models are cloned by clone_model with the same functions; false:
  /// as layers.
  bool recursive = false;
};

/// Copies the structure of a model (Sequential or functional, with shared layers and inner models) with new
/// layers and new weights. The result is not compiled.
///
///     keras::Model target = keras::clone_model(online);
///     target.set_weights(online.get_weights());
///
/// Errors: Unimplemented, naming the layer, for layers without a configuration (see Layer::get_config),
///         unless clone_function makes them, and for models of user classes; InvalidArgument for a call_function
///         of a Sequential model, and for input_tensors that do not fit the inputs.
Model clone_model(const Model& model, const CloneOptions& options = {});

namespace saving {
class KerasVersion;

/// The same for a file of some version, without limits.
Model make_model(const Config& description, const KerasVersion& version, const CustomObjects& custom_objects);
}  // namespace saving

namespace models {
using keras::clone_model;
using keras::model_from_json;
}  // namespace models

}  // namespace cornu::inline v0::keras
