#include "cornu/keras/testing/check_layer_test_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::testing {
namespace {

// The inputs of a case of tests/goldens/layers.json, with their masks and the dtypes that Keras had.
std::vector<Tensor> layer_inputs(const nlohmann::json& row) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < row.at("inputs").size(); ++i) {
    inputs.push_back(golden_tensor(row.at("inputs")[i]));
    const nlohmann::json& mask = row.at("masks")[i];
    if (!mask.is_null()) inputs.back() = inputs.back().with_mask(ops::cast(golden_tensor(mask), DType::kI1));
  }
  return inputs;
}

// Checks output shape and dtype on tensors of a functional model, with an open batch and, if no weights need
// to be made, with a fixed batch.
void check_layer_types(const LayerHandle& layer, const nlohmann::json& row,
                       const std::vector<Tensor>& inputs) {
  std::vector<KerasTensor> symbolic;
  for (const Tensor& input : inputs) {
    const Dims shape(input.shape().begin() + 1, input.shape().end());
    symbolic.push_back(Input({.shape = shape, .dtype = input.dtype()}));
  }
  const Trace before;
  const std::vector<KerasTensor> outputs = layer.call_many(std::span<const KerasTensor>(symbolic));
  const Trace after;
  if (layer->has_type_rule()) {
    EXPECT_EQ(after.id(), before.id() + 1) << "a trace for the types";
  }
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(shape_with_none_str(outputs[0].shape()), shape_with_none_str(row.at("output_shape").get<Dims>()));
  EXPECT_EQ(ir::numpy_name(outputs[0].dtype()), row.at("output_dtype").get<std::string>());
  if (inputs.size() == 1) {
    EXPECT_EQ(layer->compute_output_shape(symbolic[0].shape()), outputs[0].shape());
  }
}

void load_layer_weights(const LayerHandle& layer, const nlohmann::json& row) {
  const std::vector<Variable> weights = layer->weights();
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i].load(golden_tensor(row.at("weights")[i].at("value")).literal());
}

// Checks names, paths and shapes of the weights; loads Keras's values.
void check_layer_weights(const LayerHandle& layer, const nlohmann::json& row) {
  const std::vector<Variable> weights = layer->weights();
  ASSERT_EQ(weights.size(), row.at("weights").size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const nlohmann::json& wanted = row.at("weights")[i];
    EXPECT_EQ(weights[i].name(), wanted.at("name").get<std::string>());
    EXPECT_EQ(weights[i].path(), wanted.at("path").get<std::string>());
    const Tensor value = golden_tensor(wanted.at("value"));
    ASSERT_EQ(weights[i].shape(), value.shape());
    weights[i].load(value.literal());
  }
}

CallArguments layer_arguments(const nlohmann::json& row) {
  const nlohmann::json& call = row.at("call");
  CallArguments arguments;
  if (call.contains("training")) arguments.training = call.at("training").get<bool>();
  arguments.use_causal_mask = call.value("use_causal_mask", false);
  arguments.return_attention_scores = call.value("return_attention_scores", false);
  return arguments;
}

void check_layer_gradients(const LayerHandle& layer, const nlohmann::json& row,
                           const std::vector<Tensor>& inputs, double tolerance) {
  const CallArguments arguments = layer_arguments(row);
  const bool has_input_gradients = row.contains("input_gradients");
  std::vector<Variable> variables = layer->weights();
  std::vector<Tensor> wanted = golden_tensors(row.at("weight_gradients"));
  std::vector<Variable> input_variables;
  for (const Tensor& input : inputs)
    input_variables.emplace_back(input.literal(), VariableOptions{.name = "input"});
  if (has_input_gradients) {
    variables.insert(variables.end(), input_variables.begin(), input_variables.end());
    for (const nlohmann::json& gradient : row.at("input_gradients"))
      wanted.push_back(golden_tensor(gradient));
  }
  std::vector<Variable> results;
  for (const Variable& variable : variables)
    results.emplace_back(ir::Literal(variable.type()), VariableOptions{.name = "gradient"});
  const Variable output(ir::Literal(golden_tensor(row.at("y")).type()), {.name = "output"});
  TracedStep step([&](Trace&) -> std::vector<Tensor> {
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      values.push_back(inputs[i].mask() == nullptr ? input_variables[i].value()
                                                   : input_variables[i].value().with_mask(*inputs[i].mask()));
    const Tensor traced = layer.call_many(values, arguments)[0];
    output.assign(traced);
    Tensor total = ops::sum(traced * golden_tensor(row.at("cotangent")));
    for (const Tensor& loss : layer->losses()) total = total + loss;
    const std::vector<Tensor> gradients = gradient(total, variables);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (gradients[i].defined()) results[i].assign(gradients[i]);
    return {};
  });
  load_layer_weights(layer, row);  // the call above may have changed some
  step.run();
  expect_close(Tensor(output.read()), golden_tensor(row.at("y")), tolerance, "y of the compiled step");
  const auto zeros = row.value("zero_gradients", std::vector<std::size_t>());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (std::find(zeros.begin(), zeros.end(), i) != zeros.end()) {  // rounding noise in sums that are 0
      EXPECT_LT(ops::max(ops::absolute(Tensor(results[i].read()))).item<double>(), 1e-3)
          << variables[i].name();
      continue;
    }
    const double gradient_tolerance = 10 * tolerance;  // cancellation in the sums of the gradients
    expect_close(Tensor(results[i].read()), wanted[i], gradient_tolerance,
                 "gradient " + std::to_string(i) + " of " + variables[i].name());
  }
}

