#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/arrays_support.h"
#include "cornu/keras/config/config_parts_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/attention/attention_support.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/layers/rnn/bidirectional.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/models/model_config_support.h"

/// Configurations of functional models: each layer is listed with its calls; a tensor is identified by layer,
/// call and output.
namespace cornu::inline v0::keras::saving {
namespace {

constexpr std::string_view kOperationModules = "keras.src.ops.";

/// True if a call may have initial states after the sequence.
bool takes_states(const Layer& layer) {
  return dynamic_cast<const layers::RecurrentLayer*>(&layer) != nullptr ||
         layer.description().class_name == "Bidirectional";
}

/// True for an attention layer whose calls have query, value and key as separate inputs.
bool takes_query(const Layer& layer) {
  const auto* attending = dynamic_cast<const layers::AttendingLayer*>(&layer);
  return attending != nullptr && !attending->takes_list();
}

class FunctionalWriter {
 public:
  explicit FunctionalWriter(const FunctionalNetwork& network) : network_(network), graph_(network.graph()) {
    for (const KerasTensor& input : graph_.inputs)
      values_.push_back({input.node().layer.get(), 0, input.index()});
    values_.resize(graph_.num_values);
    std::map<const Layer*, std::vector<const FunctionalGraph::Step*>> calls;
    for (const FunctionalGraph::Step& step : graph_.steps) calls[step.node->layer.get()].push_back(&step);
    for (auto& [layer, steps] : calls) {
      std::sort(steps.begin(), steps.end(),
                [](const auto* a, const auto* b) { return a->node->index < b->node->index; });
      for (std::size_t call = 0; call < steps.size(); ++call)
        for (std::size_t i = 0; i < steps[call]->outputs.size(); ++i)
          values_[steps[call]->outputs[i]] = {layer, call, i};
    }
    calls_ = std::move(calls);
    // A tensor with an assigned mask is written as the tensor; the mask is an argument of the calls that take
    // the tensor.
    for (const FunctionalGraph::Step& step : graph_.steps) {
      if (!gives_mask(*step.node->layer)) continue;
      values_[step.outputs[0]] = values_[step.inputs[0]];
      masks_[step.outputs[0]] = {step.node->inputs[1], step.inputs[1]};
    }
  }

  Config write() const {
    Config layers{Config::List()};
    for (const auto& layer : graph_.layers)
      if (!gives_mask(*layer)) layers.append(layer_config(*layer));
    Config inputs{Config::List()}, outputs{Config::List()};
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) inputs.append(end_config(i));
    for (const std::size_t value : graph_.output_values) outputs.append(end_config(value));
    return Config::dict({{"name", network_.name()},
                         {"trainable", network_.trainable()},
                         {"layers", std::move(layers)},
                         {"input_layers", one_or_all(inputs, network_.given_names().inputs)},
                         {"output_layers", one_or_all(outputs, network_.given_names().outputs)}});
  }

 private:
  static bool gives_mask(const Layer& layer) {
    const auto* operation = dynamic_cast<const layers::Operation*>(&layer);
    return operation != nullptr && operation->is_with_mask();
  }

  struct Value {
    const Layer* layer = nullptr;
    std::size_t call = 0;
    std::size_t index = 0;
  };

  /// A single input or output is written without a list, ones with names as a dictionary.
  static Config one_or_all(const Config& ends, const std::vector<std::string>& names) {
    if (names.empty()) return ends.size() == 1 ? ends.at(std::size_t{0}) : ends;
    Config by_name = Config::dict();
    for (std::size_t i = 0; i < names.size(); ++i) by_name.set(names[i], ends.at(i));
    return by_name;
  }

  /// The configuration of a model input or output. Keras counts the call of a functional model on its own
  /// inputs here, but not in its tensors' history.
  Config end_config(std::size_t value) const {
    const Value& at = values_[value];
    const bool is_functional = dynamic_cast<const FunctionalNetwork*>(at.layer) != nullptr;
    return Config::list({at.layer->name(), at.call + (is_functional ? 1 : 0), at.index});
  }

