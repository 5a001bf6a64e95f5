#include "cornu/keras/saving/old_config.h"

#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/old_options_support.h"

namespace cornu::inline v0::keras::saving {

KerasVersion::KerasVersion(std::string_view text) : text_(text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && number > 0 && (end == text.data() + text.size() || *end == '.'))
    number_ = number;
}

namespace {

bool is_text(const Config* value, std::string_view text) {
  return value != nullptr && value->is_string() && value->as_string() == text;
}

/// [layer, call, tensor] or [layer, call, tensor, kwargs]
bool is_history(const Config& value) {
  return value.is_list() && value.size() >= 3 && value.at(std::size_t{0}).is_string() &&
         value.at(std::size_t{1}).is_integer() && value.at(std::size_t{2}).is_integer();
}

/// The numbering of calls in one functional model. Keras 2 counts the call of an inner model on its own
/// inputs, which no file contains, as the first.
class CallNumbers {
 public:
  CallNumbers() = default;
  explicit CallNumbers(const Config& functional) {
    const Config* const layers = functional.find("layers");
    if (layers == nullptr || !layers->is_list()) return;
    for (const Config& layer : layers->as_list()) add_model(layer);
    if (models_.empty()) return;
    for (const Config& layer : layers->as_list())
      if (const Config* const calls = layer.find("inbound_nodes"); calls != nullptr) see(*calls);
    if (const Config* const outputs = functional.find("output_layers"); outputs != nullptr) see(*outputs);
  }

  /// The present number of a call in the file.
  Config current(const std::string& layer, const Config& call) const {
    const auto found = models_.find(layer);
    const bool counts_own = found != models_.end() && found->second.counts_own();
    return counts_own && call.as_integer() > 0 ? Config(call.as_integer() - 1) : call;
  }
  /// The same for an output of the model: Keras 3 counts outputs of functional models as Keras 2 does.
  Config current_output(const std::string& layer, const Config& call) const {
    const auto found = models_.find(layer);
    return found == models_.end() || !found->second.is_sequential ? call : current(layer, call);
  }

 private:
  struct InnerModel {
    bool is_sequential = false;
    std::int64_t num_calls = 0;
    bool has_first = false, has_last = false;  // true if the calls 0 and num_calls exist

    bool counts_own() const { return has_last && !has_first; }
  };

  /// Only calls in the form of Keras 2 are numbered this way.
  void add_model(const Config& layer) {
    const Config* const class_name = layer.find("class_name");
    const Config* const name = layer.find("name");
    const Config* const calls = layer.find("inbound_nodes");
    if (class_name == nullptr || !class_name->is_string() || name == nullptr || !name->is_string() ||
        calls == nullptr || !calls->is_list() || calls->size() == 0 || !calls->at(std::size_t{0}).is_list())
      return;
    if (is_among("Functional Model Sequential", class_name->as_string()))
      models_[name->as_string()] = {is_text(class_name, "Sequential"),
                                    static_cast<std::int64_t>(calls->size())};
  }

  void see(const Config& value) {
    if (is_history(value)) {
      const auto found = models_.find(value.at(std::size_t{0}).as_string());
      if (found != models_.end()) {
        const Config& call = value.at(std::size_t{1});
        found->second.has_first |= call == Config(0);
        found->second.has_last |= call == Config(found->second.num_calls);
      }
    }
    if (value.is_list())
      for (const Config& part : value.as_list()) see(part);
    if (value.is_dict())
      for (const auto& [key, part] : value.as_dict()) see(part);
  }

