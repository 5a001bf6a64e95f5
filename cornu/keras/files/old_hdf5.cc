#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/io/byte_reader.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/old_config.h"
#include "cornu/keras/files/old_weights_support.h"
#include "cornu/keras/files/weight_tree.h"
#include "cornu/keras/files/weights_hdf5_support.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/models.h"
#include "cornu/keras/saving/old_config.h"

/// Keras's older format of a model in one HDF5 file: descriptions in text attributes, weights by layer.
namespace cornu::inline v0::keras::files {
namespace {

using Hdf5 = std::shared_ptr<const io::Hdf5File>;

constexpr const char* kModelWeights = "model_weights";
constexpr const char* kOptimizerWeights = "optimizer_weights";
constexpr const char* kTopLevel = "top_level_model_weights";

// HDF5's attributes are small: long lists are split into several attributes, "layer_names0", "layer_names1",
// ...
constexpr std::size_t kNamesInOneAttribute = 4000;

std::vector<std::string> read_names(const io::Hdf5Attributes& attributes, const std::string& key) {
  std::vector<std::string> names;
  const auto append = [&](const std::string& part) {
    const auto found = attributes.find(part);
    if (found == attributes.end()) return false;
    names.insert(names.end(), found->second.texts.begin(), found->second.texts.end());
    return true;
  };
  if (!append(key))
    for (int i = 0; append(fmt::format("{}{}", key, i)); ++i) {
    }
  return names;
}

void write_names(io::Hdf5Attributes& attributes, const std::string& key, std::vector<std::string> names) {
  if (names.size() <= kNamesInOneAttribute) {
    attributes[key] = {.is_list = true, .texts = std::move(names)};
    return;
  }
  int part = 0;
  for (std::size_t begin = 0; begin < names.size(); begin += kNamesInOneAttribute) {
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        names.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kNamesInOneAttribute, names.size()));
    attributes[fmt::format("{}{}", key, part++)] = {.is_list = true, .texts = {first, last}};
  }
}

const std::string* text_attribute(const io::Hdf5Group& group, const char* key) {
  const auto found = group.attributes.find(key);
  return found == group.attributes.end() || found->second.texts.size() != 1 ? nullptr
                                                                            : found->second.texts.data();
}

/// The software that wrote the weights.
struct WeightsOrigin {
  saving::KerasVersion version;
  KernelForm kernels;
  bool is_guessed = false;  // the file has neither a version nor a backend
};

/// True for the name that Keras 1 on Theano gives a convolution's kernel: "convolution2d_1_W". On TensorFlow
/// ":0" follows; later versions write "kernel" and a path.
bool is_theano_name(const std::string& name) {
  return name.ends_with("_W") && name.find_first_of(":/") == std::string::npos;
}

bool has_theano_names(const io::Hdf5Group& root) {
  return std::any_of(root.groups.begin(), root.groups.end(), [](const auto& layer) {
    const std::vector<std::string> names = read_names(layer.second->attributes, "weight_names");
    return std::any_of(names.begin(), names.end(), &is_theano_name);
  });
}

/// Determines the origin; `root` has the weights of layers. Keras 1 records its version in files of whole
/// models only, and never its backend, which follows from the names of weights.
WeightsOrigin origin_of(const io::Hdf5File& file, const io::Hdf5Group& root) {
  const auto text = [&](const char* key) {
    const std::string* const of_weights = text_attribute(root, key);
    return of_weights != nullptr ? of_weights : text_attribute(file.root(), key);
  };
  const std::string *const version = text("keras_version"), *const backend = text("backend");
  WeightsOrigin origin{.version = saving::KerasVersion(version == nullptr ? "1" : *version),
                       .kernels = {},
                       .is_guessed = version == nullptr && backend == nullptr};
  origin.kernels.is_keras_1 = origin.version.is_before_2();
  origin.kernels.is_turned =
      backend != nullptr ? *backend == "theano" : origin.kernels.is_keras_1 && has_theano_names(root);
  return origin;
}

