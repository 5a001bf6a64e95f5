#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class FitTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(FitTest);

TEST_P(FitTest, Learns) {
  const Flowers data(120), held_out(60, 8);
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                 .loss = "log_cosh",
                 .metrics = {"accuracy"},
                 .seed = 1});
  const auto history = model.fit(
      data.x, data.one_hot,
      {.batch_size = 20, .epochs = 15, .verbose = 0, .validation_data = {held_out.x, held_out.one_hot}});
  EXPECT_LT(history["loss"].back(), 0.5 * history["loss"].front());
  EXPECT_GT(history["val_accuracy"].back(), 0.9);
}

TEST_P(FitTest, HistoryHoldsEveryLogInKerassOrder) {
  const Flowers data(50), held_out(10, 8);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {"accuracy", "mae"}});
  const auto history = model.fit(
      data.x, data.one_hot,
      {.batch_size = 16, .epochs = 3, .verbose = 0, .validation_data = {held_out.x, held_out.one_hot}});
  EXPECT_EQ(history.epoch, (std::vector<std::int64_t>{0, 1, 2}));
  std::vector<std::string> names;
  for (const auto& [name, values] : history.history) {
    names.push_back(name);
    EXPECT_EQ(values.size(), 3u);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"accuracy", "loss", "mae", "val_accuracy", "val_loss", "val_mae"}));
  EXPECT_EQ(history.num_steps, 3 * 4);
  EXPECT_EQ(history.num_compiles, 2);
  EXPECT_GT(history.compile_seconds, 0);
  EXPECT_GT(history.microseconds_per_step(), 0);
  EXPECT_EQ(history.steps_per_execution, 1);
}

struct Trained {
  Sequential model;
  callbacks::History history;
};

Trained train_with(StepsPerExecution steps_per_execution, std::int64_t num_rows, const FitOptions& options) {
  const Flowers data(num_rows);
  Sequential model = small_model(1, 0.25);
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.02}),
                 .loss = "log_cosh",
                 .metrics = {"accuracy"},
                 .steps_per_execution = steps_per_execution,
                 .seed = 5});
  callbacks::History history = model.fit(data.x, data.one_hot, options);
  return {model, history};
}

TEST_P(FitTest, EveryNumberOfStepsAnExecutionGivesTheSameBits) {
  FitOptions options{.batch_size = 8, .epochs = 3, .verbose = 0, .validation_split = 0.2};
  const Trained one = train_with(1, 60, options);  // 48 rows to train on: 6 steps
  EXPECT_EQ(one.history.num_steps, 18);
  for (const int steps : {3, 4, 7, 50, 1000}) {
    const Trained many = train_with(steps, 60, options);
    EXPECT_TRUE(same_bits(one.model.weights(), many.model.weights())) << steps;
    EXPECT_TRUE(same_bits(one.model.optimizer()->variables(), many.model.optimizer()->variables())) << steps;
    EXPECT_EQ(many.history.history, one.history.history) << steps;
    EXPECT_EQ(many.history.num_steps, 18);
    EXPECT_EQ(many.history.num_compiles, 2);
  }
  const Trained tuned = train_with("auto", 60, options);
  EXPECT_TRUE(same_bits(one.model.weights(), tuned.model.weights()));
  EXPECT_EQ(tuned.history.history, one.history.history);
}

TEST_P(FitTest, PartialBatchesAndDataThatEndEarlyGiveTheSameBitsAtEveryK) {
  // 43 rows in batches of 8: 5 full steps and one of 3 rows; epochs of 4 steps go on in the pass, and the
  // second one ends early.
  const FitOptions options{.batch_size = 8, .epochs = 5, .verbose = 0, .steps_per_epoch = 4};
  CapturedLog log;
  const Trained one = train_with(1, 43, options);
  const std::string warnings = log.take();
  EXPECT_EQ(one.history.num_steps, 4 + 2 + 4 + 2 + 4);
  EXPECT_NE(warnings.find("the data ran out after 2 of 4 steps of epoch 2"), std::string::npos) << warnings;
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 1) << "one warning a fit: " << warnings;
  for (const int steps : {3, 7, 50}) {
    const Trained many = train_with(steps, 43, options);
    EXPECT_TRUE(same_bits(one.model.weights(), many.model.weights())) << steps;
    EXPECT_EQ(many.history.num_steps, 16);
  }
}

