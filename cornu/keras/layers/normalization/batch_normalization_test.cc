// BatchNormalization inside models, against numbers of real Keras; its errors.
#include "cornu/keras/layers/normalization/batch_normalization.h"

#include <gtest/gtest.h>

#include <functional>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

class BatchNormalizationTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, BatchNormalizationTest, testing::platforms(), testing::PlatformName());

Sequential norm_model(const std::string& name) {
  using namespace layers;
  if (name == "plain")
    return Sequential({Input({.shape = {3}}), Dense({.units = 4}), BatchNormalization({.momentum = 0.7}),
                       Activation({.activation = "tanh"}), Dense({.units = 2})});
  if (name == "masked")
    return Sequential({Input({.shape = {3}, .dtype = DType::kI32}),
                       Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true}),
                       BatchNormalization({.momentum = 0.7}), Dense({.units = 2})});
  return Sequential({Input({.shape = {3, 2, 4}}), BatchNormalization({.axis = 1}),
                     GroupNormalization({.groups = 2}), Flatten(), Dense({.units = 2})});
}

void expect_weights(const Sequential& model, const json& wanted, const std::string& when) {
  const std::vector<Variable> weights = model.weights();
  ASSERT_EQ(weights.size(), wanted.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    testing::expect_close(Tensor(weights[i].read()), testing::golden_tensor(wanted[i]), 1e-4,
                          when + ", " + weights[i].path());
}

void expect_training(Sequential& model, const json& golden, const std::string& when) {
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.05}), .loss = "mse"});
  const json& wanted = golden.at(when);
  const auto epochs = static_cast<int>(wanted.at("losses").size());
  const auto history =
      model.fit(testing::golden_tensor(golden.at("x")), testing::golden_tensor(golden.at("y")),
                {.batch_size = 4, .epochs = epochs, .verbose = 0, .shuffle = false});
  for (std::size_t epoch = 0; epoch < wanted.at("losses").size(); ++epoch)
    testing::expect_near_relative(history["loss"][epoch], wanted.at("losses")[epoch], 1e-4,
                                  when + ", epoch " + std::to_string(epoch));
  expect_weights(model, wanted.at("weights"), when);
}

TEST_P(BatchNormalizationTest, ModelsTrainAsKerassAlsoWithBatchesThatAreNotFullAndFrozen) {
  const json all = testing::load_golden("norm_layers").at("models");
  for (const auto& [name, golden] : all.items()) {
    SCOPED_TRACE(name);
    clear_session();
    Sequential model = norm_model(name);
    std::vector<Tensor> initial;
    for (const json& weight : golden.at("weights")) initial.push_back(testing::golden_tensor(weight));
    model.set_weights(initial);
    expect_training(model, golden, "training");
    const Tensor x = testing::golden_tensor(golden.at("x")), y = testing::golden_tensor(golden.at("y"));
    const double loss = model.evaluate(x, y, {.batch_size = 4, .verbose = 0})["loss"];
    testing::expect_near_relative(loss, golden.at("evaluate"), 1e-4, "evaluate");
    testing::expect_close(model.predict(x, {.batch_size = 4, .verbose = 0}),
                          testing::golden_tensor(golden.at("predict")), 1e-4, "predict");
    model.layers()[name == "images" ? 0 : 1]->set_trainable(false);
    expect_training(model, golden, "frozen");
  }
}

TEST_P(BatchNormalizationTest, RowsThatArePaddingDoNotCount) {
  clear_session();
  const layers::BatchNormalization padded({}), plain;
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 8});
  const Tensor more = Tensor::of<float>({4, 2}, {1, 2, 3, 8, 1, 2, INFINITY, NAN});
  const Tensor wanted = plain(x, {.training = true});
  const RowMask rows = RowMask::first_rows(Tensor::of<std::int32_t>({}, {2}), 4);
  testing::expect_close(padded(more, {.training = true, .rows = rows}).rows(0, 2), wanted, 1e-7, "output");
  for (std::size_t i = 0; i < 4; ++i)
    testing::expect_close(padded->get_weights()[i], plain->get_weights()[i], 1e-7, "weights");
}

