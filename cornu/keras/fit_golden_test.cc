#include <gtest/gtest.h>

#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

/// Compares fit, evaluate and predict with real Keras; initial weights, batch order and data are Keras's.
namespace cornu::inline v0::keras {
namespace {

void follow_keras(const std::string& name, Sequential model, const CompileOptions& options) {
  const nlohmann::json golden = testing::load_golden(name);
  const Tensor x = testing::golden_tensor(golden.at("x"));
  const Tensor y = testing::golden_tensor(golden.at("y"));
  const Tensor x_val = testing::golden_tensor(golden.at("x_val"));
  const Tensor y_val = testing::golden_tensor(golden.at("y_val"));
  const std::int64_t batch_size = golden.at("batch_size");
  model.compile(options);
  model.set_weights(testing::golden_tensors(golden.at("initial_weights")));
  testing::expect_close(model.predict(x_val, {.batch_size = batch_size, .verbose = 0}),
                        testing::golden_tensor(golden.at("initial_predictions")), 1e-5,
                        name + " initial predictions");
  const callbacks::History history = model.fit(x, y,
                                               {.batch_size = batch_size,
                                                .epochs = golden.at("epochs"),
                                                .verbose = 0,
                                                .validation_data = {x_val, y_val},
                                                .shuffle = false});
  for (const auto& [log, values] : golden.at("history").items()) {
    ASSERT_EQ(history[log].size(), values.size()) << log;
    for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
      testing::expect_near_relative(history[log][epoch], values[epoch], 1e-4,
                                    name + " " + log + " of epoch " + std::to_string(epoch));
  }
  const std::vector<Tensor> weights = model.get_weights();
  const std::vector<Tensor> expected = testing::golden_tensors(golden.at("final_weights"));
  ASSERT_EQ(weights.size(), expected.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    testing::expect_close(weights[i], expected[i], 1e-4, name + " weight " + std::to_string(i));

  // From Keras's own final weights, so that nothing adds up.
  model.set_weights(expected);
  const Logs evaluated = model.evaluate(x_val, y_val, {.batch_size = batch_size, .verbose = 0});
  for (const auto& [log, value] : golden.at("evaluate").items())
    testing::expect_near_relative(evaluated[log], value, 1e-5, name + " " + log);
  testing::expect_close(model.predict(x_val, {.batch_size = batch_size, .verbose = 0}),
                        testing::golden_tensor(golden.at("predictions")), 1e-5, name + " predictions");
}

class FitGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, FitGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(FitGoldenTest, IrisFollowsKerasAtEveryNumberOfSteps) {
  for (const StepsPerExecution steps :
       {StepsPerExecution(1), StepsPerExecution(4), StepsPerExecution("auto")})
    follow_keras(
        "model_iris",
        Sequential({layers::Input({.shape = {4}}), layers::Dense({.units = 32, .activation = "relu"}),
                    layers::Dense({.units = 3, .activation = "softmax"})}),
        {.optimizer = optimizers::Adam({.learning_rate = 0.1}),
         .loss = "log_cosh",
         .metrics = {"accuracy"},
         .steps_per_execution = steps});
}

TEST_P(FitGoldenTest, MlpFollowsKeras) {
  follow_keras("model_mlp",
               Sequential({layers::Input({.shape = {20}}), layers::Dense({.units = 16, .activation = "relu"}),
                           layers::Dense({.units = 16, .activation = "relu"}),
                           layers::Dense({.units = 10, .activation = "softmax"})}),
               {.optimizer = optimizers::RMSprop({.learning_rate = 0.003}),
                .loss = "sparse_categorical_crossentropy",
                .metrics = {"accuracy"},
                .steps_per_execution = 3});
}

}  // namespace
}  // namespace cornu::inline v0::keras