/// A layer's variables in the order of Keras's older format.
std::vector<Variable> weights_in_order(const Layer& layer) {
  std::vector<Variable> all = layer.trainable_weights();
  const std::vector<Variable> others = layer.non_trainable_weights();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::vector<std::shared_ptr<Layer>> layers_of(const Layer& network) {
  const Network* const known = network.network_or_null();
  return known == nullptr ? network.sublayers() : known->layers();
}

/// The arrays that a group lists by name. Errors: DataLoss for an array that does not exist, or is listed
/// twice, by any path: the list could otherwise cost more than the file's size.
std::vector<FoundArray> listed_arrays(const Hdf5& file, const io::Hdf5Group& group, const std::string& path) {
  std::vector<FoundArray> arrays;
  std::set<const io::Hdf5Dataset*> listed;
  for (const std::string& name : read_names(group.attributes, "weight_names")) {
    const io::Hdf5Dataset* const array = group.find_dataset(name);
    if (array == nullptr || !listed.insert(array).second)
      fail(ErrorCode::kDataLoss, "[io] {}: {} lists \"{}\"{}; get the file again", file->name(),
           io::shown(path), io::shown(name), array == nullptr ? ", which is not there" : " twice");
    arrays.push_back(found_array(file, *array));
  }
  return arrays;
}

void assign_layer(const Hdf5& file, const Layer& layer, const io::Hdf5Group& group, const std::string& path,
                  const KernelForm& kernels, Assignments& assignments, Difference& difference) {
  const std::vector<Variable> variables = weights_in_order(layer);
  std::vector<FoundArray> arrays = listed_arrays(file, group, path);
  convert_old_weights(layer, variables, kernels, arrays);
  convert_cudnn_weights(layer, variables, arrays);
  for (std::size_t i = 0; i < std::max(variables.size(), arrays.size()); ++i) {
    if (i >= arrays.size())
      difference.missing(path + "/" + variables[i].name());
    else if (i >= variables.size())
      difference.unexpected(fmt::format("{}[{}]", path, i));
    else
      assignments.add(path + "/" + variables[i].name(), variables[i], std::move(arrays[i]), difference);
  }
}

struct NamedGroup {
  std::string name;
  const io::Hdf5Group* group = nullptr;
};

/// The groups of layers with weights, in the file's order. Errors: DataLoss for a group that the file lists
/// twice, by any path: each time would cost as much as the group.
std::vector<NamedGroup> layer_groups(const io::Hdf5File& file, const io::Hdf5Group& root) {
  std::vector<NamedGroup> named;
  std::set<const io::Hdf5Group*> listed;
  for (std::string& name : read_names(root.attributes, "layer_names")) {
    const io::Hdf5Group* const group = root.find_group(name);
    if (group == nullptr) continue;
    if (!listed.insert(group).second)
      fail(ErrorCode::kDataLoss, "[io] {}: layer_names lists \"{}\" twice; get the file again", file.name(),
           io::shown(name));
    if (!read_names(group->attributes, "weight_names").empty()) named.push_back({std::move(name), group});
  }
  return named;
}

/// Assigns layers with weights one to one, in the file's order and in the model's, or by their names.
void assign_layers(const Hdf5& file, const io::Hdf5Group& root, const Layer& network,
                   const KernelForm& kernels, bool by_name, Assignments& assignments,
                   Difference& difference) {
  const std::vector<NamedGroup> named = layer_groups(*file, root);
  std::vector<const Layer*> layers;
  for (const std::shared_ptr<Layer>& layer : layers_of(network))
    if (!weights_in_order(*layer).empty()) layers.push_back(layer.get());
  if (by_name) {
    std::map<std::string_view, const io::Hdf5Group*> groups;
    for (const NamedGroup& each : named) groups.emplace(each.name, each.group);
    for (const Layer* layer : layers)
      if (const auto found = groups.find(layer->name()); found != groups.end())
        assign_layer(file, *layer, *found->second, layer->name(), kernels, assignments, difference);
    return;
  }
  for (std::size_t i = 0; i < std::max(layers.size(), named.size()); ++i) {
    if (i >= named.size())
      difference.missing(layers[i]->name());
    else if (i >= layers.size())
      difference.unexpected(named[i].name);
    else
      assign_layer(file, *layers[i], *named[i].group, named[i].name, kernels, assignments, difference);
  }
}

/// The model's own variables, without those of inner layers.
std::vector<Variable> top_level_variables(const Layer& network) { return weight_tree(network)[0].variables; }

void put_layer(const std::vector<Variable>& variables, io::Hdf5Content& group, WeightsContent& written) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Variable& variable : variables) {
    std::string name = variable.path();
    for (int i = 1; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", variable.path(), i);
    const std::size_t end = name.rfind('/');
    io::Hdf5Content& inside = end == std::string::npos ? group : group.group(name.substr(0, end));
    const KeptArray& value = written.values.emplace_back(variable);
    inside.datasets.emplace(end == std::string::npos ? name : name.substr(end + 1),
                            std::pair(value.view(), io::Hdf5Attributes()));
    names.push_back(std::move(name));
  }
  write_names(group.attributes, "weight_names", std::move(names));
}

