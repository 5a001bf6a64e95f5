#include "cornu/keras/layers/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {
namespace {

std::string layer_error_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DenseTest, ComputesActivationOfInputTimesKernelPlusBias) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dense dense({.units = 2, .activation = "relu", .bias_initializer = "ones"});
  dense->build_once({kUnknown, 3});
  const std::vector<Variable> weights = dense->weights();
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights[0].shape(), (Dims{3, 2}));
  weights[0].load(ir::Literal::of<float>({3, 2}, {1, -1, 2, -2, 3, -3}));
  const Tensor y = dense(Tensor::of<float>({2, 3}, {1, 1, 1, -1, 0, 0}));
  testing::expect_close(y, Tensor::of<float>({2, 2}, {7, 0, 0, 2}), 1e-6, "dense");
  EXPECT_EQ(dense->compute_output_shape({kUnknown, 3}), (Dims{kUnknown, 2}));
  EXPECT_EQ(dense->count_params(), 8);
}

TEST(MultiplyTest, MaskedIntegersStayIntegers) {
  const Tensor mask = Tensor(std::vector<bool>{false, true}), x = Tensor::of<std::int32_t>({2, 1}, {2, 3});
  const Tensor one_mask = layers::Multiply()({x.with_mask(mask), x});
  EXPECT_EQ(one_mask.dtype(), DType::kI32);
  EXPECT_EQ(one_mask.to_vector<int>(), (std::vector<int>{2, 9}));
  const Tensor both = layers::Multiply()({x.with_mask(mask), x.with_mask(mask)});
  EXPECT_EQ(both.dtype(), DType::kI32);
  EXPECT_EQ(both.to_vector<int>(), (std::vector<int>{0, 9}));
}

TEST(EinsumDenseTest, AnInitializersOwnAxesCount) {
  const auto largest_of = [](const InitializerSpec& initializer) {
    const layers::EinsumDense layer(
        {.equation = "abc,cde->abde", .output_shape = {kUnknown, 20, 30}, .kernel_initializer = initializer});
    layer->build_once({kUnknown, 4, 10});
    return ops::max(ops::absolute(Tensor(layer->weights()[0].read()))).item<double>();
  };
  const double of_layer = std::sqrt(6.0 / (10 + 20 * 30)), of_options = std::sqrt(6.0 / (10 * 20 + 30));
  const double found = largest_of(initializers::GlorotUniform({.seed = 1}));
  EXPECT_LE(found, of_layer);
  EXPECT_GT(found, of_layer * 0.99);
  const double own =
      largest_of(initializers::GlorotUniform({.seed = 1, .input_axes = Dims{0, 1}, .output_axes = Dims{2}}));
  EXPECT_LE(own, of_options);
  EXPECT_GT(own, of_options * 0.99);
}

TEST(DenseTest, WorksOnTheLastAxisOfHigherRanks) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dense dense({.units = 4, .use_bias = false, .kernel_initializer = "ones"});
  const Tensor y = dense(Tensor::of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(y.shape(), (Dims{1, 2, 4}));
  EXPECT_EQ(y.at(0), 6);
  EXPECT_EQ(y.at(7), 15);
}

TEST(DenseTest, ErrorsNameTheLayer) {
  const testing::OnReferenceBackend on_reference;
  EXPECT_NE(layer_error_message([] {
              layers::Dense({.units = 0, .name = "d"});
            }).find("units must be positive; got units = 0; in layer \"d\""),
            std::string::npos);
  const layers::Dense dense({.units = 2, .name = "first"});
  dense->build_once({kUnknown, 4});
  const std::string message = layer_error_message([&] { (void)dense(Tensor::of<float>({1, 3}, {1, 2, 3})); });
  EXPECT_NE(message.find("expected axis -1 of the input to be 4"), std::string::npos) << message;
  EXPECT_NE(message.find("in layer \"first\""), std::string::npos) << message;
  const layers::Dense open({.units = 2, .name = "open"});
  EXPECT_NE(layer_error_message([&] { open->build_once({kUnknown, kUnknown}); }).find("in layer \"open\""),
            std::string::npos);
}

