#include "cornu/keras/trainer/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "cornu/base/check.h"
#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class BatchStreamTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(BatchStreamTest);

/// Returns the rows of some flowers in order, `batch_size` at a time, pass after pass.
class FlowerBatches {
 public:
  FlowerBatches(const Flowers& flowers, std::int64_t batch_size)
      : flowers_(flowers), batch_size_(batch_size) {}

  std::optional<StreamBatch> next() {
    const std::int64_t end = std::min(begin_ + batch_size_, flowers_.x.num_rows());
    if (begin_ == end) return std::nullopt;
    StreamBatch batch{.x = flowers_.x.rows(begin_, end), .y = flowers_.one_hot.rows(begin_, end)};
    begin_ = end;
    ++num_pulled;
    return batch;
  }
  BatchStream stream(bool restarts = true) {
    BatchStreamOptions options;
    if (restarts) options.restart = [this] { begin_ = 0; };
    return BatchStream([this] { return next(); }, options);
  }

  std::int64_t num_pulled = 0;

 private:
  const Flowers& flowers_;
  std::int64_t batch_size_;
  std::int64_t begin_ = 0;
};

Sequential stream_model(int steps_per_execution = 1, const CompileOptions& base = {}) {
  Sequential model = small_model(1, 0.2);
  CompileOptions options = base;
  options.optimizer = "adam";
  options.loss = "log_cosh";
  options.metrics = {"accuracy"};
  options.steps_per_execution = steps_per_execution;
  options.seed = 5;
  model.compile(options);
  return model;
}

TEST_P(BatchStreamTest, GivesTheBitsThatTheSameBatchesOfArraysGive) {
  const Flowers data(50);
  for (const int steps : {1, 3, 100}) {
    Sequential by_arrays = stream_model(steps), by_stream = stream_model(steps);
    const auto wanted =
        by_arrays.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 3, .verbose = 0, .shuffle = false});
    FlowerBatches batches(data, 8);
    BatchStream stream = batches.stream();
    const auto history = by_stream.fit(stream, {.epochs = 3, .verbose = 0});
    EXPECT_EQ(history["loss"], wanted["loss"]);
    EXPECT_EQ(history["accuracy"], wanted["accuracy"]);
    EXPECT_EQ(history.num_steps, 21);
    EXPECT_TRUE(same_bits(by_arrays.weights(), by_stream.weights()));
  }
}

TEST_P(BatchStreamTest, BatchesOfAnySizeAreStepsOfTheirOwn) {
  const Flowers data(20);
  const std::int64_t ends[] = {6, 9, 15, 16, 20};
  Sequential by_batch = stream_model(), by_stream = stream_model(10);
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    by_batch.train_on_batch(data.x.rows(begin, end), data.one_hot.rows(begin, end));
    begin = end;
  }
  std::size_t next = 0;
  begin = 0;
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    if (next == std::size(ends)) return std::nullopt;
    const std::int64_t first = std::exchange(begin, ends[next++]);
    return StreamBatch{.x = data.x.rows(first, begin), .y = data.one_hot.rows(first, begin)};
  });
  const auto history = by_stream.fit(stream, {.verbose = 0});
  EXPECT_EQ(history.num_steps, 5);
  EXPECT_EQ(history.num_compiles, 1);
  EXPECT_LT(largest_difference(by_batch.weights(), by_stream.weights()), 1e-6);
}

TEST_P(BatchStreamTest, StepsPerEpochCutsTheStreamAndPullsNoMoreThanItTrains) {
  const Flowers data(40);
  FlowerBatches batches(data, 4);  // 10 batches a pass
  BatchStream stream = batches.stream();
  Sequential model = stream_model(3);
  const auto history = model.fit(stream, {.epochs = 2, .verbose = 0, .steps_per_epoch = 4});
  EXPECT_EQ(history.num_steps, 8);
  EXPECT_EQ(batches.num_pulled, 8);
  EXPECT_EQ(model.fit(stream, {.verbose = 0}).num_steps, 2) << "the rest of the pass";
  EXPECT_EQ(model.fit(stream, {.verbose = 0}).num_steps, 10);
}

