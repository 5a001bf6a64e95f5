// The forms that a program ported from Keras uses.
#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

class ScaleLayer : public Layer {
 public:
  explicit ScaleLayer(double factor = 2) : Layer("Scale", ""), factor_(factor) {}
  double factor() const { return factor_; }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    Tensor sum = inputs[0];
    for (const Tensor& more : inputs.subspan(1)) sum = sum + more;
    return {sum * factor_};
  }

 private:
  double factor_;
};
using Scale = LayerOf<ScaleLayer>;

TEST(OptionalDimsTest, TakesPlainBraces) {
  EXPECT_EQ(Input({.batch_shape = {16, 8, 3}}).shape(), (Dims{16, 8, 3}));
  EXPECT_EQ(Input({.batch_shape = {{16, 8, 3}}}).shape(), (Dims{16, 8, 3}));
  const Sequential model({layers::Conv2D({.filters = 2, .kernel_size = 3, .input_shape = {28, 28, 1}})});
  EXPECT_EQ(model->build_types()[0].dims, (Dims{kUnknown, 28, 28, 1}));
  const layers::Dropout lines({.rate = 0.5, .noise_shape = {kUnknown, 1, kUnknown}});
  EXPECT_EQ(lines(Tensor::zeros({2, 3, 4}), {.training = true}).shape(), (Dims{2, 3, 4}));
  EXPECT_FALSE(layers::DenseOptions{}.input_shape.has_value());
  EXPECT_FALSE((layers::DenseOptions{.input_shape = {}}.input_shape.has_value()));
  EXPECT_EQ(*(layers::DenseOptions{.input_shape = Dims{}}.input_shape), Dims{});
  const random::DropoutOptions dropout{.noise_shape = {2, 1}};
  EXPECT_EQ(*dropout.noise_shape, (Dims{2, 1}));
}

TEST(CallManyTest, TakesPlainBraces) {
  const Tensor x = Tensor::zeros({2, 5, 3});
  const layers::LSTM lstm({.units = 4, .return_state = true});
  const std::vector<Tensor> first = lstm.call_many({x});
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(lstm.call_many({x, first[1], first[2]})[0].shape(), (Dims{2, 4}));
  const Input sequence({.shape = {5, 3}});
  EXPECT_EQ(lstm.call_many({sequence}).size(), 3U);
}

TEST(LayerOfTest, IsTheHandleOfALayerOfOnesOwn) {
  const Input a({.shape = {3}}), b({.shape = {3}});
  const KerasTensor y = Scale(3)({a, b});
  Model model({.inputs = {a, b}, .outputs = y});
  const Tensor x = Tensor::of<float>({1, 3}, {1, 2, 3});
  EXPECT_EQ(model({x, x}).to_vector<float>(), (std::vector<float>{6, 12, 18}));
  const Scale scale;
  const Scale same = scale;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(same->factor(), 2);
  EXPECT_EQ((*same).factor(), 2);
  EXPECT_EQ(same.get(), scale.get());
  EXPECT_EQ(Sequential({Scale(5)})(x).to_vector<float>(), (std::vector<float>{5, 10, 15}));
}

TEST(LayerTest, CanBeCalledOnKerasTensorsItselfWhenItIsShared) {
  const auto scale = std::make_shared<ScaleLayer>();
  const Input a({.shape = {3}});
  EXPECT_EQ((*scale)(a).shape(), (Dims{kUnknown, 3}));
  EXPECT_EQ((*scale)({a, a}).shape(), (Dims{kUnknown, 3}));
  EXPECT_EQ(scale->call_many({a}).size(), 1U);
  EXPECT_EQ(scale->nodes().size(), 0U);  // nothing holds what they gave
  ScaleLayer local;
  const Tensor x = Tensor::of<float>({1}, {1});
  EXPECT_EQ(local({x, x}).item<float>(), 4);
  try {
    (void)local(a);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_NE(std::string(error.what()).find("make the layer by std::make_shared or LayerOf"),
              std::string::npos)
        << error.what();
  }
}

TEST(LayerTest, IsAnActivation) {
  const layers::Dense dense(
      {.units = 1, .activation = layers::LeakyReLU({.negative_slope = 0.5}), .kernel_initializer = "ones"});
  EXPECT_EQ(dense(Tensor::of<float>({2, 1}, {-2, 2})).to_vector<float>(), (std::vector<float>{-1, 2}));
}

/// A network that passes every supported type to track().
class Tracking : public Network {
 public:
  Tracking() : Network("Tracking", "") {}
  const Variable& offset() const { return offset_; }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    Tensor y = handle_(x) + offset_;
    y = (*shared_)(y);
    for (const LayerHandle& layer : list_) y = layer(y);
    return made_(y);
  }

 private:
  LayerHandle handle_ = track(std::make_shared<ScaleLayer>());
  std::shared_ptr<ScaleLayer> shared_ = track(std::make_shared<ScaleLayer>(3));
  std::vector<LayerHandle> list_ =
      track(std::vector<LayerHandle>{layers::Dense({.units = 2}), layers::Dense({.units = 1})});
  Scale made_ = track(Scale(5));
  Variable offset_ = track(Variable(0.5F, {.name = "offset"}));
  Variable fixed_ = track(Variable(1.5F, {.name = "fixed", .trainable = false}));
  metrics::Mean mean_ = track(metrics::Mean({.name = "mean"}));
};

TEST(TrackTest, TakesHandlesSharedPointersListsVariablesAndMetrics) {
  const auto network = std::make_shared<Tracking>();
  EXPECT_EQ(network->sublayers().size(), 5U);
  EXPECT_EQ(network->metrics().size(), 1U);
  Model model(network);
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.01}), .loss = "mse"});
  model.fit(Tensor::of<float>({2, 1}, {1, 2}), Tensor::of<float>({2, 1}, {1, 2}),
            {.epochs = 1, .verbose = 0});
  EXPECT_EQ(model.weights().size(), 6U);
  EXPECT_EQ(model.trainable_weights().size(), 5U);
  EXPECT_NE(network->offset().value().item<float>(), 0.5F);  // trained
}

TEST(OptionsTest, ASequentialIsNamedByAnOption) {
  const std::vector<LayerHandle> list = {layers::Dense({.units = 1})};
  EXPECT_EQ(Sequential({layers::Dense({.units = 1})}, {.name = "a"}).name(), "a");
  EXPECT_EQ(Sequential(list, {.name = "b", .trainable = false}).name(), "b");
  EXPECT_EQ(Sequential({layers::Dense({.units = 1})}, "c").name(), "c");
  EXPECT_EQ(Sequential(list, std::string("d")).name(), "d");
}

TEST(OptionsTest, CallbacksAndFunctionsTakeTheirOptionalArgumentsSo) {
  const callbacks::LearningRateScheduler scheduler(
      [](std::int64_t epoch) { return 0.1 / static_cast<double>(1 + epoch); }, {.verbose = 0});
  const Tensor two = Tensor::of<float>({1, 1}, {2}), zero = Tensor::of<float>({1, 1}, {0});
  EXPECT_EQ(losses::huber(zero, two, {.delta = 1}).item<float>(), 1.5F);
  EXPECT_EQ(losses::huber(zero, two, 1.0).item<float>(), 1.5F);
  EXPECT_EQ(activations::elu(-two, {.alpha = 2}).item<float>(), activations::elu(-two, 2.0).item<float>());
}

}  // namespace
}  // namespace cornu::inline v0::keras
