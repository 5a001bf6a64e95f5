#include "cornu/keras/saving/models.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

Tensor data(const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5) / 5;
  return Tensor::adopt(shape, values);
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.num_elements(); ++i) ASSERT_EQ(a.at(i), b.at(i)) << i;
}

/// Checks that the copy computes the same with the same weights, has separate weights, and has the same
/// configuration.
void expect_copy(const Model& model, Model copy, const Tensors& x) {
  EXPECT_EQ(copy.to_json(), model.to_json());
  const std::vector<Tensor> weights = model.get_weights();
  ASSERT_EQ(copy.get_weights().size(), weights.size());
  for (const Variable& weight : copy.weights())
    for (const Variable& other : model.weights()) EXPECT_FALSE(weight == other) << weight.name();
  copy.set_weights(weights);
  Model original = model;
  const Tensors expected = original.predict_many(x, {.verbose = 0}),
                actual = copy.predict_many(x, {.verbose = 0});
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
}

void expect_copies(const Model& model, const Tensors& x) {
  expect_copy(model, clone_model(model), x);
  expect_copy(model, model_from_json(model.to_json()), x);
  expect_copy(model, model_from_json(model.to_json(2)), x);
}

TEST(ModelConfigTest, Sequential) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 3, .activation = "tanh"}),
                    layers::BatchNormalization(),
                    Sequential({layers::Dense({.units = 2}), layers::Activation("relu")})});
  expect_copies(model, data({6, 4}));
}

TEST(ModelConfigTest, AnActivationThatIsALayer) {
  Sequential model({layers::Input({.shape = {4}}),
                    layers::Dense({.units = 3, .activation = layers::LeakyReLU({.negative_slope = 0.125})})});
  expect_copies(model, data({6, 4}));
}

TEST(ModelConfigTest, SequentialThatIsBuiltFromData) {
  Sequential model({layers::Dense({.units = 3}), layers::Dense({.units = 2})});
  EXPECT_FALSE(clone_model(model).built());
  model.build({kUnknown, 4});
  expect_copies(model, data({6, 4}));
}

TEST(ModelConfigTest, SharedLayersAndSeveralInputsAndOutputs) {
  const Input a({.shape = {4}, .name = "a"}), b({.shape = {4}, .name = "b"});
  const layers::Dense shared({.units = 3, .activation = "tanh"});
  const KerasTensor x = shared(a), y = shared(b);
  const KerasTensor sum = layers::Add()({x, y});
  Model model({.inputs = {a, b}, .outputs = {shared(layers::Dense({.units = 4})(sum)), sum * 2.0 - x}});
  expect_copies(model, {data({6, 4}), data({6, 4}) * 0.5});
  EXPECT_EQ(clone_model(model).layers().size(), model.layers().size());
}

TEST(ModelConfigTest, NestedModelsCalledTwice) {
  const Input inner_input({.shape = {3}});
  const Model inner({.inputs = inner_input,
                     .outputs = layers::Dense({.units = 3, .activation = "relu"})(inner_input),
                     .name = "inner"});
  const Input input({.shape = {3}});
  const KerasTensor once = inner(KerasTensor(input)), twice = inner(once);
  Model model({.inputs = input, .outputs = {twice, layers::Concatenate()({once, twice})}});
  expect_copies(model, data({5, 3}));
}

TEST(ModelConfigTest, TheOutputOfANestedModelIsAnOutput) {
  const Input inner_input({.shape = {3}});
  const Model inner({.inputs = inner_input, .outputs = layers::Dense({.units = 2})(inner_input)});
  const Input input({.shape = {3}});
  expect_copies(Model({.inputs = input, .outputs = inner(KerasTensor(input))}), data({5, 3}));
}

TEST(ModelConfigTest, AModelFromTheMiddleOfAnother) {
  const Input input({.shape = {3}});
  const KerasTensor middle = layers::Dense({.units = 4, .name = "first"})(input);
  const KerasTensor end = layers::Dense({.units = 2})(layers::Activation("tanh")(middle));
  expect_copies(Model({.inputs = middle, .outputs = end}), data({5, 4}));
}

