#pragma once

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"

// Models that are trained with and without a strategy, to be compared.
namespace cornu::inline v0::keras {

using distribute::Strategy;

inline constexpr std::int64_t kNumRows = 61;  // batches of 16: the last has 13

struct Case {
  std::string name;
  std::function<Sequential()> make;
  std::function<CompileOptions()> options = [] {
    return CompileOptions{
        .optimizer = "adam", .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}};
  };
  bool has_weights = false;
  std::optional<ClassWeight> class_weight = {};
  double tolerance = 2e-5;

  friend void PrintTo(const Case& it, std::ostream* out) { *out << it.name; }
};

inline InitializerSpec seeded(std::uint64_t seed) { return initializers::GlorotUniform({.seed = seed}); }

inline Sequential image_model(bool synchronized, const std::string& activity, bool renorm = false) {
  layers::Conv2DOptions convolution{
      .filters = 3, .kernel_size = 2, .activation = "relu", .kernel_initializer = seeded(5)};
  if (!activity.empty()) convolution.activity_regularizer = activity;
  return Sequential(
      {layers::Reshape({.target_shape = {2, 2, 1}}), layers::Conv2D(convolution),
       layers::BatchNormalization(
           {.momentum = 0.5, .renorm = renorm, .renorm_momentum = 0.5, .synchronized = synchronized}),
       layers::Flatten(),
       layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(6)})});
}

inline std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"dense", [] { return small_model(); }});
  all.push_back({"dropout", [] { return small_model(3, 0.4); }});
  all.push_back(
      {"regularizers", [] {
         return Sequential(
             {layers::Dense({.units = 6,
                             .activation = "tanh",
                             .kernel_initializer = seeded(1),
                             .kernel_regularizer = regularizers::L2({.l2 = 0.1}),
                             .activity_regularizer = regularizers::L1({.l1 = 0.05})}),
              layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
       }});
  // The gradient of a bias before a normalization is 0 but for rounding, which Adam would blow up.
  all.push_back({"synchronized_batch_normalization", [] { return image_model(true, ""); },
                 [] {
                   return CompileOptions{.optimizer = optimizers::SGD({.learning_rate = 0.1}),
                                         .loss = "sparse_categorical_crossentropy",
                                         .metrics = {"accuracy"}};
                 }});
  all.push_back({"synchronized_renorm", [] { return image_model(true, "", true); }, all.back().options});
  all.push_back({"activity_of_convolution", [] { return image_model(true, "l2"); }});
  all.push_back(
      {"recurrent", [] {
         return Sequential(
             {layers::Reshape({.target_shape = {4, 1}}),
              layers::LSTM({.units = 5, .kernel_initializer = seeded(1), .recurrent_initializer = seeded(2)}),
              layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(3)})});
       }});
  // Ids from below 0, which are none, to beyond the table.
  all.push_back(
      {"embedding_table", [] {
         const layers::TableConfig table{
             .vocabulary_size = 5, .dim = 6, .initializer = seeded(1), .combiner = "sqrtn", .name = "table"};
         return Sequential(
             {layers::Rescaling({.scale = 4.0, .offset = -3.0}),
              layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
              layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
       }});
  // A table that is updated by rows, of which most keep their slots in a step.
  all.push_back(
      {"lazy_rows",
       [] {
         return Sequential(
             {layers::Rescaling({.scale = 20.0}),
              layers::Embedding({.input_dim = 9000, .output_dim = 32, .embeddings_initializer = seeded(1)}),
              layers::Flatten(),
              layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(2)})});
       },
       [] {
         return CompileOptions{.optimizer = optimizers::Adam({.weight_decay = 0.01, .lazy_rows = true}),
                               .loss = "sparse_categorical_crossentropy",
                               .metrics = {"accuracy"}};
       }});
  all.push_back({"clipping", [] { return small_model(4); },
                 [] {
                   return CompileOptions{
                       .optimizer = optimizers::SGD({.learning_rate = 0.5, .global_clipnorm = 0.1}),
                       .loss = "sparse_categorical_crossentropy",
                       .metrics = {"accuracy"}};
                 }});
  all.push_back({"accumulation_and_ema", [] { return small_model(5); },
                 [] {
                   return CompileOptions{
                       .optimizer = optimizers::Adam(
                           {.learning_rate = 0.05, .use_ema = true, .gradient_accumulation_steps = 2}),
                       .loss = "sparse_categorical_crossentropy",
                       .metrics = {"accuracy"}};
                 }});
  all.push_back({"watched", [] { return small_model(6); },
                 [] {
                   return CompileOptions{.optimizer = "sgd",
                                         .loss = "sparse_categorical_crossentropy",
                                         .metrics = {"accuracy"},
                                         .stop_on_nan = true};
                 }});
  all.push_back({.name = "sample_weights", .make = [] { return small_model(7); }, .has_weights = true});
  all.push_back({.name = "class_weights",
                 .make = [] { return small_model(8); },
                 .class_weight = ClassWeight{{0, 1.0}, {1, 3.0}, {2, 0.5}}});
  return all;
}

