#include "cornu/keras/trainer/step_faults.h"

#include <gtest/gtest.h>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/function.h"

namespace cornu::inline v0::keras {
namespace {

/// Looks up rows of a table by id, then applies dropout, like an Embedding.
class Lookup : public Layer {
 public:
  explicit Lookup(std::int64_t num_ids, bool in_loop = false)
      : Layer("Lookup", "words"), num_ids_(num_ids), in_loop_(in_loop) {
    set_autocast(false);
  }

 protected:
  void build(const Dims&) override {
    table_ = add_weight(
        {.name = "table", .shape = {num_ids_, 2}, .initializer = initializers::GlorotUniform({.seed = 3})});
  }
  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor ids = ir::is_float(input.dtype()) ? ops::cast(input, DType::kI32) : input;
    if (in_loop_) {
      while_loop([](const Tensor& i) { return i < 2; },
                 [&](const Tensor& i) {
                   check_ids(ids, {.num_ids = num_ids_, .layer = name()});
                   return i + 1;
                 },
                 Tensor(0));
    } else {
      check_ids(ids, {.num_ids = num_ids_, .layer = name()});
    }
    return ops::sum(ops::take(table_, ops::cast(ids, DType::kI32), {.axis = 0}), {.axis = 1});
  }

 private:
  std::int64_t num_ids_;
  bool in_loop_;
  Variable table_;
};

class StepFaultsTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(StepFaultsTest);

struct Words {
  Tensor ids = Tensor::zeros({10, 3}, DType::kI32);
  Tensor y = Tensor::zeros({10, 2});

  explicit Words(std::int32_t at_row_7 = 2) {
    std::vector<std::int32_t> values(30);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i % 5);
    values[7 * 3 + 1] = at_row_7;
    ids = Tensor::adopt({10, 3}, std::move(values));
  }
};

Sequential word_model(bool check, int steps_per_execution = 1, bool in_loop = false) {
  Sequential model(
      {LayerHandle(std::make_shared<Lookup>(5, in_loop)), layers::Dropout({.rate = 0.5, .seed = 4})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}),
                 .loss = "mse",
                 .metrics = {"mae"},
                 .steps_per_execution = steps_per_execution,
                 .check_ids = check});
  return model;
}

TEST_P(StepFaultsTest, CheckIdsNamesLayerValuePlaceAndStepAndKeepsAllState) {
  const Words bad(5), clean;
  for (const int steps : {1, 2, 50}) {
    for (const bool in_loop : {false, true}) {
      Sequential model = word_model(true, steps, in_loop), good = word_model(true, steps, in_loop);
      // Batches of 4, 4 and 2: row 7 is in step 2.
      const FitOptions options{.batch_size = 4, .verbose = 0, .shuffle = false};
      expect_contains(error_of([&] { model.fit(bad.ids, bad.y, options); }), ErrorCode::kOutOfRange,
                      {"[fit]", "id 5 at (3, 1) is outside [0, 5)", "in epoch 1, step 2 of 3 (row 7)",
                       "as they were before", "in layer \"words\""});
      good.fit(bad.ids.rows(0, 4), bad.y.rows(0, 4), options);
      EXPECT_TRUE(same_bits(model.variables(), good.variables())) << "the dropout's counter, too";
      EXPECT_TRUE(same_bits(model.optimizer()->variables(), good.optimizer()->variables()));
      EXPECT_EQ(model.get_metrics_result(), good.get_metrics_result());
      // It goes on with good ids.
      EXPECT_NO_THROW(model.fit(clean.ids, clean.y, options));
    }
  }
}

TEST_P(StepFaultsTest, EvaluatePredictAndStepsOnBatchesCheckIdsToo) {
  const Words bad(-3);
  Sequential model = word_model(true);
  model.build({kUnknown, 3});
  const std::vector<std::string> says = {"id -3 at", "is outside [0, 5)", "(row 7)", "in layer \"words\""};
  const auto expect_error = [&](auto&& call) {
    expect_contains(error_of(call), ErrorCode::kOutOfRange, says);
  };
  expect_error([&] { model.evaluate(bad.ids, bad.y, {.batch_size = 4, .verbose = 0}); });
  expect_error([&] { model.predict(bad.ids, {.batch_size = 4, .verbose = 0}); });
  expect_error([&] { model.train_on_batch(bad.ids, bad.y); });
  expect_error([&] { model.test_on_batch(bad.ids, bad.y); });
  const Words clean;
  expect_error([&] {
    model.fit(clean.ids, clean.y, {.batch_size = 4, .verbose = 0, .validation_data = {bad.ids, bad.y}});
  });
}