TEST_P(FitTest, ARepeatedStreamHasFullBatchesOnly) {
  const FitOptions options{.batch_size = 8, .epochs = 2, .verbose = 0, .steps_per_epoch = 13, .repeat = true};
  const Trained one = train_with(1, 20, options);
  EXPECT_EQ(one.history.num_steps, 26);
  const Trained many = train_with(5, 20, options);
  EXPECT_TRUE(same_bits(one.model.weights(), many.model.weights()));
}

TEST_P(FitTest, APaddedBatchEqualsTheUnpaddedMathematics) {
  const Flowers data(10);
  const auto compiled = [](const char* loss) {
    Sequential model = small_model();
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.5, .momentum = 0.9}),
                   .loss = loss,
                   .metrics = {"accuracy"}});
    return model;
  };
  for (const char* loss : {"log_cosh", "mse", "categorical_crossentropy"}) {
    Sequential padded = compiled(loss), exact = compiled(loss);
    const auto history = padded.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .shuffle = false});
    double loss_sum = 0;
    for (const auto& [begin, end] : {std::pair{0, 4}, {4, 8}, {8, 10}}) {
      const auto part = exact.fit(data.x.rows(begin, end), data.one_hot.rows(begin, end),
                                  {.batch_size = end - begin, .verbose = 0});
      loss_sum += part["loss"][0] * (end - begin);
    }
    EXPECT_LT(largest_difference(padded.weights(), exact.weights()), 1e-6) << loss;
    EXPECT_NEAR(history["loss"][0], loss_sum / 10, 1e-6) << loss;
  }
}

TEST_P(FitTest, ABatchLargerThanTheDataIsOnePartialBatch) {
  const Flowers data(6);
  for (const std::int64_t batch_size : {6, 7, 100, 1000000000}) {
    Sequential model = small_model(), exact = small_model();
    for (Sequential* each : {&model, &exact})
      each->compile({.optimizer = optimizers::SGD({.learning_rate = 0.5}), .loss = "mse"});
    const auto history = model.fit(data.x, data.one_hot,
                                   {.batch_size = batch_size, .epochs = 3, .verbose = 0, .shuffle = false});
    exact.fit(data.x, data.one_hot, {.batch_size = 6, .epochs = 3, .verbose = 0, .shuffle = false});
    EXPECT_EQ(history.num_steps, 3);
    EXPECT_LT(largest_difference(model.weights(), exact.weights()), 1e-6) << batch_size;
  }
}

TEST_P(FitTest, ValidationSplitTakesTheLastRows) {
  const Flowers data(21);
  Sequential split = small_model(), apart = small_model();
  for (Sequential* model : {&split, &apart})
    model->compile({.optimizer = "sgd", .loss = "mse", .metrics = {"accuracy"}, .seed = 3});
  const auto a =
      split.fit(data.x, data.one_hot, {.batch_size = 5, .epochs = 2, .verbose = 0, .validation_split = 0.3});
  const std::int64_t cut = 14;  // floor(21 * 0.7)
  const auto b = apart.fit(data.x.rows(0, cut), data.one_hot.rows(0, cut),
                           {.batch_size = 5,
                            .epochs = 2,
                            .verbose = 0,
                            .validation_data = {data.x.rows(cut, 21), data.one_hot.rows(cut, 21)}});
  EXPECT_EQ(a.history, b.history);
  EXPECT_TRUE(same_bits(split.weights(), apart.weights()));
}