/// The cases for slow devices: random numbers by row, and sums that replicas meet for in the forward pass. All
/// of them with CORNU_TEST_CASES=all.
inline std::vector<Case> few_cases() {
  const char* const which = std::getenv("CORNU_TEST_CASES");
  std::vector<Case> all = cases();
  if (which == nullptr || std::string(which) != "all")
    std::erase_if(all, [](const Case& it) {
      return it.name != "dropout" && it.name != "synchronized_batch_normalization";
    });
  return all;
}

/// A model whose states pass from batch to batch, so that each device takes whole batches.
inline Sequential stateful_model() {
  return Sequential({layers::Reshape({.target_shape = {4, 1}}),
                     layers::LSTM({.units = 3,
                                   .kernel_initializer = seeded(1),
                                   .recurrent_initializer = seeded(2),
                                   .stateful = true}),
                     layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(3)})});
}

struct Trained {
  std::vector<double> losses, accuracies, validation;
  std::vector<Variable> weights;
  std::vector<float> predictions;
};

/// Two and a half epochs' worth of what fit, evaluate and predict do. `strategy` null: on one device.
inline Trained run(const Case& it, const Strategy* strategy, std::int64_t steps_per_execution) {
  clear_session();
  set_random_seed(42);
  const Flowers data(kNumRows), validation(21, 8);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  Sequential model = it.make();
  CompileOptions options = it.options();
  options.steps_per_execution = steps_per_execution;
  options.seed = 3;
  model.compile(options);
  scope.reset();
  FitOptions fit{
      .batch_size = 16, .epochs = 3, .verbose = 0, .validation_data = {validation.x, validation.class_id}};
  std::vector<float> weights(kNumRows);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.25f * static_cast<float>(1 + i % 5);
  if (it.has_weights) fit.sample_weight = Tensor::adopt({kNumRows}, std::move(weights));
  if (it.class_weight) fit.class_weight = *it.class_weight;
  const auto history = model.fit(data.x, data.class_id, fit);
  Trained result{
      .losses = history["loss"], .accuracies = history["accuracy"], .validation = history["val_loss"]};
  result.weights = model.weights();
  const Logs evaluated = model.evaluate(data.x, data.class_id, {.batch_size = 16, .verbose = 0});
  result.losses.push_back(evaluated["loss"]);
  result.predictions = model.predict(data.x, {.batch_size = 16, .verbose = 0}).to_vector<float>();
  return result;
}

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}

/// What two ways to train a case gave.
inline void expect_near(const Trained& found, const Trained& expected, double tolerance) {
  expect_near(found.losses, expected.losses, tolerance);
  expect_near(found.accuracies, expected.accuracies, tolerance);
  expect_near(found.validation, expected.validation, tolerance);
  EXPECT_LT(largest_difference(found.weights, expected.weights), 20 * tolerance);
  ASSERT_EQ(found.predictions.size(), expected.predictions.size());
  for (std::size_t i = 0; i < found.predictions.size(); ++i)
    ASSERT_NEAR(found.predictions[i], expected.predictions[i], 20 * tolerance) << i;
}

/// Expects a strategy to give the numbers of one device. `train` trains a new model and returns the numbers.
inline void expect_one_device_alike(const Strategy& strategy, const std::function<Sequential()>& make,
                                    const CompileOptions& options,
                                    const std::function<std::vector<double>(Sequential&)>& train) {
  const auto numbers = [&](const Strategy* on) {
    clear_session();
    set_random_seed(6);
    std::optional<Strategy::Scope> scope;
    if (on != nullptr) scope.emplace(*on);
    Sequential model = make();
    model.compile(options);
    scope.reset();
    return train(model);
  };
  expect_near(numbers(&strategy), numbers(nullptr), 2e-5);
}

