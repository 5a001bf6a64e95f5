#include "cornu/keras/files/old_config.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cornu/base/log_formatted.h"
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
  Config::Dict kwargs;
  std::unordered_map<std::string, std::size_t> places;  // of the keys in kwargs
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
    for (const auto& [key, value] : parts[3].as_dict()) {
      const auto [place, is_new] = places.emplace(key, kwargs.size());
      if (is_new) kwargs.emplace_back(key, Config());
      kwargs[place->second].second = is_history(value) ? tensor(value.as_list()) : value;
    }
  }
  Config arguments = inputs.size() == 1 ? std::move(inputs[0]) : Config(std::move(inputs));
  return Config::dict(
      {{"args", Config::list({std::move(arguments)})}, {"kwargs", Config::dict(std::move(kwargs))}});
}

Config from_old_calls(const Config& calls) {
  if (!calls.is_list()) return calls;
  Config::List converted;
  for (const Config& call : calls.as_list()) converted.push_back(from_old_call(call));
  return converted;
}

/// Arguments that Keras 3 no longer has: left out where they say nothing that it would do otherwise.
bool is_given_up(const std::string& class_name, std::string_view key, const Config& value) {
  const auto is = [&](const char* old, const Config& harmless) { return key == old && value == harmless; };
  if (is("ragged", false) || is("sparse", false) || is("time_major", false)) return true;
  if (class_name != "InputLayer" && is("input_length", nullptr)) return true;
  if ((class_name.ends_with("Transpose") || class_name.starts_with("Depthwise")) && is("groups", 1))
    return true;
  return key == "implementation" &&
         (class_name == "LSTM" || class_name == "GRU" || class_name == "SimpleRNN");
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

/// The options of a class.
Config from_old_options(const Config& options, const std::string& class_name) {
  const bool is_input = class_name == "InputLayer";
  const bool has_old_shape = options.contains("batch_input_shape");
  Config::Dict converted;
  for (const auto& [key, value] : options.as_dict()) {
    if (key == "batch_input_shape") {  // but for an InputLayer, an input in front says it
      if (is_input) converted.emplace_back("batch_shape", value);
    } else if (key == "layers") {
      converted.emplace_back(key, from_old_layers(value, class_name == "Sequential"));
    } else if (key == "layer" || key == "backward_layer" || key == "cell") {
      converted.emplace_back(key, from_old_object(value));
    } else if (!is_given_up(class_name, key, value) && !(is_input && has_old_shape && key == "batch_shape")) {
      converted.emplace_back(key, value);
    }
  }
  return Config::dict(std::move(converted));
}

/// Made of its parts, each of which is copied once: copies of what holds others would be there at each level.
Config from_old_object(const Config& object) {
  if (!object.is_dict()) return object;
  const Config* class_name = object.find("class_name");
  const Config* inside = object.find("config");
  if (class_name == nullptr || !class_name->is_string() || inside == nullptr || !inside->is_dict())
    return object;
  std::string name = class_name->as_string();
  if (name == "Model") name = "Functional";
  if (name == "GroupedQueryAttention") name = "GroupQueryAttention";
  Config::Dict converted;
  for (const auto& [key, value] : object.as_dict()) {
    if (key == "class_name")
      converted.emplace_back(key, name);
    else if (key == "config")
      converted.emplace_back(key, from_old_options(value, name));
    else
      converted.emplace_back(key, key == "inbound_nodes" ? from_old_calls(value) : value);
  }
  return Config::dict(std::move(converted));
}

}  // namespace

Config from_old_config(const Config& model) { return from_old_object(model); }

namespace {

/// Without the decay of the learning rate, which Keras 2.10 and older write, as 0 where nobody asked for it.
Config from_old_optimizer(const Config& optimizer) {
  const Config* const options = optimizer.find("config");
  const Config* const decay = options == nullptr ? nullptr : options->find("decay");
  if (decay == nullptr) return optimizer;
  if (!decay->is_null() && !(decay->is_number() && decay->as_number() == 0))
    log_warning(
        "[load_model] the optimizer's decay = {} is left out, as in Keras 3; the schedule InverseTimeDecay "
        "does what it did",
        decay->json().substr(0, 40));
  Config result = optimizer, others = *options;
  others.erase("decay");
  result.set("config", std::move(others));
  return result;
}

}  // namespace

Config from_old_training_config(const Config& config) {
  Config result = config;
  if (const Config* optimizer = config.find("optimizer_config"); optimizer != nullptr) {
    result.set("optimizer", from_old_optimizer(*optimizer));
    result.erase("optimizer_config");
  }
  return result;
}

namespace {

Config object_of(const std::shared_ptr<Loss>& loss, const std::string&) { return saving::serialize(*loss); }

/// A name stands for a function; its class under the name that logs give it, or the name where there
/// is no such class.
Config object_of(const std::shared_ptr<Metric>& metric, const std::string& name) {
  for (const std::string& class_name : saving::class_names<Metric>())
    if (canonical_name(class_name) == canonical_name(metric->name()))
      return saving::serialize(*saving::from_config<Metric>(class_name, Config::dict({{"name", name}})));
  return name;
}

/// Names in a loss or a list or dict of losses or metrics, as objects: Keras 3 does not find names in files
/// of the older form. Those that follow from shapes stay; Keras knows them.
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