TEST_P(BatchStreamTest, TrainingEndsWithAStreamThatCannotBeginAnew) {
  const Flowers data(12);
  FlowerBatches batches(data, 4);
  BatchStream stream = batches.stream(false);
  Sequential model = stream_model();
  CapturedLog log;
  const auto history = model.fit(stream, {.epochs = 5, .verbose = 0});
  EXPECT_NE(log.take().find("the data ran out before epoch 2 of 5"), std::string::npos);
  EXPECT_EQ(history.epoch, (std::vector<std::int64_t>{0}));
  expect_contains(error_of([&] { model.fit(stream, {.verbose = 0}); }), ErrorCode::kFailedPrecondition,
                  {"it is over", "restart"});
}

TEST_P(BatchStreamTest, StepsThatTakeAPassExactlyAreFollowedByAnotherPass) {
  const Flowers data(12), other(12, 3);
  FlowerBatches batches(data, 4), others(other, 4);  // 3 batches a pass
  BatchStream stream = batches.stream(), validation = others.stream();
  Sequential model = stream_model();
  const auto history = model.fit(stream, {.epochs = 3,
                                          .verbose = 0,
                                          .validation_data = {.source = &validation},
                                          .steps_per_epoch = 3,
                                          .validation_steps = 3});
  EXPECT_EQ(history.num_steps, 9);
  EXPECT_EQ(batches.num_pulled, 9);
  ASSERT_EQ(history["val_loss"].size(), 3U);
  for (const double loss : history["val_loss"]) EXPECT_GT(loss, 0);
  EXPECT_EQ(history["val_loss"].back(),
            model.evaluate(other.x, other.one_hot, {.batch_size = 4, .verbose = 0})["loss"]);
  const Logs once = model.evaluate(stream, {.verbose = 0, .steps = 3});
  EXPECT_EQ(model.evaluate(stream, {.verbose = 0, .steps = 3}), once);
  EXPECT_EQ(model.predict(stream, {.verbose = 0, .steps = 3}).num_rows(), 12);
}

TEST_P(BatchStreamTest, WhatIsWrongWithTheBatchThatBeginsAnEpochReachesTheCaller) {
  const Flowers data(4);
  Sequential model = stream_model();
  int number = 0;
  BatchStream stream(
      [&]() -> std::optional<StreamBatch> {
        if (++number == 3) throw std::runtime_error("the tape is torn");
        return StreamBatch{.x = data.x, .y = data.one_hot};
      },
      {.restart = [&] { ADD_FAILURE() << "the pass has not ended"; }});
  EXPECT_THROW(model.fit(stream, {.epochs = 2, .verbose = 0, .steps_per_epoch = 2}), std::runtime_error);
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 2);
}

TEST_P(BatchStreamTest, ValidationWithoutABatchIsNoResult) {
  const Flowers data(12);
  FlowerBatches batches(data, 4), others(data, 4);
  BatchStream stream = batches.stream(), validation = others.stream(false);
  Sequential model = stream_model();
  CapturedLog log;
  const auto history = model.fit(
      stream, {.epochs = 3, .verbose = 0, .validation_data = {.source = &validation}, .validation_steps = 3});
  EXPECT_EQ(history["loss"].size(), 3U);
  EXPECT_EQ(history["val_loss"].size(), 1U) << "zeros are no losses";
  const std::string said = log.take();
  const std::string warning = "[fit, validation_data] the data give no batch";
  EXPECT_NE(said.find(warning), std::string::npos) << said;
  EXPECT_EQ(said.find(warning), said.rfind(warning)) << "said once: " << said;
  BatchStream nothing([] { return std::nullopt; }, {.restart = [] {}});
  expect_contains(error_of([&] { model.evaluate(nothing, {.verbose = 0}); }), ErrorCode::kFailedPrecondition,
                  {"gives none after restart either"});
}