  Config tensor_config(const KerasTensor& tensor, std::size_t value) const {
    const Value& at = values_[value];
    return Config::dict(
        {{"class_name", "__keras_tensor__"},
         {"config", Config::dict({{"shape", write_value(OptionalDims(tensor.shape()), {})},
                                  {"dtype", ir::numpy_name(tensor.dtype())},
                                  {"keras_history", Config::list({at.layer->name(), at.call, at.index})}})}});
  }

  Config layer_config(const Layer& layer) const {
    const auto* operation = dynamic_cast<const layers::Operation*>(&layer);
    Config config = operation == nullptr
                        ? serialize(layer)
                        : Config::dict({{"module", std::string(kOperationModules) + operation->module()},
                                        {"class_name", layer.class_name()},
                                        {"config", layer.get_config()},
                                        {"registered_name", layer.class_name()}});
    Config calls{Config::List()};
    if (const auto steps = calls_.find(&layer); steps != calls_.end())
      for (const FunctionalGraph::Step* step : steps->second) calls.append(call_config(layer, *step));
    config.set("name", layer.name());
    config.set("inbound_nodes", std::move(calls));
    return config;
  }

  Config call_config(const Layer& layer, const FunctionalGraph::Step& step) const {
    Config::List tensors;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      tensors.push_back(tensor_config(step.node->inputs[i], step.inputs[i]));
    Config kwargs = Config::dict();
    Config args{Config::List()};
    if (const auto* operation = dynamic_cast<const layers::Operation*>(&layer)) {
      const layers::OperationArguments& call = operation->arguments();
      std::vector<Config> values;
      std::size_t next = 0;
      values.reserve(call.tensors.size());
      for (const Tensor& argument : call.tensors)
        values.push_back(argument.defined() ? constant_config(argument) : tensors[next++]);
      args = with_values(call.args, values);
      kwargs = with_values(call.kwargs, values);
    } else if (takes_states(layer) && tensors.size() > 1) {
      args.append(tensors[0]);
      kwargs.set("initial_state", Config::List(tensors.begin() + 1, tensors.end()));
    } else if (takes_query(layer)) {
      for (std::size_t i = 0; i < tensors.size(); ++i)
        if (i < 3)
          args.append(tensors[i]);
        else
          kwargs.set("attention_mask", tensors[i]);
    } else {
      args.append(tensors.size() == 1 && !is_merging(layer) ? tensors[0] : Config(tensors));
    }
    const CallArguments& arguments = step.node->arguments;
    if (arguments.training.has_value()) kwargs.set("training", *arguments.training);
    if (arguments.use_causal_mask) kwargs.set("use_causal_mask", true);
    if (arguments.return_attention_scores) kwargs.set("return_attention_scores", true);
    if (arguments.reverse) kwargs.set("reverse", true);
    write_masks(layer, step, kwargs);
    if (arguments.mask.defined() || arguments.random_counter.defined() || arguments.rows.defined())
      fail(ErrorCode::kUnimplemented, {.layer = layer.name()},
           "[get_config] a call with a mask or a random counter of its own cannot be written; let the mask "
           "come with the input");
    return Config::dict({{"args", std::move(args)}, {"kwargs", std::move(kwargs)}});
  }

  /// Writes the masks assigned to inputs.
  void write_masks(const Layer& layer, const FunctionalGraph::Step& step, Config& kwargs) const {
    Config::List masks(step.inputs.size());
    bool has_any = false;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      const auto mask = masks_.find(step.inputs[i]);
      if (mask == masks_.end()) continue;
      masks[i] = tensor_config(mask->second.first, mask->second.second);
      has_any = true;
    }
    if (!has_any) return;
    if (!takes_query(layer)) {
      const bool has_list = dynamic_cast<const layers::AttendingLayer*>(&layer) != nullptr;
      kwargs.set("mask", has_list ? Config(std::move(masks)) : std::move(masks[0]));
      return;
    }
    constexpr const char* kKeys[] = {"query_mask", "value_mask", "key_mask"};
    for (std::size_t i = 0; i < std::min(masks.size(), std::size(kKeys)); ++i)
      if (!masks[i].is_null()) kwargs.set(kKeys[i], std::move(masks[i]));
  }

