// The contents of networks and their names; layers and models of the user's.
#include "cornu/keras/network/network.h"

#include <gtest/gtest.h>

#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

/// Two Dense layers and a scale weight.
class Block : public Layer {
 public:
  explicit Block(std::int64_t units) : Layer("Block", ""), units_(units) {}

 protected:
  void build(const Dims&) override {
    scale_ = add_weight({.name = "scale", .shape = {units_}});
    add_weight({.name = "count", .shape = {}, .initializer = "zeros", .trainable = false});
  }
  Tensor call(const Tensor& x, const CallContext&) override { return second_(first_(x)) * scale_; }

 private:
  std::int64_t units_;
  LayerHandle first_ = track(layers::Dense({.units = units_}));
  LayerHandle second_ = track(layers::Dense({.units = units_}));
  Variable scale_;
};

class DropBlock : public Layer {
 public:
  explicit DropBlock(std::int64_t units, std::string name = {})
      : Layer("DropBlock", std::move(name)),
        dense_(track(layers::Dense({.units = units}))),
        drop_(track(layers::Dropout({.rate = 0.5}))) {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return drop_(dense_(x)); }

 private:
  LayerHandle dense_, drop_;
};

class Net : public Network {
 public:
  Net() : Network("Net", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    Tensor value = block_(x);
    for (const LayerHandle& block : blocks_) value = block(value);
    return out_(value);
  }

 private:
  LayerHandle block_ = track(LayerHandle(std::make_shared<Block>(4)));
  std::vector<LayerHandle> blocks_ = track(
      std::vector<LayerHandle>{std::make_shared<DropBlock>(4), std::make_shared<DropBlock>(4, "named")});
  LayerHandle out_ = track(layers::Dense({.units = 2}));
};

class OuterNet : public Network {
 public:
  OuterNet() : Network("Outer", "") {
    const Input x({.shape = {3}});
    functional_ = track(LayerHandle(Model({.inputs = x, .outputs = layers::Dense({.units = 3})(x)})));
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return functional_(sequential_(net_(x))); }

 private:
  LayerHandle net_ = track(LayerHandle(std::make_shared<Net>()));
  LayerHandle sequential_ = track(LayerHandle(Sequential({layers::Dense({.units = 3})})));
  LayerHandle functional_;
};

Model path_model(const std::string& name) {
  using namespace layers;
  if (name == "sequential")
    return Sequential(
        {Input({.shape = {4}}), Dense({.units = 3}), Dropout({.rate = 0.5}), Dense({.units = 2})});
  if (name == "deferred sequential")
    return Sequential({Dense({.units = 3}), Dropout({.rate = 0.5}), Dense({.units = 2})});
  if (name == "input_shape")
    return Sequential({Dense({.units = 3, .input_shape = Dims{4}}), Dense({.units = 2})});
  if (name == "nested sequential") {
    const Sequential inner({Dense({.units = 3}), Dropout({.rate = 0.1})}, "inner");
    return Sequential({Input({.shape = {4}}), inner, Dense({.units = 2})}, "outer");
  }
  if (name == "nested built sequential") {
    const Input x({.shape = {4}});
    const Sequential inner({Input({.shape = {4}}), Dense({.units = 3})}, "inner");
    return Sequential({x, inner, Dense({.units = 2})}, "outer");
  }
  if (name == "blocks in sequential")
    return Sequential({Input({.shape = {4}}), std::make_shared<Block>(4), std::make_shared<DropBlock>(4)});
  if (name == "subclassed") return Model(std::make_shared<Net>());
  if (name == "outer subclassed") return Model(std::make_shared<OuterNet>());
  // Arguments are evaluated in any order; names count in the order of construction.
  const Input x({.shape = {4}});
  if (name == "functional") {
    const LayerHandle out = Dense({.units = 2, .name = "out"}), drop = Dropout({.rate = 0.5}),
                      dense = Dense({.units = 3});
    return Model({.inputs = x, .outputs = out(drop(dense(x)))});
  }
  if (name == "nested functional") {
    const Input z({.shape = {4}});
    const Model inner({.inputs = x, .outputs = Dense({.units = 3})(x), .name = "inner"});
    return Model({.inputs = z, .outputs = Dense({.units = 1})(inner(z)), .name = "outer"});
  }
  if (name == "sequential in functional") {
    const Sequential inner({Dense({.units = 3})});
    return Model({.inputs = x, .outputs = Dense({.units = 1})(inner(x))});
  }
  if (name == "blocks in functional") {
    const LayerHandle dense = Dense({.units = 2}), drop = std::make_shared<DropBlock>(4),
                      block = std::make_shared<Block>(4);
    return Model({.inputs = x, .outputs = dense(drop(block(x)))});
  }
  const Dense shared({.units = 4});
  return Model({.inputs = x, .outputs = shared(shared(x)) + x});
}