TEST_P(BatchStreamTest, EvaluatesAndPredictsAsArraysDo) {
  const Flowers data(30);
  Sequential model = stream_model(2);
  model.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 2, .verbose = 0});
  FlowerBatches batches(data, 8);
  BatchStream stream = batches.stream();
  EXPECT_EQ(model.evaluate(stream, {.verbose = 0}),
            model.evaluate(data.x, data.one_hot, {.batch_size = 8, .verbose = 0}));
  const Tensor wanted = model.predict(data.x, {.batch_size = 8, .verbose = 0});
  EXPECT_EQ(model.predict(stream, {.verbose = 0}).literal(), wanted.literal());
  EXPECT_EQ(model.predict(stream, {.verbose = 0, .steps = 2}).literal(), wanted.rows(0, 16).literal());
  BatchStream only_x([&, given = false]() mutable -> std::optional<StreamBatch> {
    if (std::exchange(given, true)) return std::nullopt;
    return StreamBatch{.x = data.x};
  });
  EXPECT_EQ(model.predict(only_x, {.verbose = 0}).shape(), (Dims{30, 3}));
}

TEST_P(BatchStreamTest, ValidatesOnASource) {
  const Flowers data(24), other(10, 3);
  Sequential by_arrays = stream_model(), by_source = stream_model();
  const FitOptions options{
      .batch_size = 6, .epochs = 2, .verbose = 0, .shuffle = false, .validation_batch_size = 4};
  FitOptions with_arrays = options;
  with_arrays.validation_data = {other.x, other.one_hot};
  const auto wanted = by_arrays.fit(data.x, data.one_hot, with_arrays);
  FlowerBatches batches(data, 6), others(other, 4);
  BatchStream stream = batches.stream(), validation = others.stream();
  const auto history =
      by_source.fit(stream, {.epochs = 2, .verbose = 0, .validation_data = {.source = &validation}});
  EXPECT_EQ(history["val_loss"], wanted["val_loss"]);
  EXPECT_EQ(history["loss"], wanted["loss"]);
}

TEST_P(BatchStreamTest, ClassWeightsAndEagerStepsWorkOnBatches) {
  const Flowers data(20);
  const ClassWeight weights = {{0, 2.0}, {2, 0.5}};
  const CompileOptions eagerly{.run_eagerly = true};
  for (const CompileOptions& base : {CompileOptions{}, eagerly}) {
    Sequential by_arrays = stream_model(1, base), by_stream = stream_model(1, base);
    const auto wanted = by_arrays.fit(
        data.x, data.one_hot, {.batch_size = 8, .verbose = 0, .shuffle = false, .class_weight = weights});
    FlowerBatches batches(data, 8);
    BatchStream stream = batches.stream();
    EXPECT_EQ(by_stream.fit(stream, {.verbose = 0, .class_weight = weights})["loss"], wanted["loss"]);
  }
}