  /// True if the layer takes a list even of one input.
  static bool is_merging(const Layer& layer) {
    constexpr const char* kNames[] = {"Add",     "Subtract", "Multiply",    "Average",
                                      "Maximum", "Minimum",  "Concatenate", "Dot"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&](const char* name) { return layer.description().class_name == name; });
  }

  /// An operation's arguments with `values` in the places of tensors.
  static Config with_values(const Config& argument, const std::vector<Config>& values) {
    if (const Config* const place = argument.find(layers::OperationArguments::kTensor))
      return values.at(static_cast<std::size_t>(place->as_integer()));
    if (!argument.is_list() && !argument.is_dict()) return argument;
    if (argument.is_list()) {
      Config list{Config::List()};
      for (const Config& each : argument.as_list()) list.append(with_values(each, values));
      return list;
    }
    Config dict = Config::dict();
    for (const auto& [key, value] : argument.as_dict()) dict.set(key, with_values(value, values));
    return dict;
  }

  static Config constant_config(const Tensor& constant) {
    Config value = write_value(constant, {"operation", "argument"});
    if (constant.rank() == 0) return value;
    return Config::dict({{"class_name", "__numpy__"},
                         {"config", Config::dict({{"value", std::move(value)},
                                                  {"dtype", ir::numpy_name(constant.dtype())}})}});
  }

  const FunctionalNetwork& network_;
  const FunctionalGraph& graph_;
  std::vector<Value> values_;
  std::map<std::size_t, std::pair<KerasTensor, std::size_t>> masks_;  // of values with an assigned mask
  std::map<const Layer*, std::vector<const FunctionalGraph::Step*>> calls_;
};

/// The fields of a model's configuration besides its layers and their calls.
struct FunctionalFields {
  std::string name = {};
  bool trainable = true;
};
CORNU_FIELDS(FunctionalFields, name, trainable)

/// Makes the layers, then makes the calls of the configuration in an order in which every call has its
/// inputs.
class FunctionalReader {
 public:
  explicit FunctionalReader(const ClassId& id) : id_(id) {}

  std::shared_ptr<Layer> read(const Config& config) {
    for (const char* key : {"layers", "input_layers", "output_layers"}) {
      if (!config.is_dict() || !config.contains(key))
        invalid_argument("[from_config] {} needs the key \"{}\"", id_.class_name, key);
    }
    const auto fields =
        read_fields<FunctionalFields>(without(config, {"layers", "input_layers", "output_layers"}), id_);
    const Config& layers = config.at("layers");
    if (!layers.is_list()) wrong_type({id_.class_name, "layers"}, "a list of layers", layers);
    for (const Config& layer : layers.as_list()) make_layer(layer);
    call_layers();
    FunctionalNames names;
    const KerasTensors inputs = ends(config.at("input_layers"), "input_layers", names.inputs),
                       outputs = ends(config.at("output_layers"), "output_layers", names.outputs);
    return std::make_shared<FunctionalNetwork>(
        FunctionalOptions{
            .inputs = inputs, .outputs = outputs, .name = fields.name, .trainable = fields.trainable},
        std::move(names));
  }

 private:
  struct Made {
    std::string name;
    Config config;                 // of operations, which are made again at each call
    std::shared_ptr<Layer> layer;  // null: an operation
    std::vector<Config> calls;
    std::vector<std::vector<KerasTensor>> outputs;  // of the calls so far
    std::size_t num_done = 0;                       // calls
    std::size_t num_missing = 0;                    // tensors of the next call that do not exist yet
    /// The layers that wait for the outputs of a call.
    std::map<std::size_t, std::vector<std::size_t>> waiting = {};
  };

