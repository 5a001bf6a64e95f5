#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/core/operation.h"
#include "cornu/keras/layers/rnn/bidirectional.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/models/model_config_support.h"

/// Functional models: the calls of each layer stand beside it, tensors are named by layer, call and output.
namespace cornu::inline v0::keras::saving {
namespace {

constexpr const char* kOperationModule = "keras.src.ops.numpy";

/// Whether a call may have initial states behind the sequence.
bool takes_states(const Layer& layer) {
  return dynamic_cast<const layers::RecurrentLayer*>(&layer) != nullptr ||
         layer.description().class_name == "Bidirectional";
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
  }

  Config write() const {
    Config layers{Config::List()};
    for (const auto& layer : graph_.layers) layers.append(layer_config(*layer));
    Config inputs{Config::List()}, outputs{Config::List()};
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) inputs.append(end_config(i));
    for (const std::size_t value : graph_.output_values) outputs.append(end_config(value));
    return Config::dict({{"name", network_.name()},
                         {"trainable", network_.trainable()},
                         {"layers", std::move(layers)},
                         {"input_layers", one_or_all(std::move(inputs))},
                         {"output_layers", one_or_all(std::move(outputs))}});
  }

 private:
  struct Value {
    const Layer* layer = nullptr;
    std::size_t call = 0;
    std::size_t index = 0;
  };

  /// One input or output stands by itself.
  static Config one_or_all(Config ends) { return ends.size() == 1 ? ends.at(std::size_t{0}) : ends; }

  /// An input or output of the model. Keras counts the call of a functional model on its own inputs here, but
  /// not in its tensors' history.
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
    Config config = operation == nullptr ? serialize(layer)
                                         : Config::dict({{"module", kOperationModule},
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
      std::size_t next = 0;
      for (const Tensor& argument : operation->arguments())
        args.append(argument.defined() ? constant_config(argument) : tensors[next++]);
    } else if (takes_states(layer) && tensors.size() > 1) {
      args.append(tensors[0]);
      kwargs.set("initial_state", Config::List(tensors.begin() + 1, tensors.end()));
    } else {
      args.append(tensors.size() == 1 && !is_merging(layer) ? tensors[0] : Config(tensors));
    }
    const CallArguments& arguments = step.node->arguments;
    if (arguments.training.has_value()) kwargs.set("training", *arguments.training);
    if (arguments.mask.defined() || arguments.random_counter.defined() || arguments.rows.defined())
      fail(ErrorCode::kUnimplemented, {.layer = layer.name()},
           "[get_config] a call with a mask or a random counter of its own cannot be written; let the mask "
           "come with the input");
    return Config::dict({{"args", std::move(args)}, {"kwargs", std::move(kwargs)}});
  }

  /// Whether the layer takes a list even of one input.
  static bool is_merging(const Layer& layer) {
    constexpr const char* kNames[] = {"Add",     "Subtract", "Multiply",    "Average",
                                      "Maximum", "Minimum",  "Concatenate", "Dot"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&](const char* name) { return layer.description().class_name == name; });
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
  std::map<const Layer*, std::vector<const FunctionalGraph::Step*>> calls_;
};

/// What a model's configuration says besides its layers and their calls.
struct FunctionalFields {
  std::string name = {};
  bool trainable = true;
};
CORNU_FIELDS(FunctionalFields, name, trainable)

/// Makes the layers, then calls them as the configuration says, in an order in which every call has its
/// inputs.
class FunctionalReader {
 public:
  explicit FunctionalReader(const ClassId& id) : id_(id) {}

  std::shared_ptr<Layer> read(const Config& config) {
    Config rest = config;
    for (const char* key : {"layers", "input_layers", "output_layers"}) {
      if (!config.is_dict() || !config.contains(key))
        invalid_argument("[from_config] {} needs the key \"{}\"", id_.class_name, key);
      rest.erase(key);
    }
    const auto fields = read_fields<FunctionalFields>(rest, id_);
    const Config& layers = config.at("layers");
    if (!layers.is_list()) wrong_type({id_.class_name, "layers"}, "a list of layers", layers);
    for (const Config& layer : layers.as_list()) make_layer(layer);
    call_layers();
    const KerasTensors inputs = ends(config.at("input_layers"), "input_layers"),
                       outputs = ends(config.at("output_layers"), "output_layers");
    return std::make_shared<FunctionalNetwork>(FunctionalOptions{
        .inputs = inputs, .outputs = outputs, .name = fields.name, .trainable = fields.trainable});
  }

 private:
  struct Made {
    std::string name;
    Config config;                 // of the layer, for operations, which are made anew at each call
    std::shared_ptr<Layer> layer;  // null: an operation
    std::vector<Config> calls;
    std::vector<std::vector<KerasTensor>> outputs;  // of the calls so far
  };