TEST_P(BatchStreamTest, AClassMayBeMissingInABatch) {
  const Tensor x = Flowers(8).x, ratings = Tensor::of<float>({8, 1}, {1, 5, 2, 1, 3, 3, 5, 1});
  const ClassWeight weights = {{1, 2.0}, {5, 0.5}};
  const auto make = [] {
    Sequential model(
        {layers::Dense({.units = 1, .kernel_initializer = initializers::GlorotUniform({.seed = 3})})});
    model.compile({.optimizer = "sgd", .loss = "mse", .seed = 5});
    return model;
  };
  Sequential by_arrays = make(), by_stream = make();
  const auto wanted =
      by_arrays.fit(x, ratings, {.batch_size = 2, .verbose = 0, .shuffle = false, .class_weight = weights});
  std::int64_t begin = 0;
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    if (begin == 8) return std::nullopt;
    begin += 2;
    return StreamBatch{.x = x.rows(begin - 2, begin), .y = ratings.rows(begin - 2, begin)};
  });
  EXPECT_EQ(by_stream.fit(stream, {.verbose = 0, .class_weight = weights})["loss"], wanted["loss"]);
  EXPECT_NO_THROW(by_stream.train_on_batch(x.rows(4, 6), ratings.rows(4, 6), {.class_weight = weights}));
  expect_contains(error_of([&] { by_arrays.fit(x, ratings, {.verbose = 0, .class_weight = {{6, 1.0}}}); }),
                  ErrorCode::kInvalidArgument, {"names class 6"});
  const Flowers data(12);
  FlowerBatches batches(data, 4);
  BatchStream of_three = batches.stream();
  Sequential model = stream_model();
  expect_contains(error_of([&] { model.fit(of_three, {.verbose = 0, .class_weight = {{3, 1.0}}}); }),
                  ErrorCode::kInvalidArgument, {"names class 3", "(None, 3)"});
}

TEST_P(BatchStreamTest, StepsThatNeedExactBatchesGetThem) {
  const Flowers data(20);
  const auto root_of_mean = [](const Tensor& y_true, const Tensor& y_pred) {
    return ops::sqrt(ops::mean(ops::square(y_pred - y_true)));
  };
  Sequential by_arrays = small_model(), by_stream = small_model();
  by_arrays.compile({.optimizer = "adam", .loss = root_of_mean, .steps_per_execution = 4});
  by_stream.compile({.optimizer = "adam", .loss = root_of_mean, .steps_per_execution = 4});
  const auto wanted =
      by_arrays.fit(data.x, data.one_hot, {.batch_size = 6, .epochs = 2, .verbose = 0, .shuffle = false});
  FlowerBatches batches(data, 6);
  BatchStream stream = batches.stream();
  EXPECT_EQ(by_stream.fit(stream, {.epochs = 2, .verbose = 0})["loss"], wanted["loss"]);
  EXPECT_TRUE(same_bits(by_arrays.weights(), by_stream.weights()));
}

TEST_P(BatchStreamTest, AWrongBatchIsNamedAndTheStepsBeforeItStay) {
  const Flowers data(20);
  const auto fit_with = [&](StreamBatch wrong) {
    Sequential model = stream_model(10);
    int number = 0;
    BatchStream stream(
        [&]() -> std::optional<StreamBatch> {
          if (++number == 3) return wrong;
          return StreamBatch{.x = data.x.rows(0, 4), .y = data.one_hot.rows(0, 4)};
        },
        {.batch_size = 4});
    const Error error = error_of([&] { model.fit(stream, {.verbose = 0, .steps_per_epoch = 5}); });
    EXPECT_EQ(model.optimizer().iterations().item<int>(), 2);
    return error;
  };
  expect_contains(
      fit_with({.x = data.x.rows(0, 5), .y = data.one_hot.rows(0, 5)}), ErrorCode::kInvalidArgument,
      {"[batch_stream] a batch has 5 rows, more than BatchStreamOptions.batch_size = 4", "batch 3"});
  expect_contains(fit_with({.x = data.one_hot.rows(0, 4), .y = data.one_hot.rows(0, 4)}),
                  ErrorCode::kInvalidArgument, {"(4, 3)", "batch 3 of the stream"});
  expect_contains(fit_with({.x = data.class_id.rows(0, 4), .y = data.one_hot.rows(0, 4)}),
                  ErrorCode::kInvalidArgument, {"rows of x are () int32", "(4,) float32", "batch 3"});
  expect_contains(fit_with({.x = data.x.rows(0, 4)}), ErrorCode::kInvalidArgument,
                  {"y holds 0 where that had 1", "batch 3"});
  expect_contains(fit_with({.x = data.x.rows(0, 4), .y = data.one_hot.rows(0, 3)}),
                  ErrorCode::kInvalidArgument, {"same number of rows", "batch 3"});
}