  void make_layer(const Config& config) {
    const Config* name = config.find("name");
    if (name == nullptr || !name->is_string())
      wrong_type({id_.class_name, "layers"}, "layers with a \"name\"", config);
    if (find(name->as_string()) != nullptr)
      invalid_argument("[from_config] two layers of {} have the name \"{}\"", id_.class_name,
                       name->as_string());
    const bool is_operation = describes_operation(config);
    Made made{name->as_string(), is_operation ? config : Config(), nullptr, {}, {}};
    if (!is_operation) {
      made.layer = deserialize_unbuilt(config, {id_.class_name, "layers"});
      if (const auto input = std::dynamic_pointer_cast<layers::InputLayer>(made.layer))
        made.outputs.push_back({layers::input_tensor(input)});
    }
    if (const Config* calls = config.find("inbound_nodes"); calls != nullptr) {
      if (!calls->is_list()) wrong_type({made.name, "inbound_nodes"}, "a list of calls", *calls);
      made.calls = calls->as_list();
    }
    index_.emplace(made.name, made_.size());
    made_.push_back(std::move(made));
  }

  /// True if the configuration describes an operation. Old files have no module name; operations have none of
  /// the arguments common to all layers.
  static bool describes_operation(const Config& config) {
    const Config* module = config.find("module");
    if (module != nullptr && module->is_string())
      return module->as_string().starts_with("keras.src.ops") || module->as_string().starts_with("keras.ops");
    const Config* inside = config.find("config");
    return module == nullptr && inside != nullptr && inside->is_dict() && !inside->contains("trainable") &&
           !inside->contains("dtype") && !inside->contains("layers") && !inside->contains("batch_shape");
  }

  Made* find(const std::string& name) {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &made_[found->second];
  }

  /// Makes all calls, in sweeps over the layers in their order. Layers may be listed in any order: each call
  /// is tried once, when its last tensor is made.
  void call_layers() {
    std::set<std::size_t> now, later;  // the layers whose next call has its tensors
    for (std::size_t i = 0; i < made_.size(); ++i)
      if (waits_for_nothing(i)) now.insert(i);
    for (; !now.empty(); now.swap(later))
      for (auto at = now.begin(); at != now.end(); at = now.erase(at)) make_calls(*at, now, later);
    const auto stuck = std::find_if(made_.rbegin(), made_.rend(),
                                    [](const Made& made) { return made.num_done < made.calls.size(); });
    if (stuck != made_.rend())
      invalid_argument(
          "[from_config] the calls of {} form a loop, or need tensors that nothing gives; see \"{}\"",
          id_.class_name, stuck->name);
  }

  /// Makes the calls of a layer whose tensors exist. Layers that waited for their outputs are added to `now`
  /// if they come later in the order, else to `later`.
  void make_calls(std::size_t index, std::set<std::size_t>& now, std::set<std::size_t>& later) {
    Made& made = made_[index];
    do {
      if (!call(made, made.calls[made.num_done])) return;
      ++made.num_done;
      for (const std::size_t waiter : std::exchange(made.waiting[made.outputs.size() - 1], {}))
        if (--made_[waiter].num_missing == 0) (waiter > index ? now : later).insert(waiter);
    } while (waits_for_nothing(index));
  }

  /// True if a layer has a next call and all of its tensors exist; if not, the missing tensors are counted.
  bool waits_for_nothing(std::size_t index) {
    Made& made = made_[index];
    if (made.num_done == made.calls.size()) return false;
    made.num_missing = wait_for_tensors(made.calls[made.num_done], index);
    return made.num_missing == 0;
  }

