#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras {

class Layer;
class Loss;
class Metric;
class Optimizer;
class LearningRateSchedule;
class Initializer;
class Regularizer;
class Constraint;
class Quantizer;
class QuantizationConfig;

namespace saving {

/// A key of a class's configuration; both empty at the top.
struct Place {
  std::string_view class_name = {};
  std::string_view key = {};
};

/// The bases of what can be written: each has its own classes.
template <typename T>
concept Family =
    std::same_as<T, Layer> || std::same_as<T, Loss> || std::same_as<T, Metric> ||
    std::same_as<T, Optimizer> || std::same_as<T, LearningRateSchedule> || std::same_as<T, Initializer> ||
    std::same_as<T, Regularizer> || std::same_as<T, Constraint> || std::same_as<T, Quantizer> ||
    std::same_as<T, QuantizationConfig>;

/// An object as Keras's `serialize_keras_object` writes it:
///
///     {"module": "keras.layers", "class_name": "Dense", "config": {...}, "registered_name": null}
///
/// and, of layers that are built, "build_config".
/// Errors: Unimplemented as Configurable::get_config.
template <Family T>
Config serialize(const T& object);

/// A new object of what `serialize` or Keras wrote; a layer with "build_config" is built.
/// Errors: InvalidArgument that names `place`, class and key: for what is no such object, a class that there
///         is not (classes of the user's are never made), an unknown key or a value of a wrong type (with the
///         nearest known name); what the class's constructor refuses.
template <Family T>
std::shared_ptr<T> deserialize(const Config& config, const Place& place = {});

/// A new object of a class from its configuration alone; keys that are left out have their defaults.
/// Errors: as deserialize.
template <Family T>
std::shared_ptr<T> from_config(const std::string& class_name, const Config& config);

/// The names of the classes that can be made, sorted.
template <Family T>
std::vector<std::string> class_names();

}  // namespace saving
}  // namespace cornu::inline v0::keras
