#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <regex>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// A constructor call with a wrong argument, and the argument with its value as the message prints it.
struct WrongArgument {
  std::function<void()> make;
  const char* got;
  const char* layer = nullptr;
};

/// Checks the form `[class] argument must be ...; got argument = value`, with the layer if there is one.
void expect_one_form(const std::vector<WrongArgument>& all) {
  const std::regex form(
      R"(\[[a-z0-9_.]+\] .*; got [a-z0-9_]+ = [^;]+(; did you mean .*|; known: .*)?(; in layer ".*")?)");
  for (const WrongArgument& wrong : all) {
    const Error error = error_of(wrong.make);
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << message;
    EXPECT_TRUE(std::regex_match(message, form)) << message;
    EXPECT_NE(message.find("; got " + std::string(wrong.got)), std::string::npos)
        << "missing: " << wrong.got << "\nin: " << message;
    if (wrong.layer == nullptr) continue;
    EXPECT_NE(message.find("; in layer \"" + std::string(wrong.layer) + "\""), std::string::npos) << message;
  }
}

TEST(WrongArgumentsTest, OfLayersNameClassArgumentValueAndLayer) {
  using namespace layers;
  expect_one_form({
      {[] { Dense({.units = 0, .name = "d"}); }, "units = 0", "d"},
      {[] { Dense({.units = -3, .name = "d"}); }, "units = -3", "d"},
      {[] { Dense({.units = 3, .activation = "sofmax", .name = "d"}); },
       "activation = \"sofmax\"; did you mean \"softmax\"", "d"},
      {[] { Dense({.units = 3, .kernel_initializer = "glorot", .name = "d"}); },
       "kernel_initializer = \"glorot\"", "d"},
      {[] { Dense({.units = 3, .bias_regularizer = "l3", .name = "d"}); },
       "bias_regularizer = \"l3\"; did you mean \"l1\" or \"l2\"?", "d"},
      {[] { Dense({.units = 3, .activity_regularizer = "l3", .name = "d"}); },
       "activity_regularizer = \"l3\"", "d"},
      {[] { Dense({.units = 3, .kernel_constraint = "non_ngg", .name = "d"}); },
       "kernel_constraint = \"non_ngg\"", "d"},
      {[] { Dense({.units = 3, .name = "d", .dtype = DType::kI32}); }, "dtype = int32", "d"},
      {[] { Dense({.units = 3, .name = "d", .input_shape = Dims{-4}}); }, "input_shape = (-4,)", "d"},
      {[] { Flatten({.name = "f", .input_shape = Dims{2, -3}}); }, "input_shape = (2, -3)", "f"},
      {[] { Flatten({.name = "f", .dtype = DType::kI1}); }, "dtype = bool", "f"},
      {[] { Dense({.units = 3, .name = "a/b"}); }, "name = \"a/b\""},
      {[] { Sequential({}, SequentialOptions{.name = "a/b"}); }, "name = \"a/b\""},
      {[] { Input({.shape = {3}, .name = "a/b"}); }, "name = \"a/b\""},
      {[] { Input({.shape = {3}, .batch_size = 0, .name = "i"}); }, "batch_size = 0", "i"},
      {[] { Input({.shape = {3}, .batch_size = -2, .name = "i"}); }, "batch_size = -2", "i"},
      {[] { Input({.shape = {3, -2}, .name = "i"}); }, "shape = (3, -2)", "i"},
      {[] { Input({.name = "i", .batch_shape = Dims{0, 3}}); }, "batch_shape = (0, 3)", "i"},
      {[] { Dropout({.rate = 1.5, .name = "r"}); }, "rate = 1.5", "r"},
      {[] { Dropout({.rate = std::nan(""), .name = "r"}); }, "rate = nan", "r"},
      {[] { RepeatVector({.n = 0, .name = "v"}); }, "n = 0", "v"},
      {[] { Reshape({.target_shape = {-2}, .name = "s"}); }, "target_shape = (-2,)", "s"},
      {[] { Permute({.dims = {1, 3}, .name = "p"}); }, "dims = (1, 3)", "p"},
      {[] { LeakyReLU({.negative_slope = -1, .name = "l"}); }, "negative_slope = -1", "l"},
      {[] { ReLU({.max_value = -1, .name = "l"}); }, "max_value = -1", "l"},
  });
}