TEST(DenseTest, UnknownNamesAreRefusedAtOnce) {
  EXPECT_EQ(
      layer_error_message([] { layers::Dense({.units = 1, .activation = "rleu", .name = "hidden"}); }),
      "[dense] unknown activation; got activation = \"rleu\"; did you mean \"relu\"?; in layer \"hidden\"");
  EXPECT_EQ(layer_error_message(
                [] { layers::Dense({.units = 1, .kernel_initializer = "he_nromal", .name = "hidden"}); }),
            "[dense] unknown kernel_initializer; got kernel_initializer = \"he_nromal\"; did you mean "
            "\"he_normal\"?; in layer \"hidden\"");
  EXPECT_EQ(
      layer_error_message([] { layers::Activation({.activation = "tahn", .name = "a"}); }),
      "[activation] unknown activation; got activation = \"tahn\"; did you mean \"tanh\"?; in layer \"a\"");
  EXPECT_EQ(layer_error_message(
                [] { layers::Dense({.units = 1, .bias_initializer = InitializerSpec(), .name = "b"}); }),
            "[dense] bias_initializer is not set; in layer \"b\"");
}

TEST(LoraTest, FreezesTheWeightAndTrainsTheAddition) {
  const testing::OnReferenceBackend on_reference;
  clear_session();
  set_random_seed(3);
  const layers::Dense dense({.units = 2, .name = "d"});
  Sequential model({layers::Input({.shape = {3}}), dense});
  const Tensor x = random::uniform({16, 3}, {.minval = -1, .seed = 1});
  const Tensor y = ops::matmul(x, random::uniform({3, 2}, {.minval = -1, .seed = 2}));
  const Tensor before = model.predict(x, {.verbose = 0}), kernel = dense.get_weights()[0];
  dense.enable_lora({.rank = 2});
  EXPECT_EQ(dense.trainable_weights().size(), 3U);
  testing::expect_close(model.predict(x, {.verbose = 0}), before, 0, "predictions");  // b begins with zeros
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "mse"});
  const auto history = model.fit(x, y, {.batch_size = 8, .epochs = 30, .verbose = 0});
  EXPECT_LT(history["loss"].back(), 0.2 * history["loss"].front());
  testing::expect_close(dense.get_weights()[0], kernel, 0, "the kernel");
  EXPECT_GT(ops::max(ops::abs(dense.get_weights()[3])).item<float>(), 0);
}

TEST(LoraTest, TheConfigurationSaysRankAndAlpha) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dense dense({.units = 2, .lora_alpha = 7});
  dense->build_once({kUnknown, 3});
  EXPECT_FALSE(dense.get_config().contains("lora_rank"));
  EXPECT_FALSE(dense.get_config().contains("lora_alpha"));  // as in Keras, without a rank
  dense.enable_lora({.rank = 2});
  EXPECT_EQ(dense.get_config().at("lora_rank"), Config(2));
  EXPECT_EQ(dense.get_config().at("lora_alpha"), Config(2));
  const layers::Conv2D conv({.filters = 2, .kernel_size = 1});
  conv->build_once({kUnknown, 3, 3, 1});
  conv.enable_lora({.rank = 1, .lora_alpha = 0.5});
  EXPECT_EQ(conv.get_config().at("lora_rank"), Config(1));
  EXPECT_EQ(conv.get_config().at("lora_alpha"), Config(0.5));
}

TEST(LoraTest, ErrorsSayWhatIsWrong) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dense dense({.units = 2, .name = "d"});
  EXPECT_EQ(layer_error_message([&] { dense.enable_lora({.rank = 2}); }),
            "[dense] LoRA needs a layer that is built; call build(), or the layer on data, before "
            "enable_lora(); in layer \"d\"");
  dense->build_once({kUnknown, 3});
  EXPECT_EQ(layer_error_message([&] { dense.enable_lora({.rank = 0}); }),
            "[dense] the rank of LoRA must be positive; got rank = 0; in layer \"d\"");
  dense.enable_lora({.rank = 1});
  EXPECT_EQ(layer_error_message([&] { dense.enable_lora({.rank = 1}); }),
            "[dense] LoRA can be enabled once; in layer \"d\"");
  EXPECT_EQ(layer_error_message([] {
              layers::Dense({.units = 2, .kernel_constraint = "non_neg", .lora_rank = 1, .name = "d"});
            }),
            "[dense] lora_rank and a constraint of the weight exclude each other; in layer \"d\"");
  EXPECT_EQ(layer_error_message(
                [] { layers::Conv1D({.filters = 2, .kernel_size = 1, .lora_rank = 0, .name = "c"}); }),
            "[conv1d] lora_rank must be positive; got lora_rank = 0; in layer \"c\"");
  const layers::Embedding embedding(
      {.input_dim = 3, .output_dim = 2, .embeddings_constraint = "non_neg", .name = "e"});
  embedding->build_once({kUnknown});
  EXPECT_EQ(layer_error_message([&] { embedding.enable_lora({.rank = 1}); }),
            "[embedding] LoRA and the constraint of \"embeddings\" exclude each other; in layer \"e\"");
}