/// Pairs the optimizer's variables with those in the file, if there are any.
void assign_old_optimizer(const Hdf5& file, const Layer& network, Optimizer& optimizer,
                          const LoadWeightsOptions& options, Assignments& assignments,
                          Difference& difference) {
  const io::Hdf5Group* const slots = file->root().find_group(kOptimizerWeights);
  if (slots == nullptr) return;
  assign_optimizer(optimizer, network.trainable_weights(), listed_arrays(file, *slots, kOptimizerWeights),
                   options, assignments, difference);
}

/// True if two of the variables have the same shape, so that their slots could be mixed up.
bool share_a_shape(const std::vector<Variable>& variables) {
  std::set<Dims> shapes;
  return !std::all_of(variables.begin(), variables.end(),
                      [&](const Variable& each) { return shapes.insert(each.shape()).second; });
}

/// Pairs all of the optimizer's state, or none and warns on behalf of `caller`, as in Keras.
void assign_whole_optimizer(const Hdf5& file, const WeightsOrigin& origin, const Layer& network,
                            Optimizer& optimizer, const char* caller, Assignments& assignments) {
  const io::Hdf5Group* const slots = file->root().find_group(kOptimizerWeights);
  if (slots == nullptr) return;
  const bool is_keras_1 = origin.version.is_before_2();
  OldState state{.found = listed_arrays(file, *slots, kOptimizerWeights),
                 .is_before_3 = origin.version.is_before_3()};
  // Before 2.11, slots were grouped by kind: "Adam/iter:0", ... and not "iteration:0", ...
  const std::vector<std::string> names = read_names(slots->attributes, "weight_names");
  const bool is_by_kind = !names.empty() && names[0].ends_with(":0") && names[0] != "iteration:0" &&
                          !names[0].ends_with("/iteration:0");
  if (is_keras_1 || is_by_kind) state.order = SlotOrder::kByKind;
  if (rearranges_kernels(network, origin.kernels))
    state.why_no_slots = "the file keeps kernels in another form";
  else if (is_keras_1 && share_a_shape(network.trainable_weights()))
    state.why_no_slots = "Keras 1 sorts slots by names that the file does not have";
  assign_old_state({.caller = caller, .file = file->name()}, optimizer, network.trainable_weights(),
                   std::move(state), assignments);
}

/// Warns that a version and a backend were guessed.
void warn_of_turned_kernels(const Hdf5& file, const WeightsOrigin& origin, const Layer& network,
                            const char* caller) {
  const bool has_turned = origin.kernels.is_turned && rearranges_kernels(network, {.is_turned = true});
  if (!origin.is_guessed || !has_turned) return;
  log_warning(
      "[{}] {} names neither Keras's version nor the backend, and its weights have the names of Keras 1 on "
      "Theano: the kernels of convolutions were turned by 180 degrees. If other software wrote the file, "
      "give its root the attribute backend = \"tensorflow\"",
      caller, printable(file->name()));
}

/// Loads weights and, if `optimizer` is not null, its state: all are read before any variable changes.
/// `all_or_none`: a state that does not fit is left out with a warning, also for files of Keras 3.
void load_all(const Hdf5& file, const Layer& network, Optimizer* optimizer, bool all_or_none,
              const LoadWeightsOptions& options) {
  const char* const caller = all_or_none ? "load_model" : "load_weights";
  const io::Hdf5Group* inside = file->root().find_group(kModelWeights);
  const io::Hdf5Group& root = inside == nullptr ? file->root() : *inside;
  const WeightsOrigin origin = origin_of(*file, root);
  Assignments assignments;
  Difference difference;
  assign_layers(file, root, network, origin.kernels, options.by_name, assignments, difference);
  const io::Hdf5Group* top = root.find_group(kTopLevel);
  const std::vector<Variable> own = top_level_variables(network);
  if (top != nullptr && !own.empty()) {
    std::vector<FoundArray> arrays = listed_arrays(file, *top, kTopLevel);
    for (std::size_t i = 0; i < std::min(own.size(), arrays.size()); ++i)
      assignments.add(fmt::format("{}/{}", kTopLevel, own[i].name()), own[i], std::move(arrays[i]),
                      difference);
  }
  all_or_none = all_or_none || origin.version.is_before_3();
  if (optimizer != nullptr && !all_or_none)
    assign_old_optimizer(file, network, *optimizer, options, assignments, difference);
  report(difference, file->name(), options);
  if (optimizer != nullptr && all_or_none)
    assign_whole_optimizer(file, origin, network, *optimizer, caller, assignments);
  assignments.run();
  warn_of_turned_kernels(file, origin, network, caller);
}

}  // namespace

