#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

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

/// Makes objects of the user's classes, by the names that files have for them: "package>Name" as Keras's
/// register_keras_serializable gives it, or the class's name alone.
///
///     CustomObjects objects;
///     objects.layers["demo>Scale"] = [](const Config& config) {
///       return std::make_shared<Scale>(config.at("factor").as_number());
///     };
///     Model model = load_model("model.keras", {.custom_objects = objects});
///
/// A function gets the class's "config". Functions stand for Python's Lambda layers, too ("Lambda").
struct CustomObjects {
  template <typename T>
  using Makers = std::map<std::string, std::function<std::shared_ptr<T>(const Config& config)>>;

  Makers<Layer> layers = {};
  Makers<Loss> losses = {};
  Makers<Metric> metrics = {};
  Makers<Optimizer> optimizers = {};
  Makers<LearningRateSchedule> schedules = {};
  Makers<Initializer> initializers = {};
  Makers<Regularizer> regularizers = {};
  Makers<Constraint> constraints = {};
};

}  // namespace cornu::inline v0::keras
