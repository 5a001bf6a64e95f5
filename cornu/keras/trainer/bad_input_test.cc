#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/base/log_test_support.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class BadInputTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(BadInputTest);

Sequential compiled_model(const char* loss = "log_cosh") {
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                 .loss = loss,
                 .metrics = {"accuracy"},
                 .seed = 1});
  return model;
}

TEST_P(BadInputTest, ClassIdsForAnOutputOfProbabilitiesProposeOneHotOrTheSparseLoss) {
  const Flowers data(20);
  for (const char* loss : {"binary_crossentropy", "categorical_crossentropy"}) {
    Sequential model = compiled_model(loss);
    const std::vector<Tensor> before = model.get_weights();
    expect_contains(error_of([&] { model.fit(data.x, data.class_id, {.verbose = 0}); }),
                    ErrorCode::kInvalidArgument, {"(None, 3)", "one-hot", "sparse_categorical_crossentropy"});
    expect_contains(error_of([&] { model.evaluate(data.x, data.class_id, {.verbose = 0}); }),
                    ErrorCode::kInvalidArgument, {"one-hot"});
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(before[i].literal() == model.weights()[i].read());
    EXPECT_EQ(model.num_compiles(), 0);
  }
  // Labels of shape (n, 1) broadcast in a difference, as in Keras, but not in a cross entropy; those of shape
  // (n,) do with a warning (zero_weights_test.cc).
  const Tensor column = Tensor::from<std::int32_t>({20, 1}, data.class_id.data<std::int32_t>());
  EXPECT_NO_THROW(compiled_model("log_cosh").fit(data.x, column, {.verbose = 0}));
  expect_contains(
      error_of([&] { compiled_model("categorical_crossentropy").fit(data.x, column, {.verbose = 0}); }),
      ErrorCode::kInvalidArgument, {"one-hot"});
}

TEST_P(BadInputTest, LabelsOfAnotherWidth) {
  const Flowers data(20);
  expect_contains(error_of([&] { compiled_model().fit(data.x, data.x, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"(None, 4)", "(None, 3)"});
}

TEST_P(BadInputTest, LabelsOutOfRangeNameValueAndRow) {
  const Flowers data(4);
  Sequential model = compiled_model("sparse_categorical_crossentropy");
  expect_contains(
      error_of([&] { model.fit(data.x, Tensor::of<std::int32_t>({4}, {0, 2, 3, 1}), {.verbose = 0}); }),
      ErrorCode::kOutOfRange, {"label 3 in row 2", "[0, 3)"});
  expect_contains(
      error_of([&] { model.fit(data.x, Tensor::of<std::int64_t>({4, 1}, {0, -1, 2, 1}), {.verbose = 0}); }),
      ErrorCode::kOutOfRange, {"label -1 in row 1"});
  expect_contains(error_of([&] {
                    model.evaluate(data.x, Tensor::of<float>({4}, {0, 1, 2, std::nanf("")}), {.verbose = 0});
                  }),
                  ErrorCode::kOutOfRange, {"label nan in row 3"});
  expect_contains(
      error_of([&] {
        model.fit(data.x, data.class_id,
                  {.verbose = 0, .validation_data = {data.x, Tensor::of<std::int32_t>({4}, {0, 7, 2, 1})}});
      }),
      ErrorCode::kOutOfRange, {"label 7 in row 1 of validation_data's y"});
}

TEST_P(BadInputTest, AnAxisOfClassesThatTheOutputDoesNotHave) {
  const Flowers data(4);
  for (const std::int64_t axis : {2, -3}) {
    Sequential model = small_model();
    model.compile({.loss = losses::SparseCategoricalCrossentropy({.axis = axis})});
    expect_contains(error_of([&] { model.fit(data.x, data.class_id, {.verbose = 0}); }),
                    ErrorCode::kInvalidArgument, {"(None, 3)", "axis = " + std::to_string(axis)});
  }
}

TEST_P(BadInputTest, AWrongNumberOfFeaturesNamesTheLayer) {
  const Tensor x = Tensor::zeros({10, 5});
  const Flowers data(10);
  const auto check = [&](Sequential& model, const char* layer) {
    for (const Error& error : {error_of([&] { model.fit(x, data.one_hot, {.verbose = 0}); }),
                               error_of([&] { model.evaluate(x, data.one_hot, {.verbose = 0}); }),
                               error_of([&] { model.predict(x, {.verbose = 0}); })})
      expect_contains(error, ErrorCode::kInvalidArgument, {"4", "x has shape (10, 5)", layer});
    EXPECT_NO_THROW(model.fit(data.x, data.one_hot, {.verbose = 0})) << "nothing is lost";
  };
  Sequential with_input = compiled_model();
  check(with_input, "expected an input of shape (None, 4); got (None, 5); in layer \"input_layer\"");
  Sequential built_by_data(
      {layers::Dense({.units = 8}), layers::Dense({.units = 3, .activation = "softmax"})});
  built_by_data.compile({.optimizer = "sgd", .loss = "mse"});
  built_by_data.fit(data.x, data.one_hot, {.verbose = 0});
  check(built_by_data, "in layer \"dense_2\"");
}

TEST_P(BadInputTest, RowsThatDoNotBelongTogether) {
  const Flowers data(10);
  Sequential model = compiled_model();
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot.rows(0, 9), {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"same number of rows", "(10, 4)", "(9, 3)"});
  expect_contains(
      error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0, .sample_weight = Tensor::zeros({9})}); }),
      ErrorCode::kInvalidArgument, {"x and sample_weight must have the same number of rows", "(9,)"});
  expect_contains(error_of([&] {
                    model.fit(data.x, data.one_hot,
                              {.verbose = 0, .validation_data = {data.x, data.one_hot.rows(0, 3)}});
                  }),
                  ErrorCode::kInvalidArgument, {"validation_data", "(3, 3)"});
}