TEST_P(FitTest, ValidationStepsWithoutABatchSizeDivideTheRows) {
  const Flowers data(20), other(100, 3);
  const auto val_loss = [&](Sequential& model, const FitOptions& options) {
    model.compile({.optimizer = "sgd", .loss = "mse"});
    return model.fit(data.x, data.one_hot, options)["val_loss"].back();
  };
  const auto loss_of = [&](Sequential& model, std::int64_t num_rows) {
    return model.evaluate(other.x.rows(0, num_rows), other.one_hot.rows(0, num_rows), {.verbose = 0})["loss"];
  };
  const FitOptions options{.verbose = 0, .validation_data = {other.x, other.one_hot}, .validation_steps = 2};
  FitOptions with_batch = options, with_both = options;
  with_batch.batch_size = 10;
  with_both.batch_size = 10;
  with_both.validation_batch_size = 15;
  Sequential a = small_model(), b = small_model(), c = small_model();
  const double all = val_loss(a, options), two_batches = val_loss(b, with_batch),
               two_of_15 = val_loss(c, with_both);
  EXPECT_NEAR(all, loss_of(a, 100), 1e-6);
  EXPECT_NEAR(two_batches, loss_of(b, 20), 1e-6);
  EXPECT_NEAR(two_of_15, loss_of(c, 30), 1e-6);
}

TEST_P(FitTest, GoingOnAtInitialEpochEqualsOneRun) {
  const Flowers data(30);
  Sequential whole = small_model(1, 0.3), parts = small_model(1, 0.3);
  for (Sequential* model : {&whole, &parts}) model->compile({.optimizer = "adam", .loss = "mse", .seed = 9});
  whole.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 4, .verbose = 0});
  parts.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 2, .verbose = 0});
  const auto rest =
      parts.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 4, .verbose = 0, .initial_epoch = 2});
  EXPECT_EQ(rest.epoch, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(rest.num_compiles, 0);
  EXPECT_TRUE(same_bits(whole.weights(), parts.weights()));
}

TEST_P(FitTest, TheSeedDecidesTheShuffle) {
  const Flowers data(40);
  const auto weights = [&](std::uint64_t seed, bool shuffle) {
    Sequential model = small_model();
    model.compile({.optimizer = "sgd", .loss = "mse", .seed = seed});
    model.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 2, .verbose = 0, .shuffle = shuffle});
    return model.weights();
  };
  EXPECT_TRUE(same_bits(weights(1, true), weights(1, true)));
  EXPECT_FALSE(same_bits(weights(1, true), weights(2, true)));
  EXPECT_TRUE(same_bits(weights(1, false), weights(2, false)));
}

TEST_P(FitTest, RowOrderReplacesShuffling) {
  const Flowers data(20);
  const auto reversed = [](std::int64_t) {
    std::vector<std::int64_t> rows(20);
    std::iota(rows.rbegin(), rows.rend(), 0);
    return rows;
  };
  std::vector<float> x(80), y(60);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < 4; ++k) x[i * 4 + k] = data.x.data<float>()[(19 - i) * 4 + k];
    for (std::size_t k = 0; k < 3; ++k) y[i * 3 + k] = data.one_hot.data<float>()[(19 - i) * 3 + k];
  }
  Sequential a = small_model(), b = small_model();
  for (Sequential* model : {&a, &b}) model->compile({.optimizer = "adam", .loss = "mse"});
  a.fit(data.x, data.one_hot, {.batch_size = 6, .epochs = 2, .verbose = 0, .row_order = reversed});
  b.fit(Tensor::adopt({20, 4}, x), Tensor::adopt({20, 3}, y),
        {.batch_size = 6, .epochs = 2, .verbose = 0, .shuffle = false});
  EXPECT_TRUE(same_bits(a.weights(), b.weights()));
}

TEST_P(FitTest, AnOrderThatRepeatsRowsKeepsTheBatchSize) {
  const Flowers data(20);
  const auto rows = [](std::int64_t) {
    std::vector<std::int64_t> order(64);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i % 20);
    return order;
  };
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const FitOptions options{.batch_size = 64, .verbose = 0, .row_order = rows};
  EXPECT_EQ(model.fit(data.x, data.one_hot, options).num_steps, 1);
}