TEST(WrongArgumentsTest, OfLossesMetricsAndCompile) {
  const auto compile = [](const CompileOptions& options) {
    return [options] { small_model().compile(options); };
  };
  expect_one_form({
      {[] { losses::Huber({.delta = -1}); }, "delta = -1"},
      {[] { losses::Huber({.delta = 0}); }, "delta = 0"},
      {[] { (void)losses::huber(0.0, 1.0, -2); }, "delta = -2"},
      {[] { losses::MeanSquaredError({.reduction = "meen"}); },
       "reduction = \"meen\"; did you mean \"mean\"?"},
      {[] { losses::MeanSquaredError({.dtype = DType::kI32}); }, "dtype = int32"},
      {[] { losses::BinaryCrossentropy({.label_smoothing = 1.5}); }, "label_smoothing = 1.5"},
      {[] { metrics::AUC({.num_thresholds = 1}); }, "num_thresholds = 1"},
      {[] { metrics::AUC({.curve = "ROK"}); }, "curve = \"ROK\"; did you mean \"ROC\"?"},
      {[] { metrics::AUC({.summation_method = "minor"}); }, "summation_method = \"minor\""},
      {[] { metrics::F1Score({.average = "mikro"}); }, "average = \"mikro\"; did you mean \"micro\"?"},
      {[] { metrics::Precision({.thresholds = {0.5, 2}}); }, "thresholds = [0.5, 2]"},
      {[] { metrics::R2Score({.class_aggregation = "uniform"}); }, "class_aggregation = \"uniform\""},
      {[] { metrics::Mean({.name = "a/b"}); }, "name = \"a/b\""},
      {[] { Variable(ir::Literal(TensorType{DType::kF32, {}}), {.name = "a/b"}); }, "name = \"a/b\""},
      {compile({.optimizer = "adma", .loss = "mse"}), "optimizer = \"adma\"; did you mean \"adam\"?"},
      {compile({.optimizer = "sgd", .loss = "msee"}), "loss = \"msee\"; did you mean \"msle\" or \"mse\"?"},
      {compile({.optimizer = "sgd", .loss = "mse", .metrics = {"acuracy"}}),
       "metrics = \"acuracy\"; did you mean \"accuracy\"?"},
      {compile({.optimizer = "sgd", .loss = "mse", .weighted_metrics = {"acuracy"}}),
       "weighted_metrics = \"acuracy\""},
      {[] { StepsPerExecution(0); }, "steps_per_execution = 0"},
      {[] { (void)Loss::from_name("msee"); }, "name = \"msee\""},
      {[] { (void)small_model().get_layer("dens"); }, "name = \"dens\""},
  });
}

TEST(WrongArgumentsTest, OfOptimizersSchedulesAndCallbacks) {
  using namespace optimizers;
  using namespace optimizers::schedules;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  expect_one_form({
      {[] { SGD({.momentum = 1.5}); }, "momentum = 1.5"},
      {[] { SGD({.learning_rate = -0.1}); }, "learning_rate = -0.1"},
      {[] { SGD({.clipnorm = -1}); }, "clipnorm = -1"},
      {[] { SGD({.name = "a/b"}); }, "name = \"a/b\""},
      {[] { SGD()->set_learning_rate(std::nan("")); }, "learning_rate = nan"},
      {[] { Adam({.beta_1 = 1}); }, "beta_1 = 1"},
      {[] { Adam({.epsilon = -1}); }, "epsilon = -1"},
      {[] { Adam({.gradient_accumulation_steps = 1}); }, "gradient_accumulation_steps = 1"},
      {[] { AdamW({.weight_decay = kInfinity}); }, "weight_decay = inf"},
      {[] { RMSprop({.rho = -0.1}); }, "rho = -0.1"},
      {[] { Adagrad({.initial_accumulator_value = -1}); }, "initial_accumulator_value = -1"},
      {[] { Lion({.beta_1 = 0}); }, "beta_1 = 0"},
      {[] { Ftrl({.learning_rate_power = 1}); }, "learning_rate_power = 1"},
      {[] {
         ExponentialDecay({.initial_learning_rate = 1, .decay_steps = 0, .decay_rate = 0.5, .name = "e"});
       },
       "decay_steps = 0"},
      {[] { PiecewiseConstantDecay({.boundaries = {5, 3}, .values = {1, 2, 3}, .name = "p"}); },
       "boundaries = [5, 3]"},
      {[] { initializers::VarianceScaling({.scale = 0}); }, "scale = 0"},
      {[] { initializers::VarianceScaling({.mode = "fan"}); }, "mode = \"fan\""},
      {[] { regularizers::L2({.l2 = -1}); }, "l2 = -1"},
      {[] { constraints::MinMaxNorm({.rate = 1.5}); }, "rate = 1.5"},
      {[] { callbacks::ReduceLROnPlateau({.factor = 1.5}); }, "factor = 1.5"},
      {[] { callbacks::EarlyStopping({.mode = "up"}); }, "mode = \"up\""},
  });
}

