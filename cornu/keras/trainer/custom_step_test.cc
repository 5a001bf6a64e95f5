#include <gtest/gtest.h>

#include <cmath>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

class CustomStepTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(CustomStepTest);

/// Defines its own loss and metrics; the step is Keras's.
class OwnCriterion : public Network {
 public:
  OwnCriterion() : Network("OwnCriterion", "") {}

  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x); }
  Tensor compute_loss(StepTools& tools, const StepData& data, const Tensors& y_pred) override {
    return tools.compute_loss(data, y_pred) * 3.0 + 1.0;
  }
  StepLogs compute_metrics(StepTools& tools, const StepData& data, const Tensors& y_pred,
                           const Tensor& loss) override {
    StepLogs logs = tools.compute_metrics(data, y_pred, loss);
    logs.emplace_back("largest", ops::max(y_pred[0]));
    return logs;
  }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 1, .kernel_initializer = "ones"}));
};

TEST_P(CustomStepTest, ANetworkMaySayItselfWhatItsLossAndMetricsAre) {
  const Tensor x = Tensor::of<float>({2, 1}, {1, 3}), y = Tensor::of<float>({2, 1}, {1, 1});
  Model model(std::make_shared<OwnCriterion>());
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  EXPECT_NEAR(model.test_on_batch(x, y).at("loss"), 3 * 2.0 + 1, 1e-6);
  EXPECT_NEAR(model.test_on_batch(x, y).at("largest"), 3, 1e-6);
  EXPECT_NEAR(model.train_on_batch(x, y).at("loss"), 3 * 2.0 + 1, 1e-6);
  // d mse / d kernel = mean(2 * (x - 1) * x) = 6, three times that, times the rate.
  EXPECT_NEAR(model.get_weights()[0].at(0), 1 - 0.1 * 18, 1e-5);
}

/// A generator and a discriminator with an optimizer each; x contains real rows and latent ones.
class Gan : public Network {
 public:
  Gan() : Network("Gan", "") {}

  StepLogs train_step(StepTools&, const StepData& data) override {
    const Tensor real = data.x[0], latent = data.x[1];
    const SampleWeights rows{.sample_weight = {}, .rows = data.rows};
    const Tensor zeros = Tensor::zeros({real.shape()[0], 1}), ones = zeros + 1.0;
    const losses::BinaryCrossentropy loss({.from_logits = true});
    const Tensor d_loss =
        (*loss)(ones, discriminator_(real), rows) + (*loss)(zeros, discriminator_(generator_(latent)), rows);
    discriminator_optimizer_->apply(gradient(d_loss, discriminator_->trainable_weights()),
                                    discriminator_->trainable_weights());
    const Tensor g_loss = (*loss)(ones, discriminator_(generator_(latent)), rows);
    generator_optimizer_->apply(gradient(g_loss, generator_->trainable_weights()),
                                generator_->trainable_weights());
    mean_g_loss_.update_state(g_loss);
    return {{"g_loss", g_loss}, {"d_loss", d_loss}, {"mean_g_loss", mean_g_loss_->result()}};
  }

 private:
  LayerHandle generator_ = track(layers::Dense({.units = 4}));
  LayerHandle discriminator_ = track(layers::Dense({.units = 1}));
  optimizers::Adam discriminator_optimizer_, generator_optimizer_;
  metrics::Mean mean_g_loss_ = track(metrics::Mean({.name = "mean_g_loss"}));
};

TEST_P(CustomStepTest, ANetworkMayTrainTwoPartsWithTwoOptimizersAndReportWhatItLikes) {
  const Flowers data(22);
  const Flowers latent(22, 99);
  const auto train = [&](int steps_per_execution) {
    set_random_seed(3);
    Model model(std::make_shared<Gan>());
    model.compile({.steps_per_execution = steps_per_execution, .seed = 1});
    const auto history = model.fit({data.x, latent.x}, {}, {.batch_size = 4, .epochs = 3, .verbose = 0});
    EXPECT_EQ(history.num_steps, 18);
    EXPECT_EQ(history.num_compiles, 1);
    EXPECT_EQ(model.weights().size(), 4u);
    return std::pair(history.history, model.get_weights());
  };
  const auto [history, weights] = train(1);
  EXPECT_EQ(history.keys(), (std::vector<std::string>{"d_loss", "g_loss", "mean_g_loss"}));
  EXPECT_TRUE(std::isfinite(history["d_loss"].back()));
  EXPECT_NE(history["g_loss"].back(), history["mean_g_loss"].back())
      << "one is the last step's, the other the epoch's mean";
  const auto [again, same] = train(50);
  EXPECT_EQ(again, history);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_TRUE(weights[i].literal() == same[i].literal());
}

