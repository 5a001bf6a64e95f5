#include "cornu/keras/files/old_config.h"

#include <memory>
#include <string>
#include <utility>

#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metric.h"

namespace cornu::inline v0::keras::files {
namespace {

bool is_text(const Config* value, std::string_view text) {
  return value != nullptr && value->is_string() && value->as_string() == text;
}

/// One call of Keras 2: [[layer, call, tensor, kwargs], ...], the inputs of the call.
Config from_old_call(const Config& call) {
  if (!call.is_list()) return call;
  Config::List inputs;
  Config kwargs = Config::dict();
  const auto tensor = [](const Config::List& parts) {
    return Config::dict(
        {{"class_name", "__keras_tensor__"},
         {"config", Config::dict({{"keras_history", Config::list({parts[0], parts[1], parts[2]})}})}});
  };
  const auto is_history = [](const Config& value) {
    return value.is_list() && value.size() >= 3 && value.at(std::size_t{0}).is_string() &&
           value.at(std::size_t{1}).is_integer() && value.at(std::size_t{2}).is_integer();
  };
  for (const Config& input : call.as_list()) {
    if (!is_history(input)) return call;  // what is wrong is said where calls are read
    const Config::List& parts = input.as_list();
    inputs.push_back(tensor(parts));
    if (parts.size() < 4 || !parts[3].is_dict()) continue;
    for (const auto& [key, value] : parts[3].as_dict())
      kwargs.set(key, is_history(value) ? tensor(value.as_list()) : value);
  }
  Config arguments = inputs.size() == 1 ? inputs[0] : Config(inputs);
  return Config::dict({{"args", Config::list({std::move(arguments)})}, {"kwargs", std::move(kwargs)}});
}

Config from_old_calls(const Config& calls) {
  if (!calls.is_list()) return calls;
  Config::List converted;
  for (const Config& call : calls.as_list()) converted.push_back(from_old_call(call));
  return converted;
}

/// Arguments that Keras 3 no longer has: left out where they say nothing that it would do otherwise.
void drop_old_arguments(const std::string& class_name, Config& config) {
  const auto drop_if = [&](const char* key, const Config& harmless) {
    if (const Config* value = config.find(key); value != nullptr && *value == harmless) config.erase(key);
  };
  drop_if("ragged", false);
  drop_if("sparse", false);
  drop_if("time_major", false);
  drop_if("batch_input_shape", nullptr);
  if (class_name != "InputLayer") drop_if("input_length", nullptr);
  if (class_name.ends_with("Transpose") || class_name.starts_with("Depthwise")) drop_if("groups", 1);
  if (class_name == "LSTM" || class_name == "GRU" || class_name == "SimpleRNN")
    config.erase("implementation");
}

Config from_old_object(const Config& object);

/// An InputLayer for what Keras 2 says in front of a Sequential.
Config input_layer_for(const Config& shape, const std::string& name) {
  return Config::dict({{"class_name", "InputLayer"},
                       {"config", Config::dict({{"batch_shape", shape}, {"name", name + "_input"}})}});
}

Config from_old_layers(const Config& layers, bool is_sequential) {
  if (!layers.is_list()) return layers;
  Config::List converted;
  for (const Config& layer : layers.as_list()) {
    const Config* config = layer.find("config");
    const Config* shape = config == nullptr ? nullptr : config->find("batch_input_shape");
    const bool is_first =
        is_sequential && converted.empty() && !is_text(layer.find("class_name"), "InputLayer");
    if (is_first && shape != nullptr && shape->is_list()) {
      const Config* name = config->find("name");
      converted.push_back(
          input_layer_for(*shape, name != nullptr && name->is_string() ? name->as_string() : "model"));
    }
    converted.push_back(from_old_object(layer));
  }
  return converted;
}

Config from_old_object(const Config& object) {
  if (!object.is_dict()) return object;
  const Config* class_name = object.find("class_name");
  const Config* inside = object.find("config");
  if (class_name == nullptr || !class_name->is_string() || inside == nullptr || !inside->is_dict())
    return object;
  Config result = object, config = *inside;
  std::string name = class_name->as_string();
  if (name == "Model") result.set("class_name", name = "Functional");
  if (name == "GroupedQueryAttention") result.set("class_name", name = "GroupQueryAttention");
  if (name == "InputLayer") {
    if (const Config* shape = inside->find("batch_input_shape"); shape != nullptr) {
      config.set("batch_shape", *shape);
      config.erase("batch_input_shape");
    }
  } else {
    config.erase("batch_input_shape");  // an input in front says it
  }
  drop_old_arguments(name, config);
  if (const Config* layers = inside->find("layers"); layers != nullptr)
    config.set("layers", from_old_layers(*layers, name == "Sequential"));
  for (const char* key : {"layer", "backward_layer", "cell"})
    if (const Config* held = inside->find(key); held != nullptr) config.set(key, from_old_object(*held));
  result.set("config", std::move(config));
  if (const Config* calls = object.find("inbound_nodes"); calls != nullptr)
    result.set("inbound_nodes", from_old_calls(*calls));
  return result;
}

}  // namespace

Config from_old_config(const Config& model) { return from_old_object(model); }

Config from_old_training_config(const Config& config) {
  Config result = config;
  if (const Config* optimizer = config.find("optimizer_config"); optimizer != nullptr) {
    result.set("optimizer", *optimizer);
    result.erase("optimizer_config");
  }
  return result;
}

namespace {

Config object_of(const std::shared_ptr<Loss>& loss, const std::string&) { return saving::serialize(*loss); }

/// A name stands for a function; its class under the name that logs give it, or the name where there is no such class.
Config object_of(const std::shared_ptr<Metric>& metric, const std::string& name) {
  for (const std::string& class_name : saving::class_names<Metric>())
    if (canonical_name(class_name) == canonical_name(metric->name()))
      return saving::serialize(*saving::from_config<Metric>(class_name, Config::dict({{"name", name}})));
  return name;
}

/// Names in a loss or a list or dict of losses or metrics, as objects: Keras 3 does not find names in files of the older
/// form. Those that follow from shapes stay; Keras knows them.
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
