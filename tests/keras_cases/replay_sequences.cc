#include <fmt/format.h>

#include "cornu/keras/keras.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

/// A metric and the update of its kind: Mean and Sum take values, the others labels and predictions.
struct MetricObject {
  std::shared_ptr<keras::Metric> metric;
  std::function<void(const std::vector<Tensor>&)> update;  // of values or y_true, y_pred; sample_weight
};

template <typename Handle>
MetricObject metric_of_values(const Config& object) {
  const Config& config = object.at("config");
  keras::metrics::MetricOptions options{.name = config.at("name").as_string()};
  if (config.at("dtype").is_string()) options.dtype = ir::dtype_from_name(config.at("dtype").as_string());
  const Handle handle(options);
  return {handle.shared(),
          [handle](const std::vector<Tensor>& given) { handle.update_state(given[0], given[1]); }};
}

MetricObject metric_of(const Config& object) {
  const std::string& name = object.at("class_name").as_string();
  if (name == "Mean") return metric_of_values<keras::metrics::Mean>(object);
  if (name == "Sum") return metric_of_values<keras::metrics::Sum>(object);
  const auto metric = keras::saving::deserialize<keras::Metric>(object);
  return {metric,
          [metric](const std::vector<Tensor>& given) { metric->update_state(given[0], given[1], given[2]); }};
}

std::vector<Tensor> arguments_of(const Config& arguments) {
  std::vector<Tensor> tensors;
  Tensor weight;
  for (const auto& [name, array] : arguments.as_dict())
    (name == "sample_weight" ? weight : tensors.emplace_back()) = tensor_of(array);
  tensors.push_back(weight);
  return tensors;
}

std::vector<Tensor> values_of(std::span<const Variable> variables) {
  std::vector<Tensor> values;
  for (const Variable& each : variables) values.emplace_back(each.read());
  return values;
}

void replay_metric(const Config& recorded, bool is_compiled) {
  keras::clear_session();
  const MetricObject object = metric_of(recorded.at("object"));
  const std::string when = is_compiled ? "compiled: " : "";
  const auto update = function([&](const std::vector<Tensor>& given) { object.update(given); });
  std::size_t count = 0;
  for (const Config& step : recorded.at("steps").as_list()) {
    if (step.at("event").as_string() == "reset") {
      object.metric->reset_state();
      continue;
    }
    const std::vector<Tensor> given = arguments_of(step.at("arguments"));
    if (is_compiled) {
      update(given);
    } else {
      object.update(given);
    }
    expect_arrays(std::vector<Tensor>{object.metric->result()}, step.at("result"),
                  fmt::format("{}result of update {}", when, ++count));
  }
  expect_arrays(values_of(object.metric->variables()), recorded.at("variables"), when + "variable");
}

std::vector<Variable> variables_of(const Config& recorded) {
  std::vector<Variable> variables;
  for (const Config& each : recorded.at("variables").as_list()) {
    VariableOptions options{.name = each.at("name").as_string()};
    if (!each.at("constraint").is_null()) {
      const auto constraint = keras::saving::deserialize<keras::Constraint>(each.at("constraint"));
      options.constraint = [constraint](const Tensor& x) { return (*constraint)(x); };
    }
    variables.emplace_back(tensor_of(each), options);
  }
  return variables;
}

void replay_optimizer(const Config& recorded, bool is_compiled) {
  keras::clear_session();
  const auto optimizer = keras::saving::deserialize<keras::Optimizer>(recorded.at("object"));
  const std::vector<Variable> variables = variables_of(recorded);
  const auto apply =
      function([&](const std::vector<Tensor>& gradients) { optimizer->apply(gradients, variables); });
  const std::string when = is_compiled ? "compiled: " : "";
  optimizer->build(variables);
  std::size_t count = 0;
  for (const Config& step : recorded.at("steps").as_list()) {
    const std::vector<Tensor> gradients = tensors_of(step.at("gradients"));
    if (is_compiled) {
      apply(gradients);
    } else {
      optimizer->apply(gradients, variables);
    }
    expect_arrays(values_of(variables), step.at("values"),
                  fmt::format("{}variable after step {}", when, ++count), 5);
  }
  expect_arrays(values_of(optimizer->variables()), recorded.at("state"), when + "state", 5);
}

}  // namespace

void replay_metric(const Config& recorded) {
  replay_metric(recorded, false);
  replay_metric(recorded, true);
}

void replay_optimizer(const Config& recorded) {
  replay_optimizer(recorded, false);
  replay_optimizer(recorded, true);
}

}  // namespace cornu::inline v0::tests
