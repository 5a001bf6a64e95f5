#include "cornu/keras/models/functional.h"

#include <gtest/gtest.h>

#include "cornu/keras/models/source_inputs.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

std::vector<std::string> layer_names(const Model& model) {
  std::vector<std::string> names;
  for (const LayerHandle& layer : model.layers()) names.push_back(layer->name());
  return names;
}

class FunctionalTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(FunctionalTest);

TEST_P(FunctionalTest, IrisTracesToTheStepOfTheSequentialModel) {
  const Flowers data(20);
  const auto stablehlo = [&](Model model) {
    model.compile({.optimizer = "adam", .loss = "log_cosh", .metrics = {"accuracy"}});
    return model.train_program(data.x, data.one_hot, {.batch_size = 5}).stablehlo;
  };
  const std::string sequential =
      stablehlo(Sequential({Input({.shape = {4}}), layers::Dense({.units = 32, .activation = "relu"}),
                            layers::Dense({.units = 3})}));
  clear_session();
  const Input x({.shape = {4}});
  const KerasTensor y = layers::Dense({.units = 3})(layers::Dense({.units = 32, .activation = "relu"})(x));
  EXPECT_EQ(stablehlo(Model({.inputs = x, .outputs = y})), sequential);
  EXPECT_EQ(stablehlo(Model(x, y)), sequential);
  EXPECT_EQ(Model({x}, {y}, "by_place").name(), "by_place");
}

TEST_P(FunctionalTest, KnowsItsTensorsLayersAndNames) {
  const Input a({.shape = {4}, .name = "a"});
  const Input b({.shape = {6}, .name = "b"});
  const layers::Dense shared({.units = 5, .name = "shared"});
  const KerasTensor left = layers::Dense({.units = 6, .name = "left"})(a);
  const KerasTensor sum = shared(left) + shared(b);
  EXPECT_EQ(sum.shape(), (Dims{kUnknown, 5}));
  EXPECT_EQ(sum.str(), "<KerasTensor shape=(None, 5), dtype=float32, name=" + sum.name() + ">");
  const KerasTensor out = layers::Dense({.units = 2, .name = "out"})(-sum * 2.0);
  const Model model({.inputs = {a, b}, .outputs = {out, left}, .name = "m"});
  EXPECT_EQ(model.name(), "m");
  EXPECT_EQ(layer_names(model), (std::vector<std::string>{"a", "left", "b", "shared", "out"}));
  EXPECT_EQ(model.count_params(), 30 + 35 + 12);
  EXPECT_EQ(model.inputs()[1], b);
  EXPECT_EQ(model.outputs()[0].name(), out.name());
  EXPECT_EQ(model->input_names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(model->network_or_null()->output_names(), (std::vector<std::string>{"out", "left"}));
  EXPECT_EQ(model.get_layer("shared")->name(), "shared");
  EXPECT_EQ(model.get_layer(-1)->name(), "out");
  EXPECT_EQ(model.weights()[0].path(), "left/kernel") << "built by the call, outside of any model";
  expect_contains(error_of([&] { (void)model.get_layer(5); }), ErrorCode::kOutOfRange,
                  {"\"m\" has 5 layers; got index = 5"});
}

TEST_P(FunctionalTest, ComputesWhatItsLayersCompute) {
  const Input a({.shape = {2}, .name = "a"});
  const Input b({.shape = {2}, .name = "b"});
  const layers::Dense ones({.units = 1, .kernel_initializer = "ones"});
  const Model model({.inputs = {a, b}, .outputs = {ones(a) - 1.0, 10.0 * ones(b) / ones(a)}});
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4}), y = Tensor::of<float>({2, 2}, {5, 6, 7, 8});
  const std::vector<Tensor> outputs = model.call_many(std::vector<Tensor>{x, y});
  testing::expect_close(outputs[0], Tensor::of<float>({2, 1}, {2, 6}), 1e-6, "ones(a) - 1");
  testing::expect_close(outputs[1], Tensor::of<float>({2, 1}, {110 / 3.F, 150 / 7.F}), 1e-6,
                        "10 ones(b) / ones(a)");
}