TEST(DenseTest, AnyFunctionIsAnActivation) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dense dense(
      {.units = 1, .activation = [](const Tensor& x) { return x * x; }, .kernel_initializer = "ones"});
  EXPECT_EQ(dense(Tensor::of<float>({1, 2}, {1, 2})).at(0), 9);
}

/// A minimal user layer: build and call only.
class Projection : public Layer {
 public:
  explicit Projection(std::int64_t units) : Layer("Projection", ""), units_(units) {}

 protected:
  void build(const Dims& input_shape) override {
    kernel_ = add_weight({.name = "kernel", .shape = {input_shape.back(), units_}});
  }
  Tensor call(const Tensor& input, const CallContext&) override { return ops::matmul(input, kernel_); }

 private:
  std::int64_t units_;
  Variable kernel_;
};

TEST(LayerTest, TheDefaultOutputShapeIsThatOfACall) {
  const testing::OnReferenceBackend on_reference;
  Projection projection(3);
  EXPECT_EQ(projection.compute_output_shape({kUnknown, 4}), (Dims{kUnknown, 3}));
  EXPECT_FALSE(projection.built());
  EXPECT_TRUE(projection.weights().empty());
  projection.build_once({kUnknown, 4});
  EXPECT_EQ(projection.compute_output_shape({kUnknown, kUnknown, 4}), (Dims{kUnknown, kUnknown, 3}));
  EXPECT_EQ(projection.compute_output_shape({8, 4}), (Dims{8, 3}));
  const std::string message =
      layer_error_message([&] { (void)projection.compute_output_shape({kUnknown, 5}); });
  EXPECT_NE(message.find("in layer \"projection"), std::string::npos) << message;
}

TEST(LayerTest, ACustomLayerTrainsAndItsLabelsAreChecked) {
  const testing::OnReferenceBackend on_reference;
  Sequential model({std::make_shared<Projection>(3)});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor x = Tensor::zeros({8, 4});
  model.fit(x, Tensor::zeros({8, 3}), {.batch_size = 4, .verbose = 0});
  const std::string message =
      layer_error_message([&] { model.fit(x, Tensor::zeros({8, 4}), {.batch_size = 4, .verbose = 0}); });
  EXPECT_NE(message.find("(None, 3)"), std::string::npos) << message;
}

TEST(LayerTest, AutomaticNamesCountAndStartAnew) {
  clear_session();
  EXPECT_EQ(layers::Dense({.units = 1})->name(), "dense");
  EXPECT_EQ(layers::Dense({.units = 1})->name(), "dense_1");
  EXPECT_EQ(layers::Flatten()->name(), "flatten");
  clear_session();
  EXPECT_EQ(layers::Dense({.units = 1})->name(), "dense");
}

TEST(LayerTest, WeightPathsHaveTheScopes) {
  const layers::Dense dense({.units = 1, .name = "dense"});
  {
    const NameScope scope("sequential");
    dense->build_once({kUnknown, 2});
  }
  EXPECT_EQ(dense->weights()[0].path(), "sequential/dense/kernel");
  EXPECT_EQ(dense->weights()[1].path(), "sequential/dense/bias");
}

TEST(LayerTest, AFrozenLayerHasNoTrainableWeights) {
  const layers::Dense dense({.units = 1});
  dense->build_once({kUnknown, 2});
  dense->set_trainable(false);
  EXPECT_TRUE(dense->trainable_weights().empty());
  EXPECT_EQ(dense->non_trainable_weights().size(), 2U);
  EXPECT_FALSE(dense->weights()[0].trainable());
}

TEST(LayerTest, ShapesAndErrorsOfFlattenAndInput) {
  const testing::OnReferenceBackend on_reference;
  const layers::Flatten flatten;
  EXPECT_EQ(flatten->compute_output_shape({kUnknown, 4, 5}), (Dims{kUnknown, 20}));
  EXPECT_EQ(flatten->compute_output_shape({kUnknown}), (Dims{kUnknown, 1}));
  EXPECT_EQ(flatten(Tensor::zeros({2, 3, 4})).shape(), (Dims{2, 12}));
  EXPECT_EQ(shape_with_none_str(layers::Input({.shape = {28, 28}}).shape()), "(None, 28, 28)");
  EXPECT_EQ(shape_with_none_str({kUnknown}), "(None,)");
}