TEST(ModelConfigTest, Arithmetic) {
  const Input x({.shape = {3}});
  const Tensor scale = Tensor::of<float>({3}, {1.5F, 2.0F, -1.0F});
  expect_copies(Model({.inputs = x, .outputs = -(2.0 / (x * x + 1.0)) * scale - x}), data({5, 3}));
}

TEST(ModelConfigTest, RecurrentLayersWithStatesAndMasks) {
  const Input ids({.shape = {5}, .dtype = DType::kI32});
  const KerasTensor embedded = layers::Embedding({.input_dim = 7, .output_dim = 3, .mask_zero = true})(ids);
  const std::vector<KerasTensor> encoded =
      layers::LSTM({.units = 4, .return_state = true}).call_many({embedded});
  const KerasTensor both =
      layers::Bidirectional(layers::GRU({.units = 2, .return_sequences = true}))(embedded);
  const KerasTensor decoded = layers::LSTM({.units = 4, .dropout = 0.25})({both, encoded[1], encoded[2]});
  const KerasTensor cells =
      layers::RNN({layers::LSTMCell({.units = 3}), layers::GRUCell({.units = 2})})(embedded);
  const KerasTensor steps = layers::Flatten()(layers::TimeDistributed(layers::Dense({.units = 2}))(both));
  Model model({.inputs = ids, .outputs = {decoded, cells, steps}});
  expect_copies(
      model, Tensor::adopt({3, 5}, std::vector<std::int32_t>{1, 2, 0, 0, 0, 6, 5, 4, 3, 2, 1, 1, 0, 0, 0}));
}

TEST(ModelConfigTest, TrainingOfACallIsKept) {
  const Input x({.shape = {3}});
  const Model model(
      {.inputs = x, .outputs = layers::Dropout({.rate = 0.5, .seed = 3})(x, {.training = true})});
  const Config call =
      saving::serialize<Layer>(*model).at("config").at("layers").at(1).at("inbound_nodes").at(std::size_t{0});
  EXPECT_EQ(call.at("kwargs"), Config::dict({{"training", true}}));
  EXPECT_EQ(clone_model(model).to_json(), model.to_json());
  EXPECT_EQ(model_from_json(model.to_json()).to_json(), model.to_json());
}

TEST(ModelConfigTest, AFrozenModelStaysFrozen) {
  const Input x({.shape = {3}});
  const Model model({.inputs = x, .outputs = layers::Dense({.units = 2})(x), .trainable = false});
  EXPECT_TRUE(clone_model(model).trainable_weights().empty());
  EXPECT_TRUE(model_from_json(model.to_json()).trainable_weights().empty());
}

TEST(ModelConfigTest, ACloneIsTrainedApart) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 1})});
  Model clone = clone_model(model);
  clone.set_weights(model.get_weights());
  const std::vector<Tensor> before = model.get_weights();
  clone.compile({.optimizer = "sgd", .loss = "mse"});
  clone.fit(data({8, 4}), data({8, 1}), {.verbose = 0});
  for (std::size_t i = 0; i < before.size(); ++i) expect_same(model.get_weights()[i], before[i]);
}

TEST(CloneModelTest, ACloneFunctionMakesTheLayers) {
  const Input x({.shape = {3}});
  const layers::Lambda twice([](const Tensor& t) { return t * 2.0; });
  const Model model({.inputs = x, .outputs = layers::Dense({.units = 2, .name = "d"})(twice(x))});
  EXPECT_NE(error_text_of([&] { clone_model(model); }).find("function of Lambda is code"), std::string::npos);
  const Model clone = clone_model(model, {.clone_function = [&](const LayerHandle& layer) -> LayerHandle {
                                    if (layer.name() == "d") return layers::Dense({.units = 5, .name = "e"});
                                    return layer;
                                  }});
  EXPECT_EQ(clone.outputs()[0].shape(), (Dims{kUnknown, 5}));
  EXPECT_EQ(clone.get_layer("e").count_params(), 20);
  EXPECT_NE(error_text_of([&] {
              clone_model(model, {.clone_function = [](const LayerHandle&) { return LayerHandle(); }});
            }).find("gave no layer"),
            std::string::npos);
}

