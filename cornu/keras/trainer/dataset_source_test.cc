/// Models that train, evaluate and predict on data sets.
#include "cornu/keras/trainer/dataset_source.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "cornu/base/error_test_support.h"
#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/kept_state_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using data::Dataset;
using data::Element;

class DatasetSourceTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(DatasetSourceTest);

Sequential dataset_model(StepsPerExecution steps = 1) {
  Sequential model = small_model(1, 0.2);
  model.compile({.optimizer = "adam",
                 .loss = "log_cosh",
                 .metrics = {"accuracy"},
                 .steps_per_execution = steps,
                 .seed = 5});
  return model;
}

Dataset flowers(const Flowers& data) { return Dataset::from_tensor_slices({data.x, data.one_hot}); }
/// The same elements through a stage that hides that they are rows in memory.
Dataset streamed(const Dataset& dataset) {
  return dataset.map([](const Element& element) { return element; });
}

TEST_P(DatasetSourceTest, GivesTheBitsThatTheSameBatchesOfArraysGive) {
  const Flowers data(50);
  for (const int steps : {1, 3, 100}) {
    Sequential by_arrays = dataset_model(steps);
    const auto wanted =
        by_arrays.fit(data.x, data.one_hot, {.batch_size = 8, .epochs = 3, .verbose = 0, .shuffle = false});
    for (const Dataset& dataset : {flowers(data).batch(8), streamed(flowers(data)).batch(8),
                                   streamed(flowers(data).batch(8)).prefetch(2)}) {
      Sequential model = dataset_model(steps);
      const auto history = model.fit(dataset, {.epochs = 3, .verbose = 0});
      EXPECT_EQ(history["loss"], wanted["loss"]);
      EXPECT_EQ(history["accuracy"], wanted["accuracy"]);
      EXPECT_EQ(history.num_steps, 21);
      EXPECT_TRUE(same_bits(by_arrays.weights(), model.weights()));
    }
  }
}