TEST(WrongArgumentsTest, AnAxisOutsideTheRankNamesTheLayer) {
  const Tensor x = Tensor::zeros({2, 3});
  const auto expect_axis = [&](const LayerHandle& layer, const std::vector<std::string>& parts) {
    expect_contains(error_of([&] { (void)layer({x, x}); }), ErrorCode::kInvalidArgument, parts);
  };
  expect_axis(layers::Concatenate({.axis = -3, .name = "c"}), {"axis = -3", "(None, 3)", "in layer \"c\""});
  expect_axis(layers::Dot({.axes = 2, .name = "t"}), {"axes = (2, 2)", "in layer \"t\""});
  const auto expect_axis_of_one = [&](const LayerHandle& layer, const std::vector<std::string>& parts) {
    expect_contains(error_of([&] { (void)layer(x); }), ErrorCode::kInvalidArgument, parts);
  };
  expect_axis_of_one(layers::Softmax({.axis = -3, .name = "s"}), {"axis = -3", "in layer \"s\""});
  expect_axis_of_one(layers::UnitNormalization({.axis = 2, .name = "u"}), {"axis = 2", "in layer \"u\""});
  expect_contains(error_of([&] { (void)losses::CosineSimilarity({.axis = 5})(x, x); }),
                  ErrorCode::kInvalidArgument, {"[cosine_similarity]", "axis = 5", "(2, 3)"});
}

TEST(WrongArgumentsTest, AModelInsideItselfIsRefusedAndStaysAsItWas) {
  Sequential model({layers::Dense({.units = 3, .name = "d"})}, "m");
  expect_contains(error_of([&] { model.add(model); }), ErrorCode::kInvalidArgument,
                  {"model \"m\" cannot be inside itself"});
  Sequential outer({model}, "outer");
  expect_contains(error_of([&] { model.add(outer); }), ErrorCode::kInvalidArgument,
                  {"model \"m\" cannot be inside itself; got layer \"outer\""});
  EXPECT_EQ(model.layers().size(), 1u);
  EXPECT_EQ(outer(Tensor::zeros({2, 4})).shape(), (Dims{2, 3}));
}

TEST(WrongArgumentsTest, ALayerRefusesAnotherShapeAndWorksOn) {
  const layers::Dense dense({.units = 3, .kernel_initializer = "ones", .name = "d"});
  (void)dense(Tensor::zeros({2, 4}));
  expect_contains(error_of([&] { (void)dense(Tensor::zeros({2, 5})); }), ErrorCode::kInvalidArgument,
                  {"expected axis -1 of the input to be 4", "(None, 5)", "in layer \"d\""});
  EXPECT_EQ(dense(Tensor::of<float>({1, 4}, {1, 2, 3, 4})).at(2), 10);
}