TEST(CloneModelTest, ACallFunctionAddsLayersAndInputsMayBeGiven) {
  const Input x({.shape = {3}});
  const Model inner = [] {
    const Input y({.shape = {4}});
    return Model({.inputs = y, .outputs = layers::Dense({.units = 4, .name = "inside"})(y), .name = "inner"});
  }();
  const Model model({.inputs = x, .outputs = inner(layers::Dense({.units = 4, .name = "d"})(x))});
  int num_calls = 0;
  const auto call = [&](const LayerHandle& layer, std::span<const KerasTensor> inputs,
                        const CallArguments& arguments) {
    ++num_calls;
    std::vector<KerasTensor> outputs = layer.call_many(inputs, arguments);
    if (layer.name() == "inside") outputs[0] = layers::ReLU({.name = "added"})(outputs[0]);
    return outputs;
  };
  const Input given({.shape = {3}, .name = "given"});
  Model clone = clone_model(model, {.call_function = call, .input_tensors = {given}, .recursive = true});
  EXPECT_EQ(num_calls, 3) << "two layers and one inside";
  EXPECT_EQ(clone.inputs()[0].node().layer->name(), "given");
  const Tensor y = clone.predict(data({5, 3}), {.verbose = 0});
  EXPECT_GE(ops::min(y).item<double>(), 0) << "the added layer is in the inner model";
  EXPECT_EQ(clone_model(model, {.recursive = true}).to_json(), model.to_json());
  EXPECT_THROW(clone_model(model, {.input_tensors = {given, given}}), Error);
  const Sequential sequential({layers::Dense({.units = 1})});
  EXPECT_NE(error_text_of([&] { clone_model(sequential, {.call_function = call}); }).find("is Sequential"),
            std::string::npos);
}

TEST(CloneModelTest, LoraIsKept) {
  const layers::Dense dense({.units = 2, .name = "d"});
  Sequential model({layers::Input({.shape = {4}}), dense});
  dense.enable_lora({.rank = 3, .lora_alpha = 6});
  dense.weights()[3].assign(data({3, 2}));  // b, which begins with zeros
  expect_copies(model, data({6, 4}));
  const Model clone = clone_model(model);
  EXPECT_EQ(clone.get_layer("d").get_config().at("lora_rank"), Config(3));
  EXPECT_EQ(clone.get_layer("d").get_config().at("lora_alpha"), Config(6));
  EXPECT_EQ(clone.trainable_weights().size(), 3U);
}

class Mlp : public Network {
 public:
  Mlp() : Network("Mlp", "mlp") {}
  Tensor call(const Tensor& x, const CallContext&) override { return output_(x); }

 private:
  LayerHandle output_ = track(layers::Dense({.units = 3}));
};

TEST(CloneModelTest, AModelOfTheUsersIsRefused) {
  const Model model(std::make_shared<Mlp>());
  EXPECT_NE(error_text_of([&] { clone_model(model); }).find("model \"mlp\" is of a class of yours, Mlp"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] { model.to_json(); }).find("\"mlp\" cannot be written"), std::string::npos);
}

/// A chain of an input "i0" and layers "i1", "i2", ..., listed in reverse order.
std::string chain_in_reverse_order(int num_layers) {
  std::string text;
  for (int i = num_layers; i > 0; --i)
    text += fmt::format(
        R"({{"class_name": "Identity", "module": "keras.layers", "config": {{"name": "i{0}"}}, "name": "i{0}",
        "inbound_nodes": [{{"args": [{{"class_name": "__keras_tensor__", "config": {{"shape": [null, 3],
        "dtype": "float32", "keras_history": ["i{1}", 0, 0]}}}}], "kwargs": {{}}}}]}}, )",
        i, i - 1);
  return fmt::format(
      R"({{"class_name": "Functional", "module": "keras", "config": {{"name": "chain", "layers": [{}
      {{"class_name": "InputLayer", "module": "keras.layers",
      "config": {{"batch_shape": [null, 3], "name": "i0"}}, "name": "i0", "inbound_nodes": []}}],
      "input_layers": [["i0", 0, 0]], "output_layers": [["i{}", 0, 0]]}}}})",
      text, num_layers);
}