TEST_P(StepFaultsTest, OnlyAModelThatWasAskedToLooksForIds) {
  const Words bad(5);
  Sequential model = word_model(false), checked = word_model(true);
  EXPECT_NO_THROW(model.fit(bad.ids, bad.y, {.batch_size = 4, .verbose = 0}));
  const Words clean;
  const FitOptions options{.batch_size = 4, .verbose = 0};
  EXPECT_EQ(model.train_program(clean.ids, clean.y, options).stablehlo.find("stablehlo.minimum"),
            std::string::npos);
  EXPECT_NE(checked.train_program(clean.ids, clean.y, options).stablehlo.find("stablehlo.minimum"),
            std::string::npos);
  // Nothing to look for, no state.
  const Flowers data(8);
  Sequential dense = small_model(), plain = small_model();
  dense.compile({.optimizer = "sgd", .loss = "mse", .check_ids = true});
  plain.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_EQ(dense.train_program(data.x, data.one_hot).stablehlo,
            plain.train_program(data.x, data.one_hot).stablehlo);
}

TEST_P(StepFaultsTest, IdsOfAnIntegerTypeThatCannotReachTheBoundAreFine) {
  const IdCheck check{.num_ids = 1000, .ignored_id = -1, .layer = "e"};
  EXPECT_NO_THROW(check_ids(Tensor::of<std::int8_t>({2}, {127, -1}), check));
  Sequential model({LayerHandle(std::make_shared<Lookup>(1000))});
  model.compile({.optimizer = "sgd", .loss = "mse", .check_ids = true});
  EXPECT_NO_THROW(
      model.fit(Tensor::of<std::int8_t>({1, 2}, {127, 0}), Tensor::zeros({1, 2}), {.verbose = 0}));
  expect_contains(error_of([&] {
                    model.fit(Tensor::of<std::int8_t>({1, 2}, {127, -2}), Tensor::zeros({1, 2}),
                              {.verbose = 0});
                  }),
                  ErrorCode::kOutOfRange, {"id -2 at (0, 1)"});
}

/// Checks its input's ids in the given dtype; -1 is allowed.
class IdsThatMayBeMinus1 : public Layer {
 public:
  IdsThatMayBeMinus1(std::int64_t num_ids, DType id_dtype)
      : Layer("IdsThatMayBeMinus1", "ids"), num_ids_(num_ids), id_dtype_(id_dtype) {
    set_autocast(false);
  }

 protected:
  void build(const Dims&) override {
    scale_ = add_weight({.name = "scale", .shape = {}, .initializer = "ones"});
  }
  Tensor call(const Tensor& input, const CallContext&) override {
    check_ids(ops::cast(input, id_dtype_), {.num_ids = num_ids_, .ignored_id = -1, .layer = name()});
    return ops::cast(input, DType::kF32) * scale_;
  }

 private:
  std::int64_t num_ids_;
  DType id_dtype_;
  Variable scale_;
};

TEST_P(StepFaultsTest, AnIgnoredIdThatTheTypeCannotHoldIsNoOtherIdAndBoundsAreNotRounded) {
  const auto fit = [](DType dtype, std::int64_t num_ids, const Tensor& ids) {
    Sequential model({LayerHandle(std::make_shared<IdsThatMayBeMinus1>(num_ids, dtype))});
    model.compile({.optimizer = "sgd", .loss = "mse", .check_ids = true});
    model.fit(ids, Tensor::zeros({1, 2}), {.verbose = 0});
  };
  expect_contains(error_of([&] { fit(DType::kU8, 10, Tensor::of<std::uint8_t>({1, 2}, {9, 255})); }),
                  ErrorCode::kOutOfRange, {"id 255 at (0, 1)"});
  EXPECT_NO_THROW(fit(DType::kI8, 10, Tensor::of<std::int8_t>({1, 2}, {9, -1})));
  // 257 is 256 in bf16, and so is the id 256.
  EXPECT_NO_THROW(fit(DType::kBF16, 257, Tensor::of<float>({1, 2}, {0, 256})));
}