/// Weighs the loss of compile() and counts its steps.
class Weighed : public Network {
 public:
  Weighed() : Network("Weighed", "") {}
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    const Tensors y_pred(call_many(data.x, {.training = true}));
    const Tensor loss = tools.compute_loss(data, y_pred);
    tools.apply(gradient(loss * 3.0, tools.trainable_variables()), tools.trainable_variables());
    StepLogs logs = tools.compute_metrics(data, y_pred, loss);
    logs.emplace_back("steps", ops::cast(tools.optimizer().iterations(), DType::kF32));
    return logs;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override { return dense_(input); }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 3, .kernel_initializer = "ones"}));
};

TEST_P(CustomStepTest, AnOwnTrainStepUsesTheCompiledParts) {
  const Flowers data(20);
  Model own(std::make_shared<Weighed>());
  Sequential plain({layers::Dense({.units = 3, .kernel_initializer = "ones"})});
  own.compile({.optimizer = optimizers::SGD({.learning_rate = 0.01}),
               .loss = "mse",
               .metrics = {"mae"},
               .steps_per_execution = 3});
  plain.compile({.optimizer = optimizers::SGD({.learning_rate = 0.03}), .loss = "mse", .metrics = {"mae"}});
  const FitOptions options{
      .batch_size = 6, .epochs = 2, .verbose = 0, .validation_split = 0.2, .shuffle = false};
  const auto a = own.fit(data.x, data.one_hot, options);
  const auto b = plain.fit(data.x, data.one_hot, options);
  EXPECT_LT(largest_difference(own.weights(), plain.weights()), 1e-6);
  for (const char* log : {"loss", "mae", "val_loss", "val_mae"})
    EXPECT_NEAR(a[log].back(), b[log].back(), 1e-6) << log;
  EXPECT_EQ(a["steps"], (std::vector<double>{3, 6}));
  EXPECT_FALSE(a.contains("val_steps"));
}

TEST_P(CustomStepTest, AStepThatLooksAtValuesIsToldThatItIsCompiled) {
  class Looker : public Weighed {
    StepLogs train_step(StepTools& tools, const StepData& data) override {
      const Tensors y_pred(call_many(data.x, {.training = true}));
      const Tensor loss = tools.compute_loss(data, y_pred);
      return {{"loss", loss.item<float>()}};
    }
  };
  const Flowers data(8);
  Model model(std::make_shared<Looker>());
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 5});
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0}); }),
                  ErrorCode::kFailedPrecondition, {"symbolic", "a step is compiled"});
}

TEST_P(CustomStepTest, AnyLayerIsAModel) {
  const Flowers data(20);
  Model model(layers::Dense({.units = 3}).shared());
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 5, .epochs = 4, .verbose = 0});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  EXPECT_EQ(model.predict(data.x, {.verbose = 0}).shape(), (Dims{20, 3}));
}

/// Adds 0.5 * mean(output^2) to the loss.
class SelfTaught : public Network {
 public:
  SelfTaught() : Network("SelfTaught", "") {}

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor output = dense_(input);
    add_loss(0.5 * ops::mean(ops::square(output)));
    return output;
  }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 2, .kernel_initializer = "ones"}));
};

