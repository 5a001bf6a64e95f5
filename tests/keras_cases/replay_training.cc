#include <fmt/format.h>

#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/keras.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

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

keras::TrainOnBatchOptions options_in(const Config& data) {
  keras::TrainOnBatchOptions options;
  if (const Config* weight = data.find("sample_weight")) options.sample_weight = tensors_in(*weight);
  if (const Config* weights = data.find("class_weight"))
    for (const Config& pair : weights->as_list())
      options.class_weight[pair.at(0).as_integer()] = pair.at(1).as_number();
  return options;
}

}  // namespace

void replay_training(const Config& recorded) {
  keras::Model model = keras::model_from_config(recorded.at("object"));
  model.compile(keras::files::read_compile_config(recorded.at("compile"),
                                                  keras::saving::KerasVersion("3.15.1"), model));
  const Config& data = recorded.at("data");
  const keras::Tensors x = tensors_in(data.at("x")), y = tensors_in(data.at("y"));
  const keras::TrainOnBatchOptions options = options_in(data);
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
  // Each step multiplies rounding.
  constexpr double kLooser = 10;
  std::size_t step = 0;
  for (const Config& expected : recorded.at("logs").as_list()) {
    const keras::Logs logs = model.train_on_batch(x, y, options);
    for (const auto& [name, value] : expected.as_dict()) {
      const auto found =
          std::find_if(logs.begin(), logs.end(), [&](const auto& log) { return log.first == name; });
      if (found == logs.end()) throw Difference(fmt::format("step {} has no log {}", step, name));
      expect_number(found->second, value.as_number(), fmt::format("{} of step {}", name, step), kLooser);
    }
    ++step;
  }
  std::vector<Tensor> values;
  for (const Variable& weight : weights) values.emplace_back(weight.read());
  expect_arrays(values, recorded.at("values"), "weight after training", kLooser);
}

}  // namespace cornu::inline v0::tests