TEST_P(BadInputTest, MissingAndEmptyData) {
  const Flowers data(10);
  Sequential model = compiled_model();
  expect_contains(error_of([&] { model.fit({}, {}, {.verbose = 0}); }), ErrorCode::kInvalidArgument,
                  {"x is missing"});
  expect_contains(error_of([&] { model.fit(data.x, {}, {.verbose = 0}); }), ErrorCode::kInvalidArgument,
                  {"y is missing"});
  expect_contains(error_of([&] { model.fit(Tensor::zeros({0, 4}), Tensor::zeros({0, 3}), {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"[fit] x has no rows", "(0, 4)"});
  expect_contains(
      error_of([&] { model.evaluate(Tensor::zeros({0, 4}), Tensor::zeros({0, 3}), {.verbose = 0}); }),
      ErrorCode::kInvalidArgument, {"[evaluate] x has no rows"});
  expect_contains(error_of([&] { model.predict(Tensor::zeros({0, 4}), {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"[predict] x has no rows"});
  expect_contains(error_of([&] { model.predict(Tensor::zeros({3, 0}), {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"no elements"});
  expect_contains(error_of([&] { model.predict(Tensor(1.0f), {.verbose = 0}); }), ErrorCode::kInvalidArgument,
                  {"scalar"});
}

TEST_P(BadInputTest, UnknownNamesAreAnsweredWithTheNearest) {
  Sequential model = small_model();
  expect_contains(error_of([&] { model.compile({.optimizer = "adma", .loss = "mse"}); }),
                  ErrorCode::kInvalidArgument, {"\"adma\"", "\"adam\""});
  expect_contains(error_of([&] { model.compile({.optimizer = "adam", .loss = "log_cos"}); }),
                  ErrorCode::kInvalidArgument, {"\"log_cos\"", "\"log_cosh\""});
  expect_contains(
      error_of([&] { model.compile({.optimizer = "adam", .loss = "mse", .metrics = {"acuracy"}}); }),
      ErrorCode::kInvalidArgument, {"\"acuracy\"", "\"accuracy\""});
  expect_contains(error_of([&] { layers::Dense({.units = 3, .activation = "sofmax"}); }),
                  ErrorCode::kInvalidArgument, {"\"sofmax\"", "\"softmax\""});
  expect_contains(error_of([&] { (void)model.get_layer("dense_2"); }), ErrorCode::kInvalidArgument,
                  {"\"dense_2\"", "\"dense"});
  EXPECT_FALSE(model.compiled()) << "a compile that failed changes nothing";
}

TEST_P(BadInputTest, CallsInTheWrongOrder) {
  const Flowers data(10);
  Sequential model = small_model();
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot); }), ErrorCode::kFailedPrecondition,
                  {"[fit]", "not compiled", "\"sequential\""});
  expect_contains(error_of([&] { model.evaluate(data.x, data.one_hot); }), ErrorCode::kFailedPrecondition,
                  {"[evaluate]", "not compiled"});
  model.compile({.optimizer = "sgd"});
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot); }), ErrorCode::kFailedPrecondition,
                  {"without a loss", "train_step"});
}

TEST_P(BadInputTest, OptionsOutOfRange) {
  const Flowers data(10);
  Sequential model = compiled_model();
  const auto fit = [&](FitOptions options) {
    return error_of([&] { model.fit(data.x, data.one_hot, options); });
  };
  expect_contains(fit({.batch_size = 0}), ErrorCode::kInvalidArgument, {"batch_size", "0"});
  expect_contains(fit({.epochs = -1}), ErrorCode::kInvalidArgument, {"epochs"});
  expect_contains(fit({.validation_split = 1.0}), ErrorCode::kInvalidArgument, {"validation_split", "1"});
  expect_contains(fit({.validation_split = 0.99}), ErrorCode::kInvalidArgument, {"10 rows are not enough"});
  expect_contains(fit({.steps_per_epoch = 0}), ErrorCode::kInvalidArgument, {"steps_per_epoch"});
  expect_contains(fit({.repeat = true}), ErrorCode::kInvalidArgument, {"steps_per_epoch"});
  expect_contains(
      fit({.verbose = 0, .row_order = [](std::int64_t) { return std::vector<std::int64_t>{3, 10}; }}),
      ErrorCode::kOutOfRange, {"row 10 at position 1", "10 rows"});
  expect_contains(error_of([] { StepsPerExecution(0); }), ErrorCode::kInvalidArgument,
                  {"steps_per_execution"});
  expect_contains(error_of([] { StepsPerExecution("automatic"); }), ErrorCode::kInvalidArgument,
                  {"\"auto\"", "\"automatic\""});
  expect_contains(error_of([] { Verbose(3); }), ErrorCode::kInvalidArgument, {"verbose", "3"});
}

TEST_P(BadInputTest, TooLittleMemoryNamesTheBytes) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's allocator ends the program instead";
  expect_contains(error_of([] {
                    Sequential model({layers::Input({.shape = {1 << 20}}),
                                      layers::Dense({.units = std::int64_t{1} << 36})});
                  }),
                  ErrorCode::kResourceExhausted, {"288230376151711744 bytes"});
  expect_contains(
      error_of([] {
        runtime::make_client(GetParam())->allocate(TensorType{DType::kF32, {std::int64_t{1} << 56}});
      }),
      ErrorCode::kResourceExhausted, {"288230376151711744 bytes"});
}

