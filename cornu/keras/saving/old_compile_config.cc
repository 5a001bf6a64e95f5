#include <algorithm>
#include <memory>
#include <utility>

#include "cornu/base/log_formatted.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/metrics/metric.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/old_config.h"
#include "cornu/keras/saving/old_options_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

const std::string* text_at(const Config& dict, std::string_view key) {
  const Config* const value = dict.find(key);
  return value == nullptr || !value->is_string() ? nullptr : &value->as_string();
}

/// "Adam" for "Custom>Adam", as versions 2.11 to 2.15 write their own optimizers.
std::string current_optimizer_name(const std::string& class_name) {
  constexpr std::string_view kPackage = "Custom>";
  if (class_name.starts_with("LossScaleOptimizer")) return "LossScaleOptimizer";  // V1 and V3
  if (!class_name.starts_with(kPackage)) return class_name;
  const std::string name = class_name.substr(kPackage.size());
  const std::vector<std::string> known = class_names<Optimizer>();
  return std::binary_search(known.begin(), known.end(), name) ? name : class_name;
}

/// True if Keras 3 has no such argument, or if the value is the default.
bool is_left_out_of_optimizer(std::string_view class_name, std::string_view key, const Config& value) {
  if (key == "jit_compile" || key == "is_legacy_optimizer") return true;
  if (key == "schedule_decay" && class_name == "Nadam") return true;
  if (key == "dynamic" && value == Config(true)) return true;
  // Keras 3.0 to 3.6 also write arguments that only the inner optimizer uses.
  constexpr std::string_view kOfInner =
      "weight_decay clipnorm clipvalue global_clipnorm use_ema ema_momentum ema_overwrite_frequency "
      "loss_scale_factor gradient_accumulation_steps";
  if (class_name == "LossScaleOptimizer" && is_among(kOfInner, key))
    return value.is_null() || value == Config(false) || key == "ema_momentum";
  return key == "epsilon" && value.is_null();
}

/// The learning rate of an optimizer with a decaying rate: lr / (1 + decay * iterations).
Config decaying_rate(const Config& rate, const Config& decay) {
  if (!rate.is_number()) {
    log_warning(
        "[load_model] the optimizer's decay = {} is left out: its learning rate is a schedule, which goes on "
        "without it",
        decay.json().substr(0, 40));
    return rate;
  }
  return Config::dict(
      {{"class_name", "InverseTimeDecay"},
       {"config",
        Config::dict({{"initial_learning_rate", rate}, {"decay_steps", 1}, {"decay_rate", decay}})}});
}

Config current_optimizer(const Config& optimizer, const KerasVersion& version);

Config current_optimizer_options(const Config& options, const std::string& class_name,
                                 const KerasVersion& version) {
  Config::Dict result;
  const Config* decay = options.find("decay");
  if (class_name == "Nadam" && (decay != nullptr || options.contains("schedule_decay"))) {
    log_warning(
        "[load_model] Nadam's momentum rises faster in Keras 3, and here, than in Keras {}: training goes on "
        "with other steps",
        printable(version.text()));
    decay = nullptr;  // it is the momentum's
  }
  const bool decays =
      decay != nullptr && decay->is_number() && decay->as_number() != 0;  // 0 if it was not set
  for (const auto& [old_key, value] : options.as_dict()) {
    const std::string key = old_key == "lr" ? "learning_rate" : old_key;
    if (key == "decay" || is_left_out_of_optimizer(class_name, key, value)) continue;
    if (key == "inner_optimizer")
      result.emplace_back(key, current_optimizer(value, version));
    else
      result.emplace_back(key, key == "learning_rate" && decays ? decaying_rate(value, *decay)
                                                                : in_current_form(value, version));
  }
  return Config::dict(std::move(result));
}