TEST_P(BatchNormalizationTest, KeepsItsStatisticsOutsideOfTrainingAndWhileFrozen) {
  const layers::BatchNormalization layer({.momentum = 0.5});
  const Tensor x = Tensor::of<float>({2, 1}, {2, 4});
  const auto statistics = [&] {
    const std::vector<Tensor> weights = layer->get_weights();
    return std::vector<double>{weights[2].at(0), weights[3].at(0)};
  };
  layer(x);
  EXPECT_EQ(statistics(), (std::vector<double>{0, 1}));
  layer(x, {.training = true});
  EXPECT_EQ(statistics(), (std::vector<double>{1.5, 1}));
  layer->set_trainable(false);
  const Tensor frozen = layer(x, {.training = true});
  EXPECT_EQ(statistics(), (std::vector<double>{1.5, 1}));
  EXPECT_EQ(frozen.to_vector<float>(), layer(x).to_vector<float>());
}

TEST_P(BatchNormalizationTest, AModelWithoutTrainableWeightsMovesItsStatistics) {
  clear_session();
  for (const bool run_eagerly : {false, true}) {
    const layers::BatchNormalization layer({.momentum = 0.5, .center = false, .scale = false});
    Sequential model({layer});
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly});
    const Tensor x = Tensor::of<float>({2, 1}, {2, 4});
    EXPECT_NEAR(model.train_on_batch(x, x)["loss"], 9, 1e-2);
    EXPECT_EQ(layer->get_weights()[0].at(0), 1.5);
    EXPECT_EQ(layer->get_weights()[1].at(0), 1);
  }
}

TEST_P(BatchNormalizationTest, AMaskOfExtent1HoldsAlongItsAxis) {
  const layers::BatchNormalization narrow({}), wide;
  const Tensor x = ops::reshape(ops::cast(ops::arange(24), DType::kF32), {2, 3, 4});
  const Tensor mask = Tensor::of<bool>({2, 1}, {true, false});
  testing::expect_close(narrow(x, {.training = true, .mask = mask}),
                        wide(x, {.training = true, .mask = ops::repeat(mask, 3, {.axis = 1})}), 1e-6,
                        "output");
  for (std::size_t i = 0; i < 4; ++i)
    testing::expect_close(narrow->get_weights()[i], wide->get_weights()[i], 1e-6, "weights");
}

/// Passes the first two axes of its input to a layer as one axis of rows.
class OnFoldedRows : public Layer {
 public:
  explicit OnFoldedRows(const LayerHandle& inner) : Layer("OnFoldedRows", ""), inner_(track(inner)) {}
  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    const Dims& dims = x.shape();
    return ops::reshape(inner_(ops::reshape(x, {dims[0] * dims[1], dims[2]})), dims);
  }

 private:
  LayerHandle inner_;
};

/// The weights after epochs of two batches, the second of which is not full.
std::vector<Tensor> weights_after_fit(const LayerHandle& layer, const Tensor& x, bool run_eagerly) {
  Sequential model({layer});
  model.compile(
      {.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = "mse", .run_eagerly = run_eagerly});
  model.fit(x, ops::ones(x.shape()), {.batch_size = 4, .epochs = 2, .verbose = 0, .shuffle = false});
  return model.get_weights();
}

TEST_P(BatchNormalizationTest, LayersThatSeeFoldedRowsTrainAlsoInCompiledSteps) {
  const auto folded = [](const LayerHandle& inner) {
    return LayerHandle(std::make_shared<OnFoldedRows>(inner));
  };
  const auto regularized = [] {
    return layers::Dense({.units = 3, .kernel_initializer = "ones", .activity_regularizer = "l2"});
  };
  const auto expect_same = [](const char* what, const std::function<LayerHandle()>& make, const Dims& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    const Tensor x = ops::reshape(ops::sin(ops::cast(ops::arange(count), DType::kF32)), shape);
    const std::vector<Tensor> compiled = weights_after_fit(make(), x, false),
                              eager = weights_after_fit(make(), x, true);
    ASSERT_EQ(compiled.size(), eager.size());
    for (std::size_t i = 0; i < eager.size(); ++i) testing::expect_close(compiled[i], eager[i], 1e-5, what);
  };
  expect_same("normalization", [&] { return folded(layers::BatchNormalization({.momentum = 0.5})); },
              {6, 4, 3});
  expect_same("activity regularizer", [&] { return folded(regularized()); }, {6, 4, 3});
  expect_same("inside TimeDistributed", [&] { return layers::TimeDistributed(folded(regularized())); },
              {6, 2, 4, 3});
}

