#include <gtest/gtest.h>

#include <cmath>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/trace.h"

/// Compares steps that run op by op with compiled ones.
namespace cornu::inline v0::keras {
namespace {

class RunEagerlyTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(RunEagerlyTest);

/// Expects equal names, and values equal within rounding.
void expect_near(const callbacks::History& a, const callbacks::History& b) {
  ASSERT_EQ(a.history.keys(), b.history.keys());
  for (const auto& [name, values] : a.history) {
    const std::vector<double>& others = b[name];
    ASSERT_EQ(values.size(), others.size());
    for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
      EXPECT_NEAR(values[epoch], others[epoch], 2e-5) << name << ", epoch " << epoch;
  }
}

void expect_near(const Logs& a, const Logs& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, value] : a) EXPECT_NEAR(value, b[name], 2e-5) << name;
}

/// Fits a model of `make` in both modes; `compile_options` and `fit_options` make new options for each.
template <typename Make, typename Compile, typename Fit>
void compare(Make make, Compile compile_options, Fit fit) {
  const auto trained = [&](bool eagerly) {
    clear_session();
    set_random_seed(5);
    Model model = make();
    CompileOptions options = compile_options();
    options.run_eagerly = eagerly;
    options.seed = 9;
    model.compile(options);
    callbacks::History history = fit(model);
    return std::pair(model, history);
  };
  const auto [compiled, history] = trained(false);
  const auto [eager, eager_history] = trained(true);
  expect_near(history, eager_history);
  EXPECT_EQ(eager_history.num_compiles, 0);
  EXPECT_EQ(eager_history.num_steps, history.num_steps);
  EXPECT_LT(largest_difference(compiled.weights(), eager.weights()), 2e-5);
  const std::vector<Variable> slots = compiled.optimizer()->variables(),
                              eager_slots = eager.optimizer()->variables();
  ASSERT_EQ(slots.size(), eager_slots.size());
  EXPECT_LT(largest_difference(slots, eager_slots), 2e-5);
}

TEST_P(RunEagerlyTest, DropoutPartialBatchesMetricsClippingAndValidation) {
  const Flowers data(30);
  compare([] { return small_model(1, 0.4); },
          [] {
            return CompileOptions{
                .optimizer = optimizers::Adam({.learning_rate = 0.05, .clipnorm = 0.02}),
                .loss = "categorical_crossentropy",
                .metrics = {"accuracy", metrics::AUC({.num_thresholds = 20}), "top_k_categorical_accuracy"}};
          },
          [&](Model& model) {
            return model.fit(data.x, data.one_hot,
                             {.batch_size = 7, .epochs = 4, .verbose = 0, .validation_split = 0.3});
          });
}

TEST_P(RunEagerlyTest, RegularizersClassWeightsAndSchedules) {
  const Flowers data(22);
  compare(
      [] {
        return Sequential(
            {layers::Input({.shape = {4}}),
             layers::Dense({.units = 6,
                            .activation = "tanh",
                            .kernel_initializer = initializers::GlorotUniform({.seed = 2}),
                            .kernel_regularizer = regularizers::L2({.l2 = 0.01}),
                            .activity_regularizer = regularizers::L1({.l1 = 0.003})}),
             layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 3})})});
      },
      [] {
        return CompileOptions{.optimizer = optimizers::SGD(
                                  {.learning_rate = optimizers::schedules::ExponentialDecay(
                                       {.initial_learning_rate = 0.1, .decay_steps = 5, .decay_rate = 0.8}),
                                   .momentum = 0.9,
                                   .nesterov = true}),
                              .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                              .weighted_metrics = {"accuracy"}};
      },
      [&](Model& model) {
        return model.fit(data.x, data.class_id,
                         {.batch_size = 6, .epochs = 3, .verbose = 0, .class_weight = {{0, 2.0}, {1, 0.5}}});
      });
}