TEST_P(FitTest, GrowingDataRecompilesNothing) {
  Sequential model = small_model();
  model.compile({.optimizer = "adam",
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 4});
  int compiles = 0;
  for (const std::int64_t n : {5, 20, 33, 150}) {
    const Flowers data(n);
    compiles += model.fit(data.x, data.class_id, {.batch_size = 10, .verbose = 0, .validation_split = 0.4})
                    .num_compiles;
    model.evaluate(data.x, data.class_id, {.batch_size = 10, .verbose = 0});
  }
  EXPECT_EQ(compiles, 2);
  EXPECT_EQ(model.num_compiles(), 2) << "evaluate uses the program that validation compiled";
}

TEST_P(FitTest, SampleWeightsWeighTheLossAsInKeras) {
  const Flowers data(6);
  const Tensor weights = Tensor::of<float>({6}, {1, 0, 2, 0.5f, 0, 3});
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.0}), .loss = "mse"});
  const auto history = model.fit(data.x, data.one_hot,
                                 {.batch_size = 4, .verbose = 0, .shuffle = false, .sample_weight = weights});
  const Tensor output = model.predict(data.x, {.verbose = 0});
  double sum = 0;
  for (std::int64_t i = 0; i < 6; ++i) {
    double row = 0;
    for (std::int64_t k = 0; k < 3; ++k)
      row += std::pow(output.at(i * 3 + k) - data.one_hot.at(i * 3 + k), 2) / 3;
    sum += row * weights.at(i);
  }
  EXPECT_NEAR(history["loss"][0], sum / 6, 1e-6);  // by the number of rows, not by the weights' sum
}

TEST_P(FitTest, DoublesTrainAsFloats) {
  const Flowers data(12);
  std::vector<double> x;
  for (const float value : data.x.data<float>()) x.push_back(value);
  Sequential a = small_model(), b = small_model();
  for (Sequential* model : {&a, &b}) model->compile({.optimizer = "sgd", .loss = "mse", .seed = 1});
  a.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0});
  b.fit(Tensor::adopt({12, 4}, std::move(x)), data.one_hot, {.batch_size = 5, .verbose = 0});
  EXPECT_TRUE(same_bits(a.weights(), b.weights()));
}

TEST_P(FitTest, IntegersAndBooleansTrainAsFloats) {
  const Tensor bytes = Tensor::of<std::uint8_t>({4, 2}, {0, 1, 1, 0, 1, 1, 0, 0});
  const Tensor floats = Tensor::of<float>({4, 2}, {0, 1, 1, 0, 1, 1, 0, 0});
  const Tensor flags = Tensor::of<bool>({4, 1}, {true, true, false, false});
  const Tensor numbers = Tensor::of<float>({4, 1}, {1, 1, 0, 0});
  const auto weights = [](const Tensor& x, const Tensor& y) {
    Sequential model(
        {layers::Dense({.units = 4,
                        .activation = "tanh",
                        .kernel_initializer = initializers::GlorotUniform({.seed = 1})}),
         layers::Dense({.units = 1, .kernel_initializer = initializers::GlorotUniform({.seed = 2})})});
    model.compile({.optimizer = "sgd", .loss = "mse", .seed = 1});
    model.fit(x, y, {.batch_size = 3, .epochs = 2, .verbose = 0});
    return model.weights();
  };
  EXPECT_TRUE(same_bits(weights(bytes, flags), weights(floats, numbers)));
}

TEST_P(FitTest, ALayerAddedAfterPredictingIsUsed) {
  const Flowers data(10);
  Sequential model = small_model();
  EXPECT_EQ(model.predict(data.x, {.verbose = 0}).shape(), (Dims{10, 3}));
  model.add(layers::Dense({.units = 2}));
  EXPECT_EQ(model.predict(data.x, {.verbose = 0}).shape(), (Dims{10, 2}));
}