TEST_P(CustomStepTest, ANetworksOwnLossesAreEnough) {
  const Flowers data(12);
  Model model(std::make_shared<SelfTaught>()), with_labels(std::make_shared<SelfTaught>());
  model.compile({.optimizer = "sgd", .steps_per_execution = 4});
  const auto history = model.fit(data.x, {}, {.batch_size = 4, .epochs = 5, .verbose = 0, .shuffle = false});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  EXPECT_EQ(history.history.size(), 1u);
  // Beside a loss they add to it.
  with_labels.compile({.optimizer = optimizers::SGD({.learning_rate = 0.0}), .loss = "mse"});
  const Tensor y = Tensor::zeros({12, 2});
  const Logs logs = with_labels.evaluate(data.x, y, {.batch_size = 12, .verbose = 0});
  const Tensor output = with_labels.predict(data.x, {.verbose = 0});
  double square = 0;
  for (std::int64_t i = 0; i < 24; ++i) square += output.at(i) * output.at(i) / 24;
  EXPECT_NEAR(logs["loss"], 1.5 * square, 1e-4);
}

/// Trains with its own loss only, as an autoencoder does.
class OwnLoss : public Network {
 public:
  OwnLoss() : Network("OwnLoss", "") {}
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    GradientTape tape;
    const Tensor loss = losses::MeanSquaredError()(data.x[0], (*this)(data.x[0]), {.rows = data.rows});
    const std::span<const Variable> variables = tools.trainable_variables();
    EXPECT_EQ(tools.trainable_variables().data(), variables.data()) << "what was given out stays";
    tools.apply(tape.gradient(loss, tools.trainable_variables()), tools.trainable_variables());
    return {{"loss", loss}};
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override { return dense_(input); }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 4}));
};

TEST_P(CustomStepTest, AModelWithoutACompiledLossMayAskForItsVariablesTwice) {
  const Flowers data(12);
  Model model(std::make_shared<OwnLoss>());
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05})});
  const auto history = model.fit(data.x, {}, {.batch_size = 4, .epochs = 10, .verbose = 0});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
}

/// Does not pass one of its two layers to track().
class Forgetful : public Network {
 public:
  Forgetful() : Network("Forgetful", "forgetful") {}

  LayerHandle forgotten = layers::Dense({.units = 5, .name = "hidden"});

 protected:
  Tensor call(const Tensor& input, const CallContext&) override { return output_(forgotten(input)); }

 private:
  LayerHandle output_ = track(layers::Dense({.units = 3}));
};

TEST_P(CustomStepTest, ALayerThatWasNotTrackedIsNamedUnlessItIsFrozen) {
  const Flowers data(12);
  for (const bool run_eagerly : {false, true}) {
    const auto network = std::make_shared<Forgetful>();
    Model model(network);
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly});
    const FitOptions options{.batch_size = 4, .verbose = 0};
    model.build({kUnknown, 4});
    const std::vector<Tensor> before = model.get_weights();
    const Error error = error_of([&] { model.fit(data.x, data.one_hot, options); });
    expect_contains(error, ErrorCode::kFailedPrecondition,
                    {"[track]", "\"forgetful\"", "\"forgetful/hidden/kernel\"", "layer \"hidden\""});
    ASSERT_EQ(model.get_weights().size(), 2u);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(before[i].literal() == model.get_weights()[i].literal());
    EXPECT_NO_THROW(model.predict(data.x, {.verbose = 0}));
    network->forgotten.set_trainable(false);
    EXPECT_NO_THROW(model.fit(data.x, data.one_hot, options));
  }
}

TEST_P(CustomStepTest, AVariableThatNothingTrainsIsNamed) {
  const Variable factor(Tensor::of<float>({}, {2}).literal(), {.name = "factor"});
  const Flowers data(12);
  Sequential model(
      {layers::Dense({.units = 3}), layers::Lambda([&](const Tensor& x) { return x * factor; })});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0}); }),
                  ErrorCode::kFailedPrecondition, {"[track]", "variable \"factor\"", "add_weight"});
}

/// f(a, b) = Dense(a) + Dense(b), with named inputs.
class TwoInputs : public Network {
 public:
  TwoInputs() : Network("TwoInputs", "") {}
  std::vector<std::string> input_names() const override { return {"left", "right"}; }

 protected:
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    return {a_(inputs[0]) + b_(inputs[1])};
  }

 private:
  LayerHandle a_ =
      track(layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 1})}));
  LayerHandle b_ =
      track(layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 2})}));
};

