/// Batches of different shapes: sequences of several lengths, images of several sizes, varying numbers of
/// rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/dataset_source.h"
#include "cornu/keras/trainer/kept_state_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using data::Dataset;
using data::Element;

class BatchShapesTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(BatchShapesTest);

/// The number of rows and the length of a batch.
struct Size {
  std::int64_t rows, length;
};

Tensor normal_values(const Dims& shape, std::uint64_t seed) {
  const RandomStream random(seed);
  std::vector<float> values(static_cast<std::size_t>(ir::TensorType{DType::kF32, shape}.num_elements()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  return Tensor::adopt(shape, std::move(values));
}

/// Sequences with two numbers for each step, and a label for each sequence.
std::vector<StreamBatch> sequences(const std::vector<Size>& sizes) {
  std::vector<StreamBatch> batches;
  for (const Size& size : sizes) {
    const std::uint64_t seed = 100 + 2 * batches.size();
    batches.push_back({.x = normal_values({size.rows, size.length, 2}, seed),
                       .y = normal_values({size.rows, 1}, seed + 1)});
  }
  return batches;
}

/// The batches as a data set.
Dataset dataset_of(const std::vector<StreamBatch>& batches) {
  return Dataset::from_generator([batches] {
    return [batches, next = std::size_t{0}]() mutable -> std::optional<Element> {
      if (next == batches.size()) return std::nullopt;
      const StreamBatch& batch = batches[next++];
      return Element({batch.x[0], batch.y[0]});
    };
  });
}

const std::vector<Size> kSizes = {{3, 4}, {3, 4}, {2, 4}, {3, 6}, {3, 4}, {4, 2}, {3, 6}, {2, 6}};

CompileOptions training(StepsPerExecution steps = 1) {
  return {.optimizer = "adam", .loss = "mse", .metrics = {"mae"}, .steps_per_execution = steps, .seed = 5};
}

Sequential sequence_model(const CompileOptions& options = training()) {
  Sequential model({layers::LSTM({.units = 3, .dropout = 0.2, .seed = 7}),
                    layers::Dropout({.rate = 0.1, .seed = 9}), layers::Dense({.units = 1})});
  model.build({kUnknown, 4, 2});
  const std::vector<Variable> weights = model.weights();
  std::uint64_t seed = 1;
  for (const Variable& weight : weights)
    if (weight.trainable()) weight.load((normal_values(weight.shape(), seed++) * 0.3f).literal());
  model.compile(options);
  return model;
}

/// Trains on each batch separately; returns the losses.
std::vector<double> train_one_by_one(Sequential& model, const std::vector<StreamBatch>& batches, int epochs) {
  std::vector<double> losses;
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (const StreamBatch& batch : batches) losses.push_back(model.train_on_batch(batch.x, batch.y)["loss"]);
  return losses;
}

TEST_P(BatchShapesTest, FitGivesTheBitsOfALoopOfTrainOnBatchAtEveryK) {
  const std::vector<StreamBatch> batches = sequences(kSizes);
  Sequential wanted = sequence_model();
  const std::vector<double> losses = train_one_by_one(wanted, batches, 2);
  for (const int steps : {1, 2, 3, 100}) {
    for (const Dataset& dataset : {dataset_of(batches), dataset_of(batches).prefetch(2)}) {
      Sequential model = sequence_model(training(steps));
      const auto history = model.fit(dataset, {.epochs = 2, .verbose = 0});
      EXPECT_EQ(history.num_steps, 16);
      EXPECT_EQ(history.num_compiles, 3) << "a program for each length";
      EXPECT_TRUE(same_bits(wanted.weights(), model.weights())) << steps;
      double sum = 0, rows = 0;
      for (std::size_t i = 0; i < kSizes.size(); ++i) {
        sum += losses[8 + i] * static_cast<double>(kSizes[i].rows);
        rows += static_cast<double>(kSizes[i].rows);
      }
      EXPECT_NEAR(history["loss"].back(), sum / rows, 1e-6);
    }
  }
}

TEST_P(BatchShapesTest, AutoFindsItsNumberOfStepsAndTrainsTheSame) {
  const std::vector<StreamBatch> batches = sequences(kSizes);
  Sequential wanted = sequence_model(), model = sequence_model(training("auto"));
  wanted.fit(dataset_of(batches), {.epochs = 6, .verbose = 0});
  EXPECT_EQ(model.fit(dataset_of(batches), {.epochs = 6, .verbose = 0}).num_steps, 48);
  EXPECT_TRUE(same_bits(wanted.weights(), model.weights()));
}

TEST_P(BatchShapesTest, AnExecutionEndsWhereTheShapeChanges) {
  class Ranges : public callbacks::Callback {
   public:
    std::vector<std::pair<std::int64_t, std::int64_t>> begun, ended;
    std::vector<double> losses;
    void on_train_batch_begin(const callbacks::BatchRange& batches) override {
      begun.emplace_back(batches.first, batches.last);
    }
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs& logs) override {
      ended.emplace_back(batches.first, batches.last);
      losses.push_back(logs.get()["loss"]);
    }
  } seen;
  Sequential model = sequence_model(training(4));
  const auto history =
      model.fit(dataset_of(sequences(kSizes)), {.epochs = 1, .verbose = 0, .callbacks = {&seen}});
  const std::vector<std::pair<std::int64_t, std::int64_t>> wanted = {{0, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 7}};
  EXPECT_EQ(seen.begun, wanted);
  EXPECT_EQ(seen.ended, wanted);
  EXPECT_EQ(seen.losses.back(), history["loss"][0]) << "the logs are those of the program that ran last";
}

TEST_P(BatchShapesTest, APassIsPulledNoFurtherThanItIsTrained) {
  const std::vector<StreamBatch> batches = sequences(kSizes);
  std::size_t num_pulled = 0;
  BatchStream stream(
      [&]() -> std::optional<StreamBatch> {
        if (num_pulled % batches.size() == 0 && num_pulled > 0) return std::nullopt;
        return batches[num_pulled++];
      },
      {.restart = [&] { num_pulled = 0; }});
  Sequential model = sequence_model(training(3)), wanted = sequence_model();
  EXPECT_EQ(model.fit(stream, {.epochs = 1, .verbose = 0, .steps_per_epoch = 4}).num_steps, 4);
  EXPECT_EQ(num_pulled, 4u);
  EXPECT_EQ(model.fit(stream, {.epochs = 1, .verbose = 0, .steps_per_epoch = 4}).num_steps, 4);
  train_one_by_one(wanted, batches, 1);
  EXPECT_TRUE(same_bits(wanted.weights(), model.weights()));
}

/// Compares with real Keras on the same batches (tools/goldens/batch_shapes.py).
class BatchShapesGoldenTest : public testing::OnEachPlatform {
 protected:
  void follow(const char* name, const std::function<Model()>& make, const char* loss, const char* metric) {
    const nlohmann::json golden = testing::load_golden("batch_shapes").at("cases").at(name);
    std::vector<StreamBatch> batches;
    for (const nlohmann::json& batch : golden.at("batches"))
      batches.push_back({.x = testing::golden_tensor(batch[0]), .y = testing::golden_tensor(batch[1])});
    for (const int steps : {1, 7}) {
      clear_session();
      Model model = make();
      model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                     .loss = loss,
                     .metrics = {metric},
                     .steps_per_execution = steps});
      model.predict_on_batch(batches[0].x[0]);
      model.set_weights(testing::golden_tensors(golden.at("weights")));
      const Dataset dataset = dataset_of(batches);
      const auto history = model.fit(dataset, {.epochs = 3, .verbose = 0});
      for (const auto& [log, values] : golden.at("history").items())
        for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
          testing::expect_near_relative(history[log].at(epoch), values[epoch], 1e-4, log);
      const std::vector<Tensor> weights = testing::golden_tensors(golden.at("final_weights"));
      for (std::size_t i = 0; i < weights.size(); ++i)
        testing::expect_close(model.get_weights()[i], weights[i], 2e-4, "weight " + std::to_string(i));
      for (const auto& [log, value] : model.evaluate(dataset, {.verbose = 0}))
        testing::expect_near_relative(value, golden.at("evaluate").at(log), 2e-4, "evaluate " + log);
      if (golden.contains("predict"))
        testing::expect_close(model.predict(dataset, {.verbose = 0}),
                              testing::golden_tensor(golden.at("predict")), 2e-4, "predict");
    }
  }
};
INSTANTIATE_TEST_SUITE_P(On, BatchShapesGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(BatchShapesGoldenTest, SequencesOfSeveralLengths) {
  follow(
      "lengths", [] { return Model(Sequential({layers::LSTM({.units = 3}), layers::Dense({.units = 1})})); },
      "mse", "mae");
}

TEST_P(BatchShapesGoldenTest, MaskedSequencesWithALabelAStep) {
  follow(
      "masked",
      [] {
        return Model(Sequential({layers::Embedding({.input_dim = 7, .output_dim = 3, .mask_zero = true}),
                                 layers::GRU({.units = 4, .return_sequences = true}),
                                 layers::Dense({.units = 3, .activation = "softmax"})}));
      },
      "sparse_categorical_crossentropy", "accuracy");
}

TEST_P(BatchShapesGoldenTest, ImagesOfSeveralSizes) {
  follow(
      "images",
      [] {
        const Input image({.shape = {kUnknown, kUnknown, 1}});
        KerasTensor x = layers::Conv2D({.filters = 2, .kernel_size = 3, .activation = "tanh"})(image);
        x = layers::GlobalAveragePooling2D()(x);
        return Model({.inputs = {image}, .outputs = layers::Dense({.units = 3, .activation = "softmax"})(x)});
      },
      "sparse_categorical_crossentropy", "accuracy");
}

/// Single sequences with one label each, whose lengths repeat.
Dataset single_sequences(int count, std::int64_t shortest, std::int64_t lengths) {
  return Dataset::range(count).map([shortest, lengths](std::int64_t i) {
    const auto seed = static_cast<std::uint64_t>(i);
    return std::pair(normal_values({shortest + (i * 5) % lengths, 2}, 50 + seed),
                     normal_values({1}, 500 + seed));
  });
}

TEST_P(BatchShapesTest, SequencesThatArePaddedToTheLongestOfTheirBatchTrain) {
  const Dataset padded = single_sequences(22, 2, 4).padded_batch(3);
  Sequential model = sequence_model(training(4)), wanted = sequence_model();
  const auto history = model.fit(padded, {.epochs = 2, .verbose = 0, .validation_data = {.dataset = padded}});
  EXPECT_EQ(history.num_steps, 16);
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const Element& batch : padded) wanted.train_on_batch(batch[0].tensor(), batch[1].tensor());
  EXPECT_LT(largest_difference(wanted.weights(), model.weights()), 1e-6);
  const Logs logs = model.evaluate(padded, {.verbose = 0});
  EXPECT_EQ(history["val_loss"].back(), logs["loss"]);
  double sum = 0, rows = 0;
  for (const Element& batch : padded) {
    const auto n = static_cast<double>(batch[0].tensor().num_rows());
    sum += n * wanted.test_on_batch(batch[0].tensor(), batch[1].tensor())["loss"];
    rows += n;
  }
  EXPECT_NEAR(logs["loss"], sum / rows, 1e-5);
}

