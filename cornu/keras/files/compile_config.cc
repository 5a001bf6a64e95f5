#include "cornu/keras/files/compile_config.h"

#include <concepts>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras::files {
namespace {

using saving::Place;

constexpr std::string_view kClass = "compile";

Config write_one(const PerOutput<double>::Entry& entry, const char* key) { return entry.value(key); }

template <typename T, bool kTakesLists>
Config write_one(const typename PerOutput<Spec<T>, kTakesLists>::Entry& entry, const char* key) {
  const Spec<T> spec = entry.value(key);
  return spec.is_name() ? Config(spec.text()) : saving::serialize_at({kClass, key}, *spec.get());
}

template <typename P, typename WriteOne>
Config write_entry(const typename P::Entry& entry, const WriteOne& write_one_entry) {
  if (entry.is_none()) return nullptr;
  if (!entry.is_list()) return write_one_entry(entry);
  Config list{Config::List()};
  for (const auto& inside : entry.entries()) list.append(write_entry<P>(inside, write_one_entry));
  return list;
}

/// One value for all outputs, a list by position, or a dict by the outputs' names.
template <typename P, typename WriteOne>
Config write_per_output(const P& values, std::span<const std::string> output_names,
                        const WriteOne& write_one_entry) {
  if (!values.is_set()) return nullptr;
  if (!values.is_named(output_names)) return write_entry<P>(values.root(), write_one_entry);
  Config dict = Config::dict();
  for (const auto& pair : values.root().entries())
    dict.set(pair.entries()[0].text(), write_entry<P>(pair.entries()[1], write_one_entry));
  return dict;
}

/// Reads a loss or metric: a name, Keras's object for a function of that name, or an object.
template <typename T>
Spec<T> read_spec(const Config& config, const char* key) {
  const Config* class_name = config.find("class_name");
  if (class_name != nullptr && *class_name == Config("function")) {
    const Config* name = config.find("config");
    const Config* module = config.find("module");
    const bool is_keras = module == nullptr || module->is_null() || *module == Config("builtins") ||
                          (module->is_string() && module->as_string().starts_with("keras"));
    if (name == nullptr || !name->is_string() || !is_keras)
      invalid_argument(
          "[load_model] {} is a function of somebody's program: functions are code, and never "
          "come from a file; compile the model in the program",
          key);
    return Spec<T>(name->as_string());
  }
  Spec<T> spec;
  saving::read_value(config, {kClass, key}, spec);
  return spec;
}

template <typename P, typename ReadOne>
typename P::Entry read_entry(const Config& config, const ReadOne& read_one) {
  using Entry = typename P::Entry;
  if (config.is_null()) return Entry();
  if (config.is_string()) return Entry(config.as_string());
  if (config.is_list()) {
    std::vector<Entry> entries;
    for (const Config& inside : config.as_list()) entries.push_back(read_entry<P>(inside, read_one));
    return Entry(std::move(entries));
  }
  if (config.is_dict() && !config.contains("class_name")) {
    std::vector<Entry> pairs;
    for (const auto& [name, inside] : config.as_dict())
      pairs.push_back(Entry(std::vector<Entry>{Entry(name), read_entry<P>(inside, read_one)}));
    return Entry(std::move(pairs));
  }
  return Entry(read_one(config));
}

template <typename P, typename ReadOne>
P read_per_output(const Config& config, const char* key, const ReadOne& read_one) {
  const Config* value = config.find(key);
  if (value == nullptr || value->is_null()) return {};
  return P(read_entry<P>(*value, read_one));
}

/// The losses of Keras with one entry for each output: a list of one loss is that loss, and an output that a
/// dictionary leaves out has none.
Config loss_of_each_output(const Config& loss, std::span<const std::string> output_names) {
  const auto one = [](const Config& entry) {
    return entry.is_list() && entry.size() == 1 ? entry.at(std::size_t{0}) : entry;
  };
  if (loss.is_list()) {
    Config list{Config::List()};
    for (const Config& entry : loss.as_list()) list.append(one(entry));
    return list;
  }
  if (!loss.is_dict() || loss.contains("class_name")) return loss;
  Config dict = Config::dict();
  for (const auto& [name, entry] : loss.as_dict()) dict.set(name, one(entry));
  for (const std::string& name : output_names)
    if (!dict.contains(name)) dict.set(name, nullptr);
  return dict;
}

bool read_flag(const Config& config, const char* key) {
  const Config* value = config.find(key);
  return value != nullptr && value->is_bool() && value->as_bool();
}

StepsPerExecution read_steps(const Config& config) {
  const Config* value = config.find("steps_per_execution");
  if (value == nullptr || value->is_null()) return 1;
  if (value->is_string()) return value->as_string().c_str();
  return value->as_integer();
}

}  // namespace

Config write_compile_config(const CompileOptions& options, const Optimizer& optimizer,
                            std::span<const std::string> output_names) {
  using Losses = PerOutput<LossSpec>;
  using Metrics = PerOutput<MetricSpec, true>;
  const auto losses = [](const Losses::Entry& entry) { return write_one<Loss, false>(entry, "loss"); };
  const auto metrics = [](const Metrics::Entry& entry) { return write_one<Metric, true>(entry, "metrics"); };
  const auto numbers = [](const PerOutput<double>::Entry& entry) { return write_one(entry, "loss_weights"); };
  return Config::dict(
      {{"optimizer", saving::serialize_at({kClass, "optimizer"}, optimizer)},
       {"loss", write_per_output(options.loss, output_names, losses)},
       {"loss_weights", write_per_output(options.loss_weights, output_names, numbers)},
       {"metrics", write_per_output(options.metrics, output_names, metrics)},
       {"weighted_metrics", write_per_output(options.weighted_metrics, output_names, metrics)},
       {"run_eagerly", options.run_eagerly},
       {"steps_per_execution",
        options.steps_per_execution.is_auto() ? Config("auto") : Config(options.steps_per_execution.steps())},
       {"jit_compile", "auto"}});
}

CompileOptions read_compile_config(const Config& given, const saving::KerasVersion& version,
                                   const Model& model) {
  if (!given.is_dict()) saving::wrong_type({kClass, "compile_config"}, "a dict", given);
  const Network* const network = model->network_or_null();
  const std::vector<std::string> output_names =
      network == nullptr ? std::vector<std::string>() : network->output_names();
  Config config = saving::compile_config_in_current_form(given, version, output_names);
  if (const Config* loss = config.find("loss"); loss != nullptr)
    config.set("loss", loss_of_each_output(*loss, output_names));
  CompileOptions options;
  const Config* optimizer = config.find("optimizer");
  if (optimizer != nullptr && !optimizer->is_null())
    saving::read_value(*optimizer, {kClass, "optimizer"}, options.optimizer);
  options.loss = read_per_output<PerOutput<LossSpec>>(
      config, "loss", [](const Config& one) { return read_spec<Loss>(one, "loss"); });
  options.loss_weights = read_per_output<PerOutput<double>>(
      config, "loss_weights", [](const Config& one) { return one.as_number(); });
  const auto read_metric = [](const Config& one) { return read_spec<Metric>(one, "metrics"); };
  options.metrics = read_per_output<PerOutput<MetricSpec, true>>(config, "metrics", read_metric);
  options.weighted_metrics =
      read_per_output<PerOutput<MetricSpec, true>>(config, "weighted_metrics", read_metric);
  options.run_eagerly = read_flag(config, "run_eagerly");
  options.steps_per_execution = read_steps(config);
  return options;
}

}  // namespace cornu::inline v0::keras::files