TEST_P(RunEagerlyTest, AccumulatedGradientsAveragesAndWeightsOfRows) {
  const Flowers data(20);
  std::vector<double> weights(20, 1.0);
  weights[3] = 4;
  compare([] { return small_model(); },
          [] {
            return CompileOptions{.optimizer = optimizers::RMSprop({.learning_rate = 0.02,
                                                                    .weight_decay = 0.01,
                                                                    .use_ema = true,
                                                                    .ema_momentum = 0.8,
                                                                    .gradient_accumulation_steps = 2}),
                                  .loss = "mse",
                                  .metrics = {"mae"}};
          },
          [&](Model& model) {
            return model.fit(data.x, data.one_hot,
                             {.batch_size = 6,
                              .epochs = 3,
                              .verbose = 0,
                              .sample_weight = Tensor::adopt({20}, std::vector<double>(weights))});
          });
}

TEST_P(RunEagerlyTest, TwoInputsAndTwoOutputs) {
  const Flowers data(19);
  compare(
      [] {
        const KerasTensor a = Input({.shape = {4}, .name = "a"}), b = Input({.shape = {4}, .name = "b"});
        const KerasTensor joined = layers::Concatenate()({a, b});
        const KerasTensor hidden =
            layers::Dense({.units = 5,
                           .activation = "gelu",
                           .kernel_initializer = initializers::GlorotUniform({.seed = 4})})(joined);
        const auto head = [&](const char* name, std::uint64_t seed) {
          return layers::Dense({.units = 3,
                                .kernel_initializer = initializers::GlorotUniform({.seed = seed}),
                                .name = name})(hidden);
        };
        return Model({.inputs = {a, b}, .outputs = {head("first", 5), head("second", 6)}});
      },
      [] {
        return CompileOptions{.optimizer = "adam",
                              .loss = {{"first", "mse"}, {"second", "huber"}},
                              .loss_weights = {{"first", 1.0}, {"second", 0.25}},
                              .metrics = {{"first", "mae"}, {"second", "cosine_similarity"}}};
      },
      [&](Model& model) {
        return model.fit({{"a", data.x}, {"b", data.x * 0.5}},
                         {{"first", data.one_hot}, {"second", data.one_hot}},
                         {.batch_size = 5, .epochs = 3, .verbose = 0});
      });
}

TEST_P(RunEagerlyTest, EvaluatePredictAndStepsOnBatches) {
  const Flowers data(17);
  Sequential compiled = small_model(1, 0.3), eager = small_model(1, 0.3);
  compiled.compile({.optimizer = "adam", .loss = "mse", .metrics = {"accuracy"}});
  eager.compile({.optimizer = "adam", .loss = "mse", .metrics = {"accuracy"}, .run_eagerly = true});
  for (int i = 0; i < 3; ++i) {
    const Tensor x = data.x.rows(i, 12 + i), y = data.one_hot.rows(i, 12 + i);
    expect_near(compiled.train_on_batch(x, y, {.class_weight = {{1, 3.0}}}),
                eager.train_on_batch(x, y, {.class_weight = {{1, 3.0}}}));
    expect_near(compiled.test_on_batch(x, y), eager.test_on_batch(x, y));
  }
  expect_near(compiled.evaluate(data.x, data.one_hot, {.batch_size = 5, .verbose = 0}),
              eager.evaluate(data.x, data.one_hot, {.batch_size = 5, .verbose = 0}));
  const auto expect_same = [](const Tensor& a, const Tensor& b) {
    ASSERT_EQ(a.shape(), b.shape());
    for (std::int64_t i = 0; i < a.num_elements(); ++i) EXPECT_NEAR(a.at(i), b.at(i), 1e-5);
  };
  expect_same(compiled.predict(data.x, {.batch_size = 5, .verbose = 0}),
              eager.predict(data.x, {.batch_size = 5, .verbose = 0}));
  expect_same(compiled.predict(data.x, {.batch_size = 5, .verbose = 0, .steps = 2}),
              eager.predict(data.x, {.batch_size = 5, .verbose = 0, .steps = 2}));
  expect_same(compiled.predict_on_batch(data.x), eager.predict_on_batch(data.x));
  EXPECT_EQ(eager.num_compiles(), 0);
}

