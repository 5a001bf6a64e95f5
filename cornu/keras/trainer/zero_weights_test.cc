// Rows and steps that count nothing, whatever is in their labels; labels of one value a row.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class ZeroWeightsTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(ZeroWeightsTest);

/// Labels with NaN and infinity where the weight is 0.
Tensor spoilt(const Tensor& labels, const Tensor& weights) {
  const Tensor hides = ops::equal(ops::expand_dims(weights, -1), 0);
  const Tensor is_first = ops::equal(ops::arange(labels.shape().back()), 0);
  return ops::where(ops::logical_and(hides, is_first), kNaN, ops::where(hides, kInfinity, labels));
}

TEST_P(ZeroWeightsTest, NaNInLabelsOfWeightZeroTrainsAsOtherLabelsThere) {
  const Flowers data(23);
  const Tensor weights = ops::cast(ops::not_equal(data.class_id, 1), DType::kF32);
  for (const char* loss : {"mse", "log_cosh", "hinge", "categorical_crossentropy", "cosine_similarity"}) {
    const auto trained = [&](const Tensor& labels) {
      Sequential model = small_model();
      model.compile({.optimizer = "adam",
                     .loss = loss,
                     .weighted_metrics = {"mae", "cosine_similarity", metrics::F1Score(), metrics::R2Score(),
                                          metrics::RootMeanSquaredError(), metrics::AUC()},
                     .steps_per_execution = 2,
                     .seed = 1});
      const auto history =
          model.fit(data.x, labels, {.batch_size = 5, .epochs = 3, .verbose = 0, .sample_weight = weights});
      EXPECT_TRUE(std::isfinite(history["loss"].back())) << loss;
      EXPECT_TRUE(std::isfinite(history["mae"].back())) << loss;
      EXPECT_TRUE(std::isfinite(history["root_mean_squared_error"].back())) << loss;
      return model;
    };
    EXPECT_TRUE(same_bits(trained(spoilt(data.one_hot, weights)).weights(), trained(data.one_hot).weights()))
        << loss;
  }
}

TEST_P(ZeroWeightsTest, NaNInLabelsOfMaskedStepsTrainsAsOtherLabelsThere) {
  const Tensor ids = Tensor::of<std::int32_t>({4, 3}, {1, 2, 0, 3, 0, 0, 2, 2, 2, 4, 1, 0});
  const Tensor counts = ops::cast(ops::not_equal(ids, 0), DType::kF32);
  const Tensor labels = ops::ones({4, 3, 2}) * 0.25;
  const auto trained = [&](const Tensor& y) {
    clear_session();
    set_random_seed(3);
    Sequential model({layers::Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true}),
                      layers::Dense({.units = 2, .activation = "sigmoid"})});
    model.compile({.optimizer = "adam", .loss = "mse", .metrics = {"mae"}});
    const auto history = model.fit(ids, y, {.batch_size = 3, .epochs = 3, .verbose = 0});
    EXPECT_TRUE(std::isfinite(history["loss"].back()));
    EXPECT_TRUE(std::isfinite(history["mae"].back()));
    return model;
  };
  EXPECT_TRUE(same_bits(trained(spoilt(labels, counts)).weights(), trained(labels).weights()));
}

TEST_P(ZeroWeightsTest, ClassIdsOfWeightZeroMayBeAnyNumber) {
  const Flowers data(23);
  const Tensor counts = ops::not_equal(data.class_id, 1), weights = ops::cast(counts, DType::kF32);
  const auto options = [](bool check_ids, bool run_eagerly) {
    return CompileOptions{.optimizer = "adam",
                          .loss = "sparse_categorical_crossentropy",
                          .weighted_metrics = {"accuracy"},
                          .run_eagerly = run_eagerly,
                          .check_ids = check_ids,
                          .seed = 1};
  };
  const auto trained = [&](const CompileOptions& compile, std::int32_t id, const Tensor& weight) {
    Sequential model = small_model();
    model.compile(compile);
    const Tensor labels = ops::where(counts, data.class_id, Tensor(id));
    model.fit(data.x, labels, {.batch_size = 5, .epochs = 2, .verbose = 0, .sample_weight = weight});
    return model;
  };
  for (const CompileOptions& compile : {options(false, false), options(true, false), options(false, true)})
    for (const std::int32_t id : {-1, 99})
      EXPECT_TRUE(same_bits(trained(compile, id, weights).weights(), trained(compile, 0, weights).weights()))
          << id << compile.check_ids << compile.run_eagerly;
  expect_contains(error_of([&] { trained(options(false, false), -1, ops::ones({23})); }),
                  ErrorCode::kOutOfRange, {"[fit] label -1 in row", "is not a class id in [0, 3)"});
}