/// The same of batches with fewer rows than the strategy has replicas, in the last batch or in all.
inline void expect_small_batches_alike(const Strategy& strategy, int num_rows, int batch_size) {
  const Flowers data(num_rows);
  expect_one_device_alike(
      strategy, [] { return small_model(2, 0.3); },
      {.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 4},
      [&](Sequential& model) {
        std::vector<double> all =
            model.fit(data.x, data.class_id, {.batch_size = batch_size, .epochs = 2, .verbose = 0})["loss"];
        all.push_back(
            model.evaluate(data.x, data.class_id, {.batch_size = batch_size, .verbose = 0})["loss"]);
        for (const float value :
             model.predict(data.x, {.batch_size = batch_size, .verbose = 0}).to_vector<float>())
          all.push_back(static_cast<double>(value));
        return all;
      });
}

/// The same of data sets, made by `make_dataset` for each training, and of single batches.
inline void expect_data_sets_alike(const Strategy& strategy, const StepsPerExecution& steps_per_execution,
                                   const std::function<data::Dataset(const Flowers&)>& make_dataset) {
  const Flowers data(45);
  expect_one_device_alike(
      strategy, [] { return small_model(3); },
      {.optimizer = "adam",
       .loss = "sparse_categorical_crossentropy",
       .steps_per_execution = steps_per_execution},
      [&](Sequential& model) {
        const data::Dataset dataset = make_dataset(data);
        std::vector<double> all = model.fit(dataset, {.epochs = 2, .verbose = 0})["loss"];
        all.push_back(model.train_on_batch(data.x, data.class_id)["loss"]);
        all.push_back(model.test_on_batch(data.x, data.class_id)["loss"]);
        all.push_back(model.evaluate(dataset, {.verbose = 0})["loss"]);
        return all;
      });
}
inline data::Dataset batches_of_16(const Flowers& data) {
  return data::Dataset::from_tensor_slices({data.x, data.class_id}).batch(16);
}

/// The same of a model that takes whole batches.
inline void expect_whole_batches_alike(const Strategy& strategy, bool run_eagerly = false) {
  const Flowers data(20);
  expect_one_device_alike(
      strategy, [&] { return run_eagerly ? small_model(3) : stateful_model(); },
      {.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .run_eagerly = run_eagerly},
      [&](Sequential& model) {
        return model.fit(data.x, data.class_id, {.batch_size = 10, .epochs = 2, .verbose = 0})["loss"];
      });
}

/// Trains a model of five steps an execution under a strategy, twice for two epochs of five steps; returns it
/// and the second fit's statistics, which must show one call an epoch.
inline std::pair<Sequential, runtime::TransferStatistics> expect_one_call_an_execution(
    const Strategy& strategy, const runtime::Client& client, const Flowers& data) {
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .steps_per_execution = 5});
  scope.reset();
  const FitOptions options{.batch_size = 16, .epochs = 2, .verbose = 0};
  model.fit(data.x, data.class_id, options);
  const runtime::TransferStatistics before = client.counts();
  model.fit(data.x, data.class_id, options);
  const runtime::TransferStatistics calls = client.counts().since(before);
  EXPECT_EQ(calls.executions.calls, 2);
  EXPECT_EQ(calls.executions.items, 10);
  EXPECT_EQ(calls.compiles.calls, 0);
  return {model, calls};
}

/// Ranks whose models differ in an option must learn so.
inline void expect_different_programs_are_refused(const distribute::MultiWorkerMirroredStrategy& strategy) {
  const Flowers data(32);
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = small_model();
  model.compile(
      {.optimizer = optimizers::SGD({.learning_rate = 0.1, .momentum = strategy.is_chief() ? 0.0 : 0.5}),
       .loss = "sparse_categorical_crossentropy"});
  scope.reset();
  expect_error(ErrorCode::kFailedPrecondition, {"ranks run different programs", "\"train_step\""},
               [&] { model.fit(data.x, data.class_id, {.batch_size = 16, .verbose = 0}); });
}

/// A row that makes the loss NaN under a strategy is named, whoever has it.
inline void expect_fault_is_named(const Strategy& strategy) {
  const Flowers data(32);
  std::vector<float> values = data.x.to_vector<float>();
  values[21 * 4] = std::numeric_limits<float>::quiet_NaN();
  std::optional<Strategy::Scope> scope(strategy);
  Sequential watched = small_model();
  watched.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy", .stop_on_nan = true});
  scope.reset();
  const Error error = error_of([&] {
    watched.fit(Tensor::adopt({32, 4}, std::move(values)), data.class_id,
                {.batch_size = 16, .verbose = 0, .shuffle = false});
  });
  expect_contains(error, ErrorCode::kDataLoss, {"the loss is not finite", "step 2 of 2", "row 21"});
}

}  // namespace cornu::inline v0::keras
