#include <gtest/gtest.h>

#include <cmath>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class EvaluateTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(EvaluateTest);

TEST_P(EvaluateTest, EqualsTheSumByHand) {
  const Flowers data(23);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "log_cosh", .metrics = {"accuracy"}, .steps_per_execution = 2});
  const Logs logs = model.evaluate(data.x, data.one_hot, {.batch_size = 5, .verbose = 0});
  const Tensor output = model.predict(data.x, {.verbose = 0});
  double loss = 0, right = 0;
  for (std::int64_t i = 0; i < 23; ++i) {
    std::int64_t best = 0;
    for (std::int64_t k = 0; k < 3; ++k) {
      loss += std::log(std::cosh(output.at(i * 3 + k) - data.one_hot.at(i * 3 + k))) / 3;
      if (output.at(i * 3 + k) > output.at(i * 3 + best)) best = k;
    }
    right += data.one_hot.at(i * 3 + best);
  }
  EXPECT_NEAR(logs["loss"], loss / 23, 1e-6);
  EXPECT_NEAR(logs["accuracy"], right / 23, 1e-6);
  EXPECT_EQ(logs.str().substr(0, 9), "accuracy:") << "in Keras's order";
}

TEST_P(EvaluateTest, ChangesNoWeights) {
  const Flowers data(10);
  Sequential model = small_model(1, 0.5), fresh = small_model(1, 0.5);
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Logs once = model.evaluate(data.x, data.one_hot, {.verbose = 0});
  EXPECT_EQ(model.evaluate(data.x, data.one_hot, {.verbose = 0}), once);
  EXPECT_TRUE(same_bits(model.weights(), fresh.weights()));
}

TEST_P(EvaluateTest, StepsLimitsTheRows) {
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_EQ(model.evaluate(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .steps = 2}),
            model.evaluate(data.x.rows(0, 8), data.one_hot.rows(0, 8), {.batch_size = 4, .verbose = 0}));
}

TEST_P(EvaluateTest, SampleWeightsWeighTheLoss) {
  const Flowers data(4);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const double all = model.evaluate(data.x, data.one_hot, {.verbose = 0})["loss"];
  const Tensor weights = Tensor::of<float>({4}, {2, 2, 2, 2});
  EXPECT_NEAR(model.evaluate(data.x, data.one_hot, {.verbose = 0, .sample_weight = weights})["loss"], 2 * all,
              1e-6);
}

TEST_P(EvaluateTest, PredictGivesEachRowWhateverTheBatch) {
  const Flowers data(23);
  Sequential model = small_model();
  const Tensor whole = model.predict(data.x, {.batch_size = 23, .verbose = 0});
  EXPECT_EQ(whole.shape(), (Dims{23, 3}));
  for (const std::int64_t batch_size : {1, 5, 22, 32, 100000}) {
    const Tensor output = model.predict(data.x, {.batch_size = batch_size, .verbose = 0});
    ASSERT_EQ(output.shape(), (Dims{23, 3}));
    for (std::int64_t i = 0; i < 69; ++i)
      ASSERT_NEAR(output.at(i), whole.at(i), 1e-6) << batch_size << " at " << i;
  }
}

TEST_P(EvaluateTest, PredictRefusesOutputsThatDoNotBeginWithTheRowsWhateverTheBatch) {
  const Tensor x = Flowers(7).x;
  const auto refused = [&](KerasTensor (*output)(const KerasTensor&), std::int64_t batch_size) {
    const Input rows({.shape = {4}});
    Model model({.inputs = rows, .outputs = output(rows)});
    return error_of([&] { model.predict(x, {.batch_size = batch_size, .verbose = 0}); });
  };
  const auto turned = [](const KerasTensor& rows) { return ops::transpose(rows); };
  const auto mean = [](const KerasTensor& rows) { return ops::mean(rows, {.axis = 0}); };
  for (const std::int64_t batch_size : {4, 5}) {  // 4 is also the number of columns
    expect_contains(refused(turned, batch_size), ErrorCode::kInvalidArgument,
                    {"[predict]", "its first extent is not the batch"});
    expect_contains(refused(mean, batch_size), ErrorCode::kInvalidArgument,
                    {"[predict]", "its first extent is not the batch"});
  }
  const auto products = [](const KerasTensor& rows) { return ops::matmul(rows, ops::transpose(rows)); };
  expect_contains(refused(products, 4), ErrorCode::kInvalidArgument,
                  {"(4, 4) for a batch of 4 rows", "(3, 3) for the last one of 3"});
}

TEST_P(EvaluateTest, PredictGivesTheSameBitsAtEveryNumberOfSteps) {
  const Flowers data(23);
  Sequential one = small_model(), many = small_model();
  one.compile({.optimizer = "sgd", .loss = "mse"});
  many.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 3});
  EXPECT_TRUE(one.predict(data.x, {.batch_size = 5, .verbose = 0}).literal() ==
              many.predict(data.x, {.batch_size = 5, .verbose = 0}).literal());
}

TEST_P(EvaluateTest, PredictNeedsNoCompileAndCompilesOnceForEachPowerOfTwo) {
  Sequential model = small_model();
  for (const std::int64_t n : {1, 3, 4, 16, 31, 32, 33, 100}) {
    const Flowers data(n);
    EXPECT_EQ(model.predict(data.x, {.verbose = 0}).num_rows(), n);
  }
  EXPECT_EQ(model.num_compiles(), 3);  // for 1, 4 and 32 rows: half a batch takes the whole batch's program
}

TEST_P(EvaluateTest, PrintsABar) {
  const Flowers data(10);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  std::string text;
  callbacks::ProgbarLogger bar({.write = [&](std::string_view piece) { text += piece; }});
  model.evaluate(data.x, data.one_hot, {.batch_size = 5, .callbacks = {&bar}});
  EXPECT_EQ(text.substr(0, 4), "2/2 ");
  EXPECT_NE(text.find("/step - loss: "), std::string::npos) << text;
  text.clear();
  model.predict(data.x, {.batch_size = 3, .callbacks = {&bar}});
  EXPECT_EQ(text.substr(0, 4), "4/4 ");
}

TEST_P(EvaluateTest, StepsWithoutABatchSizeDivideTheRows) {
  const Flowers data(100);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_NEAR(model.evaluate(data.x, data.one_hot, {.verbose = 0, .steps = 3})["loss"],
              model.evaluate(data.x, data.one_hot, {.verbose = 0})["loss"], 1e-6);
  EXPECT_EQ(model.predict(data.x, {.verbose = 0, .steps = 2}).num_rows(), 100);
  EXPECT_EQ(model.predict(data.x, {.batch_size = 10, .verbose = 0, .steps = 2}).num_rows(), 20);
}

TEST_P(EvaluateTest, APreparedProgramIsTheOneThatFitRuns) {
  const Flowers data(100);
  for (const FitOptions& options :
       {FitOptions{.verbose = 0, .steps_per_epoch = 3},
        FitOptions{.verbose = 0, .validation_split = 0.5, .steps_per_epoch = 5},
        FitOptions{.batch_size = 300, .verbose = 0, .validation_split = 0.9},
        FitOptions{.batch_size = 300, .verbose = 0, .steps_per_epoch = 2, .repeat = true}}) {
    Sequential model = small_model();
    model.compile({.optimizer = "sgd", .loss = "mse"});
    model.train_executable(data.x, data.one_hot, options);
    EXPECT_EQ(model.num_compiles(), 1);
    const bool validates = options.validation_split != 0;
    EXPECT_EQ(model.fit(data.x, data.one_hot, options).num_compiles, validates ? 1 : 0);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