TEST_P(FunctionalTest, TakesInputsByNameAndCastsThem) {
  const Input a({.shape = {1}, .name = "a"});
  const Input b({.shape = {1}, .name = "b"});
  const Model model({.inputs = {a, b}, .outputs = a - b});
  const Tensor three = Tensor::of<std::int32_t>({1, 1}, {3}), one = Tensor::of<double>({1}, {1});
  EXPECT_EQ(model({{"b", one}, {"a", three}}).at(0), 2) << "an extent of 1 at the end may be missing";
  EXPECT_EQ(model({{"b", one}, {"a", three}}).dtype(), DType::kF32);
  expect_contains(error_of([&] { (void)model({{"a", one}, {"c", one}}); }), ErrorCode::kInvalidArgument,
                  {"\"c\""});
  expect_contains(error_of([&] { (void)model(std::vector<Tensor>{one}); }), ErrorCode::kInvalidArgument,
                  {"expected 2 inputs (a, b); got 1"});
  expect_contains(error_of([&] { (void)model({Tensor::zeros({2, 4}), one}); }), ErrorCode::kInvalidArgument,
                  {"expected an input of shape (None, 1); got (2, 4)", "in layer \"a\""});
}

Tensors named_tensors(const nlohmann::json& golden) {
  std::vector<Tensors::Named> named;
  for (const auto& [name, value] : golden.items()) named.push_back({name, testing::golden_tensor(value)});
  return Tensors(named);
}

/// Trains as Keras did.
void expect_history(Model& model, const nlohmann::json& golden, const Tensors& x, const Tensors& y) {
  const callbacks::History history = model.fit(x, y, {.batch_size = 6, .epochs = 3, .verbose = 0});
  EXPECT_EQ(history.history.keys().size(), golden.at("history").size());
  for (const auto& [name, wanted] : golden.at("history").items())
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(history[name].at(i), wanted.at(i).get<double>(), 1e-5) << name << " " << i;
}

// Keras's models may have dictionaries of inputs and outputs, whose keys are other names than those of
// layers.
TEST_P(FunctionalTest, TrainsKerassModelsByTheKeysOfTheirDictionaries) {
  const nlohmann::json golden = testing::load_golden("named_models").at("named");
  Model model = model_from_json(golden.at("json").dump());
  EXPECT_EQ(model->input_names(), (std::vector<std::string>{"body", "title"}));
  EXPECT_EQ(model->network_or_null()->output_names(), (std::vector<std::string>{"price", "stars"}));
  model.set_weights(testing::golden_tensors(golden.at("weights")));
  model.compile_from_config(Config::parse(golden.at("compile").dump()));
  const Tensors x = named_tensors(golden.at("x")), y = named_tensors(golden.at("y"));
  expect_history(model, golden, x, y);
  const Logs evaluation = model.evaluate(x, y, {.verbose = 0});
  for (const auto& [name, wanted] : golden.at("evaluation").items())
    EXPECT_NEAR(evaluation[name], wanted.get<double>(), 1e-5) << name;
  const Tensors prediction = model.predict_many(x, {.verbose = 0});
  for (const auto& [name, wanted] : golden.at("prediction").items())
    testing::expect_close(prediction[name], testing::golden_tensor(wanted), 1e-5, name);
  // Keras finds the dictionaries again in what is written.
  const Config written = Config::parse(model.to_json()), read = Config::parse(golden.at("json").dump());
  for (const char* key : {"input_layers", "output_layers"})
    for (const auto& [name, end] : read.at("config").at(key).as_dict())
      EXPECT_EQ(written.at("config").at(key).at(name), end) << key << " " << name;
  Model clone = clone_model(model);
  EXPECT_EQ(clone->input_names(), model->input_names());
  EXPECT_EQ(clone->network_or_null()->output_names(), model->network_or_null()->output_names());
}

TEST_P(FunctionalTest, TakesKerassListsOfOneLossAndOutputsWithoutALoss) {
  const nlohmann::json golden = testing::load_golden("named_models");
  const nlohmann::json &named = golden.at("named"), &partial = golden.at("partial");
  Model model = model_from_json(named.at("json").dump());
  model.set_weights(testing::golden_tensors(partial.at("weights")));
  model.compile_from_config(Config::parse(partial.at("compile").dump()));
  expect_history(model, partial, named_tensors(named.at("x")), named_tensors(named.at("y")));
}

TEST_P(FunctionalTest, KerassModelsAreCalledWithDictionariesInsideOthers) {
  const nlohmann::json golden = testing::load_golden("named_models");
  Model model = model_from_json(golden.at("nested").at("json").dump());
  model.set_weights(testing::golden_tensors(golden.at("nested").at("weights")));
  const nlohmann::json& x = golden.at("named").at("x");
  const Tensor found = model({testing::golden_tensor(x.at("title")), testing::golden_tensor(x.at("body"))});
  testing::expect_close(found, testing::golden_tensor(golden.at("nested").at("prediction")), 1e-5, "nested");
}

