// Conversion of options whose values may be objects of other families.
#include <optional>
#include <string>

#include "cornu/keras/activations/activations.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/optimizers/schedules/learning_rate_schedule.h"

namespace cornu::inline v0::keras::saving {

Config write_value(const ActivationSpec& value, const Place& place) {
  if (value.layer() != nullptr) return serialize_at(place, *value.layer());
  const std::optional<std::string> name = value.keras_name();
  if (!name.has_value())
    holds_code(place, "give an activation by its name, or a layer that has a get_config()");
  return {*name};
}
Config write_value(const LearningRate& value, const Place& place) {
  if (value.is_number()) return {static_cast<double>(static_cast<float>(value.number()))};
  return serialize_at(place, *value.schedule());
}

void read_value(const Config& config, const Place& place, ActivationSpec& value) {
  value = {};
  if (config.is_null()) return;
  const Config* name = &config;
  if (config.is_dict() && !(config.contains("class_name") && config.at("class_name") == Config("function"))) {
    value = LayerHandle(deserialize<Layer>(config, place));
    return;
  }
  // A function of Keras's may be given as an object: {"module": "builtins", "class_name": "function",
  // "config": "relu", ...}.
  if (const Config* class_name = config.find("class_name");
      class_name != nullptr && *class_name == Config("function"))
    name = config.find("config");
  if (name == nullptr || !name->is_string())
    wrong_type(place, "an activation's name, a layer or null", config);
  value = ActivationSpec(name->as_string());
  value.check({place.class_name, place.key});
}
void read_value(const Config& config, const Place& place, LearningRate& value) {
  if (config.is_number()) {
    value = config.as_number();
  } else if (config.is_dict()) {
    value = LearningRate(deserialize<LearningRateSchedule>(config, place));
  } else {
    wrong_type(place, "a number or a learning rate schedule", config);
  }
}

}  // namespace cornu::inline v0::keras::saving