TEST(InputLayerTest, KeepsTheMaskOfWhatItCastsOrGivesAnotherRank) {
  const testing::OnReferenceBackend on_reference;
  Sequential inner({layers::Input({.shape = {3, 2}}), layers::LSTM({.units = 2})});
  const Tensor x = Tensor::of<float>({1, 3, 2}, {0.5F, -1, 0.25F, 2, 1.5F, -0.5F});  // f16 holds them
  const Tensor mask = Tensor::of<bool>({1, 3}, {true, false, true});
  const Tensor wanted = inner(x.with_mask(mask));
  testing::expect_close(inner(ops::cast(x, DType::kF16).with_mask(mask)), wanted, 1e-6, "cast");
  EXPECT_FALSE(inner(x).literal() == wanted.literal());
  Sequential of_numbers({layers::Input({.shape = {3, 1}}), layers::LSTM({.units = 2})});
  const Tensor numbers = Tensor::of<float>({1, 3}, {1, -2, 3});
  testing::expect_close(of_numbers(numbers.with_mask(mask)),
                        of_numbers(ops::expand_dims(numbers, -1).with_mask(mask)), 1e-6, "another rank");
}

TEST(PReLUTest, TakesAScalar) {
  const testing::OnReferenceBackend on_reference;
  const layers::PReLU layer({.alpha_initializer = "ones"});
  EXPECT_NO_THROW(EXPECT_EQ(layer(Tensor::of<float>({}, {-2})).item<float>(), -2));
  EXPECT_EQ(layer->weights()[0].shape(), Dims());
}

TEST(DotTest, ShortVectorsAreNormalizedDownToKerassEpsilon) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dot cosine({.axes = 1, .normalize = true});
  const Tensor y = Tensor::of<float>({1, 2}, {3, 4});
  EXPECT_NEAR(cosine({Tensor::of<float>({1, 2}, {3e-7F, 4e-7F}), y}).item<float>(), 1, 1e-5);
  const Variable zeros(ir::Literal(TensorType{DType::kF32, {1, 2}}), {.name = "zeros"});
  GradientTape tape;
  const Tensor loss = ops::sum(cosine({zeros.value(), y}));
  for (const float each : tape.gradient(loss, std::vector<Variable>{zeros})[0].to_vector<float>())
    EXPECT_TRUE(std::isfinite(each)) << each;
}

TEST(ActivationLayerTest, AppliesItsFunction) {
  const testing::OnReferenceBackend on_reference;
  testing::expect_close(layers::Activation("relu")(Tensor::of<float>({3}, {-1, 0, 2})),
                        Tensor::of<float>({3}, {0, 0, 2}), 0, "relu");
}

TEST(DropoutTest, PassesThroughUnlessTraining) {
  const layers::Dropout dropout({.rate = 0.5});
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  EXPECT_EQ(dropout(x).id(), x.id());
  EXPECT_EQ(layers::Dropout({.rate = 0.0})(x, {.training = true}).id(), x.id());
  EXPECT_NE(layer_error_message([] { layers::Dropout({.rate = 1.5}); }).find("rate must be in [0, 1]"),
            std::string::npos);
}

TEST(DropoutTest, DropsTheRateAndKeepsTheMean) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dropout dropout({.rate = 0.25, .seed = 7});
  const Tensor ones = Tensor(ir::Literal::of<float>({100, 100}, std::vector<float>(10000, 1.0F)));
  const Tensor y = dropout(ones, {.training = true});
  std::int64_t dropped = 0;
  for (const float value : y.data<float>()) {
    if (value == 0) ++dropped;
    if (value != 0) {
      ASSERT_FLOAT_EQ(value, 1 / 0.75F);
    }
  }
  EXPECT_NEAR(static_cast<double>(dropped) / 10000, 0.25, 0.02);
}

TEST(DropoutTest, MoreRowsDoNotShiftTheRowsBeforeAndStepsDiffer) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dropout dropout({.rate = 0.5, .seed = 7});
  const auto call = [&](std::int64_t rows, std::uint32_t counter) {
    const Tensor ones = Tensor(
        ir::Literal::of<float>({rows, 32}, std::vector<float>(static_cast<std::size_t>(rows) * 32, 1.0F)));
    return dropout(ones, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
  };
  EXPECT_EQ(call(4, 3).rows(0, 2).literal(), call(2, 3).literal());
  EXPECT_FALSE(call(4, 3).literal() == call(4, 4).literal());
}

TEST(DropoutTest, CountsForItselfWithoutACounter) {
  const testing::OnReferenceBackend on_reference;
  const layers::Dropout dropout({.rate = 0.5, .seed = 7});
  const Tensor ones = Tensor(ir::Literal::of<float>({4, 32}, std::vector<float>(128, 1.0F)));
  const Tensor first = dropout(ones, {.training = true});
  EXPECT_FALSE(first.literal() == dropout(ones, {.training = true}).literal());
}

}  // namespace
}  // namespace cornu::inline v0::keras