std::string norm_error(const std::function<void()>& make) {
  clear_session();
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NormalizationErrorTest, OptionsOutOfRangeAreNamed) {
  EXPECT_EQ(norm_error([] { layers::BatchNormalization({.momentum = 1.5}); }),
            "[batch_normalization] momentum must be in [0, 1]; got momentum = 1.5; in layer "
            "\"batch_normalization\"");
  EXPECT_EQ(norm_error([] { layers::BatchNormalization({.epsilon = -1}); }),
            "[batch_normalization] epsilon must not be negative; got epsilon = -1; in layer "
            "\"batch_normalization\"");
  EXPECT_EQ(norm_error([] { layers::BatchNormalization({.renorm_clipping = {.rmin = 2, .rmax = 1}}); }),
            "[batch_normalization] renorm_clipping's rmin must not exceed rmax; got rmin = 2, rmax = 1; in "
            "layer \"batch_normalization\"");
  EXPECT_EQ(norm_error([] { layers::GroupNormalization({.groups = 0}); }),
            "[group_normalization] groups must be positive, or -1 for as many as channels; got groups = 0; "
            "in layer \"group_normalization\"");
  EXPECT_EQ(norm_error([] { layers::LayerNormalization({.axis = {}}); }),
            "[layer_normalization] axis must be an axis or a list of them; got none; in layer "
            "\"layer_normalization\"");
}

TEST(NormalizationErrorTest, InputsThatDoNotFitAreNamed) {
  const Tensor x = Tensor::zeros({2, 6});
  EXPECT_EQ(norm_error([&] { layers::BatchNormalization({.axis = 2})(x); }),
            "[batch_normalization] axis must be in [-2, 2) for an input of shape (None, 6); got axis = 2; in "
            "layer \"batch_normalization\"");
  EXPECT_EQ(norm_error([&] { layers::BatchNormalization({.axis = 0})(x); }),
            "[batch_normalization] the extent of axis 0 must be known; got an input of shape (None, 6); in "
            "layer \"batch_normalization\"");
  EXPECT_EQ(norm_error([&] { layers::BatchNormalization()(x.with_mask(Tensor::zeros({2, 6}, DType::kI1))); }),
            "[batch_normalization] the mask must have the input's shape without the last axis, or extents of "
            "1 there; got a mask of shape "
            "(2, 6) for an input of "
            "shape (2, 6); in layer \"batch_normalization\"");
  EXPECT_EQ(norm_error([&] { layers::GroupNormalization({.groups = -1})(Tensor::zeros({2, 0})); }),
            "[group_normalization] the input must have channels; got an input of shape (None, 0); in layer "
            "\"group_normalization\"");
  EXPECT_EQ(norm_error([&] { layers::GroupNormalization({.groups = 4})(x); }),
            "[group_normalization] groups must divide the 6 channels; got groups = 4; in layer "
            "\"group_normalization\"");
  EXPECT_EQ(norm_error([&] { layers::GroupNormalization()(x); }),
            "[group_normalization] groups must divide the 6 channels; got groups = 32; in layer "
            "\"group_normalization\"");
  EXPECT_EQ(norm_error([&] {
              const layers::BatchNormalization layer;
              layer(x);
              layer(Tensor::zeros({2, 5}));
            }),
            "[batch_normalization] expected axis 1 of the input to be 6; got an input of shape (None, 5); in "
            "layer \"batch_normalization\"");
}

}  // namespace
}  // namespace cornu::inline v0::keras
