#include "cornu/keras/files/old_config.h"

#include <memory>
#include <string>

#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metric.h"

namespace cornu::inline v0::keras::files {
namespace {

Config object_of(const std::shared_ptr<Loss>& loss, const std::string&) { return saving::serialize(*loss); }

/// The metric as an object in the older format: a function by its name; a class under its name in logs, or
/// under `name` if there is no such class.
Config object_of(const std::shared_ptr<Metric>& metric, const std::string& name) {
  for (const std::string& class_name : saving::class_names<Metric>())
    if (canonical_name(class_name) == canonical_name(metric->name()))
      return saving::serialize(*saving::from_config<Metric>(class_name, Config::dict({{"name", name}})));
  return name;
}

/// Converts names in a loss or in a list or dict of losses or metrics to objects: Keras 3 does not resolve
/// names in files of the older format. Names that depend on shapes stay; Keras resolves these.
template <typename T>
Config with_objects(const Config& config) {
  if (config.is_string()) {
    const std::string& name = config.as_string();
    for (const char* follows : {"accuracy", "acc", "crossentropy", "ce"})
      if (name == follows) return config;
    return object_of(T::from_name(name), name);
  }
  if (config.is_list()) {
    Config list{Config::List()};
    for (const Config& each : config.as_list()) list.append(with_objects<T>(each));
    return list;
  }
  if (!config.is_dict() || config.contains("class_name")) return config;
  Config dict = Config::dict();
  for (const auto& [key, value] : config.as_dict()) dict.set(key, with_objects<T>(value));
  return dict;
}

}  // namespace

Config to_old_training_config(const Config& compile_config) {
  Config result = compile_config;
  if (const Config* loss = compile_config.find("loss")) result.set("loss", with_objects<Loss>(*loss));
  for (const char* key : {"metrics", "weighted_metrics"})
    if (const Config* metrics = compile_config.find(key)) result.set(key, with_objects<Metric>(*metrics));
  if (const Config* optimizer = compile_config.find("optimizer"); optimizer != nullptr) {
    result.set("optimizer_config", *optimizer);
    result.erase("optimizer");
  }
  return result;
}

}  // namespace cornu::inline v0::keras::files