/// 24 rows in order, 4 for each step; row 13 (step 4) contains a NaN.
Flowers with_nan() {
  Flowers data(24);
  std::vector<float> x(data.x.data<float>().begin(), data.x.data<float>().end());
  x[13 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
  data.x = Tensor::adopt({24, 4}, std::move(x));
  return data;
}

TEST_P(BadInputTest, StopOnNanNamesTheStepAndKeepsTheLastGoodWeights) {
  const Flowers data = with_nan();
  for (const int steps_per_execution : {1, 2, 3, 50}) {
    const auto compiled = [&] {
      Sequential model = small_model();
      model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                     .loss = "log_cosh",
                     .metrics = {"accuracy"},
                     .steps_per_execution = steps_per_execution,
                     .stop_on_nan = true});
      return model;
    };
    Sequential model = compiled(), good = compiled();
    const FitOptions options{.batch_size = 4, .verbose = 0, .shuffle = false};
    expect_contains(error_of([&] { model.fit(data.x, data.one_hot, options); }), ErrorCode::kDataLoss,
                    {"epoch 1, step 4 of 6", "row 13 of x, element 2, is nan", "as they were before"});
    good.fit(data.x.rows(0, 12), data.one_hot.rows(0, 12), options);
    EXPECT_TRUE(same_bits(model.weights(), good.weights())) << steps_per_execution;
    EXPECT_TRUE(same_bits(model.optimizer()->variables(), good.optimizer()->variables()))
        << steps_per_execution;
    // Training goes on from there with clean data.
    model.fit(data.x.rows(16, 24), data.one_hot.rows(16, 24), options);
    good.fit(data.x.rows(16, 24), data.one_hot.rows(16, 24), options);
    EXPECT_TRUE(same_bits(model.weights(), good.weights()));
  }
}