  /// Counts the tensors of a call that do not exist yet, and records `waiter` at their layers. Invalid
  /// tensors are reported when the call is made.
  std::size_t wait_for_tensors(const Config& value, std::size_t waiter) {
    if (is_tensor(value)) {
      const Config* const inner = value.find("config");
      const Config* const history = inner == nullptr ? nullptr : inner->find("keras_history");
      if (history == nullptr || !is_history(*history)) return 0;
      Made* const made = find(history->at(std::size_t{0}).as_string());
      const std::int64_t call = history->at(std::size_t{1}).as_integer();
      if (made == nullptr || call < 0 || call >= num_calls(*made)) return 0;
      const auto output = static_cast<std::size_t>(call);
      if (output < made->outputs.size()) return 0;
      made->waiting[output].push_back(waiter);
      return 1;
    }
    std::size_t count = 0;
    if (value.is_list())
      for (const Config& part : value.as_list()) count += wait_for_tensors(part, waiter);
    if (value.is_dict())
      for (const auto& [key, part] : value.as_dict()) count += wait_for_tensors(part, waiter);
    return count;
  }

  /// [layer, call, output]
  static bool is_history(const Config& value) {
    return value.is_list() && value.size() == 3 && value.at(std::size_t{0}).is_string() &&
           value.at(std::size_t{1}).is_integer() && value.at(std::size_t{2}).is_integer();
  }

  static std::int64_t num_calls(const Made& made) {
    return static_cast<std::int64_t>(made.layer != nullptr && made.calls.empty() ? made.outputs.size()
                                                                                 : made.calls.size());
  }

  /// The tensor identified by layer, call and output; nullopt if that call is not made yet.
  std::optional<KerasTensor> tensor(const Config& history, std::int64_t less_calls = 0) {
    if (!is_history(history)) wrong_type({id_.class_name, "keras_history"}, "[layer, call, output]", history);
    const std::string& name = history.at(std::size_t{0}).as_string();
    const Made* made = find(name);
    if (made == nullptr) {
      std::vector<std::string> known;
      known.reserve(made_.size());
      for (const Made& each : made_) known.push_back(each.name);
      invalid_argument("[from_config] {} has no layer \"{}\"; {}", id_.class_name, name,
                       name_proposal(name, known));
    }
    const std::int64_t call = history.at(std::size_t{1}).as_integer() - less_calls,
                       output = history.at(std::size_t{2}).as_integer();
    if (call < 0 || call >= num_calls(*made))
      invalid_argument("[from_config] layer \"{}\" has no call {}", name, call);
    if (static_cast<std::size_t>(call) >= made->outputs.size()) return std::nullopt;
    const std::vector<KerasTensor>& outputs = made->outputs[static_cast<std::size_t>(call)];
    if (output < 0 || output >= static_cast<std::int64_t>(outputs.size()))
      invalid_argument("[from_config] call {} of layer \"{}\" has no output {}", call, name, output);
    return outputs[static_cast<std::size_t>(output)];
  }

  static bool is_tensor(const Config& value) { return is_of_class(value, "__keras_tensor__"); }
  static bool is_of_class(const Config& value, const char* name) {
    const Config* const class_name = value.find("class_name");
    return class_name != nullptr && *class_name == Config(name);
  }

  /// The values of a dictionary in the order of the inputs of a layer; null for those that it lacks.
  static Config in_order_of_inputs(const Made& made, const Config& by_name) {
    Config list{Config::List()};
    for (const std::string& name : made.layer->input_names()) {
      const Config* const value = by_name.find(name);
      list.append(value == nullptr ? Config() : *value);
    }
    return list;
  }