std::vector<std::string> paths_of(const std::vector<Variable>& variables) {
  std::vector<std::string> paths;
  for (const Variable& variable : variables) paths.push_back(variable.path());
  return paths;
}

TEST(VariablePathsTest, AreKerassForThirteenModels) {
  const testing::OnReferenceBackend on_reference;
  const nlohmann::json golden = testing::load_golden("paths");
  for (const auto& [name, wanted] : golden.at("models").items()) {
    SCOPED_TRACE(name);
    clear_session();
    const Model model = path_model(name);
    (void)model(Tensor::zeros({2, 4}));
    using Names = std::vector<std::string>;
    EXPECT_EQ(model.name(), wanted.at("name").get<std::string>());
    Names layer_names;
    for (const LayerHandle& layer : model.layers()) layer_names.push_back(layer->name());
    EXPECT_EQ(layer_names, wanted.at("layers").get<Names>());
    EXPECT_EQ(paths_of(model.variables()), wanted.at("variables").get<Names>());
    EXPECT_EQ(paths_of(model.weights()), wanted.at("weights").get<Names>());
    EXPECT_EQ(paths_of(model->trainable_variables()), wanted.at("trainable").get<Names>());
    EXPECT_EQ(paths_of(model->non_trainable_variables()), wanted.at("non_trainable").get<Names>());
  }
}

class NetworkTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(NetworkTest);

TEST_P(NetworkTest, ASubclassedModelIsBuiltByAShapeOrByData) {
  Model by_shape(std::make_shared<Net>());
  expect_contains(error_of([&] { (void)by_shape.count_params(); }), ErrorCode::kFailedPrecondition,
                  {"call build()", "in layer \"net\""});
  by_shape.build({kUnknown, 4});
  EXPECT_EQ(by_shape.count_params(), 5 + 20 + 20 + 20 + 20 + 10);
  Model by_data(std::make_shared<Net>());
  const Flowers data(12);
  by_data.compile({.optimizer = "adam", .loss = "mse"});
  const Tensor y = Tensor::zeros({12, 2});
  const auto history = by_data.fit(data.x, y, {.batch_size = 5, .epochs = 3, .verbose = 0});
  EXPECT_EQ(by_data.count_params(), by_shape.count_params());
  EXPECT_LT(history["loss"].back(), history["loss"].front());
}

/// A layer whose initializer permutes the values of another initializer.
LayerHandle projection() {
  return layers::EinsumDense({.equation = "ab,bcd->acd", .output_shape = Dims{2, 3}});
}

class Projecting : public Network {
 public:
  Projecting() : Network("Projecting", "") {}
  Tensor call(const Tensor& x, const CallContext&) override { return projection_(x); }

 private:
  LayerHandle projection_ = track(projection());
};

TEST_P(NetworkTest, ALayerIsHeldAsTheModelSays) {
  class Named : public Network {
   public:
    Named() : Network("Named", "") {}
    Tensor call(const Tensor& x, const CallContext&) override { return head(blocks[0](first(x))); }

    LayerHandle first = track(LayerHandle(layers::Dense({.units = 3})), "first");
    std::vector<LayerHandle> blocks = track(std::vector<LayerHandle>{layers::Dense({.units = 3})}, "blocks");
    LayerHandle head = track(layers::Dense({.units = 2}));
  };
  const auto net = std::make_shared<Named>();
  EXPECT_EQ(net->sublayers().size(), 3U);
  EXPECT_EQ(net->held_as(*net->first).attribute, "first");
  EXPECT_FALSE(net->held_as(*net->first).in_list);
  EXPECT_EQ(net->held_as(*net->blocks[0]).attribute, "blocks");
  EXPECT_EQ(net->held_as(*net->head).attribute, "");
}

TEST_P(NetworkTest, InitializersThatComputeTensorsRunOutsideOfTheTraceThatBuilds) {
  Model net(std::make_shared<Projecting>());
  net.build({kUnknown, 4});
  clear_session();
  set_random_seed(42);
  const LayerHandle alone = projection();
  alone->build_once({kUnknown, 4});
  EXPECT_EQ(net.weights()[0].read(), alone->weights()[0].read());
}

TEST_P(NetworkTest, TrainingReachesTheLayersInside) {
  Model net(std::make_shared<DropBlock>(50));
  const Tensor x = Tensor::zeros({1, 4}) + 1.0;
  const Tensor y = net(x), dropped = net(x, {.training = true});
  EXPECT_EQ(net(x).literal(), y.literal());
  std::int64_t zeros = 0;
  for (std::int64_t i = 0; i < 50; ++i) zeros += dropped.at(i) == 0 ? 1 : 0;
  EXPECT_GT(zeros, 5);
}

