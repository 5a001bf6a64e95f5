#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::keras {

class Config;
class Layer;
class Loss;
class Metric;
class Optimizer;
class LearningRateSchedule;
class Initializer;
class Regularizer;
class Constraint;

/// Functions that make objects of a user's classes, by the classes' names in files. The functions are held by
/// a pointer, so that a program that includes this header instantiates no map of them.
template <typename T>
class CustomMakers {
 public:
  using Maker = std::function<std::shared_ptr<T>(const Config& config)>;

  CustomMakers();
  CustomMakers(const CustomMakers& other);
  CustomMakers(CustomMakers&& other) noexcept;
  CustomMakers& operator=(const CustomMakers& other);
  CustomMakers& operator=(CustomMakers&& other) noexcept;
  ~CustomMakers();

  /// The function of a name, an empty one if there was none.
  Maker& operator[](const StringArgument& name);
  /// Null if there is none.
  const Maker* find(const StringArgument& name) const;
  bool contains(const StringArgument& name) const { return find(name) != nullptr; }

 private:
  std::unique_ptr<std::map<std::string, Maker>> makers_;  // null: none
};

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
  using Makers = CustomMakers<T>;

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