Config current_optimizer(const Config& optimizer, const KerasVersion& version) {
  const std::string* const class_name = text_at(optimizer, "class_name");
  const Config* const options = optimizer.find("config");
  if (class_name == nullptr || options == nullptr || !options->is_dict()) return optimizer;
  const std::string* const registered = text_at(optimizer, "registered_name");
  if (is_custom(registered == nullptr ? *class_name : *registered, *class_name)) return optimizer;
  const std::string* const module = text_at(optimizer, "module");
  if (module != nullptr && !is_module_of_keras(*module)) return optimizer;
  const std::string name = current_optimizer_name(*class_name);
  if (name == *class_name && registered != nullptr && *registered != name) return optimizer;
  Config result = optimizer;
  result.set("class_name", name);
  result.set("config", current_optimizer_options(*options, name, version));
  result.erase("module");  // the present one follows from the class
  result.erase("registered_name");
  return result;
}

/// The name of a function, given as text or as Keras's object; null for other values.
const std::string* function_name(const Config& value) {
  if (value.is_string()) return &value.as_string();
  const std::string* const class_name = text_at(value, "class_name");
  return class_name != nullptr && *class_name == "function" ? text_at(value, "config") : nullptr;
}

/// The present name of a function.
std::string current_function_name(const std::string& name) {
  return name == "cosine_proximity" ? "cosine_similarity" : name;
}

/// A loss or a dict or list of losses.
Config current_loss(const Config& loss, const KerasVersion& version) {
  if (loss.is_string()) return current_function_name(loss.as_string());
  if (loss.is_list() || (loss.is_dict() && !loss.contains("class_name"))) {
    if (loss.is_list()) {
      Config::List losses;
      for (const Config& each : loss.as_list()) losses.push_back(current_loss(each, version));
      return losses;
    }
    Config::Dict losses;
    for (const auto& [name, each] : loss.as_dict()) losses.emplace_back(name, current_loss(each, version));
    return Config::dict(std::move(losses));
  }
  const Config* const options = loss.find("config");
  const std::string* const class_name = text_at(loss, "class_name");
  if (options == nullptr || !options->is_dict() || class_name == nullptr ||
      is_custom(*class_name, *class_name))
    return loss;
  if (const Config* const function = options->find("fn");
      function != nullptr && *class_name == "LossFunctionWrapper" && function_name(*function) != nullptr)
    return current_function_name(*function_name(*function));
  Config result = loss, kept = *options;
  kept.erase("fn");  // follows from the class
  if (const Config* const reduction = kept.find("reduction");
      reduction != nullptr && *reduction == Config("auto"))
    kept.set("reduction", "sum_over_batch_size");
  result.set("config", std::move(kept));
  return result;
}

/// The mean of a function, as an object of its class.
Config mean_of_function(const std::string& function, const Config& options) {
  const std::shared_ptr<Metric> metric = Metric::from_name(current_function_name(function));
  for (const std::string& class_name : class_names<Metric>()) {
    if (canonical_name(class_name) != canonical_name(metric->name())) continue;
    Config kept = Config::dict();
    for (const char* key : {"name", "dtype"})
      if (const Config* const value = options.find(key)) kept.set(key, *value);
    return Config::dict({{"class_name", class_name}, {"config", std::move(kept)}});
  }
  return function;
}

class MetricsConverter {
 public:
  MetricsConverter(const KerasVersion& version, std::span<const std::string> output_names)
      : version_(version), output_names_(output_names) {}

  Config convert(const Config& metrics) const {
    if (metrics.is_null() || output_names_.size() < 2) return any(metrics);
    if (!is_flat(metrics)) return of_outputs(metrics);
    if (!metrics.is_string() && !is_object(metrics) && metrics.size() == 0) return any(metrics);
    if (!version_.is_before_3()) {
      if (metrics.is_list() && metrics.size() == output_names_.size()) return any(metrics);
      log_warning(
          "[load_model] the file's {} metrics have no outputs of their own: each of the {} outputs gets all "
          "of "
          "them, as before Keras 3, which does not train such a model",
          metrics.is_list() ? metrics.size() : 1, output_names_.size());
    }
    Config of_one = any(metrics.is_list() ? metrics : Config::list({metrics}));
    constexpr std::int64_t kMetricBytes = 2048;  // the least size of the description and its object
    claim_memory(CheckedSize(output_names_.size()) * of_one.size() * kMetricBytes, [&] {
      return fmt::format("{} metrics for each of {} outputs", of_one.size(), output_names_.size());
    });
    return Config::List(output_names_.size(), std::move(of_one));
  }

