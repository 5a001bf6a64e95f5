#include "cornu/keras/trainer/compiled_parts.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {
namespace {

using PerOutputMetrics = PerOutput<MetricSpec, true>;
using MetricEntry = PerOutputMetrics::Entry;

/// Appends the specs of an entry: one, or a list.
void append_specs(const MetricEntry& entry, const char* option, std::vector<MetricSpec>& specs) {
  if (entry.is_list()) {
    for (const MetricEntry& inside : entry.entries()) append_specs(inside, option, specs);
  } else if (!entry.is_none()) {
    specs.push_back(entry.value(option));
    if (!specs.back().is_set()) invalid_argument("[compile] a metric is empty");
  }
}

/// The metrics of each output. With one output, all entries are for it.
std::vector<std::vector<MetricSpec>> specs_by_output(const PerOutputMetrics& given, std::size_t num_outputs,
                                                     const std::vector<std::string>& names,
                                                     const char* option) {
  std::vector<std::vector<MetricSpec>> specs(num_outputs);
  if (!given.is_set()) return specs;
  if (given.is_single() && num_outputs > 1)
    invalid_argument("[compile] {} must be a list with an entry for each of the {} outputs", option,
                     num_outputs);
  if (num_outputs == 1 && !given.is_named(names)) {
    append_specs(given.root(), option, specs[0]);
    return specs;
  }
  const std::vector<MetricEntry> entries = given.by_output(names, num_outputs, option);
  for (std::size_t i = 0; i < num_outputs; ++i) append_specs(entries[i], option, specs[i]);
  return specs;
}

/// One entry for each output. Errors: InvalidArgument for a nested list, and for a list by name that leaves
/// an output out.
std::vector<PerOutput<LossSpec>::Entry> loss_entries(const PerOutput<LossSpec>& given,
                                                     std::size_t num_outputs,
                                                     const std::vector<std::string>& names) {
  auto entries = given.by_output(names, num_outputs, "loss");
  for (std::size_t i = 0; i < num_outputs; ++i)
    if (entries[i].is_list())
      invalid_argument("[compile] loss has a list for output {}; it takes one loss an output", i);
  if (const std::string name = given.left_out(names); !name.empty())
    invalid_argument("[compile] loss names no loss for output \"{}\": {{\"{}\", {{}}}} sets none explicitly",
                     name, name);
  return entries;
}

/// A loss with its name in the logs.
struct NamedLoss {
  std::shared_ptr<Loss> loss;
  std::string name;
};

std::vector<NamedLoss> losses_by_output(const PerOutput<LossSpec>& given,
                                        const std::vector<TensorType>& labels,
                                        const std::vector<TensorType>& outputs,
                                        const std::vector<std::string>& names) {
  std::vector<NamedLoss> losses(outputs.size());
  if (!given.is_set()) return losses;
  const auto entries = loss_entries(given, outputs.size(), names);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (entries[i].is_none()) continue;
    const LossSpec spec = entries[i].value("loss");
    losses[i].loss = make_loss(spec, labels[i].dims, outputs[i].dims);
    if (losses[i].loss != nullptr)
      losses[i].name = spec.is_name() ? snake_case(spec.text()) : losses[i].loss->name();
  }
  return losses;
}

std::vector<double> loss_weights_by_output(const PerOutput<double>& given, std::size_t num_outputs,
                                           const std::vector<std::string>& names) {
  std::vector<double> weights(num_outputs, 1.0);
  if (!given.is_set()) return weights;
  const auto entries = given.by_output(names, num_outputs, "loss_weights");
  for (std::size_t i = 0; i < num_outputs; ++i)
    if (!entries[i].is_none()) weights[i] = entries[i].value("loss_weights");
  return weights;
}

/// Makes names for logs that do not clash.
class LogNames {
 public:
  std::string unique(const std::string& name) {
    std::string result = name;
    for (int k = 1; is_used(result); ++k) result = fmt::format("{}_{}", name, k);
    used_.push_back(result);
    return result;
  }
  bool is_used(const std::string& name) const {
    return std::find(used_.begin(), used_.end(), name) != used_.end();
  }

 private:
  std::vector<std::string> used_;
};

std::string with_output(const std::string& output, const std::string& name) {
  return output.empty() ? name : output + "_" + name;
}

void check_leaf(const PerOutput<LossSpec>::Entry& entry) {
  if (entry.is_list() || entry.is_none()) return;
  const LossSpec spec = entry.value("loss");
  const std::shared_ptr<Loss> loss = make_loss(spec, {kUnknown, 2}, {kUnknown, 2});
  if (loss != nullptr && loss->reduction() == "none") {
    invalid_argument(
        "[compile] loss \"{}\" has reduction \"none\" (null or None in Keras); training needs one number: "
        "use "
        "\"sum_over_batch_size\", or \"sum\", whose gradient is the one that TensorFlow takes for \"none\"",
        loss->name());
  }
}

void check_metric_names(const MetricEntry& entry, const char* option) {
  std::vector<MetricSpec> specs;
  append_specs(entry, option, specs);
  for (const MetricSpec& spec : specs)
    if (spec.is_name()) metrics::make_metric(spec, {kUnknown, 2}, {kUnknown, 2}, {"compile", option});
}

/// Calls `check` with the entry of each output.
template <typename T, bool kTakesLists, typename F>
void for_each_entry(const PerOutput<T, kTakesLists>& given, const std::vector<std::string>& names,
                    F&& check) {
  if (given.is_single()) {
    check(given.root());
    return;
  }
  const bool is_named = given.is_named(names);
  for (const auto& entry : given.root().entries()) check(is_named ? entry.entries()[1] : entry);
}

}  // namespace