  void make_layer(const Config& config) {
    const Config* name = config.find("name");
    if (name == nullptr || !name->is_string())
      wrong_type({id_.class_name, "layers"}, "layers with a \"name\"", config);
    if (find(name->as_string()) != nullptr)
      invalid_argument("[from_config] two layers of {} have the name \"{}\"", id_.class_name,
                       name->as_string());
    Made made{name->as_string(), config, nullptr, {}, {}};
    const Config* module = config.find("module");
    const bool is_operation =
        module != nullptr && module->is_string() &&
        (module->as_string().starts_with("keras.src.ops") || module->as_string().starts_with("keras.ops"));
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

  Made* find(const std::string& name) {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &made_[found->second];
  }

  void call_layers() {
    std::vector<std::size_t> num_done(made_.size(), 0);
    bool is_done = false;
    while (!is_done) {
      is_done = true;
      bool has_progress = false;
      for (std::size_t i = 0; i < made_.size(); ++i) {
        while (num_done[i] < made_[i].calls.size() && call(made_[i], made_[i].calls[num_done[i]])) {
          ++num_done[i];
          has_progress = true;
        }
        if (num_done[i] == made_[i].calls.size()) continue;
        is_done = false;
        if (i + 1 == made_.size() || !has_progress) stuck_at_ = made_[i].name;
      }
      if (!is_done && !has_progress)
        invalid_argument(
            "[from_config] the calls of {} form a loop, or need tensors that nothing gives; see \"{}\"",
            id_.class_name, stuck_at_);
    }
  }

  /// A tensor that is named by layer, call and output; nothing while the call is not made yet.
  std::optional<KerasTensor> tensor(const Config& history, std::int64_t less_calls = 0) {
    const bool has_form = history.is_list() && history.size() == 3 &&
                          history.at(std::size_t{0}).is_string() && history.at(std::size_t{1}).is_integer() &&
                          history.at(std::size_t{2}).is_integer();
    if (!has_form) wrong_type({id_.class_name, "keras_history"}, "[layer, call, output]", history);
    const std::string& name = history.at(std::size_t{0}).as_string();
    const Made* made = find(name);
    if (made == nullptr) {
      std::vector<std::string> known;
      for (const Made& each : made_) known.push_back(each.name);
      invalid_argument("[from_config] {} has no layer \"{}\"; {}", id_.class_name, name,
                       name_proposal(name, known));
    }
    const std::int64_t call = history.at(std::size_t{1}).as_integer() - less_calls,
                       output = history.at(std::size_t{2}).as_integer();
    const auto num_calls = static_cast<std::int64_t>(
        made->layer != nullptr && made->calls.empty() ? made->outputs.size() : made->calls.size());
    if (call < 0 || call >= num_calls)
      invalid_argument("[from_config] layer \"{}\" has no call {}", name, call);
    if (static_cast<std::size_t>(call) >= made->outputs.size()) return std::nullopt;
    const std::vector<KerasTensor>& outputs = made->outputs[static_cast<std::size_t>(call)];
    if (output < 0 || output >= static_cast<std::int64_t>(outputs.size()))
      invalid_argument("[from_config] call {} of layer \"{}\" has no output {}", call, name, output);
    return outputs[static_cast<std::size_t>(output)];
  }

  static bool is_tensor(const Config& value) {
    const Config* class_name = value.find("class_name");
    return class_name != nullptr && *class_name == Config("__keras_tensor__");
  }

  /// Appends the tensors in `value`, nested or not; false while one is not there yet.
  bool collect(const Made& made, const Config& value, std::vector<KerasTensor>& tensors) {
    if (is_tensor(value)) {
      const Config* inner = value.find("config");
      const Config* history = inner == nullptr ? nullptr : inner->find("keras_history");
      if (history == nullptr) wrong_type({made.name, "inbound_nodes"}, "tensors with a keras_history", value);
      const std::optional<KerasTensor> found = tensor(*history);
      if (found.has_value()) tensors.push_back(*found);
      return found.has_value();
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
    if (made.layer == nullptr) return call_operation(made, *args);
    std::vector<KerasTensor> inputs;
    if (!collect(made, *args, inputs)) return false;
    CallArguments arguments;
    for (const auto& [key, value] : kwargs == nullptr ? Config::Dict() : kwargs->as_dict()) {
      if (value.is_null() || is_left_by_keras(made, *kwargs, key)) continue;
      if (key == "training" && value.is_bool()) {
        arguments.training = value.as_bool();
      } else if (key == "initial_state") {
        if (!collect(made, value, inputs)) return false;
      } else {
        invalid_argument(
            "[from_config] the call of layer \"{}\" says {} = {}, which is not supported: of a call's "
            "arguments, training and "
            "initial_state are",
            made.name, key, value.json().substr(0, 80));
      }
    }
    made.outputs.push_back(made.layer->call_many(inputs, arguments));
    return true;
  }

  /// Keras notes of a recurrent layer that is called without arguments training = false and mask = null,
  /// which nobody said.
  static bool is_left_by_keras(const Made& made, const Config& kwargs, const std::string& key) {
    return key == "training" && kwargs.at(key) == Config(false) && kwargs.contains("mask") &&
           takes_states(*made.layer);
  }

  bool call_operation(Made& made, const Config& args) {
    std::vector<KerasTensor> inputs;
    std::vector<Tensor> arguments;
    for (const Config& each : args.as_list()) {
      Tensor constant;
      if (is_tensor(each)) {
        if (!collect(made, each, inputs)) return false;
      } else {
        read_value(each, {made.name, "args"}, constant);
        if (!constant.defined()) wrong_type({made.name, "args"}, "a tensor, a number or an array", each);
      }
      arguments.push_back(constant);
    }
    // The first call makes the operation; others are of the same one where it has no constants.
    const Config* class_name = made.config.find("class_name");
    if (class_name == nullptr || !class_name->is_string())
      wrong_type({made.name, "class_name"}, "a string", made.config);
    auto operation = std::make_shared<layers::Operation>(
        class_name->as_string(), made.outputs.empty() ? made.name : "", std::move(arguments));
    made.outputs.push_back(operation->call_many(inputs));
    return true;
  }

  KerasTensors ends(const Config& config, const char* key) {
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
      for (const auto& [name, end] : config.as_dict()) add(end);
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
  std::string stuck_at_;
};

}  // namespace

Config functional_config(const FunctionalNetwork& network) { return FunctionalWriter(network).write(); }

std::shared_ptr<Layer> make_functional(const Config& config, const ClassId& id) {
  return FunctionalReader(id).read(config);
}

}  // namespace cornu::inline v0::keras::saving