TEST_P(FitTest, ALearningRateChangedBetweenBatchesRecompilesNothing) {
  class Decay : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      model()->optimizer()->set_learning_rate(batches.last == 0 ? 0.0 : 0.1);
    }
  };
  const Flowers data(12);
  Sequential model = small_model(), exact = small_model();
  for (Sequential* each : {&model, &exact})
    each->compile({.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  const auto history = model.fit(data.x, data.one_hot,
                                 {.batch_size = 6, .verbose = 0, .callbacks = {Decay()}, .shuffle = false});
  exact.fit(data.x.rows(0, 6), data.one_hot.rows(0, 6), {.batch_size = 6, .verbose = 0, .shuffle = false});
  EXPECT_TRUE(same_bits(model.weights(), exact.weights()));
  EXPECT_EQ(history.num_compiles, 1);
}

TEST_P(FitTest, FrozenLayersKeepTheirWeights) {
  const Flowers data(20);
  Sequential model = small_model();
  model.layers()[0]->set_trainable(false);
  model.compile({.optimizer = "adam", .loss = "mse"});
  const std::vector<Tensor> before = model.get_weights();
  model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0});
  const std::vector<Tensor> after = model.get_weights();
  EXPECT_TRUE(before[0].literal() == after[0].literal());
  EXPECT_TRUE(before[1].literal() == after[1].literal());
  EXPECT_FALSE(before[2].literal() == after[2].literal());
}

TEST_P(FitTest, AChangeOfWhatIsTrainableTakesEffectAtCompileAndFitSaysSo) {
  const Flowers data(20);
  Sequential model = small_model();
  const CompileOptions options{.optimizer = "sgd", .loss = "mse"};
  model.compile(options);
  // Trains; returns whether the first layer moved, and whether fit warned.
  const auto train = [&] {
    CapturedLog log;
    const Tensor before = model.get_weights()[0];
    model.fit(data.x, data.one_hot, {.verbose = 0});
    const bool moves = !(before.literal() == model.get_weights()[0].literal());
    return std::pair(moves, log.take().find("has changed since it was first trained") != std::string::npos);
  };
  EXPECT_EQ(train(), std::pair(true, false));
  model.layers()[0]->set_trainable(false);
  EXPECT_EQ(train(), std::pair(true, true));
  model.compile(options);
  EXPECT_EQ(train(), std::pair(false, false));
  model.compile(options);
  model.layers()[0]->set_trainable(true);
  EXPECT_EQ(train(), std::pair(true, false)) << "before the first training behind compile()";
}

TEST_P(FitTest, HalfFloatsTrainAsFloat32) {
  const Flowers data(20);
  for (const DType half : {DType::kF16, DType::kBF16}) {
    const Tensor x = ops::cast(data.x, half), y = ops::cast(data.one_hot, half),
                 weight = ops::cast(Tensor(std::vector<float>(20, 0.5F)), half);
    Sequential by_half = small_model(), by_float = small_model(), by_dataset = small_model();
    for (Sequential* each : {&by_half, &by_float, &by_dataset})
      each->compile({.optimizer = "sgd", .loss = "mse", .seed = 3});
    const FitOptions options{.batch_size = 8, .verbose = 0, .shuffle = false};
    FitOptions weighted = options;
    weighted.sample_weight = weight;
    by_half.fit(x, y, weighted);
    weighted.sample_weight = ops::cast(weight, DType::kF32);
    by_float.fit(ops::cast(x, DType::kF32), data.one_hot, weighted);
    EXPECT_TRUE(same_bits(by_half.weights(), by_float.weights()));
    by_dataset.fit(data::Dataset::from_tensor_slices({x, y, weight}).batch(8), {.verbose = 0});
    EXPECT_TRUE(same_bits(by_dataset.weights(), by_float.weights()));
    const Tensor predicted = by_half.predict(x, {.verbose = 0});
    EXPECT_EQ(predicted.dtype(), DType::kF32);
    EXPECT_TRUE(predicted.literal() == by_float.predict(ops::cast(x, DType::kF32), {.verbose = 0}).literal());
    EXPECT_EQ(by_half.train_on_batch(x, y)["loss"],
              by_float.train_on_batch(ops::cast(x, DType::kF32), data.one_hot)["loss"]);
  }
}

