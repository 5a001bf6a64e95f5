#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

/// Compares whole training steps, composed by hand, with real Keras: forward, loss, gradient, optimizer,
/// partial batches.
namespace cornu::inline v0::keras {
namespace {

Tensor forward(const std::vector<LayerHandle>& model, Tensor x, bool training) {
  for (const LayerHandle& layer : model) x = layer(x, {.training = training});
  return x;
}

/// The rows of a step's batch: in order from 0 in each epoch, the last batch padded with row 0.
std::vector<std::int64_t> batch_indices(std::int64_t num_rows, std::int64_t batch, std::int64_t step) {
  const std::int64_t batches = (num_rows + batch - 1) / batch;
  std::vector<std::int64_t> indices(static_cast<std::size_t>(batch), 0);
  const std::int64_t begin = (step % batches) * batch;
  for (std::int64_t i = begin; i < std::min(begin + batch, num_rows); ++i)
    indices[static_cast<std::size_t>(i - begin)] = i;
  return indices;
}

void load_all(const std::vector<Variable>& weights, const std::vector<Tensor>& values) {
  ASSERT_EQ(weights.size(), values.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].load(values[i].literal());
}

/// A model of the golden file `name`, and its training step as a program.
class GoldenModel {
 public:
  GoldenModel(const std::string& name, const std::vector<LayerHandle>& model, const OptimizerSpec& optimizer,
              const LossSpec& loss)
      : name_(name),
        golden_(testing::load_golden(name)),
        x_(testing::golden_tensor(golden_.at("x"))),
        y_(testing::golden_tensor(golden_.at("y"))),
        batch_(golden_.at("batch_size")),
        model_(model),
        optimizer_(optimizer.get()),
        loss_(loss.get()) {
    Dims shape = x_.shape();
    shape[0] = kUnknown;
    for (const LayerHandle& layer : model_) {
      layer->build_once(shape);
      shape = layer->compute_output_shape(shape);
      for (const Variable& weight : layer->trainable_weights()) weights_.push_back(weight);
    }
    accuracy_ = metrics::make_metric("accuracy", y_.shape(), shape);
    load_initial_weights();
    trace_step();
  }

  void load_initial_weights() { load_all(weights_, testing::golden_tensors(golden_.at("initial_weights"))); }

  void check_ten_steps() {
    for (std::int64_t step = 0; step < 10; ++step) {
      loss_tracker_->reset_state();
      run_step(step);
      const double tolerance = step < 3 ? 1e-5 : 1e-4;
      testing::expect_near_relative(loss_tracker_->result().item<double>(),
                                    golden_.at("step_losses")[static_cast<std::size_t>(step)], tolerance,
                                    name_ + " step " + std::to_string(step));
    }
    expect_weights("weights_after_ten_steps");
  }

  /// Whole epochs from the start: running logs and final weights.
  void check_epochs() {
    load_initial_weights();
    for (const Variable& variable : optimizer_->variables())
      if (!(variable == optimizer_->learning_rate_variable())) variable.load(ir::Literal(variable.type()));
    const std::int64_t epochs = golden_.at("epochs");
    for (std::int64_t step = 0; step < num_batches() * epochs; ++step) {
      if (step % num_batches() == 0) {
        loss_tracker_->reset_state();
        accuracy_->reset_state();
      }
      run_step(step);
      const nlohmann::json& logs = golden_.at("running_logs")[static_cast<std::size_t>(step)];
      testing::expect_near_relative(loss_tracker_->result().item<double>(), logs.at("loss"), 1e-4,
                                    name_ + " loss " + std::to_string(step));
      EXPECT_NEAR(accuracy_->result().item<double>(), logs.at("accuracy").get<double>(), 1e-6)
          << name_ << " step " << step;
    }
    expect_weights("final_weights");
  }

  /// Compares predictions made with Keras's final weights.
  void check_predictions() {
    load_all(weights_, testing::golden_tensors(golden_.at("final_weights")));
    const Tensor predicted = forward(model_, testing::golden_tensor(golden_.at("x_val")), false);
    testing::expect_close(predicted, testing::golden_tensor(golden_.at("predictions")), 1e-5,
                          name_ + " predictions");
  }

 private:
  std::int64_t num_batches() const { return (x_.num_rows() + batch_ - 1) / batch_; }

  void trace_step() {
    TensorType x_type = x_.type(), y_type = y_.type();
    x_type.dims[0] = y_type.dims[0] = batch_;
    train_.emplace([&](Trace& trace) -> std::vector<Tensor> {
      const Tensor features = trace.add_rows_argument(x_type);
      const Tensor labels = trace.add_rows_argument(y_type);
      const RowMask rows = RowMask::first_rows(trace.add_valid_rows_argument(), batch_);
      const Tensor predictions = forward(model_, features, true);
      const Tensor value = (*loss_)(labels, predictions, {.rows = rows});
      optimizer_->apply(gradient(value, weights_), weights_);
      loss_tracker_.update_state(value, {.sample_weight = rows.num_valid});
      accuracy_->update_state(labels, predictions, {.rows = rows});
      return {};
    });
  }

  void run_step(std::int64_t step) {
    const std::int64_t valid = std::min(batch_, x_.num_rows() - step % num_batches() * batch_);
    train_->run({x_, y_}, batch_indices(x_.num_rows(), batch_, step), valid);
  }

  void expect_weights(const char* key) const {
    const std::vector<Tensor> expected = testing::golden_tensors(golden_.at(key));
    ASSERT_EQ(weights_.size(), expected.size());
    for (std::size_t i = 0; i < weights_.size(); ++i)
      testing::expect_close(Tensor(weights_[i].read()), expected[i], 1e-4,
                            name_ + " weight " + weights_[i].path());
  }

  std::string name_;
  nlohmann::json golden_;
  Tensor x_, y_;
  std::int64_t batch_;
  std::vector<LayerHandle> model_;
  std::vector<Variable> weights_;
  std::shared_ptr<Optimizer> optimizer_;
  std::shared_ptr<Loss> loss_;
  metrics::Mean loss_tracker_{{.name = "loss"}};
  std::shared_ptr<Metric> accuracy_;
  std::optional<testing::TracedStep> train_;
};

void check_model(const std::string& name, const std::vector<LayerHandle>& model,
                 const OptimizerSpec& optimizer, const LossSpec& loss) {
  GoldenModel golden(name, model, optimizer, loss);
  golden.check_ten_steps();
  golden.check_epochs();
  golden.check_predictions();
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