TEST_P(BadInputTest, StopOnNanSeesGradientsThatOverflow) {
  // Row 1: the difference is 1e19 and the loss 1e38, but the gradient 2e39 is beyond f32.
  const Tensor x = Tensor::of<float>({3, 1}, {1, 1e20f, 1}), y = Tensor::of<float>({3, 1}, {2, 9e19f, 2});
  const auto compiled = [] {
    Sequential model({layers::Input({.shape = {1}}),
                      layers::Dense({.units = 1, .use_bias = false, .kernel_initializer = "ones"})});
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 1e-6}),
                   .loss = "mse",
                   .steps_per_execution = 3,
                   .stop_on_nan = true});
    return model;
  };
  Sequential model = compiled(), good = compiled();
  const FitOptions options{.batch_size = 1, .verbose = 0, .shuffle = false};
  expect_contains(
      error_of([&] { model.fit(x, y, options); }), ErrorCode::kDataLoss,
      {"the gradient of \"sequential/dense/kernel\" is not finite", "step 2 of 3", "smaller learning rate"});
  good.fit(x.rows(0, 1), y.rows(0, 1), options);
  EXPECT_TRUE(same_bits(model.weights(), good.weights()));
}

TEST_P(BadInputTest, WithoutStopOnNanTrainingGoesOnAsInKeras) {
  const Flowers data = with_nan();
  Sequential model = compiled_model();
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .shuffle = false});
  EXPECT_TRUE(std::isnan(history["loss"][0]));
  EXPECT_EQ(history.num_steps, 6);
}

TEST_P(BadInputTest, ANanInARowThatIsLeftOutDoesNotComeInThroughPadding) {
  const Flowers data = with_nan();
  Sequential model = compiled_model();
  const auto rows = [](std::int64_t) { return std::vector<std::int64_t>{0, 1, 2, 3, 14, 15, 16}; };
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .row_order = rows});
  EXPECT_TRUE(std::isfinite(history["loss"][0]));
  for (const Tensor& weight : model.get_weights())
    for (std::int64_t i = 0; i < weight.num_elements(); ++i) ASSERT_TRUE(std::isfinite(weight.at(i)));
}

TEST_P(BadInputTest, CountsOfAnySizeDoNotOverflow) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const Flowers data(10);
  Sequential model = compiled_model();
  const auto fit = [&](const FitOptions& options) {
    return model.fit(data.x, data.one_hot, options).num_steps;
  };
  EXPECT_EQ(fit({.batch_size = kLargest, .verbose = 0}), 1);
  EXPECT_EQ(fit({.batch_size = 5, .verbose = 0, .validation_split = 0.5, .validation_batch_size = kLargest}),
            1);
  EXPECT_EQ(fit({.batch_size = 5,
                 .verbose = 0,
                 .validation_split = 0.5,
                 .validation_steps = kLargest,
                 .validation_freq = kLargest}),
            1);
  EXPECT_EQ(fit({.epochs = kLargest, .verbose = 0, .initial_epoch = kLargest}), 0);
  EXPECT_EQ(fit({.epochs = kLargest, .verbose = 0, .initial_epoch = kLargest - 1}), 1);
  CapturedLog log;
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(fit({.verbose = 1, .steps_per_epoch = kLargest}), 10);
  ::testing::internal::GetCapturedStdout();
  EXPECT_NE(log.take().find("the data ran out after 10 of"), std::string::npos);
  const std::vector<Tensor> before = model.get_weights();
  for (const std::int64_t steps : {std::int64_t{1} << 60, kLargest}) {
    expect_contains(
        error_of([&] { fit({.batch_size = 32, .verbose = 0, .steps_per_epoch = steps, .repeat = true}); }),
        ErrorCode::kInvalidArgument, {"[fit]", std::to_string(steps), "32 rows"});
  }
  expect_contains(
      error_of([&] { fit({.batch_size = kLargest, .verbose = 0, .steps_per_epoch = 1, .repeat = true}); }),
      ErrorCode::kInvalidArgument, {"[fit]", "2^31 rows"});
  expect_contains(
      error_of([&] {
        fit({.batch_size = std::int64_t{1} << 40, .verbose = 0, .steps_per_epoch = 1, .repeat = true});
      }),
      ErrorCode::kInvalidArgument, {"[fit]", "2^31 rows"});
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(before[i].literal() == model.weights()[i].read());
  EXPECT_NO_THROW(
      model.evaluate(data.x, data.one_hot, {.batch_size = kLargest, .verbose = 0, .steps = kLargest}));
  EXPECT_NO_THROW(model.evaluate(data.x, data.one_hot, {.verbose = 0, .steps = kLargest}));
  EXPECT_EQ(model.predict(data.x, {.batch_size = kLargest, .verbose = 0, .steps = kLargest}).num_rows(), 10);
  EXPECT_EQ(model.predict(data.x, {.verbose = 0, .steps = kLargest}).num_rows(), 10);
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = kLargest});
  EXPECT_EQ(fit({.batch_size = 3, .verbose = 0}), 4);
  EXPECT_EQ(model.predict(data.x, {.batch_size = 3, .verbose = 0}).num_rows(), 10);
}