TEST_P(FunctionalTest, ModelsNestAndShareWeights) {
  const Input x({.shape = {4}});
  const KerasTensor hidden = layers::Dense({.units = 3, .name = "hidden"})(x);
  const Model inner({.inputs = x, .outputs = hidden, .name = "inner"});
  Sequential head({layers::Dense({.units = 2, .name = "head_dense"})}, "head");
  const Input a({.shape = {4}, .name = "a"});
  const Input b({.shape = {4}, .name = "b"});
  Model twin({.inputs = {a, b}, .outputs = head(inner(a) - inner(b)), .name = "twin"});
  EXPECT_EQ(layer_names(twin), (std::vector<std::string>{"a", "b", "inner", "head"}));
  EXPECT_EQ(twin.count_params(), 15 + 8) << "a model called twice counts once";
  EXPECT_EQ(twin.weights()[2].path(), "head/head_dense/kernel");
  const Model features({.inputs = x, .outputs = hidden});
  EXPECT_TRUE(features.weights()[0] == inner.weights()[0]);
}

TEST_P(FunctionalTest, CutsAModelOpen) {
  Sequential whole({Input({.shape = {4}}), layers::Dense({.units = 3, .name = "first"}),
                    layers::Dense({.units = 2, .name = "second"})});
  const Model front({.inputs = whole.inputs(), .outputs = whole.get_layer("first")->output()});
  const Model back({.inputs = whole.get_layer("second")->input(), .outputs = whole.outputs()});
  EXPECT_EQ(back.count_params(), 8);
  const Tensor x = Flowers(3).x;
  testing::expect_close(back(front(x)), whole(x), 1e-6, "both halves");
}

TEST_P(FunctionalTest, TrainsWithASharedLayer) {
  const Flowers data(12);
  const Input x({.shape = {4}});
  const layers::Dense shared({.units = 4, .activation = "tanh"});
  Model model(
      {.inputs = x, .outputs = layers::Dense({.units = 3, .activation = "softmax"})(shared(shared(x)) + x)});
  model.compile({.optimizer = "adam", .loss = "categorical_crossentropy", .metrics = {"accuracy"}});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 5, .epochs = 20, .verbose = 0});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
}

TEST_P(FunctionalTest, TrainingIsRecordedWithTheCall) {
  const Input x({.shape = {50}});
  const layers::Dropout dropout({.rate = 0.5});
  const Model off({.inputs = x, .outputs = dropout(x, {.training = false})});
  const Model on({.inputs = x, .outputs = dropout(x)});
  Tensor ones = Tensor::zeros({1, 50}) + 1.0;
  testing::expect_close(off(ones, {.training = true}), ones, 0, "training = false in the graph");
  EXPECT_NE(on(ones, {.training = true}).literal(), ones.literal());
}

TEST_P(FunctionalTest, AnyFunctionJoinsByLambda) {
  const Input a({.shape = {3}, .name = "a"});
  const Input b({.shape = {2}, .name = "b"});
  const KerasTensor joined =
      layers::Lambda([](std::span<const Tensor> both) { return ops::concatenate(both, 1); })({a, b});
  const KerasTensor squared = layers::Lambda([](const Tensor& x) { return ops::square(x); })(joined);
  EXPECT_EQ(squared.shape(), (Dims{kUnknown, 5}));
  const Model model({.inputs = {a, b}, .outputs = squared});
  testing::expect_close(model({Tensor::of<float>({1, 3}, {1, 2, 3}), Tensor::of<float>({1, 2}, {4, 5})}),
                        Tensor::of<float>({1, 5}, {1, 4, 9, 16, 25}), 1e-6, "squares");
  expect_contains(
      error_of([&] {
        (void)layers::Lambda({.function = [](const Tensor& x) { return x; }, .name = "one"})({a, b});
      }),
      ErrorCode::kInvalidArgument, {"takes one tensor; got 2", "in layer \"one\""});
  expect_contains(error_of([] { layers::Lambda(layers::LambdaOptions{.name = "none"}); }),
                  ErrorCode::kInvalidArgument, {"function is missing; in layer \"none\""});
}