TEST_P(NetworkTest, NoLayerIsInsideItself) {
  Sequential inner({layers::Dense({.units = 4})}, "inner");
  Sequential outer({inner}, "outer");
  expect_contains(error_of([&] { inner.add(outer); }), ErrorCode::kInvalidArgument,
                  {"\"inner\" cannot be inside itself", "\"outer\""});
  expect_contains(error_of([&] { inner.add(inner); }), ErrorCode::kInvalidArgument,
                  {"cannot be inside itself"});
}

TEST_P(NetworkTest, FreezingReachesInsideAndTakesTheRegularizersWithIt) {
  const layers::Dense dense(
      {.units = 3, .kernel_initializer = "ones", .kernel_regularizer = "l2", .name = "regularized"});
  const Sequential inner({dense}, "inner");
  Sequential model({Input({.shape = {2}}), inner, layers::Dense({.units = 1})});
  ASSERT_EQ(model.losses().size(), 1U);
  EXPECT_NEAR(model.losses()[0].item<double>(), 0.06, 1e-6);
  inner->set_trainable(false);
  EXPECT_FALSE(dense->trainable());
  EXPECT_TRUE(model.losses().empty());
  EXPECT_EQ(model.trainable_weights().size(), 2U);
  EXPECT_EQ(model.non_trainable_weights().size(), 2U);
  inner->set_trainable(true);
  EXPECT_EQ(model.trainable_weights().size(), 4U);
  EXPECT_TRUE(layers::Dense({.units = 1, .trainable = false})->trainable_weights().empty());
}

/// Adds the mean of its input to the loss.
class MeanLoss : public Layer {
 public:
  MeanLoss() : Layer("MeanLoss", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    add_loss(ops::mean(x));
    return x;
  }
};

TEST_P(NetworkTest, LossesAreThoseOfTheLastCall) {
  const LayerHandle mean = std::make_shared<MeanLoss>();
  const Input x({.shape = {2}});
  const Model model({.inputs = x, .outputs = mean(mean(x) * 3.0)});
  EXPECT_TRUE(model.losses().empty()) << "shapes alone add none";
  const Tensor ones = Tensor::zeros({2, 2}) + 1.0;
  for (int call = 0; call < 2; ++call) {
    (void)model(ones);
    ASSERT_EQ(model.losses().size(), 2U) << "a shared layer adds one a call";
    EXPECT_EQ(model.losses()[1].item<double>(), 3);
  }
}

/// Masks zeros of the first feature.
class ZeroMask : public Layer {
 public:
  ZeroMask() : Layer("ZeroMask", "") { set_supports_masking(true); }
  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const override {
    return {ops::any(ops::not_equal(inputs[0], 0.0), {.axis = -1})};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return x; }
};

TEST_P(NetworkTest, MasksTravelThroughTheLayersThatSupportThem) {
  const Input x({.shape = {kUnknown, 2}});
  const LayerHandle zero_mask = std::make_shared<ZeroMask>();
  const KerasTensor hidden = layers::Dropout({.rate = 0.5})(layers::Dense({.units = 3})(zero_mask(x)));
  const Model model({.inputs = x,
                     .outputs = {hidden, layers::Reshape({.target_shape = {-1}})(hidden),
                                 layers::Add()({hidden, hidden})}});
  const Tensor input = Tensor::of<float>({1, 3, 2}, {1, 0, 0, 0, 0, 2});
  const std::vector<Tensor> outputs = model.call_many(std::vector<Tensor>{input});
  ASSERT_NE(outputs[0].mask(), nullptr);
  testing::expect_close(ops::cast(*outputs[0].mask(), DType::kF32), Tensor::of<float>({1, 3}, {1, 0, 1}), 0,
                        "mask of hidden");
  EXPECT_EQ(outputs[1].mask(), nullptr) << "Reshape does not support masks";
  ASSERT_NE(outputs[2].mask(), nullptr);
  const Tensor given = layers::Softmax()(Tensor::of<float>({1, 3}, {1, 1, 1}),
                                         {.mask = Tensor::of<bool>({1, 3}, {true, false, true})});
  testing::expect_close(given, Tensor::of<float>({1, 3}, {0.5, 0, 0.5}), 1e-6, "masked softmax");
}