TEST_P(BadInputTest, StopOnNanSeesUpdatesThatOverflow) {
  const Flowers data(12);
  const OptimizerHandle makers[] = {
      optimizers::SGD({.learning_rate = 1e39}), optimizers::SGD({.learning_rate = 1e39, .momentum = 0.9}),
      optimizers::Adam({.learning_rate = 1e39}), optimizers::RMSprop({.learning_rate = 1e39})};
  for (const OptimizerHandle& optimizer : makers) {
    Sequential model = small_model(), fresh = small_model();
    model.compile({.optimizer = optimizer, .loss = "mse", .stop_on_nan = true});
    expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0}); }),
                    ErrorCode::kDataLoss,
                    {"the update of \"", "is not finite in epoch 1, step 1 of 3", "smaller learning rate"});
    EXPECT_TRUE(same_bits(model.weights(), fresh.weights()));
    for (const Variable& variable : optimizer->variables()) {
      if (variable == optimizer->learning_rate_variable()) continue;
      for (std::int64_t i = 0; i < variable.num_elements(); ++i)
        ASSERT_EQ(variable.read().at(i), 0) << variable.path();
    }
    optimizer->set_learning_rate(0.01);
    EXPECT_NO_THROW(model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0}));
  }
}

TEST_P(BadInputTest, ARefusedRunLeavesAnUnbuiltModelUnbuilt) {
  const Flowers data(20);
  Sequential model({layers::Dense({.units = 8}), layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile(
      {.optimizer = "adam", .loss = "categorical_crossentropy", .metrics = {"accuracy"}, .seed = 1});
  const auto unbuilt = [&] {
    return !model->built() && model.weights().empty() && !model.layers()[0]->built() &&
           !model.optimizer()->built();
  };
  expect_contains(error_of([&] { model.fit(data.x, data.class_id, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"one-hot"});
  EXPECT_TRUE(unbuilt());
  expect_contains(error_of([&] { model.evaluate(data.x, data.class_id, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"one-hot"});
  EXPECT_TRUE(unbuilt());
  expect_contains(error_of([&] {
                    model.fit(data.x, data.one_hot,
                              {.verbose = 0, .validation_data = {data.x, data.class_id}});
                  }),
                  ErrorCode::kInvalidArgument, {"validation_data's y"});
  EXPECT_TRUE(unbuilt());
  // The training program is compiled by then, with its optimizer's slots.
  expect_contains(error_of([&] {
                    model.fit(data.x, data.one_hot,
                              {.verbose = 0, .validation_data = {Tensor::zeros({20, 5}), data.one_hot}});
                  }),
                  ErrorCode::kInvalidArgument, {"x has shape (20, 5)"});
  EXPECT_TRUE(unbuilt());
  // Another number of features is as good as at first.
  EXPECT_NO_THROW(model.fit(Tensor::zeros({20, 6}), data.one_hot, {.verbose = 0}));
  EXPECT_EQ(model.count_params(), 7 * 8 + 9 * 3);
  EXPECT_TRUE(model.optimizer()->built());
}

TEST_P(BadInputTest, ABuildThatFailsLeavesNoWeights) {
  Sequential model({layers::Dense({.units = 8}), layers::Flatten(), layers::Dense({.units = 3})});
  expect_contains(error_of([&] { model.build({kUnknown, kUnknown, 4}); }), ErrorCode::kInvalidArgument,
                  {"in layer \"dense_1\""});
  EXPECT_TRUE(model.weights().empty());
  EXPECT_FALSE(model.layers()[0]->built());
  EXPECT_NO_THROW(model.build({kUnknown, 2, 5}));
  EXPECT_EQ(model.count_params(), 6 * 8 + 17 * 3);
}

TEST_P(BadInputTest, ErrorsOfLabelsNameTheLayerAndTheModel) {
  const Flowers data(20);
  Sequential model = compiled_model("categorical_crossentropy"),
             sparse = compiled_model("sparse_categorical_crossentropy");
  expect_contains(error_of([&] { model.fit(data.x, data.class_id, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"y has shape (20,)", "in layer \"dense_1\" of model \"sequential\""});
  const Tensor wrong = Tensor::of<std::int32_t>({4}, {0, 2, 3, 1});
  expect_contains(error_of([&] { sparse.evaluate(data.x.rows(0, 4), wrong, {.verbose = 0}); }),
                  ErrorCode::kOutOfRange,
                  {"y has shape (4,)", "in layer \"dense_3\" of model \"sequential_1\""});
}

}  // namespace
}  // namespace cornu::inline v0::keras