  /// Appends the tensors in `value`, nested or not; returns false if one does not exist yet.
  bool collect(const Made& made, const Config& value, std::vector<KerasTensor>& tensors) {
    if (is_tensor(value)) {
      const Config* inner = value.find("config");
      const Config* history = inner == nullptr ? nullptr : inner->find("keras_history");
      if (history == nullptr) wrong_type({made.name, "inbound_nodes"}, "tensors with a keras_history", value);
      const std::optional<KerasTensor> found = tensor(*history);
      if (found.has_value()) tensors.push_back(*found);
      return found.has_value();
    }
    if (value.is_dict() && made.layer != nullptr) {  // of a model that takes its inputs by name
      const Config by_position = in_order_of_inputs(made, value);
      return by_position.size() > 0 && collect(made, by_position, tensors);
    }
    if (!value.is_list()) wrong_type({made.name, "inbound_nodes"}, "tensors, or lists of tensors", value);
    const Config::List& parts = value.as_list();
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Config& part) { return collect(made, part, tensors); });
  }

  bool call(Made& made, const Config& data) {
    const Config* args = data.find("args");
    const Config* kwargs = data.find("kwargs");
    if (args == nullptr || !args->is_list() || (kwargs != nullptr && !kwargs->is_dict()))
      wrong_type({made.name, "inbound_nodes"}, "calls with a list \"args\" and a dict \"kwargs\"", data);
    if (made.layer == nullptr) return call_operation(made, *args, kwargs);
    CallParts parts;
    Config::Dict named = kwargs == nullptr ? Config::Dict() : kwargs->as_dict();
    if (takes_query(*made.layer))
      name_positions(made, *args, named);
    else if (!collect(made, *args, parts.inputs))
      return false;
    for (const auto& [key, value] : named) {
      if (value.is_null() || (kwargs != nullptr && is_left_by_keras(made, *kwargs, key))) continue;
      if (!read_argument(made, key, value, parts)) return false;
    }
    place_query(made, parts);
    for (const auto& [input, mask] : parts.masks)
      if (input < parts.inputs.size()) parts.inputs[input] = with_mask(parts.inputs[input], mask);
    made.outputs.push_back(made.layer->call_many(parts.inputs, parts.arguments));
    return true;
  }

  /// The parts of a call in a configuration.
  struct CallParts {
    std::vector<KerasTensor> inputs;
    std::map<std::string, KerasTensor> by_name;  // of layers that take a query
    std::map<std::size_t, KerasTensor> masks;    // of inputs
    CallArguments arguments;
  };

  /// Names the positional arguments of a layer that takes a query as in Keras's call.
  static void name_positions(const Made& made, const Config& args, Config::Dict& named) {
    constexpr const char* kNames[] = {"query",
                                      "value",
                                      "key",
                                      "query_mask",
                                      "value_mask",
                                      "key_mask",
                                      "attention_mask",
                                      "return_attention_scores",
                                      "training",
                                      "use_causal_mask"};
    if (args.size() > std::size(kNames))
      wrong_type({made.name, "args"}, "no more arguments than the layer's call has", args);
    for (std::size_t i = 0; i < args.size(); ++i) named.emplace_back(kNames[i], args.at(i));
  }

  /// Orders the inputs of a layer that takes a query; a missing key is replaced by the value.
  void place_query(const Made& made, CallParts& parts) const {
    if (!takes_query(*made.layer)) return;
    for (const char* name : {"query", "value", "key", "attention_mask"}) {
      const auto found = parts.by_name.find(name);
      const bool is_needed = std::string_view(name) == "query" || std::string_view(name) == "value";
      if (found != parts.by_name.end()) {
        while (std::string_view(name) == "attention_mask" && parts.inputs.size() < 3)
          parts.inputs.push_back(parts.inputs[1]);
        parts.inputs.push_back(found->second);
      } else if (is_needed) {
        invalid_argument("[from_config] a call of layer \"{}\" has no {}", made.name, name);
      }
    }
  }

  /// Reads an argument that is not a tensor; returns false for other arguments.
  static bool read_flag(const std::string& key, const Config& value, CallArguments& arguments) {
    if (!value.is_bool()) return false;
    if (key == "training")
      arguments.training = value.as_bool();
    else if (key == "use_causal_mask")
      arguments.use_causal_mask = value.as_bool();
    else if (key == "return_attention_scores")
      arguments.return_attention_scores = value.as_bool();
    else if (key == "reverse")
      arguments.reverse = value.as_bool();
    else
      return false;
    return true;
  }

  /// Reads one tensor and passes it to `take`; returns false if the tensor does not exist yet.
  template <typename Take>
  bool read_tensor(const Made& made, const Config& value, const Take& take) {
    std::vector<KerasTensor> found;
    if (!collect(made, value, found)) return false;
    take(found[0]);
    return true;
  }

  bool read_mask(const Made& made, const Config& value, std::size_t input, CallParts& parts) {
    return read_tensor(made, value, [&](const KerasTensor& mask) { parts.masks.emplace(input, mask); });
  }

  bool read_masks(const Made& made, const Config& values, CallParts& parts) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values.at(i).is_null() && !read_mask(made, values.at(i), i, parts)) return false;
    return true;
  }

  /// Reads a tensor argument, by name, of a layer that takes a query; nullopt for other names.
  std::optional<bool> read_query_tensor(const Made& made, const std::string& key, const Config& value,
                                        CallParts& parts) {
    constexpr std::string_view kMasks[] = {"query_mask", "value_mask", "key_mask"};
    constexpr std::string_view kInputs[] = {"query", "value", "key", "attention_mask"};
    const auto* const mask_of = std::find(std::begin(kMasks), std::end(kMasks), key);
    if (mask_of != std::end(kMasks))
      return read_mask(made, value, static_cast<std::size_t>(mask_of - kMasks), parts);
    if (std::find(std::begin(kInputs), std::end(kInputs), key) == std::end(kInputs)) return std::nullopt;
    return read_tensor(made, value, [&](const KerasTensor& input) { parts.by_name.emplace(key, input); });
  }

  /// Returns false if a tensor does not exist yet.
  bool read_argument(const Made& made, const std::string& key, const Config& value, CallParts& parts) {
    if (read_flag(key, value, parts.arguments)) return true;
    if (key == "initial_state") return collect(made, value, parts.inputs);
    if (takes_query(*made.layer) && is_tensor(value))
      if (const std::optional<bool> is_read = read_query_tensor(made, key, value, parts)) return *is_read;
    if (key == "mask" && is_tensor(value)) return read_mask(made, value, 0, parts);
    if (key == "mask" && value.is_list()) return read_masks(made, value, parts);
    if (key == "mask" && value.is_dict()) return read_masks(made, in_order_of_inputs(made, value), parts);
    invalid_argument(
        "[from_config] the call of layer \"{}\" has {} = {}, which is not supported; supported "
        "arguments of calls are training, mask, initial_state and those of attention",
        made.name, key, value.json().substr(0, 80));
  }

  static KerasTensor with_mask(const KerasTensor& tensor, const KerasTensor& mask) {
    auto operation = std::make_shared<layers::Operation>(
        layers::Operation::kWithMask, "", layers::OperationArguments::of(std::vector<Tensor>(2)));
    return operation->call_many({tensor, mask})[0];
  }

  /// True for training = false in the configuration of a layer whose call has it as default: Keras writes it
  /// for calls without arguments, with mask = null for recurrent layers.
  static bool is_left_by_keras(const Made& made, const Config& kwargs, const std::string& key) {
    if (key != "training" || kwargs.at(key) != Config(false)) return false;
    return made.layer->class_name() == "SpectralNormalization" ||
           (takes_states(*made.layer) && kwargs.contains("mask"));
  }

  bool call_operation(Made& made, const Config& args, const Config* kwargs) {
    std::vector<KerasTensor> inputs;
    layers::OperationArguments call;
    for (const Config& each : args.as_list()) {
      std::optional<Config> argument = operation_argument(made, each, call.tensors, inputs);
      if (!argument.has_value()) return false;
      call.args.append(std::move(*argument));
    }
    Config::Dict named;
    for (const auto& [key, each] : kwargs == nullptr ? Config::Dict() : kwargs->as_dict()) {
      std::optional<Config> argument = operation_argument(made, each, call.tensors, inputs);
      if (!argument.has_value()) return false;
      named.emplace_back(key, std::move(*argument));
    }
    call.kwargs = Config::dict(std::move(named));
    // The first call makes the operation; further calls use the same operation if it has no constants.
    const Config* class_name = made.config.find("class_name");
    if (class_name == nullptr || !class_name->is_string())
      wrong_type({made.name, "class_name"}, "a string", made.config);
    auto operation =
        std::make_shared<layers::Operation>(class_name->as_string(), made.outputs.empty() ? made.name : "",
                                            std::move(call), operation_options(made.config));
    made.outputs.push_back(operation->call_many(inputs));
    return true;
  }

  /// An argument with placeholders for its tensors. Constants are appended to `tensors`, and undefined
  /// tensors for `inputs` are appended as well. Returns nullopt if a tensor does not exist yet.
  std::optional<Config> operation_argument(const Made& made, const Config& value,
                                           std::vector<Tensor>& tensors, std::vector<KerasTensor>& inputs) {
    const auto place = [&](Tensor tensor) {
      tensors.push_back(std::move(tensor));
      return layers::OperationArguments::place_of(tensors.size() - 1);
    };
    if (is_tensor(value)) return collect(made, value, inputs) ? std::optional(place({})) : std::nullopt;
    if (is_of_class(value, "__numpy__") || is_of_class(value, "__tensor__"))
      return place(array_of(made, value));
    if (value.is_list()) {
      Config list{Config::List()};
      for (const Config& each : value.as_list()) {
        std::optional<Config> argument = operation_argument(made, each, tensors, inputs);
        if (!argument.has_value()) return std::nullopt;
        list.append(std::move(*argument));
      }
      return list;
    }
    if (value.is_dict() && !is_of_class(value, "__slice__") && !is_of_class(value, "__ellipsis__"))
      wrong_type({made.name, "args"}, "tensors, numbers, arrays, slices and lists of these", value);
    return value;
  }

  /// The array with the type given in the configuration.
  static Tensor array_of(const Made& made, const Config& array) {
    const Config* const inner = array.find("config");
    const Config* const dtype = inner == nullptr ? nullptr : inner->find("dtype");
    DType type = DType::kF32;
    if (dtype != nullptr) read_value(*dtype, {made.name, "args"}, type);
    return read_array(array, {made.name, "args"}, type);
  }

  static Config operation_options(const Config& operation) {
    const Config* inside = operation.find("config");
    Config options = inside != nullptr && inside->is_dict() ? *inside : Config::dict();
    options.erase("name");
    // A policy does not belong to the operation; some versions write it beside the arguments.
    if (const Config* const dtype = options.find("dtype"); dtype != nullptr && dtype->is_dict())
      options.erase("dtype");
    return options;
  }

  /// The inputs or outputs; `names` gets the keys of a dictionary.
  KerasTensors ends(const Config& config, const char* key, std::vector<std::string>& names) {
    KerasTensors tensors;
    const auto add = [&](const Config& end) {
      const bool names_layer = end.is_list() && end.size() == 3 && end.at(std::size_t{0}).is_string();
      if (!names_layer)
        wrong_type({id_.class_name, key}, "[layer, call, output], or a list or dict of these", config);
      const Made* made = find(end.at(std::size_t{0}).as_string());
      const bool is_functional =
          made != nullptr && dynamic_cast<const FunctionalNetwork*>(made->layer.get()) != nullptr;
      tensors.push_back(*tensor(end, is_functional ? 1 : 0));
    };
    if (config.is_dict()) {
      const std::map<std::string, Config> by_name(config.as_dict().begin(), config.as_dict().end());
      for (const auto& [name, end] : by_name) {  // as Keras flattens them
        add(end);
        names.push_back(name);
      }
    } else if (config.is_list() && config.size() > 0 && config.at(std::size_t{0}).is_list()) {
      for (const Config& end : config.as_list()) add(end);
    } else {
      add(config);
    }
    return tensors;
  }

  ClassId id_;
  std::vector<Made> made_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace

Config functional_config(const FunctionalNetwork& network) { return FunctionalWriter(network).write(); }

std::shared_ptr<Layer> make_functional(const Config& config, const ClassId& id) {
  return FunctionalReader(id).read(config);
}

}  // namespace cornu::inline v0::keras::saving