TEST_P(BatchStreamTest, LabelsAreCheckedBatchByBatch) {
  const Flowers data(12);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  int number = 0;
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    const std::int32_t wrong = ++number == 2 ? 7 : 1;
    return StreamBatch{.x = data.x.rows(0, 2), .y = Tensor::of<std::int32_t>({2}, {0, wrong})};
  });
  expect_contains(error_of([&] { model.fit(stream, {.verbose = 0, .steps_per_epoch = 5}); }),
                  ErrorCode::kOutOfRange, {"label 7 in row 1", "batch 2"});
}

TEST_P(BatchStreamTest, AFaultNamesRowAndBatch) {
  const Flowers data(12);
  Sequential model = stream_model(4, {.stop_on_nan = true});
  int number = 0;
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    if (++number > 6) return std::nullopt;
    std::vector<float> rows(8, 0.5F);
    if (number == 5) rows[6] = std::numeric_limits<float>::quiet_NaN();
    return StreamBatch{.x = Tensor::adopt({2, 4}, std::move(rows)), .y = data.one_hot.rows(0, 2)};
  });
  expect_contains(error_of([&] { model.fit(stream, {.verbose = 0}); }), ErrorCode::kDataLoss,
                  {"step 5", "row 1 of batch 5 of x, element 2"});
}

TEST_P(BatchStreamTest, WhatTheFunctionThrowsReachesTheCaller) {
  const Flowers data(12);
  Sequential model = stream_model();
  int number = 0;
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    if (++number == 4) throw std::runtime_error("the tape is torn");
    return StreamBatch{.x = data.x.rows(0, 4), .y = data.one_hot.rows(0, 4)};
  });
  EXPECT_THROW(model.fit(stream, {.verbose = 0}), std::runtime_error);
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 3);
}

TEST_P(BatchStreamTest, OptionsOfArraysAreRefused) {
  const Flowers data(12);
  FlowerBatches batches(data, 4);
  BatchStream stream = batches.stream();
  Sequential model = stream_model();
  const auto refused = [&](const FitOptions& options, const char* name) {
    expect_contains(error_of([&] { model.fit(stream, options); }), ErrorCode::kInvalidArgument,
                    {name, "is for arrays"});
  };
  refused({.batch_size = 4}, "batch_size");
  refused({.validation_split = 0.5}, "validation_split");
  refused({.sample_weight = data.x}, "sample_weight");
  refused({.steps_per_epoch = 1, .repeat = true}, "repeat");
  refused({.row_order = [](std::int64_t) { return std::vector<std::int64_t>{0}; }}, "row_order");
  expect_contains(error_of([&] { model.evaluate(stream, {.batch_size = 4}); }), ErrorCode::kInvalidArgument,
                  {"batch_size is for arrays"});
  expect_contains(error_of([&] { model.evaluate(stream, {.sample_weight = data.x}); }),
                  ErrorCode::kInvalidArgument, {"[evaluate] sample_weight is for arrays"});
  expect_contains(error_of([&] { model.predict(stream, {.batch_size = 4}); }), ErrorCode::kInvalidArgument,
                  {"batch_size is for arrays"});
  expect_contains(error_of([] { BatchStream{BatchStream::Next()}; }), ErrorCode::kInvalidArgument,
                  {"[batch_stream]", "empty"});
  expect_contains(error_of([] { BatchStream([] { return std::nullopt; }, {.batch_size = 0}); }),
                  ErrorCode::kInvalidArgument, {"batch_size must be at least 1"});
}

TEST_P(BatchStreamTest, TheBarLearnsTheStepsOfAnEpochFromTheFirst) {
  const Flowers data(12);
  FlowerBatches batches(data, 4);
  BatchStream stream = batches.stream();
  Sequential model = stream_model();
  std::string text;
  callbacks::ProgbarLogger bar(
      {.redraw = true, .color = false, .interval_seconds = 0, .write = [&](std::string_view piece) {
         text += piece;
       }});
  model.fit(stream, {.epochs = 2, .verbose = 1, .callbacks = {&bar}});
  const std::size_t second = text.find("Epoch 2/2");
  EXPECT_NE(text.find("      1/Unknown 0s"), std::string::npos) << text;
  EXPECT_LT(text.find("3/3 "), second) << text;
  EXPECT_NE(text.find("1/3 ", second), std::string::npos) << text;
}