TEST_P(FitTest, NamesOfFunctionMetricsCountInTheirModelAlone) {
  const Flowers data(12);
  const auto mean = [](const Tensor&, const Tensor& y_pred) { return ops::mean(y_pred, {.axis = -1}); };
  const auto largest = [](const Tensor&, const Tensor& y_pred) { return ops::max(y_pred, {.axis = -1}); };
  for (int i = 0; i < 2; ++i) {
    Sequential model = small_model();
    model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {mean, largest}});
    model.fit(data.x, data.one_hot, {.verbose = 0});
    EXPECT_EQ(model.metrics_names(), (std::vector<std::string>{"loss", "lambda", "lambda_1"}));
    const Logs logs = model.evaluate(data.x, data.one_hot, {.verbose = 0});
    EXPECT_NEAR(logs["lambda"], 1.0 / 3, 1e-6) << "of a softmax over 3";
    EXPECT_GT(logs["lambda_1"], logs["lambda"]);
  }
}

struct TopGap {
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred) const {
    return ops::max(y_true, {.axis = -1}) - ops::max(y_pred, {.axis = -1});
  }
};
Tensor mean_output(const Tensor&, const Tensor& y_pred) { return ops::mean(y_pred, {.axis = -1}); }

TEST_P(FitTest, FunctionMetricsAreLoggedByTheirClassOrTheNameTheyAreGiven) {
  const Flowers data(12);
  Sequential model = small_model();
  const auto mean = [](const Tensor&, const Tensor& y_pred) { return ops::mean(y_pred, {.axis = -1}); };
  model.compile(
      {.optimizer = "sgd",
       .loss = "mse",
       .metrics = {TopGap(), &mean_output, std::function<Tensor(const Tensor&, const Tensor&)>(mean),
                   metrics::MeanMetricWrapper({.fn = mean, .name = "mean_output"}),
                   metrics::MeanMetricWrapper({.fn = TopGap()})}});
  model.fit(data.x, data.one_hot, {.verbose = 0});
  EXPECT_EQ(model.metrics_names(),
            (std::vector<std::string>{"loss", "top_gap", "function", "lambda", "mean_output", "top_gap_1"}));
  const Logs logs = model.evaluate(data.x, data.one_hot, {.verbose = 0});
  EXPECT_NEAR(logs["mean_output"], 1.0 / 3, 1e-6) << "of a softmax over 3";
  EXPECT_EQ(logs["lambda"], logs["mean_output"]);
  EXPECT_EQ(logs["top_gap"], logs["top_gap_1"]);
}

TEST_P(FitTest, ARunWithoutStepsKeepsTheWeightsOfAnAveragingOptimizer) {
  const Flowers data(8);
  const Sequential untouched = small_model();
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::SGD({.use_ema = true}), .loss = "mse"});
  callbacks::LambdaCallback stop({.on_train_begin = [&] { model.set_stop_training(true); }});
  for (const FitOptions& options :
       {FitOptions{.epochs = 0, .verbose = 0}, FitOptions{.epochs = 2, .verbose = 0, .initial_epoch = 2},
        FitOptions{.epochs = 3, .verbose = 0, .callbacks = {&stop}}}) {
    model.fit(data.x, data.one_hot, options);
    EXPECT_TRUE(same_bits(model.weights(), untouched.weights())) << options.epochs;
  }
}

TEST_P(FitTest, AModelWithoutInputIsBuiltFromTheData) {
  const Flowers data(20);
  Sequential model({layers::Flatten(), layers::Dense({.units = 3, .activation = "softmax"})});
  EXPECT_FALSE(model->built());
  model.compile({.optimizer = "sgd", .loss = "mse"});
  model.fit(data.x, data.one_hot, {.verbose = 0});
  EXPECT_EQ(model.count_params(), 15);
}

}  // namespace
}  // namespace cornu::inline v0::keras