  std::map<std::string, InnerModel> models_;
};

Config tensor_of(const Config& history, const CallNumbers& numbers) {
  const std::string& layer = history.at(std::size_t{0}).as_string();
  return Config::dict(
      {{"class_name", "__keras_tensor__"},
       {"config", Config::dict({{"keras_history",
                                 Config::list({layer, numbers.current(layer, history.at(std::size_t{1})),
                                               history.at(std::size_t{2})})}})}});
}

/// One argument of a call: a tensor, a list of tensors, or a value.
Config current_argument(const Config& value, const CallNumbers& numbers) {
  if (is_history(value)) return tensor_of(value, numbers);
  if (!value.is_list() || value.size() == 0) return value;
  Config::List tensors;
  for (const Config& each : value.as_list()) {
    if (!is_history(each)) return value;
    tensors.push_back(tensor_of(each, numbers));
  }
  return tensors;
}

/// One call of Keras 2: [[layer, call, tensor, kwargs], ...], the inputs of the call. `is_causal`: the layer
/// is an attention layer with a causal mask, which is an argument of each call today.
Config current_call(const Config& call, const CallNumbers& numbers, bool is_causal) {
  if (!call.is_list()) return call;
  Config::List inputs;
  Config::Dict kwargs;
  std::unordered_map<std::string, std::size_t> places;  // of the keys in kwargs
  for (const Config& input : call.as_list()) {
    if (!is_history(input)) return call;  // errors are reported where calls are read
    inputs.push_back(tensor_of(input, numbers));
    if (input.size() < 4 || !input.at(std::size_t{3}).is_dict()) continue;
    for (const auto& [key, value] : input.at(std::size_t{3}).as_dict()) {
      const auto [place, is_new] = places.emplace(key, kwargs.size());
      if (is_new) kwargs.emplace_back(key, Config());
      kwargs[place->second].second = current_argument(value, numbers);
    }
  }
  if (is_causal && !places.contains("use_causal_mask")) kwargs.emplace_back("use_causal_mask", true);
  Config arguments = inputs.size() == 1 ? std::move(inputs[0]) : Config(std::move(inputs));
  return Config::dict(
      {{"args", Config::list({std::move(arguments)})}, {"kwargs", Config::dict(std::move(kwargs))}});
}

Config current_calls(const Config& calls, const CallNumbers& numbers, bool is_causal) {
  if (!calls.is_list()) return calls;
  Config::List converted;
  for (const Config& call : calls.as_list()) converted.push_back(current_call(call, numbers, is_causal));
  return converted;
}

/// An InputLayer for the input shape that Keras 2 writes in the first layer of a Sequential.
Config input_layer_for(const Config& shape, const std::string& name) {
  return Config::dict({{"class_name", "InputLayer"},
                       {"config", Config::dict({{"batch_shape", shape}, {"name", name + "_input"}})}});
}

/// Converts the objects of one description. Each part is made from its converted parts and copied once;
/// otherwise nested objects would be copied at each level.
class Converter {
 public:
  explicit Converter(const KerasVersion& version) : version_(version) {}

  Config any(const Config& value) const {
    if (value.is_list()) {
      Config::List converted;
      converted.reserve(value.size());
      for (const Config& each : value.as_list()) converted.push_back(any(each));
      return converted;
    }
    if (!value.is_dict()) return value;
    if (value.contains("class_name") && value.contains("config")) return object(value, CallNumbers());
    Config::Dict converted;
    for (const auto& [key, each] : value.as_dict()) converted.emplace_back(key, any(each));
    return Config::dict(std::move(converted));
  }

 private:
  /// `numbers` are those of the model that contains the object as a layer.
  Config object(const Config& object, const CallNumbers& numbers) const {
    if (const std::optional<Config> operation = operation_of_tf_function(object); operation.has_value()) {
      Config::List arguments;
      for (const Config& each : operation->at("inbound_nodes").at(std::size_t{0}).as_list())
        arguments.push_back(current_argument(each, numbers));
      Config result = *operation;
      result.set("inbound_nodes",
                 Config::list({Config::dict({{"args", std::move(arguments)}, {"kwargs", Config::dict()}})}));
      return result;
    }
    const Config& class_name = object.at("class_name");
    const Config& inside = object.at("config");
    const bool is_list_of_layers =
        inside.is_list() && is_text(&class_name, "Sequential");  // before Keras 2.2.3
    if (!class_name.is_string() || !(inside.is_dict() || is_list_of_layers) || is_of_others(object))
      return object;
    const std::string& old_name = class_name.as_string();
    Config::Dict converted;
    for (const auto& [key, value] : object.as_dict()) {
      if (key == "class_name")
        converted.emplace_back(key, current_class_name(old_name));
      else if (key == "config" && is_list_of_layers)
        converted.emplace_back(key, Config::dict({{"layers", sequential_layers(value)}}));
      else if (key == "config")
        converted.emplace_back(key, options(value, old_name));
      else if (key == "inbound_nodes")
        converted.emplace_back(key, current_calls(value, numbers, is_causal(inside)));
      else if (key != "module" && key != "registered_name")  // the present ones follow from the class
        converted.emplace_back(key, value);
      else if (old_name == current_class_name(old_name) && !is_former_module(object))
        converted.emplace_back(key, value);
    }
    return Config::dict(std::move(converted));
  }