bool ModelParts::has_loss() const {
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const OutputParts& output) { return output.loss != nullptr; });
}

bool ModelParts::needs_labels(std::size_t output) const {
  const OutputParts& parts = outputs[output];
  return parts.loss != nullptr || !parts.metrics.empty() || !parts.weighted_metrics.empty();
}

std::vector<bool> outputs_with_loss(const CompileOptions& options, std::size_t num_outputs,
                                    const std::vector<std::string>& names) {
  std::vector<bool> has_loss(num_outputs, false);
  if (!options.loss.is_set()) return has_loss;
  const auto entries = loss_entries(options.loss, num_outputs, names);
  for (std::size_t i = 0; i < num_outputs; ++i)
    has_loss[i] = !entries[i].is_none() && entries[i].value("loss").is_set();
  return has_loss;
}

std::shared_ptr<Loss> make_loss(const LossSpec& spec, const Dims& labels, const Dims& output) {
  if (!spec.is_name() || (spec.text() != "crossentropy" && spec.text() != "ce") || output.empty() ||
      labels.empty())
    return spec.get({"compile", "loss"});
  if (output.back() == 1) return Loss::from_name("binary_crossentropy");
  const bool is_sparse = labels.size() < output.size() || labels.back() == 1;
  return Loss::from_name(is_sparse ? "sparse_categorical_crossentropy" : "categorical_crossentropy");
}

void check_compile_options(const CompileOptions& options, const std::vector<std::string>& names) {
  if (!options.optimizer.is_set()) invalid_argument("[compile] optimizer is missing");
  if (options.run_eagerly && options.steps_per_execution.steps() != 1) {
    invalid_argument(
        "[compile] run_eagerly returns to the host in every step, so steps_per_execution must be 1; got {}",
        options.steps_per_execution.is_auto() ? "\"auto\""
                                              : std::to_string(options.steps_per_execution.steps()));
  }
  for_each_entry(options.loss, names, check_leaf);
  for_each_entry(options.metrics, names,
                 [](const MetricEntry& entry) { check_metric_names(entry, "metrics"); });
  for_each_entry(options.weighted_metrics, names,
                 [](const MetricEntry& entry) { check_metric_names(entry, "weighted_metrics"); });
  for_each_entry(options.loss_weights, names, [](const PerOutput<double>::Entry& entry) {
    if (!entry.is_none()) (void)entry.value("loss_weights");
  });
  if (names.empty()) return;
  if (options.loss.is_set()) (void)loss_entries(options.loss, names.size(), names);
  if (options.loss_weights.is_set())
    (void)options.loss_weights.by_output(names, names.size(), "loss_weights");
  (void)specs_by_output(options.metrics, names.size(), names, "metrics");
  (void)specs_by_output(options.weighted_metrics, names.size(), names, "weighted_metrics");
}

void make_parts(ModelParts& parts, const CompileOptions& options, const std::vector<TensorType>& labels,
                const std::vector<TensorType>& outputs, const std::vector<std::string>& names) {
  const std::size_t n = outputs.size();
  const auto losses = losses_by_output(options.loss, labels, outputs, names);
  const std::vector<double> loss_weights = loss_weights_by_output(options.loss_weights, n, names);
  const auto metric_specs = specs_by_output(options.metrics, n, names, "metrics");
  const auto weighted_specs = specs_by_output(options.weighted_metrics, n, names, "weighted_metrics");
  const auto num_losses =
      std::count_if(losses.begin(), losses.end(), [](const NamedLoss& loss) { return loss.loss != nullptr; });

  std::vector<OutputParts> made(n);
  std::vector<NamedMetric> log = {{"loss", parts.loss_tracker}};
  LogNames used;
  used.unique("loss");
  const auto prefix = [&](std::size_t i) { return n > 1 && !names.empty() ? names[i] : std::string(); };
  const auto make = [&](const MetricSpec& spec, std::size_t i) {
    const auto same = [&](const NamedMetric& known) { return known.metric == spec.get(); };
    if (!spec.is_name() && std::any_of(log.begin(), log.end(), same))
      invalid_argument("[compile] metric \"{}\" is given twice; each use needs an object of its own",
                       spec.get()->name());
    return metrics::make_metric(spec, labels[i].dims, outputs[i].dims);
  };
  for (std::size_t i = 0; i < n; ++i) {
    made[i].loss = losses[i].loss;
    made[i].loss_weight = loss_weights[i];
    for (const MetricSpec& spec : metric_specs[i]) {
      made[i].metrics.push_back(make(spec, i));
      log.push_back(
          {used.unique(with_output(prefix(i), made[i].metrics.back()->name())), made[i].metrics.back()});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (const MetricSpec& spec : weighted_specs[i]) {
      made[i].weighted_metrics.push_back(make(spec, i));
      const std::string& name = made[i].weighted_metrics.back()->name();
      const std::string plain = with_output(prefix(i), name);
      log.push_back({used.unique(used.is_used(plain) ? with_output(prefix(i), "weighted_" + name) : plain),
                     made[i].weighted_metrics.back()});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (num_losses < 2 || losses[i].loss == nullptr) continue;
    const std::string name = used.unique((prefix(i).empty() ? losses[i].name : prefix(i)) + "_loss");
    made[i].loss_tracker = std::make_shared<metrics::MeanMetric>(name);
    log.push_back({name, made[i].loss_tracker});
  }
  for (const MetricHandle& metric : parts.network->metrics())
    log.push_back({metric->name(), metric.shared()});
  parts.outputs = std::move(made);
  parts.metrics = std::move(log);
}

}  // namespace cornu::inline v0::keras
