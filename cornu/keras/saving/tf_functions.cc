#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "cornu/keras/saving/old_options_support.h"

/// TensorFlow functions in graphs of tf.keras, 2.4 to 2.15, as operations of Keras 3.
namespace cornu::inline v0::keras::saving {
namespace {

struct TfFunction {
  std::string_view names;            // names of the function, separated by spaces
  std::string_view module;           // of the operation
  const char* class_name;            // of the operation
  std::string_view second;           // the name of the second argument; empty if there is none
  std::string_view options[2] = {};  // TensorFlow's names
  const char* now[2] = {};           // the operation's
};

constexpr std::string_view kNumpy = "keras.src.ops.numpy", kNn = "keras.src.ops.nn",
                           kCore = "keras.src.ops.core";

constexpr TfFunction kFunctions[] = {
    {"math.add __operators__.add", kNumpy, "Add", "y"},
    {"math.subtract", kNumpy, "Subtract", "y"},
    {"math.multiply", kNumpy, "Multiply", "y"},
    {"math.truediv math.divide", kNumpy, "TrueDivide", "y"},
    {"math.pow", kNumpy, "Power", "y"},
    {"math.maximum", kNumpy, "Maximum", "y"},
    {"math.minimum", kNumpy, "Minimum", "y"},
    {"linalg.matmul", kNumpy, "Matmul", "b"},
    {"math.negative", kNumpy, "Negative", ""},
    {"math.abs", kNumpy, "Absolute", ""},
    {"math.exp", kNumpy, "Exp", ""},
    {"math.log", kNumpy, "Log", ""},
    {"math.sqrt", kNumpy, "Sqrt", ""},
    {"math.square", kNumpy, "Square", ""},
    {"math.tanh", kNumpy, "Tanh", ""},
    {"math.sigmoid", kNn, "Sigmoid", ""},
    {"nn.relu", kNn, "Relu", ""},
    {"nn.relu6", kNn, "Relu6", ""},
    {"nn.softmax", kNn, "Softmax", "", {"axis"}, {"axis"}},
    {"math.reduce_mean", kNumpy, "Mean", "", {"axis", "keepdims"}, {"axis", "keepdims"}},
    {"math.reduce_sum", kNumpy, "Sum", "", {"axis", "keepdims"}, {"axis", "keepdims"}},
    {"math.reduce_max", kNumpy, "Max", "", {"axis", "keepdims"}, {"axis", "keepdims"}},
    {"math.reduce_min", kNumpy, "Min", "", {"axis", "keepdims"}, {"axis", "keepdims"}},
    {"concat", kNumpy, "Concatenate", "", {"axis"}, {"axis"}},
    {"stack", kNumpy, "Stack", "", {"axis"}, {"axis"}},
    {"reshape", kNumpy, "Reshape", "", {"shape"}, {"newshape"}},
    {"transpose compat.v1.transpose", kNumpy, "Transpose", "", {"perm"}, {"axes"}},
    {"expand_dims", kNumpy, "ExpandDims", "", {"axis"}, {"axis"}},
    {"compat.v1.squeeze squeeze", kNumpy, "Squeeze", "", {"axis"}, {"axis"}},
    {"cast", kCore, "Cast", "", {"dtype"}, {"dtype"}},
    {"__operators__.getitem", kNumpy, "GetItem", "slice_spec"},
};

const TfFunction* find_function(const Config& layer) {
  const Config *const class_name = layer.find("class_name"), *const options = layer.find("config");
  const Config* const name = options == nullptr ? nullptr : options->find("function");
  if (class_name == nullptr || !class_name->is_string() || name == nullptr || !name->is_string() ||
      !is_among("TFOpLambda SlicingOpLambda", class_name->as_string()))
    return nullptr;
  const auto* const found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const TfFunction& row) { return is_among(row.names, name->as_string()); });
  return found == std::end(kFunctions) ? nullptr : found;
}

/// A key of x[key, ...], in which a slice is {"start", "stop", "step"}.
Config index_key(const Config& spec) {
  if (spec.is_dict() && spec.contains("start") && spec.contains("stop") && spec.contains("step"))
    return Config::dict({{"class_name", "__slice__"}, {"config", spec}});
  if (!spec.is_list()) return spec;
  Config::List keys;
  for (const Config& each : spec.as_list()) keys.push_back(index_key(each));
  return keys;
}

/// The parts of one call of a TensorFlow function: the first argument, and all others by name.
struct Call {
  Config first;
  Config::Dict named;
};

bool starts_tensor(const Config& value) {
  return value.is_list() && value.size() >= 3 && value.at(std::size_t{0}).is_string();
}

/// ["layer", 0, 0, {kwargs}], ["_CONSTANT_VALUE", -1, value, {kwargs}], or a list of the first kind.
std::optional<Call> parts_of_call(const Config& call) {
  if (!call.is_list() || call.size() == 0) return std::nullopt;
  const Config& tensor = starts_tensor(call) ? call : call.at(std::size_t{0});
  if (!starts_tensor(tensor)) return std::nullopt;
  Call parts;
  if (tensor.size() > 3 && tensor.at(std::size_t{3}).is_dict())
    parts.named = tensor.at(std::size_t{3}).as_dict();
  const auto without_named = [](const Config& each) {
    return each.size() < 3 ? each : Config(Config::List(each.as_list().begin(), each.as_list().begin() + 3));
  };
  if (starts_tensor(call)) {
    const bool is_constant = call.at(std::size_t{0}) == Config("_CONSTANT_VALUE");
    parts.first = is_constant ? call.at(std::size_t{2}) : without_named(call);
    return parts;
  }
  Config::List tensors;
  for (const Config& each : call.as_list()) {
    if (!starts_tensor(each)) return std::nullopt;
    tensors.push_back(without_named(each));
  }
  parts.first = std::move(tensors);
  return parts;
}

}  // namespace

std::optional<Config> operation_of_tf_function(const Config& layer) {
  const TfFunction* const function = find_function(layer);
  const Config *const calls = layer.find("inbound_nodes"), *const name = layer.find("name");
  if (function == nullptr || calls == nullptr || !calls->is_list() || calls->size() != 1 || name == nullptr)
    return std::nullopt;
  const std::optional<Call> call = parts_of_call(calls->at(std::size_t{0}));
  if (!call.has_value()) return std::nullopt;
  Config::List arguments = {call->first};
  Config options = Config::dict({{"name", *name}});
  for (const auto& [key, value] : call->named) {
    const auto* const option = std::find(std::begin(function->options), std::end(function->options), key);
    const bool is_idle = key == "name" || value.is_null() || value == Config(false);
    if (!function->second.empty() && key == function->second)
      arguments.push_back(key == "slice_spec" ? index_key(value) : value);
    else if (!key.empty() && option != std::end(function->options) && !value.is_null())
      options.set(function->now[option - std::begin(function->options)], value);
    else if (!is_idle)
      return std::nullopt;
  }
  if (arguments.size() != (function->second.empty() ? 1U : 2U)) return std::nullopt;
  return Config::dict({{"module", function->module},
                       {"class_name", function->class_name},
                       {"config", std::move(options)},
                       {"registered_name", function->class_name},
                       {"name", *name},
                       {"inbound_nodes", Config::list({Config(std::move(arguments))})}});
}

}  // namespace cornu::inline v0::keras::saving
