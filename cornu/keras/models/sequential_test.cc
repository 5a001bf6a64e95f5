#include "cornu/keras/models/sequential.h"

#include <gtest/gtest.h>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class SequentialTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(SequentialTest);

TEST_P(SequentialTest, IsBuiltByAnInputLayer) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 32, .activation = "relu"}),
                    layers::Dense({.units = 3})});
  EXPECT_EQ(model.name(), "sequential");
  EXPECT_TRUE(model->built());
  EXPECT_EQ(model.count_params(), 259);
  EXPECT_EQ(model.layers().size(), 2u) << "the input layer is not shown";
  EXPECT_EQ(model.weights()[0].path(), "sequential/dense/kernel");
  EXPECT_EQ(model.weights()[3].path(), "sequential/dense_1/bias");
}

TEST_P(SequentialTest, GrowsLayerByLayer) {
  Sequential model;
  model.add(layers::Input({.shape = {2, 3}}));
  model.add(layers::Flatten());
  model.add(layers::Dense({.units = 5}));
  EXPECT_EQ(model.count_params(), 35);
  EXPECT_EQ(model.weights()[0].path(), "sequential/dense/kernel");
  model.pop();
  EXPECT_EQ(model.count_params(), 0);
}

TEST_P(SequentialTest, AModelWhoseLayersWerePoppedIsDescribed) {
  const auto class_names = [](const Sequential& model) {
    const Config description = Config::parse(model.to_json());
    std::vector<std::string> names;
    for (const Config& layer : description.at("config").at("layers").as_list())
      names.push_back(layer.at("class_name").as_string());
    return names;
  };
  Sequential unbuilt({layers::Dense({.units = 2})});
  unbuilt.pop();
  EXPECT_EQ(class_names(unbuilt), std::vector<std::string>{});
  Sequential built({layers::Dense({.units = 2})});
  built.build({kUnknown, 3});
  built.pop();
  EXPECT_EQ(class_names(built), std::vector<std::string>{"InputLayer"}) << "the input stays, as in Keras";
  Sequential begins_with_input({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  begins_with_input.pop();
  EXPECT_EQ(class_names(begins_with_input), std::vector<std::string>{"InputLayer"});
}

TEST_P(SequentialTest, ModelsNest) {
  Sequential inner({layers::Dense({.units = 6, .activation = "tanh"}), layers::Dense({.units = 5})}, "inner");
  Sequential outer(
      {layers::Input({.shape = {4}}), inner, layers::Dense({.units = 3, .activation = "softmax"})}, "outer");
  EXPECT_EQ(outer.count_params(), 30 + 35 + 18);
  EXPECT_EQ(outer.weights()[0].path(), "outer/inner/dense/kernel");
  const Flowers data(9);
  outer.compile({.optimizer = "sgd", .loss = "mse"});
  const std::vector<Tensor> before = inner.get_weights();
  outer.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0});
  EXPECT_FALSE(before[0].literal() == inner.get_weights()[0].literal());
}

TEST_P(SequentialTest, SetWeightsChangesAllOrNothing) {
  Sequential model = small_model(1), other = small_model(5);
  const std::vector<Tensor> wanted = other.get_weights();
  model.set_weights(wanted);
  EXPECT_TRUE(same_bits(model.weights(), other.weights()));
  std::vector<Tensor> wrong = small_model(9).get_weights();
  wrong[2] = Tensor::zeros({8, 4});
  expect_contains(error_of([&] { model.set_weights(wrong); }), ErrorCode::kInvalidArgument,
                  {"weight 2", "kernel", "(8, 3)", "(8, 4)"});
  wrong.pop_back();
  expect_contains(error_of([&] { model.set_weights(wrong); }), ErrorCode::kInvalidArgument,
                  {"has 4 weights; got 3"});
  EXPECT_TRUE(same_bits(model.weights(), other.weights()));
}

TEST_P(SequentialTest, NamesMustDiffer) {
  expect_contains(
      error_of([] {
        Sequential({layers::Dense({.units = 1, .name = "a"}), layers::Dense({.units = 1, .name = "a"})});
      }),
      ErrorCode::kInvalidArgument, {"already has a layer named \"a\""});
  expect_contains(error_of([] { Sequential({layers::Dense({.units = 1}), layers::Input({.shape = {2}})}); }),
                  ErrorCode::kInvalidArgument, {"must be the first layer"});
}

TEST_P(SequentialTest, AModelWithoutLayersSaysSo) {
  Sequential model;
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Flowers data(3);
  expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0}); }),
                  ErrorCode::kFailedPrecondition, {"has no layers"});
}

TEST_P(SequentialTest, SummaryIsKerass) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 32, .activation = "relu"}),
                    layers::Dropout({.rate = 0.5}), layers::Dense({.units = 3, .activation = "softmax"})});
  model.get_layer("dense")->set_trainable(false);
  std::string text;
  model.summary({.line_length = 76, .print = [&](std::string_view piece) { text += piece; }});
  EXPECT_EQ(text, R"(Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 32)             │           160 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dropout (Dropout)               │ (None, 32)             │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ (None, 3)              │            99 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 259 (1.01 KB)
 Trainable params: 99 (396.00 B)
 Non-trainable params: 160 (640.00 B)
)");
}

TEST_P(SequentialTest, SummaryOfAnUnbuiltModelHasQuestionMarks) {
  Sequential model({layers::Dense({.units = 32})});
  std::string text;
  model.summary({.line_length = 76, .print = [&](std::string_view piece) { text += piece; }});
  EXPECT_NE(text.find("│ dense (Dense)                   │ ?                      │   0 (unbuilt) │"),
            std::string::npos)
      << text;
}

TEST_P(SequentialTest, SummaryCountsTheOptimizerOnceItIsBuilt) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 3})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Flowers data(4);
  model.fit(data.x, data.one_hot, {.verbose = 0});
  std::string text;
  model.summary({.print = [&](std::string_view piece) { text += piece; }});
  EXPECT_NE(text.find(" Total params: 47 ("), std::string::npos) << text;
  EXPECT_NE(text.find(" Optimizer params: 32 ("), std::string::npos) << text;
}

TEST_P(SequentialTest, ReportsTheTrainingProgramWithoutRunningIt) {
  const Flowers data(10);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "log_cosh", .metrics = {"accuracy"}});
  const std::vector<Tensor> before = model.get_weights();
  const TrainProgramReport report = model.train_program(data.x, data.one_hot, {.batch_size = 5});
  EXPECT_NE(report.stablehlo.find("stablehlo.dot_general"), std::string::npos);
  EXPECT_FALSE(report.explain.empty());
  EXPECT_EQ(model.num_compiles(), 1);
  EXPECT_TRUE(before[0].literal() == model.get_weights()[0].literal());
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0}).num_compiles, 0);
}

}  // namespace
}  // namespace cornu::inline v0::keras