  static bool is_causal(const Config& options) {
    const Config* const causal = options.find("causal");
    return causal != nullptr && *causal == Config(true);
  }

  static bool is_former_module(const Config& object) {
    const Config* const module = object.find("module");
    return module != nullptr && module->is_string() && !module->as_string().starts_with("keras.") &&
           module->as_string() != "keras";
  }

  Config sequential_layers(const Config& layers) const {
    if (!layers.is_list()) return layers;
    Config::List converted;
    for (const Config& layer : layers.as_list()) {
      const Config* const config = layer.find("config");
      const Config* const shape = config == nullptr ? nullptr : config->find("batch_input_shape");
      const bool is_first = converted.empty() && !is_text(layer.find("class_name"), "InputLayer");
      if (is_first && shape != nullptr && shape->is_list()) {
        const Config* const name = config->find("name");
        converted.push_back(
            input_layer_for(*shape, name != nullptr && name->is_string() ? name->as_string() : "model"));
      }
      converted.push_back(any(layer));
    }
    return converted;
  }

  Config functional_layers(const Config& layers, const CallNumbers& numbers) const {
    if (!layers.is_list()) return any(layers);
    Config::List converted;
    for (const Config& layer : layers.as_list()) {
      const bool is_object = layer.contains("class_name") && layer.contains("config");
      converted.push_back(is_object ? object(layer, numbers) : layer);
    }
    return converted;
  }

  /// The options of a class.
  Config options(const Config& options, const std::string& old_name) const {
    const std::string name = current_class_name(old_name);
    const bool is_input = name == "InputLayer";
    const bool has_old_shape = options.contains("batch_input_shape");
    const CallNumbers numbers = name == "Functional" ? CallNumbers(options) : CallNumbers();
    Config::Dict converted;
    for (const auto& [old_key, value] : options.as_dict()) {
      const std::string key(current_key(name, old_key));
      if (key != old_key && options.contains(key)) continue;
      if (key == "batch_input_shape") {  // except for an InputLayer, an input layer before it has the shape
        if (is_input) converted.emplace_back("batch_shape", value);
      } else if (key == "layers" && name == "Sequential") {
        converted.emplace_back(key, sequential_layers(value));
      } else if (key == "layers" && name == "Functional") {
        converted.emplace_back(key, functional_layers(value, numbers));
      } else if (key == "output_layers" && name == "Functional") {
        converted.emplace_back(key, outputs(value, numbers));
      } else if (!is_left_out(name, key, value) && !(is_input && has_old_shape && key == "batch_shape")) {
        const std::optional<Config> changed = current_value(name, key, value, version_);
        converted.emplace_back(key, any(changed.has_value() ? *changed : value));
      }
    }
    add_implied_options(old_name, version_, converted);
    return Config::dict(std::move(converted));
  }

  static Config outputs(const Config& value, const CallNumbers& numbers) {
    if (is_history(value) && value.size() == 3) {
      const std::string& layer = value.at(std::size_t{0}).as_string();
      return Config::list(
          {layer, numbers.current_output(layer, value.at(std::size_t{1})), value.at(std::size_t{2})});
    }
    if (!value.is_list()) return value;
    Config::List converted;
    for (const Config& each : value.as_list()) converted.push_back(outputs(each, numbers));
    return converted;
  }

  const KerasVersion& version_;
};

}  // namespace

Config in_current_form(const Config& description, const KerasVersion& version) {
  const Converter converter(version);
  return converter.any(version.is_before_2() ? in_keras_2_form(description) : description);
}

}  // namespace cornu::inline v0::keras::saving
