#include <gtest/gtest.h>

#include <memory>

#include "cornu/keras/keras.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"

/// How often a model is traced: each trace but those of its steps is thrown away.
namespace cornu::inline v0::keras {
namespace {

template <typename F>
std::uint64_t num_traces(F&& f) {
  const Trace before;
  f();
  const Trace after;
  return after.id() - before.id() - 1;
}

Tensor numbers(const Dims& shape) { return ops::ones(shape, DType::kF32) * 0.25; }

void compile_and_fit(Model& model, const Tensor& x, const Tensor& y) {
  model.compile({.optimizer = "sgd", .loss = "mse"});
  model.fit(x, y, {.batch_size = 4, .epochs = 1, .verbose = 0});
}

TEST(TypeRulesTest, ASequentialOfOurLayersIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    Sequential model({layers::Dense({.units = 8, .activation = "relu"}), layers::BatchNormalization(),
                      layers::Dropout({.rate = 0.5}), layers::Dense({.units = 3, .activation = "softmax"})});
    compile_and_fit(model, numbers({8, 4}), numbers({8, 3}));
  });
  EXPECT_EQ(traces, 1U);
}

TEST(TypeRulesTest, AFunctionalModelOfOurLayersIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    const Input x({.shape = {6, 6, 2}});
    const KerasTensor a =
        layers::Conv2D({.filters = 4, .kernel_size = 3, .padding = "same", .activation = "relu"})(x);
    const KerasTensor b = layers::Conv2D({.filters = 4, .kernel_size = 1})(x);
    const KerasTensor sum = layers::Add()({a, b});
    const KerasTensor joined = layers::Concatenate()({sum, a});
    const KerasTensor pooled = layers::GlobalAveragePooling2D()(joined);
    Model model({.inputs = x, .outputs = layers::Dense({.units = 3})(pooled)});
    compile_and_fit(model, numbers({8, 6, 6, 2}), numbers({8, 3}));
  });
  EXPECT_EQ(traces, 1U);
}

TEST(TypeRulesTest, ARecurrentModelOfIdsIsTracedForItsStepOnly) {
  const auto traces = num_traces([] {
    Sequential model({layers::Input({.shape = {5}, .dtype = DType::kI32}),
                      layers::Embedding({.input_dim = 10, .output_dim = 4}),
                      layers::Bidirectional(layers::LSTM({.units = 3})), layers::Dense({.units = 1})});
    compile_and_fit(model, ops::zeros({8, 5}, DType::kI32), numbers({8, 1}));
  });
  EXPECT_EQ(traces, 1U);
}

class TwoLayers : public Network {
 public:
  TwoLayers() : Network("TwoLayers", "") {}
  Tensor call(const Tensor& x, const CallContext&) override { return output_(hidden_(x)); }

 private:
  LayerHandle hidden_ = track(layers::Dense({.units = 8, .activation = "relu"}));
  LayerHandle output_ = track(layers::Dense({.units = 3}));
};

TEST(TypeRulesTest, AModelThatOverridesCallIsTracedToBuildItAndForItsStep) {
  const auto traces = num_traces([] {
    Model model(std::make_shared<TwoLayers>());
    compile_and_fit(model, numbers({8, 4}), numbers({8, 3}));
  });
  EXPECT_EQ(traces, 2U);
}

/// Twice as many features, and a row for each pair of rows.
class Folding : public Layer {
 public:
  Folding() : Layer("Folding", "") {}

 protected:
  void build(const Dims&) override {}
  Tensor call(const Tensor& x, const CallContext&) override {
    return ops::reshape(x, {x.shape()[0] / 2, 2 * x.shape()[1]});
  }
};

TEST(TypeRulesTest, ALayerWithoutARuleIsTracedTwiceForItsOpenExtents) {
  std::vector<TensorType> types;
  const auto traces = num_traces([&] {
    const auto layer = std::make_shared<Folding>();
    const TensorType input{DType::kF32, {kUnknown, 3}};
    types = layer->compute_output_types({&input, 1});
  });
  EXPECT_EQ(traces, 2U);
  ASSERT_EQ(types.size(), 1U);
  EXPECT_EQ(types[0], (TensorType{DType::kF32, {kUnknown, 6}}));
}

TEST(TypeRulesTest, RulesSayWhatCallsGive) {
  const auto expect_rule = [](const LayerHandle& layer, const Tensor& x) {
    layer(x);  // builds
    ASSERT_TRUE(layer->has_type_rule()) << layer->class_name();
    TensorType open = x.type();
    open.dims[0] = kUnknown;
    TensorType given = layer(x).type();
    std::vector<TensorType> ruled;
    EXPECT_EQ(num_traces([&] { ruled = layer->compute_output_types({&open, 1}); }), 0U)
        << layer->class_name();
    given.dims[0] = kUnknown;
    ASSERT_EQ(ruled.size(), 1U);
    EXPECT_EQ(ruled[0], given) << layer->class_name();
  };
  const Tensor rows = numbers({2, 6}), images = numbers({2, 4, 4, 2});
  expect_rule(layers::Dense({.units = 3, .activation = "gelu"}), rows);
  expect_rule(layers::Dense({.units = 3}), images);
  expect_rule(layers::Activation({.activation = "softmax"}), rows);
  expect_rule(layers::ReLU(), rows);
  expect_rule(layers::LeakyReLU(), rows);
  expect_rule(layers::PReLU(), rows);
  expect_rule(layers::ELU(), rows);
  expect_rule(layers::Flatten(), images);
  expect_rule(layers::Reshape({.target_shape = {3, 2}}), rows);
  expect_rule(layers::Permute({.dims = {3, 1, 2}}), images);
  expect_rule(layers::RepeatVector({.n = 4}), rows);
  expect_rule(layers::Dropout({.rate = 0.5}), rows);
  expect_rule(layers::SpatialDropout2D({.rate = 0.5}), images);
  expect_rule(layers::GaussianNoise({.stddev = 0.5}), rows);
  expect_rule(layers::BatchNormalization(), images);
  expect_rule(layers::GroupNormalization({.groups = 2}), images);
  expect_rule(layers::MaxPooling2D(), images);
  expect_rule(layers::UpSampling2D(), images);
}

TEST(TypeRulesTest, AnActivationThatChangesTheShapeHasNoRule) {
  EXPECT_FALSE(LayerHandle(layers::Dense({.units = 4, .activation = "glu"}))->has_type_rule());
  const Input x({.shape = {6}});
  EXPECT_EQ(layers::Dense({.units = 4, .activation = "glu"})(x).shape(), (Dims{kUnknown, 2}));
  const auto half = [](const Tensor& t) { return ops::split(t, 2, -1)[0]; };
  EXPECT_EQ(layers::Activation({.activation = half})(x).shape(), (Dims{kUnknown, 3}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