TEST_P(ZeroWeightsTest, ClassIdsOfMaskedStepsMayBeAnyNumber) {
  const Tensor ids = Tensor::of<std::int32_t>({4, 3}, {1, 2, 0, 3, 0, 0, 2, 2, 2, 4, 1, 0});
  const Tensor steps = Tensor::of<std::int32_t>({4, 3}, {0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  const auto trained = [&](const Tensor& labels, bool check_ids, bool run_eagerly) {
    clear_session();
    set_random_seed(3);
    Sequential model({layers::Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true}),
                      layers::Dense({.units = 2, .activation = "softmax"})});
    model.compile({.optimizer = "adam",
                   .loss = "sparse_categorical_crossentropy",
                   .run_eagerly = run_eagerly,
                   .check_ids = check_ids});
    model.fit(ids, labels, {.batch_size = 3, .epochs = 2, .verbose = 0, .shuffle = false});
    return model;
  };
  const Tensor padded = ops::where(ops::not_equal(ids, 0), steps, Tensor(-1));
  for (const auto& [check_ids, run_eagerly] : {std::pair(false, false), {true, false}, {false, true}})
    EXPECT_TRUE(same_bits(trained(padded, check_ids, run_eagerly).weights(),
                          trained(steps, check_ids, run_eagerly).weights()))
        << check_ids << run_eagerly;
  expect_contains(error_of([&] { trained(padded - 1, true, false); }), ErrorCode::kOutOfRange,
                  {"label -1 at (0, 0) is outside [0, 2)"});
}

/// A network whose output has a mask. `num_calls` counts the calls of its first layer.
Sequential masked_model(int& num_calls, bool run_eagerly, bool check_ids) {
  clear_session();
  set_random_seed(3);
  const layers::Lambda counted([&num_calls](const Tensor& x) {
    ++num_calls;
    return x;
  });
  Sequential model({counted, layers::Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true}),
                    layers::Dense({.units = 2, .activation = "softmax"})});
  model.compile({.optimizer = "adam",
                 .loss = "sparse_categorical_crossentropy",
                 .run_eagerly = run_eagerly,
                 .check_ids = check_ids});
  return model;
}

TEST_P(ZeroWeightsTest, BatchesOfPaddedLabelsDoNotTraceTheModelAgain) {
  const Tensor ids = Tensor::of<std::int32_t>({2, 3}, {1, 2, 0, 3, 0, 0});
  const Tensor padded = Tensor::of<std::int32_t>({2, 3}, {0, 1, -1, 1, -1, -1}), steps = ops::abs(padded);
  const Tensor counts = ops::cast(ops::not_equal(ids, 0), DType::kF32);
  for (const bool run_eagerly : {false, true})
    for (const bool has_weights : {false, true}) {
      int of_padded = 0, of_others = 0;
      Sequential model = masked_model(of_padded, run_eagerly, false);
      Sequential other = masked_model(of_others, run_eagerly, false);
      const TrainOnBatchOptions options{.sample_weight = has_weights ? Tensors(counts) : Tensors()};
      const auto train = [&](Sequential& trained, const Tensor& labels, int& num_calls) {
        trained.train_on_batch(ids, labels, options);
        num_calls = 0;
        for (int i = 0; i < 5; ++i) trained.train_on_batch(ids, labels, options);
      };
      train(model, padded, of_padded);
      train(other, steps, of_others);
      EXPECT_EQ(of_padded, of_others) << run_eagerly << has_weights;
    }
}

TEST_P(ZeroWeightsTest, AWrongClassIdBesideAMaskIsAWarningOnce) {
  const Tensor ids = Tensor::of<std::int32_t>({2, 3}, {1, 2, 0, 3, 0, 0});
  const Tensor labels = Tensor::of<std::int32_t>({2, 3}, {1, 1, 1, 2, 1, 1});  // from 1 on
  int num_calls = 0;
  Sequential model = masked_model(num_calls, false, false);
  CapturedLog log;
  model.train_on_batch(ids, Tensor::of<std::int32_t>({2, 3}, {1, 1, -1, 1, -1, -1}));
  EXPECT_EQ(log.take(), "") << "a negative label may be padding";
  for (int i = 0; i < 3; ++i) model.train_on_batch(ids, labels);
  const std::string said = log.take(), wrong = "label 2 in row 1 of y is not a class id in [0, 2)";
  EXPECT_NE(said.find("[train_on_batch] " + wrong), std::string::npos) << said;
  EXPECT_NE(said.find(".check_ids = true of compile() looks at the steps that count"), std::string::npos);
  EXPECT_EQ(said.find(wrong), said.rfind(wrong)) << said;
  Sequential checked = masked_model(num_calls, false, true);
  expect_contains(error_of([&] { checked.train_on_batch(ids, labels); }), ErrorCode::kOutOfRange,
                  {"label 2"});
  EXPECT_EQ(log.take(), "");
}