/// The first value of each batch left in the pass.
std::vector<float> first_values_left(BatchSource& source) {
  std::vector<float> values;
  for (Batches batches = source.next(1); batches.num_steps > 0; batches = source.next(1)) {
    values.push_back(reinterpret_cast<const float*>(batches.bases[0])[batches.row_indices[0] * 4]);
    source.advance(1);
  }
  return values;
}

/// Uses up `num_steps` batches.
void work_on(BatchSource& source, std::int64_t num_steps) {
  ASSERT_EQ(source.next(num_steps).num_steps, num_steps);
  source.advance(num_steps);
}

TEST(BatchStreamPlaceTest, AStreamThatHasGoneOnGoesBack) {
  const Flowers data(24);
  FlowerBatches batches(data, 4);  // 6 batches a pass
  BatchStream stream = batches.stream();
  stream.begin_run([](const ArrayData& rows) { return rows; });
  stream.begin_epoch({});
  work_on(stream, 2);
  const StateValues place = save_state(stream.state());
  const std::vector<float> wanted = first_values_left(stream);
  ASSERT_EQ(wanted.size(), 4U);
  load_state(stream.state(), place);
  EXPECT_EQ(first_values_left(stream), wanted) << "from the end of the pass";
  load_state(stream.state(), place);
  work_on(stream, 1);
  EXPECT_EQ(stream.next(2).num_steps, 2);  // pulled, and not worked on
  load_state(stream.state(), place);
  EXPECT_EQ(first_values_left(stream), wanted) << "from inside the pass";
  stream.begin_epoch({});
  work_on(stream, 1);
  EXPECT_EQ(stream.next(2).num_steps, 2);
  load_state(stream.state(), place);
  EXPECT_EQ(first_values_left(stream), wanted) << "from the next pass";
}

TEST(BatchStreamPlaceTest, WhatCameInPlaceOfABatchDropsNoneThatWasReadBeforeIt) {
  const Flowers data(16);
  FlowerBatches batches(data, 4);
  BatchStream stream([&]() -> std::optional<StreamBatch> {
    if (batches.num_pulled == 3) throw std::runtime_error("the link is down");
    return batches.next();
  });
  stream.begin_run([](const ArrayData& rows) { return rows; });
  stream.begin_epoch({});
  EXPECT_EQ(stream.next(5).num_steps, 3);
  stream.skip(1);
  work_on(stream, 2);
  EXPECT_THROW((void)stream.next(1), std::runtime_error);
}

TEST(BatchStreamPlaceTest, AStreamThatCannotGoBackSaysSo) {
  const Flowers data(24);
  FlowerBatches batches(data, 4);
  BatchStream stream = batches.stream(false);
  stream.begin_run([](const ArrayData& rows) { return rows; });
  stream.begin_epoch({});
  work_on(stream, 2);
  StateValues place = save_state(stream.state());
  work_on(stream, 1);
  const std::vector<std::string> says = {"has given 3 batches", "had given 2", "restart"};
  expect_contains(error_of([&] { load_state(stream.state(), place); }), ErrorCode::kFailedPrecondition, says);
  expect_contains(error_of([&] { check_state(stream.state(), place, "fit"); }), ErrorCode::kInvalidArgument,
                  says);
  place.at("num_done") = Tensor::of<std::int64_t>({1}, {-1});
  expect_contains(error_of([&] { check_state(stream.state(), place, "fit"); }), ErrorCode::kInvalidArgument,
                  {"\"num_done\"", "must not be negative; found -1"});
}