TEST_P(BatchShapesTest, BucketsMayHaveBatchesOfTheirOwnSizes) {
  const Dataset buckets = single_sequences(40, 2, 8).bucket_by_sequence_length(
      [](const Tensor& x, const Tensor&) { return x.shape()[0]; }, {.bucket_boundaries = {5, 8, 11},
                                                                    .bucket_batch_sizes = {6, 3, 2, 1},
                                                                    .padded_shapes = {{kUnknown, 2}, {1}},
                                                                    .pad_to_bucket_boundary = true});
  Sequential by_one = sequence_model();
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const Element& batch : buckets) by_one.train_on_batch(batch[0].tensor(), batch[1].tensor());
  std::vector<Variable> first;
  for (const int steps : {1, 5}) {
    Sequential model = sequence_model(training(steps));
    const auto history = model.fit(buckets, {.epochs = 2, .verbose = 0});
    EXPECT_EQ(history.num_compiles, 3);
    EXPECT_LT(largest_difference(by_one.weights(), model.weights()), 1e-6);
    if (first.empty()) first = model.weights();
    EXPECT_TRUE(same_bits(first, model.weights()));
  }
}

TEST_P(BatchShapesTest, BatchesMayHaveMoreRowsThanThoseBefore) {
  const std::vector<StreamBatch> batches =
      sequences({{2, 4}, {5, 4}, {3, 4}, {2, 6}, {5, 4}, {7, 4}, {2, 4}});
  Sequential by_one = sequence_model();
  train_one_by_one(by_one, batches, 2);
  std::vector<Variable> first;
  for (const int steps : {1, 2, 100}) {
    Sequential model = sequence_model(training(steps));
    const auto history = model.fit(dataset_of(batches), {.epochs = 2, .verbose = 0});
    EXPECT_EQ(history.num_steps, 14);
    EXPECT_EQ(history.num_compiles, 4) << "of 2, 5 and 7 rows, and of the other length";
    EXPECT_LT(largest_difference(by_one.weights(), model.weights()), 1e-6);
    if (first.empty()) first = model.weights();
    EXPECT_TRUE(same_bits(first, model.weights())) << "whatever was read ahead";
  }
  Sequential bounded = sequence_model();
  EXPECT_EQ(bounded.fit(dataset_of(batches), {.batch_size = 7, .verbose = 0}).num_compiles, 2)
      << "one program a length, for 7 rows";
  expect_contains(error_of([&] { bounded.fit(dataset_of(batches), {.batch_size = 6, .verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"[fit] a batch has 7 rows, more than .batch_size = 6", "in batch 6 of the data set"});
}

TEST_P(BatchShapesTest, StepsThatRunOpByOpTakeThemToo) {
  CompileOptions eagerly = training();
  eagerly.run_eagerly = true;
  Sequential model = sequence_model(eagerly), wanted = sequence_model();
  const Dataset dataset = dataset_of(sequences(kSizes));
  model.fit(dataset, {.verbose = 0});
  wanted.fit(dataset, {.verbose = 0});
  EXPECT_LT(largest_difference(wanted.weights(), model.weights()), 1e-5);
  testing::expect_close(model.predict(dataset, {.verbose = 0}), wanted.predict(dataset, {.verbose = 0}), 1e-4,
                        "predict");
}

TEST_P(BatchShapesTest, StepsThatNeedExactBatchesGetThem) {
  const auto root_of_mean = [](const Tensor& y_true, const Tensor& y_pred) {
    return ops::sqrt(ops::mean(ops::square(y_pred - y_true)));
  };
  CompileOptions options = training(3);
  options.loss = root_of_mean;
  const std::vector<StreamBatch> batches = sequences(kSizes);
  Sequential model = sequence_model(options), wanted = sequence_model(options);
  EXPECT_EQ(model.fit(dataset_of(batches), {.epochs = 2, .verbose = 0}).num_steps, 16);
  train_one_by_one(wanted, batches, 2);
  EXPECT_LT(largest_difference(wanted.weights(), model.weights()), 1e-6);
}

TEST_P(BatchShapesTest, AStatefulLayerTakesOtherLengthsButNoOtherNumbersOfRows) {
  const auto make = [] {
    Sequential model({layers::LSTM({.units = 3, .stateful = true}), layers::Dense({.units = 1})});
    model.compile(training());
    return model;
  };
  Sequential model = make();
  EXPECT_EQ(model.fit(dataset_of(sequences({{3, 4}, {3, 6}, {3, 4}})), {.verbose = 0}).num_steps, 3);
  for (const Size& size : {Size{6, 6}, Size{2, 6}, Size{6, 4}}) {
    Sequential other = make();
    expect_contains(error_of([&] { other.fit(dataset_of(sequences({{3, 4}, size})), {.verbose = 0}); }),
                    ErrorCode::kInvalidArgument, {"stateful layer, which needs batches of one size"});
  }
}

/// Changes the model's weights in each batch.
class OtherWeights : public callbacks::Callback {
 public:
  explicit OtherWeights(std::vector<Tensor> weights) : weights_(std::move(weights)) {}
  void on_predict_batch_begin(const callbacks::BatchRange&) override { give(); }
  void on_test_batch_begin(const callbacks::BatchRange&) override { give(); }

 private:
  // In a thread, as a server does: what a run's own callbacks assign, the run sees.
  void give() {
    for (Tensor& weight : weights_) weight = weight + 1.0f;
    std::thread([&] { model()->set_weights(weights_); }).join();
  }
  std::vector<Tensor> weights_;
};

TEST_P(BatchShapesTest, ARunKeepsTheWeightsThatItBeganWithWhereTheShapeChanges) {
  const std::vector<StreamBatch> batches = sequences(kSizes);
  for (const bool run_eagerly : {false, true}) {
    CompileOptions options = training();
    options.run_eagerly = run_eagerly;
    Sequential model = sequence_model(options);
    const std::vector<Tensor> weights = model.get_weights();
    const Tensor wanted = model.predict(dataset_of(batches), {.verbose = 0});
    const double loss = model.evaluate(dataset_of(batches), {.verbose = 0})["loss"];
    const auto others = std::make_shared<OtherWeights>(weights);
    const Tensor found = model.predict(dataset_of(batches), {.verbose = 0, .callbacks = {others}});
    EXPECT_TRUE(found.literal() == wanted.literal()) << run_eagerly;
    model.set_weights(weights);
    const Logs logs = model.evaluate(dataset_of(batches), {.verbose = 0, .callbacks = {others}});
    EXPECT_EQ(logs["loss"], loss) << run_eagerly;
  }
}

TEST_P(BatchShapesTest, PredictJoinsWhatHasRowsOfOneShape) {
  const std::vector<StreamBatch> batches = sequences(kSizes);
  Sequential model = sequence_model();
  std::vector<Tensor> parts;
  for (const StreamBatch& batch : batches) parts.push_back(model.predict_on_batch(batch.x));
  for (const int steps : {1, 3}) {
    Sequential other = sequence_model(training(steps));
    EXPECT_EQ(other.predict(dataset_of(batches), {.verbose = 0}).literal(),
              ops::concatenate(parts, {.axis = 0}).literal());
  }
  EXPECT_EQ(model.predict(dataset_of(batches), {.verbose = 0, .steps = 4}).num_rows(), 11);
}

TEST_P(BatchShapesTest, PredictSaysWhatToDoWhereOutputsDifferInShape) {
  const std::vector<StreamBatch> batches = sequences({{3, 4}, {3, 4}, {2, 6}});
  for (const bool eagerly : {false, true}) {
    Sequential model({layers::LSTM({.units = 3, .return_sequences = true})});
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = eagerly});
    expect_contains(
        error_of([&] { model.predict(dataset_of(batches), {.verbose = 0}); }), ErrorCode::kInvalidArgument,
        {"[predict] the output has rows of shape (6, 3) in batch 3, and of shape (4, 3) in the first",
         "padded_batch", "call predict_on_batch for each batch"});
  }
}

TEST_P(BatchShapesTest, PredictionsThatDependOnTheWholeBatchGetItWithoutPadding) {
  const std::vector<StreamBatch> batches = sequences({{1, 4}, {3, 4}, {2, 4}, {2, 6}, {3, 6}, {1, 6}});
  const auto make = [] {
    Sequential model({layers::GlobalAveragePooling1D(),
                      layers::Lambda([](const Tensor& x) { return x - ops::mean(x, {.axis = 0}); })});
    model.compile({.optimizer = "sgd", .loss = "mse"});
    return model;
  };
  std::vector<Tensor> parts;
  for (const StreamBatch& batch : batches) {
    const Tensor means = ops::mean(batch.x[0], {.axis = 1});
    parts.push_back(means - ops::mean(means, {.axis = 0}));
  }
  Sequential model = make();
  testing::expect_close(model.predict(dataset_of(batches), {.verbose = 0}),
                        ops::concatenate(parts, {.axis = 0}), 1e-5, "predict");
}

TEST_P(BatchShapesTest, WhatMayNotDifferIsNamed) {
  const Tensor x = normal_values({3, 4, 2}, 1), y = normal_values({3, 1}, 2);
  const auto error = [&](const StreamBatch& second) {
    Sequential model = sequence_model();
    return error_of([&] { model.fit(dataset_of({{.x = x, .y = y}, second}), {.verbose = 0}); });
  };
  expect_contains(
      error({.x = ops::cast(x, DType::kI32), .y = y}), ErrorCode::kInvalidArgument,
      {"[fit] rows of x are (4, 2) int32", "dtype and number of axes may not", "batch 2 of the data set"});
  expect_contains(error({.x = x, .y = ops::reshape(y, {3})}), ErrorCode::kInvalidArgument,
                  {"[fit] rows of y are () float32", "batch 2 of the data set"});
  expect_contains(error({.x = normal_values({3, 4, 5}, 1), .y = y}), ErrorCode::kInvalidArgument,
                  {"batch 2 of the data set", "(3, 4, 5)"});
}

TEST_P(BatchShapesTest, AnElementThatIsNoBatchIsRefusedWithTheRemedy) {
  Sequential model = sequence_model();
  const StreamBatch one{.x = normal_values({4, 2}, 1), .y = ops::zeros({})};
  expect_contains(error_of([&] { model.fit(dataset_of({one}), {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"y must be an array", "make batches by batch()", "in batch 1 of the data set"});
}

TEST_P(BatchShapesTest, AFaultNamesItsRowWhereverTheShapeChanged) {
  std::vector<StreamBatch> batches = sequences({{3, 4}, {3, 4}, {2, 6}, {2, 6}, {3, 4}});
  std::vector<float> values = batches[3].x[0].to_vector<float>();
  values[12 + 4] = std::numeric_limits<float>::quiet_NaN();
  batches[3].x = Tensor::adopt({2, 6, 2}, std::move(values));
  CompileOptions options = training(4);
  options.stop_on_nan = true;
  Sequential model = sequence_model(options);
  expect_contains(error_of([&] { model.fit(dataset_of(batches), {.verbose = 0}); }), ErrorCode::kDataLoss,
                  {"step 4", "row 1 of batch 4 of x, element 4"});
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 3);
}

TEST_P(BatchShapesTest, ARunGoesOnToTheBitAmongShapesAndSizes) {
  // Lengths of one step and wide rows, so that sums over 13 and 16 rows would differ in their order.
  const std::vector<StreamBatch> batches =
      sequences({{13, 4}, {13, 4}, {5, 6}, {16, 4}, {9, 4}, {12, 6}, {3, 6}, {13, 4}});
  const auto shuffled = [&] { return dataset_of(batches).shuffle(3, {.seed = 4}); };
  for (const int steps : {1, 3})
    for (const auto& [epoch, step] : {std::pair{0, 3}, std::pair{0, 6}, std::pair{1, 2}}) {
      // Other lengths of executions save at other steps.
      KeptState keeper(epoch, step), unused(-1, -1);
      Sequential whole = sequence_model(training(1)), resumed = sequence_model(training(steps));
      whole.fit(shuffled(), {.epochs = 3, .verbose = 0, .callbacks = {&keeper}});
      ASSERT_FALSE(keeper.state.empty());
      resumed.fit(shuffled(),
                  {.epochs = 3, .verbose = 0, .callbacks = {&unused}, .resume_from = keeper.state});
      EXPECT_TRUE(same_bits(whole.weights(), resumed.weights())) << steps << " " << epoch << " " << step;
    }
}

/// A model with small programs, so that many shapes compile in a short time.
Sequential tiny_model() {
  Sequential model({layers::GlobalAveragePooling1D(), layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse", .seed = 5});
  return model;
}

std::vector<StreamBatch> lengths_up_to(std::int64_t most) {
  std::vector<Size> sizes;
  for (std::int64_t length = 1; length <= most; ++length) sizes.push_back({2, length});
  return sequences(sizes);
}

TEST(ManyShapesTest, AreAWarningOnceThatSaysWhatToDo) {
  const testing::OnReferenceBackend on_reference;
  Sequential few = tiny_model(), many = tiny_model();
  CapturedLog log;
  few.fit(dataset_of(lengths_up_to(16)), {.epochs = 2, .verbose = 0});
  EXPECT_EQ(log.take().find("shapes"), std::string::npos);
  many.fit(dataset_of(lengths_up_to(20)), {.epochs = 2, .verbose = 0});
  many.fit(dataset_of(lengths_up_to(30)), {.verbose = 0});
  const std::string said = log.take();
  const std::size_t place = said.find("was given batches of 17 shapes so far");
  EXPECT_NE(place, std::string::npos) << said;
  EXPECT_NE(said.find("bucket_by_sequence_length with .pad_to_bucket_boundary"), std::string::npos) << said;
  EXPECT_EQ(said.find("shapes so far", place + 50), std::string::npos) << "said once: " << said;
}

TEST(ManyShapesTest, RowCountsThatGrowAreAWarningOnceThatNamesTheBatchSize) {
  const testing::OnReferenceBackend on_reference;
  std::vector<Size> sizes;
  for (std::int64_t rows = 1; rows <= 20; ++rows) sizes.push_back({rows, 4});
  const Dataset dataset = dataset_of(sequences(sizes));
  Sequential growing = tiny_model(), bounded = tiny_model();
  CapturedLog log;
  EXPECT_EQ(bounded.fit(dataset, {.batch_size = 20, .verbose = 0}).num_compiles, 1);
  EXPECT_EQ(log.take().find("compiled"), std::string::npos);
  EXPECT_EQ(growing.fit(dataset, {.verbose = 0}).num_compiles, 20);
  const std::string said = log.take();
  const std::size_t place = said.find("was compiled 17 times for batches of a known shape");
  EXPECT_NE(place, std::string::npos) << said;
  EXPECT_NE(said.find("pass .batch_size"), std::string::npos) << said;
  EXPECT_NE(said.find("for a stream BatchStreamOptions.batch_size"), std::string::npos) << said;
  EXPECT_EQ(said.find("was compiled", place + 20), std::string::npos) << "said once: " << said;
}

TEST(ManyShapesTest, RowCountsThatNeedExactProgramsAreAWarningThatNamesTheReason) {
  const testing::OnReferenceBackend on_reference;
  std::vector<Size> sizes;
  for (std::int64_t rows = 1; rows <= 20; ++rows) sizes.push_back({rows, 4});
  Sequential model({layers::GlobalAveragePooling1D(),
                    layers::Lambda([](const Tensor& x) { return x - ops::mean(x, {.axis = 0}); })});
  CapturedLog log;
  model.predict(dataset_of(sequences(sizes)), {.verbose = 0});
  const std::string said = log.take();
  EXPECT_NE(said.find("was compiled 17 times for batches of a known shape"), std::string::npos) << said;
  EXPECT_NE(said.find("Each number of rows needs a program of its own, because "), std::string::npos) << said;
  EXPECT_NE(said.find(": give batches of few sizes"), std::string::npos) << said;
  EXPECT_EQ(said.find("batch_size"), std::string::npos) << said;
}

TEST(ManyShapesTest, ProgramsAreBoundedAndThoseThatWereReleasedAreMadeAgain) {
  const testing::OnReferenceBackend on_reference;
  const CapturedLog log;
  const std::vector<StreamBatch> batches = lengths_up_to(66);
  Sequential model = tiny_model(), wanted = tiny_model();
  wanted.predict_on_batch(batches[0].x);
  model.predict_on_batch(batches[0].x);
  model.set_weights(wanted.get_weights());
  const auto history = model.fit(dataset_of(batches), {.epochs = 2, .verbose = 0});
  EXPECT_EQ(history.num_steps, 132);
  EXPECT_EQ(history.num_compiles, 131) << "the run itself keeps the first";
  train_one_by_one(wanted, batches, 2);
  EXPECT_TRUE(same_bits(wanted.weights(), model.weights()));
}

TEST(BatchShapesOnDevicesTest, ADeviceOfItsOwnMemoryGivesTheBitsOfTheCpu) {
  clear_session();
  set_random_seed(42);
  set_default_client(runtime::make_client("cpu", {.num_threads = 1}));
  const auto gpu = std::make_shared<runtime::FakeClient>();
  const std::string name = add_devices(gpu).at(0);
  const Dataset dataset = dataset_of(sequences(kSizes));
  for (const int steps : {1, 3}) {
    Sequential here = sequence_model(training(steps)), there = sequence_model(training(steps));
    const auto wanted = here.fit(dataset, {.epochs = 2, .verbose = 0});
    with_device(name, [&] {
      const auto history = there.fit(dataset, {.epochs = 2, .verbose = 0});
      EXPECT_EQ(history["loss"], wanted["loss"]);
      EXPECT_EQ(there.evaluate(dataset, {.verbose = 0}), here.evaluate(dataset, {.verbose = 0}));
      EXPECT_EQ(there.predict(dataset, {.verbose = 0}).literal(),
                here.predict(dataset, {.verbose = 0}).literal());
    });
    EXPECT_TRUE(same_bits(here.weights(), there.weights()));
  }
  EXPECT_GT(gpu->counts().executions.calls, 0);
  remove_devices(gpu);
  set_default_client(nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::keras
