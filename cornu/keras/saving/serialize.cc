#include "cornu/keras/config/serialize.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config_parts_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/attention/attention_support.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metric.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/quantizers/quantizers.h"
#include "cornu/keras/saving/custom_objects_support.h"

namespace cornu::inline v0::keras::saving {

template <>
const char* module_of<Layer>() {
  return "keras.layers";
}
template <>
const char* module_of<Loss>() {
  return "keras.losses";
}
template <>
const char* module_of<Metric>() {
  return "keras.metrics";
}
template <>
const char* module_of<Optimizer>() {
  return "keras.optimizers";
}
template <>
const char* module_of<LearningRateSchedule>() {
  return "keras.optimizers.schedules";
}
template <>
const char* module_of<Initializer>() {
  return "keras.initializers";
}
template <>
const char* module_of<Regularizer>() {
  return "keras.regularizers";
}
template <>
const char* module_of<Constraint>() {
  return "keras.constraints";
}
template <>
const char* module_of<Quantizer>() {
  return "keras.quantizers";
}
template <>
const char* module_of<QuantizationConfig>() {
  return "keras.quantizers";
}

template <>
const char* kind_of<Layer>() {
  return Layer::kHandleKind;
}
template <>
const char* kind_of<Loss>() {
  return Loss::kHandleKind;
}
template <>
const char* kind_of<Metric>() {
  return Metric::kHandleKind;
}
template <>
const char* kind_of<Optimizer>() {
  return Optimizer::kHandleKind;
}
template <>
const char* kind_of<LearningRateSchedule>() {
  return LearningRateSchedule::kHandleKind;
}
template <>
const char* kind_of<Initializer>() {
  return Initializer::kHandleKind;
}
template <>
const char* kind_of<Regularizer>() {
  return Regularizer::kHandleKind;
}
template <>
const char* kind_of<Constraint>() {
  return Constraint::kHandleKind;
}
template <>
const char* kind_of<Quantizer>() {
  return Quantizer::kHandleKind;
}
template <>
const char* kind_of<QuantizationConfig>() {
  return QuantizationConfig::kHandleKind;
}

namespace {

/// The class name of a user's object.
template <typename T>
std::string own_class_name(const T& object) {
  if constexpr (requires { object.class_name(); }) return object.class_name();
  return kind_of<T>();
}

template <typename T>
std::string own_registered_name(const T& object) {
  const std::string name = object.registered_name();
  return name.empty() ? own_class_name(object) : name;
}

Config shape_config(const Dims& shape) { return write_value(OptionalDims(shape), {}); }

/// The shapes that a layer was built for, in the form of Keras's get_build_config().
Config build_config(const Layer& layer) {
  if (layer.description().class_name == "Functional")
    return Config::dict({{"input_shape", nullptr}});  // its inputs have it
  const std::span<const TensorType> types = layer.build_types();
  if (types.size() == 1) return Config::dict({{"input_shape", shape_config(types[0].dims)}});
  if (const auto* attending = dynamic_cast<const layers::AttendingLayer*>(&layer);
      attending != nullptr && !attending->takes_list()) {
    constexpr const char* kKeys[] = {"query_shape", "value_shape", "key_shape"};
    Config named = Config::dict();
    for (std::size_t i = 0; i < std::min(types.size(), std::size(kKeys)); ++i)
      named.set(kKeys[i], shape_config(types[i].dims));
    return Config::dict({{"shapes_dict", std::move(named)}});
  }
  Config shapes{Config::List()};
  const bool is_recurrent = dynamic_cast<const layers::RecurrentLayer*>(&layer) != nullptr;
  for (const TensorType& type : types.subspan(is_recurrent ? 1 : 0)) shapes.append(shape_config(type.dims));
  if (!is_recurrent) return Config::dict({{"input_shape", std::move(shapes)}});
  return Config::dict({{"shapes_dict", Config::dict({{"sequences_shape", shape_config(types[0].dims)},
                                                     {"initial_state_shape", std::move(shapes)}})}});
}

void collect_shapes(const Config& config, const Place& place, std::vector<Dims>& shapes) {
  if (config.is_null()) return;
  if (config.is_dict()) {
    for (const auto& [name, shape] : config.as_dict()) collect_shapes(shape, place, shapes);
    return;
  }
  if (!config.is_list()) wrong_type(place, "a shape, or a list of shapes", config);
  if (config.size() > 0 && !config.at(std::size_t{0}).is_list()) {
    OptionalDims shape;
    read_value(config, place, shape);
    shapes.push_back(*shape);
  } else {
    for (const Config& each : config.as_list()) collect_shapes(each, place, shapes);
  }
}

void build_from(Layer& layer, const Config& config, const Place& place) {
  std::vector<Dims> shapes;
  collect_shapes(config, place, shapes);
  if (!shapes.empty()) layer.build_once_for(shapes);
}

/// " for kernel_initializer of Dense", or an empty string.
std::string for_place(const Place& place) {
  return place.key.empty() ? std::string() : fmt::format(" for {} of {}", place.key, place.class_name);
}

struct ObjectParts {
  std::string class_name;
  std::string registered_name;
  const Config& config;  // of the object; nested ones are read while it exists
  Config module;
  bool is_foreign;  // of a class that is not Keras's
};

template <typename T>
ObjectParts parts_of(const Config& object, const Place& place) {
  const auto refuse = [&](const std::string& why) {
    invalid_argument("[deserialize] expected a {}{} as {{\"class_name\": ..., \"config\": {{...}}}}; {}",
                     kind_of<T>(), for_place(place), why);
  };
  if (!object.is_dict()) refuse(fmt::format("got {}: {}", object.kind_name(), object.json().substr(0, 80)));
  static const auto& known = *new std::vector<std::string>{
      "module",         "class_name", "config",           "registered_name", "build_config",
      "compile_config", "name",       "shared_object_id", "inbound_nodes"};
  for (const std::string& key : object.keys())
    if (std::find(known.begin(), known.end(), key) == known.end())
      refuse(fmt::format("there is the key \"{}\"; {}", printable(key), name_proposal(key, known)));
  const Config* class_name = object.find("class_name");
  if (class_name == nullptr || !class_name->is_string()) refuse("class_name is missing or no string");
  const Config* config = object.find("config");
  if (config != nullptr && !config->is_dict()) refuse(fmt::format("config is {}", config->kind_name()));
  static const auto& empty = *new Config(Config::dict());
  ObjectParts parts{.class_name = class_name->as_string(),
                    .registered_name = class_name->as_string(),
                    .config = config == nullptr ? empty : *config,
                    .module = Config(),
                    .is_foreign = false};
  if (const Config* module = object.find("module")) parts.module = *module;
  const Config* registered = object.find("registered_name");
  if (registered != nullptr && registered->is_string()) parts.registered_name = registered->as_string();
  const bool is_other_module =
      !parts.module.is_null() && !(parts.module.is_string() && parts.module.as_string().starts_with("keras"));
  parts.is_foreign = is_other_module || parts.registered_name != parts.class_name;
  return parts;
}

template <typename T>
const ClassRow<T>& find_row(const std::string& class_name, const Place& place) {
  for (const ClassRow<T>& row : class_rows<T>())
    if (row.class_name == class_name) return row;
  const std::vector<std::string> known = class_names<T>();
  const std::string proposal = nearest_name(class_name, known);
  invalid_argument("[deserialize] there is no {} class \"{}\"{}{}", kind_of<T>(), printable(class_name),
                   for_place(place), proposal.empty() ? "" : fmt::format("; did you mean \"{}\"?", proposal));
}

template <typename T>
std::shared_ptr<T> make(const std::string& class_name, const Config& config, const Place& place) {
  const ClassRow<T>& row = find_row<T>(class_name, place);
  const ClassId id{module_of<T>(), row.class_name};
  if constexpr (std::same_as<T, Loss>) {  // Python's None
    if (const Config* const reduction = config.find("reduction");
        reduction != nullptr && reduction->is_null())
      return row.make(with_value(config, "reduction", "none"), id);
  }
  return row.make(config, id);
}

/// Makes an object of a registered user class or of Keras's.
template <typename T>
std::shared_ptr<T> make_object(const ObjectParts& parts, const Place& place) {
  if constexpr (!std::same_as<T, Quantizer> && !std::same_as<T, QuantizationConfig>)  // users register none
    if (std::shared_ptr<T> custom = make_custom<T>(parts.registered_name, parts.class_name, parts.config))
      return custom;
  if (parts.is_foreign)
    invalid_argument(
        "[deserialize] the class \"{}\" of module {}{} is not one of Keras's: objects of other classes are "
        "never made from a configuration alone; name them in custom_objects, as \"{}\"",
        printable(parts.class_name), parts.module.json(), for_place(place), printable(parts.registered_name));
  return make<T>(parts.class_name, parts.config, place);
}

/// The module of a class in Keras.
template <typename T>
std::string module_of_class(const std::string& class_name) {
  for (const ClassRow<T>& row : class_rows<T>())
    if (row.class_name == class_name && row.module != nullptr) return row.module;
  return module_of<T>();
}

}  // namespace

template <Family T>
Config serialize(const T& object) {
  const std::string& known = object.description().class_name;
  const std::string class_name = known.empty() ? own_class_name(object) : known;
  Config module, registered_name;
  if (known.empty()) {
    registered_name = own_registered_name(object);
  } else {
    const std::string known_module = module_of_class<T>(known);
    module = known_module;
    // Keras also writes the name if the class is in a module that it does not export.
    if (known_module.starts_with("keras.src.")) registered_name = known;
  }
  Config config = object.get_config();
  Config result = Config::dict({{"module", std::move(module)},
                                {"class_name", class_name},
                                {"config", std::move(config)},
                                {"registered_name", std::move(registered_name)}});
  if constexpr (std::same_as<T, Layer>) {
    if (object.built() && writes_build_config({module_of<T>(), class_name}))
      result.set("build_config", build_config(object));
    // The options of compile() are not part of the network.
    if (known == "Sequential" || known == "Functional") result.set("compile_config", Config::dict());
  }
  return result;
}

template <Family T>
std::shared_ptr<T> from_config(const std::string& class_name, const Config& config) {
  return make<T>(class_name, config, {});
}

template <Family T>
std::vector<std::string> class_names() {
  std::vector<std::string> names;
  for (const ClassRow<T>& row : class_rows<T>()) names.emplace_back(row.class_name);
  std::sort(names.begin(), names.end());
  return names;
}

std::shared_ptr<Layer> deserialize_unbuilt(const Config& config, const Place& place) {
  const ObjectParts parts = parts_of<Layer>(config, place);
  return make_object<Layer>(parts, place);
}

template <Family T>
std::shared_ptr<T> deserialize(const Config& config, const Place& place) {
  const ObjectParts parts = parts_of<T>(config, place);
  std::shared_ptr<T> object = make_object<T>(parts, place);
  if constexpr (std::same_as<T, Layer>) {
    if (const Config* built_for = config.find("build_config"); built_for != nullptr)
      build_from(*object, *built_for, {parts.class_name, "build_config"});
  }
  return object;
}

#define CORNU_INSTANTIATE(T)                                                     \
  template Config serialize<T>(const T&);                                        \
  template std::shared_ptr<T> deserialize<T>(const Config&, const Place&);       \
  template std::shared_ptr<T> from_config<T>(const std::string&, const Config&); \
  template std::vector<std::string> class_names<T>();
CORNU_INSTANTIATE(Layer)
CORNU_INSTANTIATE(Loss)
CORNU_INSTANTIATE(Metric)
CORNU_INSTANTIATE(Optimizer)
CORNU_INSTANTIATE(LearningRateSchedule)
CORNU_INSTANTIATE(Initializer)
CORNU_INSTANTIATE(Regularizer)
CORNU_INSTANTIATE(Constraint)
CORNU_INSTANTIATE(Quantizer)
CORNU_INSTANTIATE(QuantizationConfig)
#undef CORNU_INSTANTIATE

}  // namespace cornu::inline v0::keras::saving