TEST(BatchStreamPlaceTest, TheRowsThatAStateNamesAreBounded) {
  const Flowers data(24);
  FlowerBatches batches(data, 4);
  BatchStream stream = batches.stream();
  stream.begin_run([](const ArrayData& rows) { return rows; });
  stream.begin_epoch({});
  work_on(stream, 2);
  StateValues place = save_state(stream.state());
  const std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{-1}, most + 1}) {
    place.insert_or_assign("shapes", Tensor::of<std::int64_t>({2}, {1, rows}));
    expect_contains(error_of([&] { check_state(stream.state(), place, "fit"); }), ErrorCode::kInvalidArgument,
                    {"\"shapes\"", "pairs of a shape's fingerprint and its most rows"});
  }
  place.insert_or_assign("shapes", Tensor::of<std::int64_t>({2}, {1, most}));
  EXPECT_NO_THROW(check_state(stream.state(), place, "fit"));
}

/// Five batches of which the third is wrong: its arrays differ from those of the first, or the function that
/// arranges rows refuses it.
class BatchesWithAWrongOne {
 public:
  BatchesWithAWrongOne(const Flowers& flowers, bool has_wrong_arrays)
      : flowers_(flowers), has_wrong_arrays_(has_wrong_arrays) {}

  BatchStream stream() {
    return BatchStream([this] { return next(); }, {.restart = [this] { number_ = 0; }});
  }
  ArrangeRows arrange() const {
    return [this](const ArrayData& rows) {
      if (!has_wrong_arrays_ && value(rows.x[0]) == value_of(3)) invalid_argument("not this one");
      return rows;
    };
  }
  /// The first value of a batch.
  float value_of(std::int64_t number) const { return value(flowers_.x.rows(4 * number - 4, 4 * number)); }

 private:
  static float value(const Tensor& x) { return x.to_vector<float>()[0]; }
  std::optional<StreamBatch> next() {
    if (number_ == 5) return std::nullopt;
    const std::int64_t begin = 4 * number_++;
    const Tensor y = flowers_.one_hot.rows(begin, begin + 4);
    if (has_wrong_arrays_ && number_ == 3) return StreamBatch{.x = flowers_.class_id.rows(0, 4), .y = y};
    return StreamBatch{.x = flowers_.x.rows(begin, begin + 4), .y = y};
  }

  const Flowers& flowers_;
  bool has_wrong_arrays_;
  std::int64_t number_ = 0;
};

TEST(BatchStreamPlaceTest, AWrongBatchThatWasDroppedCountsInThePlace) {
  const Flowers data(20);
  for (const bool has_wrong_arrays : {true, false})
    for (const bool is_read_ahead : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", has_wrong_arrays, is_read_ahead));
      BatchesWithAWrongOne batches(data, has_wrong_arrays), again(data, has_wrong_arrays);
      BatchStream stream = batches.stream(), resumed = again.stream();
      stream.begin_run(batches.arrange());
      stream.begin_epoch({});
      if (is_read_ahead) {
        EXPECT_EQ(stream.next(5).num_steps, 2);
      }
      work_on(stream, 2);
      expect_contains(error_of([&] { stream.next(1); }), ErrorCode::kInvalidArgument,
                      {"in batch 3 of the stream"});
      stream.end_run();
      stream.begin_run(batches.arrange());
      stream.begin_epoch({});
      work_on(stream, 1);
      const StateValues place = save_state(stream.state());
      const std::vector<float> last = {batches.value_of(5)};
      EXPECT_EQ(first_values_left(stream), last);
      resumed.begin_run(again.arrange());
      load_state(resumed.state(), place);
      EXPECT_EQ(first_values_left(resumed), last);
    }
}

