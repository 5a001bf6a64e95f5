#include <fmt/format.h>

#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/keras.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

/// Factor of the tolerances: each step multiplies rounding.
constexpr double kLooser = 10;

void expect_logs(const keras::Logs& logs, const Config& expected, const std::string& place) {
  for (const auto& [name, value] : expected.as_dict()) {
    if (!logs.contains(name)) throw Difference(fmt::format("{} has no log {}", place, name));
    expect_number(logs[name], value.as_number(), fmt::format("{} of {}", name, place), kLooser);
  }
}

void expect_weights(const keras::Model& model, const Config& recorded) {
  std::vector<Tensor> values;
  for (const Variable& weight : model.weights()) values.emplace_back(weight.read());
  expect_arrays(values, recorded.at("values"), "weight after training", kLooser);
}

/// An array, a list of arrays, or arrays by name.
keras::Tensors tensors_in(const Config& data) {
  if (const Config* listed = data.find("listed")) {
    std::vector<Tensor> tensors;
    for (const Config& each : listed->as_list()) tensors.push_back(tensor_of(each));
    return tensors;
  }
  if (const Config* named = data.find("named")) {
    std::vector<keras::Tensors::Named> tensors;
    for (const auto& [name, each] : named->as_dict()) tensors.emplace_back(name, tensor_of(each));
    return keras::Tensors(tensors);
  }
  return tensor_of(data);
}

template <typename Options>
Options options_in(const Config& data) {
  Options options;
  if (const Config* weight = data.find("sample_weight")) options.sample_weight = tensors_in(*weight);
  if constexpr (requires { options.class_weight; })
    if (const Config* weights = data.find("class_weight"))
      for (const Config& pair : weights->as_list())
        options.class_weight[pair.at(0).as_integer()] = pair.at(1).as_number();
  return options;
}

/// The compiled model of a case with its weights, and its data.
struct Recorded {
  keras::Model model;
  keras::Tensors x, y;
};

Recorded model_in(const Config& recorded, std::int64_t steps_per_execution) {
  keras::Model model = keras::model_from_config(recorded.at("object"));
  keras::CompileOptions options =
      keras::files::read_compile_config(recorded.at("compile"), keras::saving::KerasVersion("3.15.1"), model);
  options.steps_per_execution = steps_per_execution;
  model.compile(options);
  const Config& data = recorded.at("data");
  const keras::Tensors x = tensors_in(data.at("x")), y = tensors_in(data.at("y"));
  if (!model.built()) model.build(x.single("x").shape());
  const std::vector<Variable> weights = model.weights();
  if (weights.size() != recorded.at("weights").size())
    throw Difference(fmt::format("{} weights; Keras has {}", weights.size(), recorded.at("weights").size()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Tensor value = tensor_of(recorded.at("weights").at(i));
    if (value.shape() != weights[i].shape() || value.dtype() != weights[i].dtype())
      throw Difference(fmt::format("weight {} is {}; Keras's is {}", weights[i].path(),
                                   type_str(weights[i].type()), type_str(value.type())));
    weights[i].load(value.literal());
  }
  return {model, x, y};
}

keras::callbacks::CallbackEntry callback_in(const Config& recorded) {
  const Config& config = recorded.at("config");
  const std::string& name = recorded.at("class_name").as_string();
  const std::string& monitor = config.at("monitor").as_string();
  const std::int64_t patience = config.at("patience").as_integer();
  if (name == "EarlyStopping")
    return keras::callbacks::EarlyStopping(
        {.monitor = monitor,
         .patience = patience,
         .restore_best_weights = config.at("restore_best_weights").as_bool(),
         .start_from_epoch = config.at("start_from_epoch").as_integer()});
  if (name != "ReduceLROnPlateau") throw NotReplayed("the callback " + name);
  return keras::callbacks::ReduceLROnPlateau({.monitor = monitor,
                                              .factor = config.at("factor").as_number(),
                                              .patience = patience,
                                              .min_delta = config.at("min_delta").as_number(),
                                              .cooldown = config.at("cooldown").as_integer()});
}

keras::FitOptions fit_options_in(const Config& recorded) {
  const Config& fit = recorded.at("fit");
  auto options = options_in<keras::FitOptions>(recorded.at("data"));
  options.batch_size = fit.at("batch_size").as_integer();
  options.epochs = fit.at("epochs").as_integer();
  options.initial_epoch = fit.at("initial_epoch").as_integer();
  options.validation_split = fit.at("validation_split").as_number();
  for (const Config& each : fit.at("callbacks").as_list()) options.callbacks.push_back(callback_in(each));
  options.shuffle = false;
  options.verbose = 0;
  return options;
}

}  // namespace

void replay_training(const Config& recorded) {
  auto [model, x, y] = model_in(recorded, 1);
  const auto options = options_in<keras::TrainOnBatchOptions>(recorded.at("data"));
  const Config& expected = recorded.at("logs");
  for (std::size_t step = 0; step < expected.size(); ++step)
    expect_logs(model.train_on_batch(x, y, options), expected.at(step), fmt::format("step {}", step));
  expect_weights(model, recorded);
}

void replay_fit(const Config& recorded) {
  auto [model, x, y] = model_in(recorded, recorded.at("fit").at("steps_per_execution").as_integer());
  const keras::FitOptions options = fit_options_in(recorded);
  const keras::callbacks::History history = model.fit(x, y, options);
  const Config& epochs = recorded.at("logs");
  if (history.epoch.size() != epochs.size())
    throw Difference(fmt::format("{} epochs; Keras makes {}", history.epoch.size(), epochs.size()));
  for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch)
    for (const auto& [name, value] : epochs.at(epoch).as_dict())
      expect_number(history[name].at(epoch), value.as_number(), fmt::format("{} of epoch {}", name, epoch),
                    kLooser);
  expect_weights(model, recorded);
  auto evaluate = options_in<keras::EvaluateOptions>(recorded.at("data"));
  evaluate.batch_size = options.batch_size;
  evaluate.verbose = 0;
  expect_logs(model.evaluate(x, y, evaluate), recorded.at("evaluated"), "evaluate");
  const keras::Tensors predicted = model.predict_many(x, {.batch_size = options.batch_size, .verbose = 0});
  expect_arrays(predicted, recorded.at("predicted"), "prediction", kLooser);
}

}  // namespace cornu::inline v0::tests