TEST_P(FunctionalTest, AWeightSharedByTwoModelsInsideCountsOnce) {
  const Input x({.shape = {4}});
  const layers::Dense shared({.units = 4});
  const Model left({.inputs = x, .outputs = shared(x)}), right({.inputs = x, .outputs = shared(x) * 2.0});
  const Model both({.inputs = x, .outputs = left(x) + right(x)});
  EXPECT_EQ(both.count_params(), 20);
}

TEST_P(FunctionalTest, AnInputOfAFixedBatchTakesBatchesOfAnySize) {
  const Flowers data(10);
  Sequential open = small_model();
  const Input x({.shape = {4}, .batch_size = 4});
  const KerasTensor hidden = layers::Dense(
      {.units = 8, .activation = "relu", .kernel_initializer = initializers::GlorotUniform({.seed = 1})})(x);
  Model fixed(
      {.inputs = x,
       .outputs = layers::Dense({.units = 3,
                                 .activation = "softmax",
                                 .kernel_initializer = initializers::GlorotUniform({.seed = 3})})(hidden)});
  EXPECT_EQ(fixed.outputs()[0].shape(), (Dims{4, 3}));
  for (Model* model : {static_cast<Model*>(&open), &fixed}) {
    model->compile({.optimizer = "sgd", .loss = "mse", .seed = 1});
    model->fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0});
    model->fit(data.x, data.one_hot, {.verbose = 0});
  }
  EXPECT_TRUE(same_bits(fixed.weights(), open.weights()));
  EXPECT_EQ(fixed.predict(data.x, {.verbose = 0}).shape(), (Dims{10, 3}));
  EXPECT_EQ(fixed(data.x).shape(), (Dims{10, 3}));
  expect_contains(error_of([&] { fixed.predict(data.one_hot, {.verbose = 0}); }), ErrorCode::kInvalidArgument,
                  {"expected an input of shape (None, 4); got (None, 3)"});
}

TEST_P(FunctionalTest, AFixedBatchIsThatOfFunctionsThatNeedIt) {
  const Flowers data(12);
  const Input x({.shape = {4}, .batch_size = 4});
  const KerasTensor moved =
      layers::Lambda([](const Tensor& rows) { return ops::reshape(rows, {4, 2, 2}); })(x);
  Model model({.inputs = x, .outputs = layers::Dense({.units = 3})(layers::Flatten()(moved))});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0});
  EXPECT_LT(history["loss"].back(), history["loss"].front());
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.batch_size = 6, .verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"reshape", "x has shape (12, 4)"});
}

TEST_P(FunctionalTest, OutputsOfOneLayerComeByPosition) {
  const Tensor x = Tensor::zeros({6, 5, 3}) + 0.5, y = Tensor::zeros({6, 2});
  const Input sequence({.shape = {5, 3}});
  const std::vector<KerasTensor> states = layers::LSTM({.units = 2, .return_state = true, .name = "lstm"})
                                              .call_many(std::vector<KerasTensor>{sequence});
  Model model({.inputs = sequence, .outputs = {states[1], states[2]}});
  const Tensors made = model.predict_many(x, {.verbose = 0});
  ASSERT_EQ(made.size(), 2u);
  EXPECT_FALSE(made.is_named());
  const std::vector<Tensor> wanted = model.call_many(std::vector<Tensor>{x});
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(ops::max(ops::abs(made[i] - wanted[i])).item<float>(), 1e-6F);
  model.compile({.optimizer = "sgd", .loss = {"mse", "mae"}});
  EXPECT_GT(model.evaluate(x, {y, y}, {.verbose = 0})["loss"], 0);
  expect_contains(error_of([&] { model.compile({.optimizer = "sgd", .loss = {{"lstm", "mse"}}}); }),
                  ErrorCode::kInvalidArgument, {"[compile] loss names output \"lstm\"", "by position"});
}