TEST_P(StepFaultsTest, ConcreteIdsAreCheckedAtOnce) {
  const IdCheck check{.num_ids = 4, .ignored_id = -1, .subject = "token", .layer = "embedding"};
  EXPECT_NO_THROW(check_ids(Tensor::of<std::int64_t>({2, 2}, {0, 3, -1, 2}), check));
  expect_contains(
      error_of([&] { check_ids(Tensor::of<std::int64_t>({2, 2}, {0, 3, 9007199254740993, 2}), check); }),
      ErrorCode::kOutOfRange, {"token 9007199254740993 at (1, 0) is outside [0, 4); in layer \"embedding\""});
  expect_contains(error_of([&] { check_ids(Tensor::of<float>({2}, {1, 1.5F}), check); }),
                  ErrorCode::kOutOfRange, {"token 1.5 at (1,)"});
  expect_contains(
      error_of([&] { check_ids(ops::cast(Tensor::of<float>({2}, {1, 7}), DType::kBF16), check); }),
      ErrorCode::kOutOfRange, {"token 7 at (1,)"});
  // A function of the user's does not read a fault word.
  const auto traced = function([&](const Tensor& ids) {
    check_ids(ids, check);
    return ids;
  });
  EXPECT_NO_THROW(traced(Tensor::of<std::int32_t>({1}, {9})));
}

TEST_P(StepFaultsTest, OpByOpAWrongIdIsAnErrorWhateverTheModelLooksFor) {
  const Words bad(5);
  for (const bool stop_on_nan : {false, true}) {
    Sequential model({LayerHandle(std::make_shared<Lookup>(5))});
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = true, .stop_on_nan = stop_on_nan});
    model.build({kUnknown, 3});
    const auto expect_error = [&](auto&& call) {
      expect_contains(error_of(call), ErrorCode::kOutOfRange,
                      {"id 5 at (", "is outside [0, 5)", "in layer \"words\""});
    };
    expect_error([&] { model.fit(bad.ids, bad.y, {.batch_size = 4, .verbose = 0}); });
    expect_error([&] { model.evaluate(bad.ids, bad.y, {.batch_size = 4, .verbose = 0}); });
    expect_error([&] { model.predict(bad.ids, {.batch_size = 4, .verbose = 0}); });
    expect_error([&] { model.train_on_batch(bad.ids, bad.y); });
  }
}

/// Uses the labels itself: class ids, incremented by one.
class MovedLabels : public Network {
 public:
  MovedLabels() : Network("MovedLabels", "") {}

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    StepData moved = data;
    moved.y = {data.y[0] + 1};
    return default_train_step(*this, tools, moved);
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x); }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 3}));
};

TEST_P(StepFaultsTest, OpByOpWrongLabelsOfAnOwnStepAreAnErrorWhateverTheModelLooksFor) {
  const Flowers data(10);
  for (const bool stop_on_nan : {false, true}) {
    for (const bool check : {false, true}) {
      Model model(std::make_shared<MovedLabels>());
      model.compile({.optimizer = "sgd",
                     .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                     .run_eagerly = true,
                     .stop_on_nan = stop_on_nan,
                     .check_ids = check});
      expect_contains(error_of([&] { model.fit(data.x, data.class_id, {.batch_size = 10, .verbose = 0}); }),
                      ErrorCode::kOutOfRange, {"label 3 at (", "is outside [0, 3)"});
      EXPECT_EQ(model.optimizer()->iteration_variable().read().at(0), 0);
    }
  }
}