TEST(BatchStreamPlaceTest, AWrongBatchThatARunDidNotReachIsSaidInTheNext) {
  const Flowers data(20);
  for (const bool has_wrong_arrays : {true, false}) {
    BatchesWithAWrongOne batches(data, has_wrong_arrays);
    BatchStream stream = batches.stream();
    stream.begin_run(batches.arrange());
    stream.begin_epoch({});
    EXPECT_EQ(stream.next(5).num_steps, 2);
    work_on(stream, 2);
    stream.end_run();
    stream.begin_run(batches.arrange());
    stream.begin_epoch({});
    expect_contains(error_of([&] { stream.next(1); }), ErrorCode::kInvalidArgument,
                    {"in batch 3 of the stream"});
    EXPECT_EQ(first_values_left(stream), (std::vector<float>{batches.value_of(4), batches.value_of(5)}));
  }
}

TEST(BatchRingTest, BatchesStayInOrderOverTheEndOfTheMemory) {
  BatchRing ring;
  const auto batch = [](std::int64_t number, std::int64_t num_rows) {
    return ArrayData{
        .x = Tensor::zeros({num_rows, 2}) + static_cast<double>(number), .y = {}, .sample_weight = {}};
  };
  const auto value = [](const Batches& batches, std::int64_t i) {
    return reinterpret_cast<const float*>(batches.bases[0])[batches.row_indices[i] * 2];
  };
  ring.reset(batch(0, 3), 3);
  ring.reserve(3);
  ring.push(batch(1, 3));
  ring.push(batch(2, 3));
  ring.pop(2);
  for (const int number : {3, 4, 5}) ring.push(batch(number, number == 5 ? 2 : 3));
  EXPECT_TRUE(ring.is_full());
  EXPECT_TRUE(ring.ends_partial());
  Batches batches = ring.first(8);
  ASSERT_EQ(batches.num_steps, 3);
  EXPECT_EQ(batches.num_rows, 8);
  for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(value(batches, i), static_cast<float>(3 + i / 3));
  EXPECT_EQ(batches.row_indices[8], batches.row_indices[6]) << "padding repeats the first row";
  EXPECT_EQ(ring.place_of(batches.row_indices[7]).batch, 2);
  EXPECT_EQ(ring.place_of(batches.row_indices[7]).row, 1);
  ring.reserve(5);
  batches = ring.first(2);
  ASSERT_EQ(batches.num_steps, 2);
  EXPECT_EQ(value(batches, 0), 3);
  EXPECT_EQ(value(batches, 5), 4);
}

TEST(BatchRingTest, RowsOfAnotherShapeGoIntoTheSameMemory) {
  BatchRing ring;
  const auto rows = [](const Dims& shape, float first) {
    std::vector<float> values(static_cast<std::size_t>(shape[0] * shape[1]));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
    return ArrayData{.x = Tensor::adopt(shape, std::move(values)), .y = {}, .sample_weight = {}};
  };
  ring.reset(rows({3, 4}, 0), 3);
  ring.reserve(2);
  ring.push(rows({3, 4}, 0));
  const std::byte* const memory = ring.first(1).bases[0];
  ring.pop(1);
  ring.reset(rows({2, 5}, 0), 2);
  ring.reserve(2);
  ring.push(rows({2, 5}, 10));
  ring.push(rows({1, 5}, 20));
  const Batches batches = ring.first(2);
  EXPECT_EQ(batches.bases[0], memory);
  EXPECT_EQ(batches.arrays->x[0].shape(), (Dims{4, 5}));
  EXPECT_EQ(batches.num_rows, 3);
  const auto* const values = reinterpret_cast<const float*>(memory);
  EXPECT_EQ(values[batches.row_indices[1] * 5], 15);
  EXPECT_EQ(values[batches.row_indices[2] * 5 + 4], 24);
  ring.pop(2);
  ring.reset(rows({2, 50}, 0), 2);
  ring.reserve(2);
  ring.push(rows({2, 50}, 7));
  EXPECT_EQ(reinterpret_cast<const float*>(ring.first(1).bases[0])[99], 106) << "more than there was";
}

}  // namespace
}  // namespace cornu::inline v0::keras