TEST_P(FunctionalTest, ALossByNameSaysWhichNameIsWrong) {
  const Flowers data(12);
  const Input x({.shape = {4}});
  Model model({.inputs = x,
               .outputs = {layers::Dense({.units = 3, .name = "a"})(x),
                           layers::Dense({.units = 3, .name = "b"})(x)}});
  const auto compiled = [&](const CompileOptions& options) {
    return error_of([&] { model.compile(options); });
  };
  expect_contains(compiled({.loss = {{"a", "mse"}, {"nope", "mse"}}}), ErrorCode::kInvalidArgument,
                  {"[compile] loss names output \"nope\"; the model's outputs are a, b"});
  expect_contains(compiled({.loss = {{"nope", "mse"}}}), ErrorCode::kInvalidArgument,
                  {"loss names output \"nope\""});
  expect_contains(compiled({.loss = {{"a", "mse"}}}), ErrorCode::kInvalidArgument,
                  {"no loss for output \"b\"", "{\"b\", {}}"});
  expect_contains(compiled({.loss = {{"a", {"mse"}}, {"b", "mse"}}}), ErrorCode::kInvalidArgument,
                  {"loss has a list for output 0"});
  expect_contains(compiled({.loss = "mse", .metrics = {{"a", "mae"}, {"nope", "mae"}}}),
                  ErrorCode::kInvalidArgument,
                  {"[compile] metrics names output \"nope\"; the model's outputs are a, b"});
  // Keras's None.
  model.compile({.optimizer = "sgd", .loss = {{"a", "mse"}, {"b", {}}}, .metrics = {{"b", "mae"}}});
  const auto history = model.fit(data.x, {data.one_hot, data.one_hot}, {.verbose = 0});
  EXPECT_EQ(history.history.keys(), (std::vector<std::string>{"b_mae", "loss"}));
  Sequential stack({layers::Dense({.units = 3, .name = "top"})});
  expect_contains(error_of([&] { stack.compile({.loss = {{"nope", "mse"}}}); }), ErrorCode::kInvalidArgument,
                  {"loss names output \"nope\"; the model's outputs are top"});
}

TEST_P(FunctionalTest, RefusesGraphsThatAreNone) {
  const Input a({.shape = {4}, .name = "a"});
  const Input b({.shape = {4}, .name = "b"});
  const KerasTensor sum = a + b;
  expect_contains(error_of([&] { Model({.inputs = a, .outputs = sum, .name = "m"}); }),
                  ErrorCode::kInvalidArgument,
                  {"graph disconnected", sum.name(), "needs input \"b\"", "model \"m\": a"});
  expect_contains(error_of([&] { Model({.inputs = {a, b, a}, .outputs = sum}); }),
                  ErrorCode::kInvalidArgument, {"name=a> occurs twice"});
  expect_contains(error_of([&] { Model({.inputs = a, .outputs = {}, .name = "m"}); }),
                  ErrorCode::kInvalidArgument, {"outputs must not be empty; in model \"m\""});
  expect_contains(error_of([&] { Model({.inputs = KerasTensor(), .outputs = sum}); }),
                  ErrorCode::kInvalidArgument, {"inputs[0] is an empty"});
  const Input other({.shape = {4}, .name = "a"});
  expect_contains(error_of([&] { Model({.inputs = {a, other}, .outputs = a + other}); }),
                  ErrorCode::kInvalidArgument, {"the name \"a\" is used by two layers"});
  expect_contains(error_of([&] { Sequential({LayerHandle(sum)}); }), ErrorCode::kInvalidArgument,
                  {"only a tensor of keras::Input"});
  expect_contains(
      error_of([] { (void)layers::Dense({.units = 2, .name = "d"})(Input({.shape = {kUnknown}})); }),
      ErrorCode::kInvalidArgument, {"(None, None)", "in layer \"d\""});
}

TEST_P(FunctionalTest, AnInputThatNothingUsesIsAllowedAndStillWanted) {
  const Input a({.shape = {1}, .name = "a"});
  const Input b({.shape = {1}, .name = "b"});
  const Model model({.inputs = {a, b}, .outputs = a * 2.0});
  EXPECT_EQ(layer_names(model), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(model({Tensor::of<float>({1, 1}, {3}), Tensor::of<float>({1, 1}, {0})}).at(0), 6);
}

TEST(SourceInputsTest, SourceInputsAreThoseOfTheCallsEachOnce) {
  const KerasTensor a = Input({.shape = {3}}), b = Input({.shape = {3}}), c = Input({.shape = {3}});
  const KerasTensor sum = layers::Add()({layers::Dense({.units = 3})(a), b}),
                    all = layers::Add()({sum, c, a});
  EXPECT_EQ(utils::get_source_inputs(sum), (std::vector<KerasTensor>{a, b}));
  EXPECT_EQ(utils::get_source_inputs(all), (std::vector<KerasTensor>{a, b, c}));
  EXPECT_EQ(utils::get_source_inputs(a), (std::vector<KerasTensor>{a}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