/// Reads values in call(), at every step.
class Watcher : public Network {
 public:
  Watcher() : Network("Watcher", "") {}
  int calls = 0;
  double largest = 0;

 protected:
  Tensor call(const Tensor& x, const CallContext& context) override {
    const Tensor hidden = dense_(x);
    const Tensor output = out_(ops::max(hidden).item<float>() > 0 ? ops::relu(hidden) : hidden);
    if (context.training) {
      ++calls;
      largest = std::max(largest, static_cast<double>(ops::max(ops::abs(output)).item<float>()));
    }
    return output;
  }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 5}));
  LayerHandle out_ = track(layers::Dense({.units = 3}));
};

TEST_P(RunEagerlyTest, CallMayLookAtValuesInEveryStep) {
  const Flowers data(20);
  const auto network = std::make_shared<Watcher>();
  Model model(network);
  model.compile({.optimizer = "adam", .loss = "mse", .run_eagerly = true});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 6, .epochs = 3, .verbose = 0});
  EXPECT_EQ(network->calls, 12);
  EXPECT_GT(network->largest, 0);
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  EXPECT_EQ(model.count_params(), 5 * 5 + 6 * 3);
  // Compiled, it cannot be.
  model.compile({.optimizer = "adam", .loss = "mse"});
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0}); }),
                  ErrorCode::kFailedPrecondition, {"symbolic"});
}

/// Makes two updates in a step, by gradient(), and reports a value that it reads.
class TwoUpdates : public Network {
 public:
  TwoUpdates() : Network("TwoUpdates", "") {}
  double last_loss = 0;

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    const std::vector<Variable> variables(tools.trainable_variables().begin(),
                                          tools.trainable_variables().end());
    Tensor loss;
    for (int i = 0; i < 2; ++i) {
      const Tensors y_pred(call_many(data.x, {.training = true, .rows = data.rows}));
      loss = tools.compute_loss(data, y_pred);
      tools.apply(gradient(loss, variables), variables);
      if (i == 1) {
        if (!loss.is_symbolic()) last_loss = loss.item<float>();
        StepLogs logs = tools.compute_metrics(data, y_pred, loss);
        logs.emplace_back("last_loss", loss);
        return logs;
      }
    }
    return {};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x); }

 private:
  LayerHandle dense_ =
      track(layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 1})}));
};

TEST_P(RunEagerlyTest, AnOwnTrainStepMayUseGradientTwice) {
  const Flowers data(18);
  // In a trace gradient() is of the values that the step began with; op by op of all that were read. One
  // update shows the same.
  const auto network = std::make_shared<TwoUpdates>();
  Model model(network);
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.05}),
                 .loss = "mse",
                 .metrics = {"mae"},
                 .run_eagerly = true});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 6, .epochs = 3, .verbose = 0});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  EXPECT_NEAR(history["last_loss"].back(), network->last_loss, 1e-6);
  EXPECT_EQ(model.optimizer()->iteration_variable().read().at(0), 18);
}

/// Reports the norm of the loss's gradient with respect to the first layer's output, or requests the gradient
/// with respect to the data.
class OfTensors : public Network {
 public:
  explicit OfTensors(bool of_data = false) : Network("OfTensors", ""), of_data_(of_data) {}

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    const Tensor hidden = hidden_(data.x[0]);
    const Tensors y_pred = {output_(hidden)};
    const Tensor loss = tools.compute_loss(data, y_pred);
    const std::vector<Tensor> sources = {of_data_ ? data.x[0] : hidden};
    const Tensor of_source = gradient(loss, sources)[0];
    tools.apply(gradient(loss, tools.trainable_variables()), tools.trainable_variables());
    return {{"norm", ops::sum(ops::square(of_source))}};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return output_(hidden_(x)); }

 private:
  bool of_data_;
  LayerHandle hidden_ =
      track(layers::Dense({.units = 5, .kernel_initializer = initializers::GlorotUniform({.seed = 1})}));
  LayerHandle output_ =
      track(layers::Dense({.units = 3, .kernel_initializer = initializers::GlorotUniform({.seed = 2})}));
};