TEST(WrongArgumentsTest, AMetricThatGetsOtherShapesKeepsWhatItGathered) {
  const metrics::F1Score f1({.name = "f1"});
  const Tensor one = Tensor::of<float>({1, 2}, {1, 0});
  f1.update_state(one, one);
  const double before = f1.result().at(0);
  expect_contains(error_of([&] { f1.update_state(Tensor::zeros({1, 3}), Tensor::zeros({1, 3})); }),
                  ErrorCode::kInvalidArgument, {"[f1_score]", "3", "2", "in metric \"f1\""});
  const metrics::AUC auc({.name = "a", .multi_label = true});
  auc.update_state(one, one);
  expect_contains(error_of([&] { auc.update_state(Tensor::zeros({1, 3}), Tensor::zeros({1, 3})); }),
                  ErrorCode::kInvalidArgument, {"[auc]", "3 labels; before it had 2", "in metric \"a\""});
  const metrics::MeanSquaredError mse({.name = "m"});
  mse.update_state(one, 3 * one);
  expect_contains(error_of([&] { mse.update_state(Tensor::zeros({2, 3}), Tensor::zeros({4, 5})); }),
                  ErrorCode::kInvalidArgument, {"(None, 3)", "(None, 5)", "in metric \"m\""});
  expect_contains(error_of([&] { mse.update_state(one, one, {1, 2, 3}); }), ErrorCode::kInvalidArgument,
                  {"in metric \"m\""});
  EXPECT_EQ(f1.result().at(0), before);
  EXPECT_EQ(mse.result().at(0), 2);
  mse.update_state(one, one);
  EXPECT_EQ(mse.result().at(0), 1);
}

TEST(WrongArgumentsTest, ATapeUsedTwiceSaysHowToKeepIt) {
  const Variable w(ir::Literal::scalar(DType::kF32, 3), {.name = "w"});
  GradientTape tape;
  const Tensor y = w.value() * w.value();
  EXPECT_EQ(tape.gradient(y, w).at(0), 6);
  expect_contains(error_of([&] { (void)tape.gradient(y, w); }), ErrorCode::kFailedPrecondition,
                  {"[gradient_tape]", "used already", "persistent"});
}

TEST(WrongArgumentsTest, ADeviceThatIsNotThereLeavesTheScopeAsItWas) {
  const std::string before = (Tensor(1.0F) + 1.0F).device();
  for (const char* name : {"GPU:0", "/device:TPU:0", "CPU:999"})
    expect_contains(error_of([&] { const DeviceScope scope(name); }), ErrorCode::kNotFound,
                    {"[device]", name, "there are: ", "CPU:0"});
  expect_contains(error_of([] { const DeviceScope scope("foo"); }), ErrorCode::kInvalidArgument,
                  {"\"foo\" is no device name", "there are: ", "CPU:0"});
  EXPECT_EQ((Tensor(1.0F) + 1.0F).device(), before);
}

class WrongDataTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(WrongDataTest);

TEST_P(WrongDataTest, AnUnknownClassAndTooFewRowsLeaveTheModelAsItWas) {
  const Flowers data(12);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "categorical_crossentropy"});
  const std::vector<Tensor> before = model.get_weights();
  expect_contains(
      error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0, .class_weight = {{3, 2.0}}}); }),
      ErrorCode::kInvalidArgument, {"[fit] class_weight", "class 3", "(None, 3)"});
  expect_contains(
      error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0, .class_weight = {{-1, 2.0}}}); }),
      ErrorCode::kInvalidArgument, {"[fit] class_weight", "class -1"});
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(before[i].literal() == model.get_weights()[i].literal());
  CapturedLog log;
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .steps_per_epoch = 5});
  EXPECT_NE(log.take().find("the data ran out after 3 of 5 steps of epoch 1"), std::string::npos);
  EXPECT_EQ(history.num_steps, 3);
  EXPECT_TRUE(std::isfinite(
      model.evaluate(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .steps = 5})["loss"]));
  EXPECT_NE(log.take().find("ran out after 3 of 5 steps"), std::string::npos);
}

TEST_P(WrongDataTest, NamesThatClashAreRefusedAndNothingIsAdded) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 3, .name = "a"})}, "m");
  expect_contains(error_of([&] { model.add(layers::Dense({.units = 2, .name = "a"})); }),
                  ErrorCode::kInvalidArgument, {"model \"m\" already has a layer named \"a\""});
  EXPECT_EQ(model.layers().size(), 1u);
  const Input x({.shape = {4}, .name = "x"});
  const KerasTensor hidden = layers::Dense({.units = 3, .name = "same"})(x);
  expect_contains(
      error_of([&] {
        Model({.inputs = x, .outputs = layers::Dense({.units = 1, .name = "same"})(hidden), .name = "f"});
      }),
      ErrorCode::kInvalidArgument, {"the name \"same\" is used by two layers of model \"f\""});
  EXPECT_EQ(model.predict(Tensor::zeros({2, 4}), {.verbose = 0}).shape(), (Dims{2, 3}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