TEST(ModelFromJsonTest, LayersMayStandInAnyOrder) {
  const Model model = model_from_json(chain_in_reverse_order(3));
  const std::vector<LayerHandle> layers = model.layers();
  ASSERT_EQ(layers.size(), 4U);
  for (std::size_t i = 0; i < layers.size(); ++i) EXPECT_EQ(layers[i].name(), fmt::format("i{}", i));
}

// With this many layers, trying all waiting layers after each call would be noticeable in the test's time:
// 12.5 million tries.
TEST(ModelFromJsonTest, ManyLayersInReverseOrderAreCalledOnceEach) {
  constexpr int kNumLayers = 5000;
  EXPECT_EQ(model_from_json(chain_in_reverse_order(kNumLayers)).layers().size(), std::size_t{kNumLayers} + 1);
}

TEST(ModelFromJsonTest, AMaskArgumentReachesACallWithInitialStates) {
  const KerasTensor x = layers::Input({.shape = {3, 4}, .name = "x"}), h = layers::Input({.shape = {2}}),
                    m = layers::Input({.shape = {3}, .dtype = DType::kI1, .name = "m"});
  const layers::GRU gru({.units = 2});
  const Model model({.inputs = {x, h, m}, .outputs = {gru({x, h}), layers::Identity()(m)}});
  std::string text = model.to_json();
  text.insert(text.find(R"("initial_state")"),
              R"("mask": {"class_name": "__keras_tensor__", "config": {"shape": [null, 3], "dtype": "bool",
              "keras_history": ["m", 0, 0]}}, )");
  Model masked = model_from_json(text);
  masked.set_weights(model.get_weights());
  const Tensor steps = data({2, 3, 4}), state = data({2, 2}),
               mask = Tensor::of<bool>({2, 3}, {true, false, true, true, true, false});
  const Tensor actual = masked.predict_many({steps, state, mask}, {.verbose = 0})[0],
               expected = gru.call_many({steps, state}, {.mask = mask})[0];
  for (std::int64_t i = 0; i < expected.num_elements(); ++i) EXPECT_NEAR(actual.at(i), expected.at(i), 1e-6);
  EXPECT_EQ(model_from_json(masked.to_json()).to_json(), masked.to_json());
}

TEST(ModelFromJsonTest, RefusesGraphsThatCannotBe) {
  const Input x({.shape = {3}, .name = "x"});
  const Model model({.inputs = x, .outputs = layers::Dense({.units = 2, .name = "d"})(x), .name = "m"});
  const std::string text = model.to_json();
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    return error_text_of([&] { model_from_json(changed); });
  };
  EXPECT_NE(error(R"("keras_history": ["x", 0, 0])", R"("keras_history": ["d", 0, 0])").find("form a loop"),
            std::string::npos);
  EXPECT_NE(error(R"("keras_history": ["x", 0, 0])", R"("keras_history": ["y", 0, 0])")
                .find("Functional has no layer \"y\""),
            std::string::npos);
  EXPECT_NE(error(R"("keras_history": ["x", 0, 0])", R"("keras_history": ["x", 1, 0])")
                .find("layer \"x\" has no call 1"),
            std::string::npos);
  EXPECT_NE(
      error(R"("keras_history": ["x", 0, 0])", R"("keras_history": ["x", 0, 3])").find("has no output 3"),
      std::string::npos);
  EXPECT_NE(error(R"("keras_history": ["x", 0, 0])", R"("keras_history": [0, 0])")
                .find("must be [layer, call, output]"),
            std::string::npos);
  EXPECT_NE(error(R"("output_layers": ["d", 0, 0])", R"("output_layers": ["d", 0])")
                .find("output_layers of Functional"),
            std::string::npos);
  EXPECT_NE(error(R"("kwargs": {})", R"("kwargs": {"mask": 3})").find("mask = 3, which is not supported"),
            std::string::npos);
  EXPECT_NE(error(R"("output_layers")", R"("output_layer")").find("needs the key \"output_layers\""),
            std::string::npos);
  EXPECT_NE(error(R"("name": "m")", R"("nam": "m")").find("did you mean \"name\"?"), std::string::npos);
  EXPECT_NE(error_text_of([] { model_from_json("{"); }).find("not JSON"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