TEST_P(RunEagerlyTest, GradientsOfTensorsAreThoseOfTheCompiledStep) {
  const Flowers data(6);
  const auto norm = [&](bool run_eagerly, bool of_data) {
    Model model(std::make_shared<OfTensors>(of_data));
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly});
    return model.train_on_batch(data.x, data.one_hot)["norm"];
  };
  EXPECT_GT(norm(false, false), 0);
  EXPECT_NEAR(norm(true, false), norm(false, false), 1e-6);
  EXPECT_GT(norm(false, true), 0);
  expect_contains(error_of([&] { norm(true, true); }), ErrorCode::kFailedPrecondition,
                  {"gradient() with respect to a tensor of shape (6, 4)", "GradientTape that watches it"});
}

TEST_P(RunEagerlyTest, FaultsNameTheStepAndKeepAllState) {
  Flowers data(24);
  std::vector<float> x(data.x.data<float>().begin(), data.x.data<float>().end());
  x[13 * 4 + 2] = std::nanf("");
  data.x = Tensor::adopt({24, 4}, std::move(x));
  const auto compiled = [] {
    Sequential model = small_model(1, 0.3);
    model.compile({.optimizer = "adam",
                   .loss = "mse",
                   .metrics = {"accuracy"},
                   .run_eagerly = true,
                   .stop_on_nan = true});
    return model;
  };
  Sequential model = compiled(), good = compiled();
  const FitOptions options{.batch_size = 4, .verbose = 0, .shuffle = false};
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, options); }), ErrorCode::kDataLoss,
                  {"the loss is not finite in epoch 1, step 4 of 6", "row 13 of x, element 2, is nan"});
  good.fit(data.x.rows(0, 12), data.one_hot.rows(0, 12), options);
  EXPECT_TRUE(same_bits(model.variables(), good.variables()));
  EXPECT_TRUE(same_bits(model.optimizer()->variables(), good.optimizer()->variables()));
  EXPECT_EQ(model.get_metrics_result(), good.get_metrics_result());

  Sequential sparse = small_model();
  sparse.compile({.optimizer = optimizers::SGD({.learning_rate = 1e39}),
                  .loss = "mse",
                  .run_eagerly = true,
                  .stop_on_nan = true});
  const std::vector<Tensor> before = sparse.get_weights();
  expect_contains(error_of([&] { sparse.train_on_batch(data.x.rows(0, 4), data.one_hot.rows(0, 4)); }),
                  ErrorCode::kDataLoss, {"[train_on_batch] the update of \"", "is not finite"});
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(before[i].literal() == sparse.weights()[i].read());
}

TEST_P(RunEagerlyTest, SeveralStepsAnExecutionAndQuestionsForProgramsAreRefused) {
  Sequential model = small_model();
  for (const StepsPerExecution& steps : {StepsPerExecution(2), StepsPerExecution("auto")}) {
    expect_contains(
        error_of([&] {
          model.compile(
              {.optimizer = "sgd", .loss = "mse", .run_eagerly = true, .steps_per_execution = steps});
        }),
        ErrorCode::kInvalidArgument, {"[compile] run_eagerly", "steps_per_execution must be 1"});
  }
  model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = true});
  const Flowers data(6);
  expect_contains(error_of([&] { model.train_program(data.x, data.one_hot); }),
                  ErrorCode::kFailedPrecondition, {"run_eagerly = true"});
  expect_contains(error_of([&] { model.predict_executable(data.x); }), ErrorCode::kFailedPrecondition,
                  {"run_eagerly = true"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