TEST_P(CustomStepTest, SeveralInputsByPositionAndByName) {
  const Flowers data(21);
  const Tensor ids = Tensor::from<std::int32_t>({21, 1}, data.class_id.data<std::int32_t>());
  const auto made = [] {
    Model model(std::make_shared<TwoInputs>());
    model.compile({.optimizer = "adam", .loss = "mse", .steps_per_execution = 2, .seed = 4});
    return model;
  };
  Model by_position = made(), by_name = made();
  const FitOptions options{.batch_size = 5, .epochs = 2, .verbose = 0, .validation_split = 0.3};
  by_position.fit({data.x, data.one_hot}, data.one_hot, options);
  by_name.fit({{"right", data.one_hot}, {"left", data.x}}, data.one_hot, options);
  EXPECT_TRUE(same_bits(by_position.weights(), by_name.weights()));
  EXPECT_TRUE(by_position.predict({data.x, data.one_hot}, {.verbose = 0}).literal() ==
              by_name.predict({{"right", data.one_hot}, {"left", data.x}}, {.verbose = 0}).literal());
  expect_contains(
      error_of([&] { by_name.fit({{"rigth", data.one_hot}, {"left", data.x}}, data.one_hot, options); }),
      ErrorCode::kInvalidArgument, {"[fit]", "\"rigth\"", "\"right\""});
  expect_contains(error_of([&] { by_name.predict({{"right", data.one_hot}}, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"[predict]", "2", "left, right", "got 1"});
  expect_contains(error_of([&] { by_name.predict({data.x, data.x, data.x}, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"[predict] model \"two_inputs", "takes 2 inputs (left, right); got 3"});
  expect_contains(error_of([&] { by_name.fit({data.x, data.one_hot.rows(0, 20)}, data.one_hot, options); }),
                  ErrorCode::kInvalidArgument, {"x[0] and x[1] must have the same number of rows"});
}

TEST_P(CustomStepTest, OneBatchAtATime) {
  const Flowers data(40);
  Sequential batches = small_model(), whole = small_model();
  for (Sequential* model : {&batches, &whole})
    model->compile({.optimizer = "adam", .loss = "mse", .metrics = {"accuracy"}, .seed = 1});
  Logs last;
  for (std::int64_t begin = 0; begin < 40; begin += 12)
    last = batches.train_on_batch(data.x.rows(begin, std::min<std::int64_t>(begin + 12, 40)),
                                  data.one_hot.rows(begin, std::min<std::int64_t>(begin + 12, 40)));
  const auto history = whole.fit(data.x, data.one_hot, {.batch_size = 12, .verbose = 0, .shuffle = false});
  EXPECT_TRUE(same_bits(batches.weights(), whole.weights()));
  EXPECT_EQ(last.str().substr(0, 9), "accuracy:");
  EXPECT_NE(last["loss"], history["loss"][0]) << "metrics are of one batch";
  EXPECT_EQ(batches.metrics_names(), (std::vector<std::string>{"loss", "accuracy"}));
  const Logs test = batches.test_on_batch(data.x, data.one_hot);
  EXPECT_NEAR(test["loss"], whole.evaluate(data.x, data.one_hot, {.verbose = 0})["loss"], 1e-6);
  EXPECT_EQ(batches.get_metrics_result()["loss"], test["loss"]);
  batches.reset_metrics();
  EXPECT_EQ(batches.get_metrics_result()["loss"], 0);
  const Tensor rows = batches.predict_on_batch(data.x.rows(0, 7));
  EXPECT_EQ(rows.shape(), (Dims{7, 3}));
  const Tensor weights = Tensor::of<float>({4}, {0, 0, 0, 0});
  EXPECT_EQ(
      batches.train_on_batch(data.x.rows(0, 4), data.one_hot.rows(0, 4), {.sample_weight = weights})["loss"],
      0);
  EXPECT_EQ(batches.train_on_batch(data.x.rows(0, 4), data.one_hot.rows(0, 4),
                                   {.class_weight = {{0, 0}, {1, 0}, {2, 0}}})["loss"],
            0);
}

TEST_P(CustomStepTest, BatchesOfManySizesNeedFewPrograms) {
  const Flowers data(64);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  for (std::int64_t n = 1; n <= 64; ++n) model.train_on_batch(data.x.rows(0, n), data.one_hot.rows(0, n));
  EXPECT_LE(model.num_compiles(), 7);
  const int before = model.num_compiles();
  for (std::int64_t n = 64; n >= 1; --n) model.train_on_batch(data.x.rows(0, n), data.one_hot.rows(0, n));
  EXPECT_EQ(model.num_compiles(), before);
}

TEST_P(CustomStepTest, BadOptionsOfOutputsAreRefused) {
  const Flowers data(12);
  Sequential model = small_model();
  const auto compiled = [&](const CompileOptions& options) {
    return error_of([&] {
      model.compile(options);
      model.fit(data.x, data.one_hot, {.verbose = 0});
    });
  };
  expect_contains(compiled({.loss = {"mse", "mae"}}), ErrorCode::kInvalidArgument,
                  {"[compile] loss has 2 entries", "1 outputs"});
  expect_contains(compiled({.loss = "mse", .loss_weights = {1.0, 2.0}}), ErrorCode::kInvalidArgument,
                  {"loss_weights has 2 entries"});
  expect_contains(compiled({.loss = "mse", .loss_weights = {"heavy"}}), ErrorCode::kInvalidArgument,
                  {"loss_weights", "\"heavy\""});
  expect_contains(compiled({.loss = "mse", .metrics = {{"out", {"mae"}}}}), ErrorCode::kInvalidArgument,
                  {"\"out\""});
  expect_contains(compiled({.loss = "mse", .run_eagerly = true, .steps_per_execution = 4}),
                  ErrorCode::kInvalidArgument, {"run_eagerly", "steps_per_execution must be 1", "4"});
  const metrics::MeanSquaredError twice;
  expect_contains(compiled({.loss = "mse", .metrics = {twice}, .weighted_metrics = {twice}}),
                  ErrorCode::kInvalidArgument, {"\"mean_squared_error\"", "twice"});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto fit = [&](const FitOptions& options) {
    return error_of([&] { model.fit(data.x, data.one_hot, options); });
  };
  expect_contains(fit({.verbose = 0, .class_weight = {{3, 2.0}}}), ErrorCode::kInvalidArgument,
                  {"class 3", "(None, 3)"});
  expect_contains(fit({.verbose = 0, .class_weight = {{1, -2.0}}}), ErrorCode::kInvalidArgument,
                  {"class 1", "-2"});
  expect_contains(fit({.verbose = 0, .class_weight = {{1, 2.0}}, .sample_weight = Tensor::zeros({12})}),
                  ErrorCode::kInvalidArgument, {"class_weight and sample_weight"});
  expect_contains(fit({.verbose = 0, .sample_weight = Tensor::zeros({12, 3})}), ErrorCode::kInvalidArgument,
                  {"sample_weight", "(12, 3)"});
  expect_contains(fit({.verbose = 0, .sample_weight = {Tensor::zeros({12}), Tensor::zeros({12})}}),
                  ErrorCode::kInvalidArgument, {"sample_weight", "got 2"});
  expect_contains(error_of([&] { model.fit(data.x, {data.one_hot, data.one_hot}, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"[fit] y must hold a tensor for each of the 1 outputs", "got 2"});
  expect_contains(error_of([&] { ValidationFreq(0); }), ErrorCode::kInvalidArgument,
                  {"validation_freq", "0"});
  expect_contains(error_of([&] { JitCompile("no"); }), ErrorCode::kInvalidArgument,
                  {"jit_compile", "\"no\""});
}

TEST_P(CustomStepTest, ValidationFreqCountsEpochsFromOne) {
  const Flowers data(12);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto count = [&](const ValidationFreq& freq) {
    return model
        .fit(data.x, data.one_hot,
             {.epochs = 6, .verbose = 0, .validation_split = 0.5, .validation_freq = freq})["val_loss"]
        .size();
  };
  EXPECT_EQ(count(1), 6u);
  EXPECT_EQ(count(4), 1u);
  EXPECT_EQ(count({1, 6, 9}), 2u);
}

}  // namespace
}  // namespace cornu::inline v0::keras