// Checks outputs, masks and losses, outside of a trace and, with the gradients, in a compiled step.
void check_layer_values(const LayerHandle& layer, const nlohmann::json& row,
                        const std::vector<Tensor>& inputs, double tolerance) {
  const CallArguments arguments = layer_arguments(row);
  const std::vector<Tensor> outputs = layer.call_many(inputs, arguments);
  ASSERT_EQ(outputs.size(), row.contains("scores") ? 2U : 1U);
  const Tensor& y = outputs[0];
  if (row.contains("scores")) expect_close(outputs[1], golden_tensor(row.at("scores")), tolerance, "scores");
  expect_close(y, golden_tensor(row.at("y")), tolerance, "y");
  ASSERT_EQ(y.mask() != nullptr, !row.at("y_mask").is_null()) << "whether the output has a mask";
  if (y.mask() != nullptr)
    expect_close(ops::cast(*y.mask(), DType::kI32), golden_tensor(row.at("y_mask")), 0, "mask");
  const std::vector<Tensor> losses = layer->losses();
  ASSERT_EQ(losses.size(), row.at("losses").size());
  for (std::size_t i = 0; i < losses.size(); ++i)
    expect_near_relative(losses[i].item<double>(), row.at("losses")[i].get<double>(), tolerance, "loss");
  if (row.contains("weight_gradients")) check_layer_gradients(layer, row, inputs, tolerance);
}

// Ten steps of SGD on the mean squared error to the cotangent, from Keras's weights. Checks losses and final
// weights, and that one program serves partial batches.
void check_layer_training(const LayerHandle& layer, const nlohmann::json& row,
                          const std::vector<Tensor>& inputs) {
  const nlohmann::json& training = row.at("training");
  std::vector<KerasTensor> symbolic;
  for (const Tensor& input : inputs)
    symbolic.push_back(
        Input({.shape = Dims(input.shape().begin() + 1, input.shape().end()), .dtype = input.dtype()}));
  Model model({.inputs = symbolic, .outputs = layer.call_many(std::span<const KerasTensor>(symbolic))[0]});
  const std::vector<Variable> weights = layer->weights();
  load_layer_weights(layer, row);
  model.compile({.optimizer = optimizers::SGD({.learning_rate = training.at("learning_rate").get<double>()}),
                 .loss = "mse"});
  const Tensor target = golden_tensor(row.at("cotangent"));
  for (std::size_t step = 0; step < training.at("losses").size(); ++step) {
    const double loss = model.train_on_batch(Tensors(inputs), target)["loss"];
    const double tolerance = step < 3 ? 1e-5 : 1e-4;  // rounding grows with the steps
    expect_near_relative(loss, training.at("losses")[step].get<double>(), tolerance,
                         "loss of step " + std::to_string(step));
  }
  const std::string explain =
      model.train_program(Tensors(inputs), target, {.batch_size = target.num_rows()}).explain;
  const std::size_t note = explain.find("partial batches");
  EXPECT_EQ(note, std::string::npos) << "padding is not proven to change nothing: "
                                     << explain.substr(std::min(note, explain.size()));
  const std::vector<Tensor> wanted = golden_tensors(training.at("weights"));
  for (std::size_t i = 0; i < weights.size(); ++i)
    expect_close(Tensor(weights[i].read()), wanted[i], 1e-4, "after ten steps, " + weights[i].name());
}

}  // namespace

void check_layer(const LayerHandle& layer, const nlohmann::json& row, double tolerance) {
  const std::vector<Tensor> inputs = layer_inputs(row);
  check_layer_types(layer, row, inputs);
  if (::testing::Test::HasFatalFailure()) return;
  EXPECT_TRUE(layer->built());
  if (row.at("config").contains("enable_lora")) {
    const nlohmann::json& lora = row.at("config").at("enable_lora");
    layers::LoraHandle(layer.shared())
        .enable_lora({.rank = lora.at("rank"), .lora_alpha = lora.at("lora_alpha")});
  }
  check_layer_weights(layer, row);
  if (::testing::Test::HasFatalFailure()) return;
  check_layer_values(layer, row, inputs, tolerance);
  if (row.contains("training")) check_layer_training(layer, row, inputs);
}

}  // namespace cornu::inline v0::keras::testing