TEST_P(StepFaultsTest, BelowTimeDistributedTheRowIsThatOfTheData) {
  // 6 rows of 2 steps of 3 ids; the wrong one is in row 4, step 1, place 2.
  std::vector<std::int32_t> ids(6 * 2 * 3, 1);
  ids[(4 * 2 + 1) * 3 + 2] = 9;
  const Tensor x = Tensor::adopt({6, 2, 3}, std::move(ids)), y = Tensor::zeros({6, 2, 2});
  for (const bool run_eagerly : {false, true}) {
    Sequential model({layers::TimeDistributed(LayerHandle(std::make_shared<Lookup>(5)))});
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly, .check_ids = true});
    for (const std::int64_t batch_size : {2, 4, 6, 32})
      expect_contains(
          error_of([&] { model.fit(x, y, {.batch_size = batch_size, .verbose = 0, .shuffle = false}); }),
          ErrorCode::kOutOfRange, {"id 9 at (", "(row 4)", "in layer \"words\""});
  }
}

/// Trains with its own optimizer, so that the compiled one counts no steps.
class OwnOptimizer : public Network {
 public:
  OwnOptimizer() : Network("OwnOptimizer", "") {}
  StepLogs train_step(StepTools&, const StepData& data) override {
    const Tensor loss = losses::MeanSquaredError()(data.y[0], words_(data.x[0]), {.rows = data.rows});
    optimizer_.apply(gradient(loss, words_->trainable_weights()), words_->trainable_weights());
    return {{"loss", loss}};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return words_(x); }

 private:
  LayerHandle words_ = track(LayerHandle(std::make_shared<Lookup>(5)));
  optimizers::SGD optimizer_;
};

TEST_P(StepFaultsTest, StepsBeforeAFaultCountForTheShufflesThatFollow) {
  const Words bad(5), clean;
  // The loss of an epoch's last step depends on its rows, and so on the shuffle.
  const auto train = [&](const Words& first, std::int64_t rows) {
    Model model(std::make_shared<OwnOptimizer>());
    model.compile({.steps_per_execution = 50, .check_ids = true, .seed = 1});
    const FitOptions ordered{.batch_size = 2, .verbose = 0, .shuffle = false};
    error_text_of([&] { model.fit(first.ids.rows(0, rows), first.y.rows(0, rows), ordered); });
    return model.fit(clean.ids, clean.y, {.batch_size = 3, .epochs = 3, .verbose = 0}).history;
  };
  // Row 7 is in the fourth step: three steps count.
  EXPECT_EQ(train(bad, 10), train(clean, 6));
}

/// Keeps the state after the third step.
class ThirdStep : public callbacks::Callback {
 public:
  StateValues state;
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    if (batches.last == 2) state = model()->training_state();
  }
};

TEST_P(StepFaultsTest, AStateFromBeforeOtherStepsOfTheModelTellsNoWrongStep) {
  const Words bad(5), clean;
  Sequential model = word_model(true);
  ThirdStep keeper;
  FitOptions options{.batch_size = 2, .verbose = 0, .callbacks = {&keeper}, .shuffle = false};
  model.fit(clean.ids, clean.y, options);  // five steps, without a fault
  ASSERT_FALSE(keeper.state.empty());
  options.callbacks = {};
  options.resume_from = keeper.state;
  expect_contains(error_of([&] { model.fit(bad.ids, bad.y, options); }), ErrorCode::kOutOfRange,
                  {"id 5 at (1, 1)", "in epoch 1, step 4 of 5 (row 7)"});
}

/// Reports negative inputs as wrong.
class Picky : public Layer {
 public:
  Picky() : Layer("Picky", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    report_fault({.kind = FaultKind::kIdOutOfRange,
                  .is_wrong = x < 0.0,
                  .values = x,
                  .subject = "length",
                  .expected = "[0, inf)",
                  .layer = name()});
    return x;
  }
};

TEST_P(StepFaultsTest, ALayerMayReportWhatItFindsWrong) {
  Sequential model({LayerHandle(std::make_shared<Picky>()), layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 5, .check_ids = true});
  const Tensor x = Tensor::of<float>({3, 2}, {1, 2, 3, -4.5F, 5, -6}), y = Tensor::zeros({3, 1});
  expect_contains(
      error_of([&] { model.fit(x, y, {.batch_size = 1, .verbose = 0, .shuffle = false}); }),
      ErrorCode::kOutOfRange,
      {"length -4.5 at (0, 1) is outside [0, inf) in epoch 1, step 2 of 3 (row 1)", "in layer \"picky\""});
}

}  // namespace
}  // namespace cornu::inline v0::keras