TEST_P(ZeroWeightsTest, ClassIdsOfClassesOfWeightZeroMayBeAnyNumber) {
  const Flowers data(20);
  const Tensor labels = ops::where(ops::equal(data.class_id, 1), Tensor(-1), data.class_id);
  const auto model_of = [] {
    Sequential model = small_model();
    model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 1});
    return model;
  };
  const auto trained = [&](const Tensor& y, std::int64_t none, const FitOptions& options) {
    Sequential model = model_of();
    FitOptions with_weights = options;
    with_weights.class_weight = {{none, 0.0}};
    model.fit(data.x, y, with_weights);
    return model.weights();
  };
  const FitOptions options{.batch_size = 5, .epochs = 2, .verbose = 0};
  EXPECT_TRUE(same_bits(trained(labels, -1, options), trained(data.class_id, 1, options)));
  const data::Dataset rows = data::Dataset::from_tensor_slices({data.x, labels}).batch(5);
  EXPECT_NO_THROW(model_of().fit(rows, {.verbose = 0, .class_weight = {{-1, 0.0}}}));
  EXPECT_NO_THROW(model_of().train_on_batch(data.x, labels, {.class_weight = {{-1, 0.0}}}));
  FitOptions split = options;
  split.validation_split = 0.9;
  expect_contains(error_of([&] { trained(labels, -1, split); }), ErrorCode::kOutOfRange,
                  {"[fit] label -1 in row", "of validation_split's y is not a class id in [0, 3)"});
}

TEST_P(ZeroWeightsTest, LabelsOfWeightZeroDoNotChangeHowHingesReadTheOthers) {
  const Flowers data(23);
  const Tensor counts = ops::not_equal(ops::arange(23), 4), weights = ops::cast(counts, DType::kF32);
  for (const char* loss : {"hinge", "squared_hinge"}) {
    const auto trained = [&](float label) {
      Sequential model = small_model();
      model.compile({.optimizer = "adam", .loss = loss, .weighted_metrics = {loss}, .seed = 1});
      const Tensor labels = ops::where(ops::expand_dims(counts, -1), data.one_hot, label);
      const auto history =
          model.fit(data.x, labels, {.batch_size = 23, .epochs = 2, .verbose = 0, .sample_weight = weights});
      return std::pair(model.get_weights()[0].literal(), history[loss]);
    };
    EXPECT_EQ(trained(-1), trained(0)) << loss;
    EXPECT_EQ(trained(7), trained(0)) << loss;
  }
}

// The program of the question "Why is the CPU faster than the TPU?": class ids and "logcosh".
TEST_P(ZeroWeightsTest, LabelsOfOneValueARowAreAColumnForLossesThatBroadcastWithOneWarning) {
  const Flowers data(23);
  const auto trained = [&](const Tensor& labels) {
    Sequential model = small_model();
    model.compile({.optimizer = "adam", .loss = "logcosh", .metrics = {"accuracy"}, .seed = 1});
    const FitOptions options{.batch_size = 5, .epochs = 2, .verbose = 0, .validation_data = {data.x, labels}};
    model.fit(data.x, labels, options);
    const auto history = model.fit(data.x, labels, options);
    model.evaluate(data.x, labels, {.verbose = 0});
    EXPECT_EQ(history["loss"].size(), 2u);
    return model;
  };
  CapturedLog log;
  const Sequential of_columns = trained(ops::expand_dims(data.class_id, 1));
  EXPECT_EQ(log.take(), "");
  const Sequential of_rows = trained(data.class_id);
  EXPECT_TRUE(same_bits(of_rows.weights(), of_columns.weights()));
  const std::string said = log.take();
  EXPECT_NE(said.find("[log_cosh] the labels have one value a row, the output has 3"), std::string::npos)
      << said;
  EXPECT_NE(said.find("sparse_categorical_crossentropy"), std::string::npos) << said;
  EXPECT_EQ(said.find("warning"), said.rfind("warning")) << said;
}

}  // namespace
}  // namespace cornu::inline v0::keras