 private:
  static bool is_object(const Config& value) { return value.is_dict() && value.contains("class_name"); }
  /// One metric, or a list of metrics without lists or dicts inside.
  static bool is_flat(const Config& metrics) {
    if (metrics.is_string() || is_object(metrics)) return true;
    return metrics.is_list() &&
           std::all_of(metrics.as_list().begin(), metrics.as_list().end(),
                       [](const Config& each) { return each.is_string() || is_object(each); });
  }

  /// A list or dict with the metrics of each output, identified by position or key.
  Config of_outputs(const Config& metrics) const {
    if (metrics.is_list()) {
      const bool is_by_position = metrics.size() == output_names_.size();
      Config::List converted;
      for (std::size_t i = 0; i < metrics.size(); ++i)
        converted.push_back(any(metrics.at(i), is_by_position ? &output_names_[i] : nullptr));
      return converted;
    }
    Config::Dict converted;
    for (const auto& [name, each] : metrics.as_dict()) converted.emplace_back(name, any(each, &name));
    return Config::dict(std::move(converted));
  }

  /// `output`: the name of the metrics' output, if known.
  Config any(const Config& metric, const std::string* output = nullptr) const {
    if (metric.is_list()) {
      Config::List metrics;
      for (const Config& each : metric.as_list()) metrics.push_back(any(each, output));
      return metrics;
    }
    if (!metric.is_dict()) return metric;
    if (is_object(metric)) return object(metric, output);
    Config::Dict metrics;
    for (const auto& [name, each] : metric.as_dict()) metrics.emplace_back(name, any(each, output));
    return Config::dict(std::move(metrics));
  }

  Config object(const Config& metric, const std::string* output) const {
    const std::string* const class_name = text_at(metric, "class_name");
    const Config* const options = metric.find("config");
    if (class_name == nullptr || options == nullptr || !options->is_dict() ||
        is_custom(*class_name, *class_name))
      return metric;
    Config kept = *options;
    if (const std::string* const name = text_at(kept, "name"))
      kept.set("name", without_output(*name, output));
    const Config* const function = kept.find("fn");
    const bool is_wrapper = is_among("MeanMetricWrapper SumOverBatchSizeMetricWrapper", *class_name);
    if (is_wrapper && function != nullptr && function_name(*function) != nullptr)
      return mean_of_function(*function_name(*function), kept);
    kept.erase("fn");  // follows from the class
    Config result = metric;
    result.set("config", std::move(kept));
    return result;
  }

  /// "mae" for "output_mae": Keras 2 writes the name in logs, while the present name is composed again. If
  /// the output is not known, it is the output with the longest matching name: "out_2_mae" belongs to the
  /// output "out_2", also if there is an output "out".
  std::string without_output(const std::string& name, const std::string* output) const {
    if (!version_.is_before_3() || output_names_.size() < 2) return name;
    std::size_t longest = 0;
    const std::span<const std::string> outputs = output == nullptr ? output_names_ : std::span(output, 1);
    for (const std::string& each : outputs)
      if (name.size() > each.size() + 1 && name.starts_with(each + "_"))
        longest = std::max(longest, each.size() + 1);
    return name.substr(longest);
  }

  const KerasVersion& version_;
  std::span<const std::string> output_names_;
};

}  // namespace

Config compile_config_in_current_form(const Config& config, const KerasVersion& version,
                                      std::span<const std::string> output_names) {
  if (!config.is_dict()) return config;
  const MetricsConverter metrics(version, output_names);
  Config::Dict result;
  for (const auto& [key, value] : config.as_dict()) {
    if (key == "optimizer" || key == "optimizer_config")
      result.emplace_back("optimizer", current_optimizer(value, version));
    else if (key == "loss")
      result.emplace_back(key, current_loss(value, version));
    else if (key == "metrics" || key == "weighted_metrics")
      result.emplace_back(key, metrics.convert(value));
    else
      result.emplace_back(key, value);
  }
  return Config::dict(std::move(result));
}

}  // namespace cornu::inline v0::keras::saving