TEST_P(DatasetSourceTest, RaggedRowsAreRefusedUntilTheyAreDense) {
  const data::Ragged rows(Tensor(std::vector<float>{1, 2, 3}), {0, 1, 3});
  const Dataset batches = Dataset::from_tensor_slices({rows, Tensor::zeros({2, 1})}).batch(2);
  Sequential model({layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const std::string message = error_text_of([&] { model.fit(batches, {.verbose = 0}); });
  EXPECT_NE(message.find("map() texts to numbers, and ragged rows to dense ones by data::dense_rows"),
            std::string::npos)
      << message;
  const Dataset dense = batches.map([](const Element& batch) { return data::dense_rows(batch); });
  EXPECT_EQ(error_text_of([&] { model.fit(dense, {.verbose = 0}); }), "no error");
}

TEST_P(DatasetSourceTest, RowsInMemoryAndStreamsGiveTheSameBitsThroughShuffles) {
  const Flowers data(50);
  const auto both = [&](const std::function<Dataset(Dataset)>& rest, const FitOptions& options) {
    Sequential by_rows = dataset_model(4), by_stream = dataset_model(4);
    const Dataset shuffled = flowers(data).shuffle(50, {.seed = 3});
    const Dataset again = flowers(data).shuffle(50, {.seed = 3});
    const auto wanted = by_rows.fit(rest(shuffled), options);
    const auto history = by_stream.fit(streamed(rest(again)), options);
    EXPECT_EQ(history["loss"], wanted["loss"]);
    EXPECT_EQ(history.num_steps, wanted.num_steps);
    EXPECT_TRUE(same_bits(by_rows.weights(), by_stream.weights()));
  };
  both([](const Dataset& d) { return d.batch(8); }, {.epochs = 3, .verbose = 0});
  both([](const Dataset& d) { return d.batch(8).repeat(2); }, {.epochs = 2, .verbose = 0});
  both([](const Dataset& d) { return d.repeat().batch(8); },
       {.epochs = 3, .verbose = 0, .steps_per_epoch = 5});
  both([](const Dataset& d) { return d.skip(5).shard(2, 1).batch(100); }, {.epochs = 2, .verbose = 0});
}

TEST_P(DatasetSourceTest, BothFormsOfTheIrisProgramTrainAsLong) {
  const Flowers data(150);
  const Dataset rows = flowers(data).shuffle(150, {.seed = 1});
  Sequential by_epochs = dataset_model("auto"), by_repeat = dataset_model("auto");
  const auto epochs = by_epochs.fit(rows.batch(20), {.epochs = 20, .verbose = 0});
  EXPECT_EQ(epochs.num_steps, 20 * 8);
  EXPECT_LT(epochs["loss"].back(), epochs["loss"].front());
  const auto once = by_repeat.fit(rows.repeat(20).batch(20), {.verbose = 0});
  EXPECT_EQ(once.num_steps, 150);
  EXPECT_EQ(once["loss"].size(), 1u);
}

TEST_P(DatasetSourceTest, EpochsOfSomeStepsGoOnInThePass) {
  const Flowers data(40);
  Sequential in_parts = dataset_model(), whole = dataset_model();
  in_parts.fit(flowers(data).batch(8), {.epochs = 2, .verbose = 0, .steps_per_epoch = 2});
  whole.fit(flowers(data).take(32).batch(8), {.verbose = 0});
  EXPECT_TRUE(same_bits(in_parts.weights(), whole.weights()));
}

TEST_P(DatasetSourceTest, AnEpochThatUsesThePassUpIsFollowedByAnotherPass) {
  const Flowers data(40);
  for (const Dataset& dataset : {flowers(data).batch(8), streamed(flowers(data).batch(8))}) {
    Sequential model = dataset_model(3);
    EXPECT_EQ(model.fit(dataset, {.epochs = 3, .verbose = 0, .steps_per_epoch = 5}).num_steps, 15);
  }
}

TEST_P(DatasetSourceTest, DataThatRunOutEndTheEpochWithAWarning) {
  const Flowers data(20);
  Sequential model = dataset_model();
  CapturedLog log;
  const auto history = model.fit(streamed(flowers(data)).batch(8), {.verbose = 0, .steps_per_epoch = 10});
  EXPECT_EQ(history.num_steps, 3);
  EXPECT_NE(log.take().find("ran out after 3 of 10 steps"), std::string::npos);
}

TEST_P(DatasetSourceTest, WeightsOfRowsComeThird) {
  const Flowers data(30);
  std::vector<float> weights(30);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i % 4) * 0.5f;
  const Tensor weight(weights);
  Sequential by_arrays = dataset_model(), by_dataset = dataset_model();
  by_arrays.fit(data.x, data.one_hot,
                {.batch_size = 8, .epochs = 2, .verbose = 0, .shuffle = false, .sample_weight = weight});
  by_dataset.fit(Dataset::from_tensor_slices({data.x, data.one_hot, weight}).batch(8),
                 {.epochs = 2, .verbose = 0});
  EXPECT_TRUE(same_bits(by_arrays.weights(), by_dataset.weights()));
}

TEST_P(DatasetSourceTest, ClassesAreWeighed) {
  const Flowers data(30);
  const ClassWeight weights = {{0, 2.0}, {2, 0.25}};
  Sequential by_arrays = dataset_model(), by_rows = dataset_model(), by_stream = dataset_model();
  by_arrays.fit(data.x, data.one_hot,
                {.batch_size = 8, .epochs = 2, .verbose = 0, .shuffle = false, .class_weight = weights});
  by_rows.fit(flowers(data).batch(8), {.epochs = 2, .verbose = 0, .class_weight = weights});
  by_stream.fit(streamed(flowers(data)).batch(8), {.epochs = 2, .verbose = 0, .class_weight = weights});
  EXPECT_TRUE(same_bits(by_arrays.weights(), by_rows.weights()));
  EXPECT_TRUE(same_bits(by_arrays.weights(), by_stream.weights()));
}

TEST_P(DatasetSourceTest, WeightsOfClassesAreRefusedBesideAClassAStep) {
  const Tensor x = Tensor::zeros({4, 3, 2}), ids = Tensor::zeros({4, 3});
  Sequential model({layers::Input({.shape = {3, 2}}), layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  const FitOptions options{.verbose = 0, .class_weight = {{2, 5.0}}};
  const auto expect_refused = [](const std::function<void()>& fit) {
    expect_error(
        ErrorCode::kInvalidArgument,
        {"class_weight needs one class a row; got y of shape (", ", 3) for an output of shape (None, 3, 3)"},
        fit);
  };
  expect_refused([&] { model.fit(x, ids, options); });
  expect_refused([&] { model.fit(Dataset::from_tensor_slices({x, ids}).batch(2), options); });
  expect_refused([&] { model.fit(streamed(Dataset::from_tensor_slices({x, ids})).batch(2), options); });
  expect_refused([&] { model.train_on_batch(x, ids, {.class_weight = options.class_weight}); });
}

TEST_P(DatasetSourceTest, BatchSizeIsTheMostRowsThatABatchMayHave) {
  const Flowers data(11);
  const Dataset growing = flowers(data).batch(11).rebatch({2, 4, 5});
  Sequential by_batch = small_model(), by_dataset = small_model();
  for (Sequential* each : {&by_batch, &by_dataset}) each->compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_NE(error_text_of([&] {
              by_dataset.evaluate(growing, {.batch_size = 3, .verbose = 0});
            }).find("[evaluate] a batch has 4 rows, more than .batch_size = 3, the most that one may have"),
            std::string::npos);
  for (const auto& [begin, end] : {std::pair{0, 2}, std::pair{2, 6}, std::pair{6, 11}})
    by_batch.train_on_batch(data.x.rows(begin, end), data.one_hot.rows(begin, end));
  const auto history = by_dataset.fit(
      growing,
      {.batch_size = 5, .verbose = 0, .validation_data = {.dataset = growing}, .validation_batch_size = 5});
  EXPECT_EQ(history.num_steps, 3);
  EXPECT_EQ(history.num_compiles, 2) << "one program for training, one for validation";
  EXPECT_LT(largest_difference(by_batch.weights(), by_dataset.weights()), 1e-6);
  const double loss = by_dataset.evaluate(data.x, data.one_hot, {.verbose = 0})["loss"];
  EXPECT_NEAR(history["val_loss"].back(), loss, 1e-6);
  EXPECT_NEAR(by_dataset.evaluate(growing, {.batch_size = 5, .verbose = 0})["loss"], loss, 1e-6);
  EXPECT_EQ(by_dataset.predict(growing, {.batch_size = 5, .verbose = 0}).num_rows(), 11);
  EXPECT_NE(
      error_text_of([&] { by_dataset.fit(growing, {.batch_size = 0, .verbose = 0}); }).find("at least 1"),
      std::string::npos);
  EXPECT_NE(error_text_of([&] {
              by_dataset.fit(growing, {.batch_size = 5,
                                       .verbose = 0,
                                       .validation_data = {.dataset = growing},
                                       .validation_batch_size = 4});
            }).find("a batch has 5 rows, more than .validation_batch_size = 4"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              by_dataset.evaluate(growing, {.verbose = 0, .sample_weight = data.x});
            }).find("[evaluate] sample_weight is for arrays"),
            std::string::npos);
}

TEST_P(DatasetSourceTest, ValidationGoesThroughItsDataFromTheStartEachTime) {
  const Flowers data(30), validation(22, 9);
  Sequential by_arrays = dataset_model();
  const auto wanted = by_arrays.fit(data.x, data.one_hot,
                                    {.batch_size = 8,
                                     .epochs = 3,
                                     .verbose = 0,
                                     .validation_data = {validation.x, validation.one_hot},
                                     .shuffle = false,
                                     .validation_steps = 2,
                                     .validation_batch_size = 8});
  for (const Dataset& held_out : {flowers(validation).batch(8), streamed(flowers(validation)).batch(8)}) {
    Sequential model = dataset_model();
    const auto history = model.fit(
        flowers(data).batch(8),
        {.epochs = 3, .verbose = 0, .validation_data = {.dataset = held_out}, .validation_steps = 2});
    EXPECT_EQ(history["val_loss"], wanted["val_loss"]);
  }
}

TEST_P(DatasetSourceTest, EvaluatesAndPredicts) {
  const Flowers data(21);
  Sequential model = dataset_model(2);
  const Logs wanted = model.evaluate(data.x, data.one_hot, {.batch_size = 8, .verbose = 0});
  const Tensor outputs = model.predict(data.x, {.batch_size = 8, .verbose = 0});
  for (const Dataset& dataset : {flowers(data).batch(8), streamed(flowers(data)).batch(8)}) {
    EXPECT_EQ(model.evaluate(dataset, {.verbose = 0})["loss"], wanted["loss"]);
    // predict looks at x alone.
    EXPECT_EQ(model.predict(dataset, {.verbose = 0}).literal(), outputs.literal());
  }
  EXPECT_EQ(model.predict(Dataset::from_tensor_slices(data.x).batch(8), {.verbose = 0}).literal(),
            outputs.literal());
}

TEST_P(DatasetSourceTest, ARunGoesOnToTheBitInsideAShuffledPass) {
  const Flowers data(50);
  const auto make_all = [&] {
    const Dataset rows = flowers(data).shuffle(50, {.seed = 3});
    const Dataset drawn = streamed(flowers(data)).shuffle(10, {.seed = 4}).batch(8).prefetch(2);
    return std::vector<Dataset>{rows.batch(8), streamed(rows).batch(8), drawn, rows.repeat(2).batch(8)};
  };
  for (std::size_t which = 0; which < make_all().size(); ++which) {
    SCOPED_TRACE(which);
    Sequential whole = dataset_model(), resumed = dataset_model();
    KeptState keeper(1, 3), unused(-1, -1);
    whole.fit(make_all()[which], {.epochs = 3, .verbose = 0, .callbacks = {&keeper}});
    ASSERT_FALSE(keeper.state.empty());
    resumed.fit(make_all()[which],
                {.epochs = 3, .verbose = 0, .callbacks = {&unused}, .resume_from = keeper.state});
    EXPECT_TRUE(same_bits(whole.weights(), resumed.weights()));
  }
}

/// The first value of each row left in the pass.
std::vector<float> values_left(BatchSource& source) {
  std::vector<float> values;
  for (Batches batches = source.next(1); batches.num_steps > 0; batches = source.next(1)) {
    for (const std::int64_t row : batches.rows_of(0))
      values.push_back(reinterpret_cast<const float*>(batches.bases[0])[row * 4]);
    source.advance(1);
  }
  return values;
}

TEST(DatasetPlaceTest, ASourceThatHasGoneOnGoesBack) {
  const Flowers data(50);
  const auto make_all = [&] {
    const Dataset first = streamed(flowers(data).take(20)), second = streamed(flowers(data).skip(20));
    return std::vector<Dataset>{flowers(data).shuffle(50, {.seed = 3}).batch(8),
                                flowers(data).shuffle(10, {.seed = 3}).batch(8),
                                streamed(flowers(data)).shuffle(10, {.seed = 4}).batch(8).prefetch(2),
                                first.concatenate(second).batch(8), streamed(flowers(data).batch(8)).cache()};
  };
  for (std::size_t which = 0; which < make_all().size(); ++which) {
    SCOPED_TRACE(which);
    const std::unique_ptr<BatchSource> fresh = make_dataset_source(make_all()[which]),
                                       source = make_dataset_source(make_all()[which]);
    for (BatchSource* const one : {fresh.get(), source.get()}) {
      one->begin_run([](const ArrayData& rows) { return rows; });
      one->begin_epoch({});
    }
    fresh->skip(2);
    const std::vector<float> wanted = values_left(*fresh);
    ASSERT_EQ(wanted.size(), 34U);
    EXPECT_EQ(source->next(2).num_steps, 2);
    source->advance(2);
    const StateValues place = save_state(source->state());
    EXPECT_EQ(source->next(3).num_steps, 3);
    source->advance(2);
    load_state(source->state(), place);
    EXPECT_EQ(values_left(*source), wanted) << "from inside the pass";
    load_state(source->state(), place);
    EXPECT_EQ(values_left(*source), wanted) << "from its end";
    source->end_run();
    fresh->end_run();
  }
}

TEST_P(DatasetSourceTest, SaysWhatIsWrongWithAnElement) {
  const Flowers data(10);
  Sequential model = dataset_model();
  const auto of = [&](const Dataset& dataset, const FitOptions& options = {.verbose = 0}) {
    return error_text_of([&] { model.fit(dataset, options); });
  };
  EXPECT_NE(
      of(Dataset::from_tensor_slices({std::vector{1.0f, 2.0f}, std::vector{1.0f, 2.0f}})).find("batch()"),
      std::string::npos);
  EXPECT_NE(of(Dataset::from_tensors({data.x, data.one_hot, data.x, data.x})).find("tuple of 4"),
            std::string::npos);
  EXPECT_NE(of(Dataset::from_tensor_slices(data::Strings({"a", "b"})).batch(2)).find("texts"),
            std::string::npos);
  EXPECT_NE(of(flowers(data).batch(2).repeat()).find("steps_per_epoch"), std::string::npos);
  EXPECT_NE(of(flowers(data).take(0).batch(2)).find("empty"), std::string::npos);
  EXPECT_NE(
      of(flowers(data).batch(4), {.batch_size = 3, .verbose = 0}).find("up to 4 rows, more than batch_size"),
      std::string::npos);
}

TEST_P(DatasetSourceTest, AnErrorInAnElementLeavesTheStepsBeforeIt) {
  const Flowers data(40);
  Sequential model = dataset_model(), wanted = dataset_model();
  int calls = 0;
  const Dataset failing = flowers(data).batch(8).map([&](const Element& element) {
    if (++calls == 4) throw Error(ErrorCode::kDataLoss, "the fourth is damaged");
    return element;
  });
  EXPECT_NE(error_text_of([&] { model.fit(failing, {.verbose = 0}); }).find("damaged"), std::string::npos);
  wanted.fit(flowers(data).take(24).batch(8), {.verbose = 0});
  EXPECT_TRUE(same_bits(wanted.weights(), model.weights()));
}

TEST(DatasetWaitTest, ARunSaysOnceThatItWaitsForItsDataAndForWhichStage) {
  const Flowers data(40);
  Sequential model = dataset_model();
  const Dataset slow = flowers(data).batch(8).map([](const Element& element) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return element;
  });
  CapturedLog log;
  model.fit(slow, {.epochs = 7, .verbose = 0});
  const std::string said = log.take();
  const std::size_t place = said.find("waited for its data set, most of it for map");
  EXPECT_NE(place, std::string::npos) << said;
  EXPECT_EQ(said.find("waited", place + 1), std::string::npos) << said;
}

}  // namespace
}  // namespace cornu::inline v0::keras