void load_hdf5_weights(const io::RandomAccessPointer& bytes, const Layer& network, Optimizer* optimizer,
                       const LoadWeightsOptions& options) {
  const auto file = std::make_shared<const io::Hdf5File>(bytes);
  const bool is_old = file->root().find_group(kModelWeights) != nullptr ||
                      file->root().attributes.contains("layer_names") ||
                      file->root().attributes.contains("layer_names0");
  if (is_old) return load_all(file, network, optimizer, false, options);
  if (options.by_name)
    invalid_argument(
        "[load_weights] {}: by_name is for .h5 files of Keras's older form; here layers are "
        "numbered by class",
        file->name());
  find_weights(file, network, optimizer, options).run();
}

Model load_hdf5_model(const io::RandomAccessPointer& bytes, const LoadModelOptions& options) {
  const auto file = std::make_shared<const io::Hdf5File>(bytes);
  const std::string* model_config = text_attribute(file->root(), "model_config");
  if (model_config == nullptr)
    invalid_argument("[load_model] {} holds weights and no model: make the model, then load_weights()",
                     file->name());
  const std::string *const training_config = text_attribute(file->root(), "training_config"),
                           *const said = text_attribute(file->root(), "keras_version");
  const std::string config_name = file->name() + "[model_config]";
  Model model = [&] {
    const DeferredInitialization withheld(weight_budget(bytes->size()));
    saving::KerasVersion version = said == nullptr ? saving::KerasVersion() : saving::KerasVersion(*said);
    const Config config = in_description(config_name, version, [&] { return Config::parse(*model_config); });
    if (said == nullptr) version = saving::version_by_form(config, options.custom_objects);
    Model made = in_description(config_name, version,
                                [&] { return saving::make_model(config, version, options.custom_objects); });
    if (options.compile && training_config != nullptr)
      in_compile_config(file->name() + "[training_config]", version, [&] {
        const saving::CustomObjectScope scope(options.custom_objects);
        made.compile(read_compile_config(Config::parse(*training_config), version, made));
      });
    return made;
  }();
  load_all(file, *model, model.compiled() ? model.optimizer().get() : nullptr, true, {});
  return model;
}

PreparedFile prepare_hdf5_model(const SavedModel& model, const std::string& path) {
  if (model.network.description().class_name.empty())
    fail(ErrorCode::kUnimplemented,
         "[save] an .h5 file holds no model of the user's classes; save model \"{}\" as .keras",
         model.network.name());
  const auto prepared = std::make_shared<WeightsContent>();
  WeightsContent& written = *prepared;
  const Config config = saving::serialize(model.network);
  const auto text = [](std::string value) {
    return io::Hdf5Attribute{.is_list = false, .texts = {std::move(value)}};
  };
  io::Hdf5Content& content = written.content;
  content.attributes["keras_version"] = text("3.15.1");
  content.attributes["backend"] = text("jax");
  content.attributes["model_config"] =
      text(Config::dict({{"class_name", config.at("class_name")}, {"config", config.at("config")}}).json());
  io::Hdf5Content& weights = content.group(kModelWeights);
  weights.attributes = {{"keras_version", text("3.15.1")}, {"backend", text("jax")}};
  std::vector<std::string> layer_names;
  for (const std::shared_ptr<Layer>& layer : layers_of(model.network)) {
    layer_names.push_back(layer->name());
    put_layer(weights_in_order(*layer), weights.group(layer->name()), written);
  }
  write_names(weights.attributes, "layer_names", std::move(layer_names));
  put_layer(top_level_variables(model.network), weights.group(kTopLevel), written);
  if (!model.compile_config.is_null())
    content.attributes["training_config"] = text(to_old_training_config(model.compile_config).json());
  if (model.optimizer != nullptr)
    put_layer(model.optimizer->variables(), content.group(kOptimizerWeights), written);
  return [path, prepared] { write_hdf5(path, prepared->content); };
}

}  // namespace cornu::inline v0::keras::files