TEST_P(NetworkTest, ALayerRefusesAnInputThatItWasNotBuiltFor) {
  const layers::Dense dense({.units = 3, .name = "d"});
  (void)dense(Tensor::zeros({2, 4}));
  expect_contains(
      error_of([&] { (void)dense(Tensor::zeros({2, 5})); }), ErrorCode::kInvalidArgument,
      {"[dense] expected axis -1 of the input to be 4; got an input of shape (None, 5); in layer \"d\""});
  expect_contains(error_of([&] { (void)dense(Input({.shape = {5}})); }), ErrorCode::kInvalidArgument,
                  {"got an input of shape (None, 5)"});
  expect_contains(error_of([&] { (void)layers::Dense({.units = 3, .name = "e"})(Tensor::zeros({4})); }),
                  ErrorCode::kInvalidArgument, {"at least 2 dimensions", "in layer \"e\""});
  expect_contains(error_of([] { layers::Dense({.units = 3, .name = "a/b"}); }), ErrorCode::kInvalidArgument,
                  {"must not contain \"/\""});
}

TEST_P(NetworkTest, ALayerOfSeveralInputsIsToldWhatItOverrides) {
  class Sum : public Layer {
   public:
    Sum() : Layer("Sum", "sum") {}

   protected:
    std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
      return {inputs[0] + inputs[1]};
    }
  };
  const LayerHandle sum(std::make_shared<Sum>());
  const std::vector<Tensor> inputs = {Tensor::zeros({2, 3}), Tensor::zeros({2, 3})};
  expect_contains(error_of([&] { sum.call_many(inputs); }), ErrorCode::kInvalidArgument,
                  {"expected one input; got 2", "build_for() and call_for()", "in layer \"sum\""});
}

TEST_P(NetworkTest, FloatingPointInputsTakeTheLayersDType) {
  const layers::Dense wide({.units = 2, .dtype = DType::kF64}), narrow({.units = 2});
  EXPECT_EQ(wide(Tensor::zeros({1, 2})).dtype(), DType::kF64);
  EXPECT_EQ(wide->weights()[0].dtype(), DType::kF64);
  EXPECT_EQ(narrow(Tensor::zeros({1, 2}, DType::kF64)).dtype(), DType::kF32);
  EXPECT_EQ(layers::Flatten()(Tensor::zeros({1, 2, 2}, DType::kI32)).dtype(), DType::kI32) << "integers stay";
}

TEST_P(NetworkTest, WrongOptionsOfLayersSaySo) {
  const auto says = [](auto&& make, const char* text) {
    expect_contains(error_of(make), ErrorCode::kInvalidArgument, {text});
  };
  says([] { layers::ReLU({.max_value = -1.0, .name = "r"}); },
       "[re_lu] max_value must not be negative; got max_value = -1; in layer \"r\"");
  says([] { layers::LeakyReLU({.negative_slope = -0.1}); },
       "negative_slope must not be negative; got negative_slope = -0.1");
  says([] { layers::Reshape({.target_shape = {-1, -1}}); },
       "at most one extent can be -1; got target_shape = (-1, -1)");
  says([] { layers::Permute({.dims = {2, 2}}); },
       "dims must be a permutation of 1, 2, ...; got dims = (2, 2)");
  says([] { layers::RepeatVector({.n = 0}); }, "n must be positive; got n = 0");
  says([] { layers::Dot({.axes = 0}); }, "axes must not be 0, the batch");
  says([] { layers::Rescaling({.name = "s"}); }, "[rescaling] scale is missing; in layer \"s\"");
  says([] { layers::Dropout({.rate = 0.5, .noise_shape = Dims{2, 0}}); },
       "noise_shape must have positive or unknown extents");
  says([] { layers::Dense({.units = 1, .kernel_regularizer = "l3"}); }, "\"l3\"");
  const Input a({.shape = {3, 4}}), b({.shape = {2, 4}});
  says([&] { (void)layers::add({a, b}); },
       "[add] the inputs' shapes must broadcast; got (None, 3, 4), (None, 2, 4)");
  says([&] { (void)layers::concatenate({a, b}); },
       "must be equal except for axis -1; got (None, 3, 4), (None, 2, 4)");
  says([&] { (void)layers::concatenate({a, b}, {.axis = 3}); }, "axis must be in [-3, 3); got axis = 3");
  says([&] { (void)layers::dot({a, b}, {.axes = 1}); }, "must be equal; got 3 and 2");
  says([&] { (void)layers::subtract({a, a, a}); }, "expected two inputs; got 3");
  says([&] { (void)layers::Reshape({.target_shape = {5}})(a); },
       "has 12 elements, which do not fit target_shape = (5,)");
  says([&] { (void)layers::Softmax({.axis = 4})(a); }, "axis");
}

}  // namespace
}  // namespace cornu::inline v0::keras
