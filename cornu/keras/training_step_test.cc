#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cornu/base/error.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

/// Whole training steps, put together by hand, against real Keras: forward, loss, gradient, optimizer,
/// partial batches.
namespace cornu::inline v0::keras {
namespace {

Tensor forward(const std::vector<LayerHandle>& model, Tensor x, bool training) {
  for (const LayerHandle& layer : model) x = layer(x, {.training = training});
  return x;
}

/// The order of batches: rows 0, 1, ..., again and again, an epoch's last batch padded with row 0.
std::vector<std::int64_t> batch_indices(std::int64_t num_rows, std::int64_t batch, std::int64_t step) {
  const std::int64_t batches = (num_rows + batch - 1) / batch;
  std::vector<std::int64_t> indices(static_cast<std::size_t>(batch), 0);
  const std::int64_t begin = (step % batches) * batch;
  for (std::int64_t i = begin; i < std::min(begin + batch, num_rows); ++i)
    indices[static_cast<std::size_t>(i - begin)] = i;
  return indices;
}

void check_model(const std::string& name, const std::vector<LayerHandle>& model,
                 const OptimizerSpec& optimizer_spec, const LossSpec& loss_spec) {
  const nlohmann::json golden = testing::load_golden(name);
  const Tensor x = testing::golden_tensor(golden.at("x"));
  const Tensor y = testing::golden_tensor(golden.at("y"));
  const std::int64_t batch = golden.at("batch_size");
  const std::vector<Tensor> initial = testing::golden_tensors(golden.at("initial_weights"));

  Dims shape = x.shape();
  shape[0] = kUnknown;
  std::vector<Variable> weights;
  for (const LayerHandle& layer : model) {
    layer->build_once(shape);
    shape = layer->compute_output_shape(shape);
    for (const Variable& weight : layer->trainable_weights()) weights.push_back(weight);
  }
  ASSERT_EQ(weights.size(), initial.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].load(initial[i].literal());

  const auto optimizer = optimizer_spec.get();
  const auto loss = loss_spec.get();
  const metrics::Mean loss_tracker({.name = "loss"});
  const auto accuracy = metrics::make_metric("accuracy", y.shape(), shape);
  TensorType x_type = x.type();
  TensorType y_type = y.type();
  x_type.dims[0] = y_type.dims[0] = batch;
  testing::TracedStep train([&](Trace& trace) -> std::vector<Tensor> {
    const Tensor features = trace.add_rows_argument(x_type);
    const Tensor labels = trace.add_rows_argument(y_type);
    const RowMask rows = RowMask::first_rows(trace.add_valid_rows_argument(), batch);
    const Tensor predictions = forward(model, features, true);
    const Tensor value = (*loss)(labels, predictions, {.rows = rows});
    optimizer->apply(gradient(value, weights), weights);
    loss_tracker.update_state(value, {.sample_weight = rows.num_valid});
    accuracy->update_state(labels, predictions, {.rows = rows});
    return {};
  });
  const auto run_step = [&](std::int64_t step) {
    const std::int64_t batches = (x.num_rows() + batch - 1) / batch;
    const std::int64_t valid = std::min(batch, x.num_rows() - step % batches * batch);
    train.run({x, y}, batch_indices(x.num_rows(), batch, step), valid);
  };

  // Ten single steps.
  for (std::int64_t step = 0; step < 10; ++step) {
    loss_tracker->reset_state();
    run_step(step);
    const double tolerance = step < 3 ? 1e-5 : 1e-4;
    testing::expect_near_relative(loss_tracker->result().item<double>(),
                                  golden.at("step_losses")[static_cast<std::size_t>(step)], tolerance,
                                  name + " step " + std::to_string(step));
  }
  const std::vector<Tensor> after_ten = testing::golden_tensors(golden.at("weights_after_ten_steps"));
  for (std::size_t i = 0; i < weights.size(); ++i)
    testing::expect_close(Tensor(weights[i].read()), after_ten[i], 1e-4,
                          name + " weight " + weights[i].path());

  // Whole epochs from the start: running logs and final weights.
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].load(initial[i].literal());
  for (const Variable& variable : optimizer->variables())
    if (!(variable == optimizer->learning_rate_variable())) variable.load(ir::Literal(variable.type()));
  const std::int64_t batches = (x.num_rows() + batch - 1) / batch;
  const std::int64_t epochs = golden.at("epochs");
  for (std::int64_t step = 0; step < batches * epochs; ++step) {
    if (step % batches == 0) {
      loss_tracker->reset_state();
      accuracy->reset_state();
    }
    run_step(step);
    const nlohmann::json& logs = golden.at("running_logs")[static_cast<std::size_t>(step)];
    testing::expect_near_relative(loss_tracker->result().item<double>(), logs.at("loss"), 1e-4,
                                  name + " loss " + std::to_string(step));
    EXPECT_NEAR(accuracy->result().item<double>(), logs.at("accuracy").get<double>(), 1e-6)
        << name << " step " << step;
  }
  const std::vector<Tensor> final_weights = testing::golden_tensors(golden.at("final_weights"));
  for (std::size_t i = 0; i < weights.size(); ++i)
    testing::expect_close(Tensor(weights[i].read()), final_weights[i], 1e-4,
                          name + " weight " + weights[i].path());

  // Predictions, from Keras's own final weights.
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].load(final_weights[i].literal());
  const Tensor predicted = forward(model, testing::golden_tensor(golden.at("x_val")), false);
  testing::expect_close(predicted, testing::golden_tensor(golden.at("predictions")), 1e-5,
                        name + " predictions");
}

class TrainingStepTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, TrainingStepTest, testing::platforms(), testing::PlatformName());

TEST_P(TrainingStepTest, IrisFollowsKeras) {
  check_model("model_iris",
              {layers::Dense({.units = 32, .activation = "relu"}),
               layers::Dense({.units = 3, .activation = "softmax"})},
              optimizers::Adam({.learning_rate = 0.1}), "log_cosh");
}

TEST_P(TrainingStepTest, MlpFollowsKeras) {
  check_model(
      "model_mlp",
      {layers::Dense({.units = 16, .activation = "relu"}), layers::Dense({.units = 16, .activation = "relu"}),
       layers::Dense({.units = 10, .activation = "softmax"})},
      optimizers::RMSprop({.learning_rate = 0.003}), "sparse_categorical_crossentropy");
}

TEST_P(TrainingStepTest, CnnFollowsKeras) {
  check_model("model_cnn",
              {layers::Conv2D({.filters = 4, .kernel_size = 3, .padding = "same", .activation = "relu"}),
               layers::MaxPooling2D(), layers::Conv2D({.filters = 6, .kernel_size = 2, .activation = "relu"}),
               layers::Flatten(), layers::Dense({.units = 3, .activation = "softmax"})},
              optimizers::Adam({.learning_rate = 0.01}), "sparse_categorical_crossentropy");
}

}  // namespace
}  // namespace cornu::inline v0::keras
