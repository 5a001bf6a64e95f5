// The programs of docs/guide/functional_models.md, masks.md and layers.md, run and checked:
// tools/check_guide.py sees that the guide shows what stands here.

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "cornu/keras/layer/remat_scope.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// Numbers in [-1, 1) that follow from the seed.
Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

void several_inputs_and_outputs() {
  const Tensor facts_of = numbers({64, 3}, 1), words_of = numbers({64, 5}, 2);
  const Tensor price_of = ops::sum(facts_of, {.axis = -1, .keepdims = true});
  const Tensor sold_of = ops::cast(ops::greater(price_of, 0.0F), DType::kF32);

  const Input facts({.shape = {3}, .name = "facts"});
  const Input words({.shape = {5}, .name = "words"});
  const KerasTensor read = layers::Dense({.units = 4, .activation = "tanh"})(words);
  const KerasTensor joined = layers::concatenate({facts, read});
  const KerasTensor price = layers::Dense({.units = 1, .name = "price"})(joined);
  const KerasTensor sold = layers::Dense({.units = 1, .activation = "sigmoid", .name = "sold"})(joined);
  Model model({.inputs = {facts, words}, .outputs = {price, sold}, .name = "houses"});

  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                 .loss = {{"price", "mse"}, {"sold", "binary_crossentropy"}},
                 .loss_weights = {{"price", 1.0}, {"sold", 0.5}},
                 .metrics = {{"sold", {"accuracy"}}}});
  const auto history =
      model.fit({{"facts", facts_of}, {"words", words_of}}, {{"price", price_of}, {"sold", sold_of}},
                {.batch_size = 16, .epochs = 30, .verbose = 0});
  const double last = history["price_loss"].back();  // beside "loss", "sold_loss" and "sold_accuracy"
  const Tensors outputs = model.predict_many({facts_of, words_of}, {.verbose = 0});  // price, sold

  expect(last < 0.1 && history["sold_accuracy"].back() > 0.8, "two outputs are trained");
  expect(outputs.size() == 2 && outputs[1].shape() == Dims{64, 1}, "predict_many");
}

void shared_layers() {
  const Input left({.shape = {4}, .name = "left"}), right({.shape = {4}, .name = "right"});
  const layers::Dense shared({.units = 2, .name = "shared"});
  const KerasTensor difference = shared(left) - shared(right);  // one kernel, used twice
  const Model twins({.inputs = {left, right}, .outputs = difference});
  const Tensor x = numbers({3, 4}, 3);
  const Tensor zero = twins({x, x});  // the same row on both sides

  expect(twins.count_params() == 4 * 2 + 2, "a shared layer counts once");
  for (std::int64_t i = 0; i < zero.num_elements(); ++i)
    expect(zero.at(i) == 0, "twins of one row differ by nothing");
}

void models_inside_models() {
  const Input x({.shape = {4}});
  const Sequential encoder({layers::Dense({.units = 3, .activation = "relu", .name = "narrow"})},
                           {.name = "encoder"});
  const KerasTensor code = encoder(x);
  const KerasTensor again = layers::Dense({.units = 4, .name = "decoder"})(code);
  const Model both({.inputs = x, .outputs = again, .name = "both"});
  const Model codes({.inputs = x, .outputs = code});  // the same weights, another output

  expect(both.weights()[0] == codes.weights()[0], "two models share a layer");
  expect(codes(numbers({2, 4}, 4)).shape() == Dims{2, 3}, "a model of a part");

  const Model decoder({.inputs = both.get_layer("decoder")->input(), .outputs = both.outputs()});
  expect(decoder(numbers({2, 3}, 5)).shape() == Dims{2, 4}, "a model that begins in the middle");
}

void names_and_paths() {
  clear_session();
  const Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 3}),
                          layers::Dense({.units = 2, .name = "out"})},
                         {.name = "small"});
  std::vector<std::string> paths;
  for (const Variable& weight : model.weights()) paths.push_back(weight.path());
  // {"small/dense/kernel", "small/dense/bias", "small/out/kernel", "small/out/bias"}

  expect(paths[0] == "small/dense/kernel" && paths[3] == "small/out/bias", "paths of weights");
}

/// A layer with a weight of its own.
class Scale : public Layer {
 public:
  explicit Scale(double initial_value) : Layer("Scale", ""), initial_value_(initial_value) {}

 protected:
  void build(const Dims& input_shape) override {
    scale_ = add_weight({.name = "scale",
                         .shape = {input_shape.back()},
                         .initializer = initializers::Constant(initial_value_)});
  }
  Tensor call(const Tensor& x, const CallContext&) override { return x * scale_; }

 private:
  double initial_value_;
  Variable scale_;
};

/// A model as a class: what stands in call() is C++.
class Residual : public Network {
 public:
  explicit Residual(int depth) : Network("Residual", "") {
    for (int i = 0; i < depth; ++i)
      blocks_.push_back(track(layers::Dense({.units = 4, .activation = "tanh"})));
  }

 protected:
  Tensor call(const Tensor& x, const CallContext& context) override {
    Tensor value = x;
    for (const LayerHandle& block : blocks_) value = value + block(value);
    return dropout_(scale_(value), {.training = context.training});
  }

 private:
  std::vector<LayerHandle> blocks_;
  LayerHandle scale_ = track(std::make_shared<Scale>(0.5));
  LayerHandle dropout_ = track(layers::Dropout({.rate = 0.1}));
};

void subclassed_models() {
  const Tensor x_of = numbers({32, 4}, 6), y_of = ops::square(x_of);
  Model model(std::make_shared<Residual>(3));
  model.compile({.optimizer = "adam", .loss = "mse"});
  const auto history = model.fit(x_of, y_of, {.batch_size = 8, .epochs = 10, .verbose = 0});

  expect(history["loss"].back() < history["loss"].front(), "a subclassed model learns");
  expect(model.count_params() == 3 * 20 + 4, "it holds what was tracked");
}

/// Marks the steps of [batch, time, features] that are not all zero.
class SkipZeros : public Layer {
 public:
  SkipZeros() : Layer("SkipZeros", "") { set_supports_masking(true); }
  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const override {
    return {ops::any(ops::not_equal(inputs[0], 0.0F), {.axis = -1})};
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return x; }
};

void masks() {
  const LayerHandle skip_zeros = std::make_shared<SkipZeros>();
  const layers::Dense ones({.units = 1, .use_bias = false, .kernel_initializer = "ones"});
  const Tensor x = Tensor::of<float>({1, 3, 2}, {1, 2, 3, 4, 0, 0});  // the third step is padding
  const Tensor y = ones(skip_zeros(x));
  const Tensor mask = *y.mask();  // [[true, true, false]]
  const Tensor target = Tensor::of<float>({1, 3, 1}, {1, 1, 9});
  // ((3 - 1)^2 + (7 - 1)^2) / 2: the third step does not count.
  const Tensor loss = losses::MeanSquaredError()(target, y);

  expect(mask.at(0) == 1 && mask.at(2) == 0, "a mask travels through Dense");
  expect(loss.item<float>() == 20, "a loss leaves masked steps out");

  const Tensor scores = Tensor::of<float>({1, 3}, {1, 1, 1});
  const Tensor shares = layers::Softmax()(scores, {.mask = mask});  // [[0.5, 0.5, 0]]
  expect(shares.at(0) == 0.5 && shares.at(2) == 0, "a mask given in the call");

  const Tensor own = y.with_mask(Tensor::of<bool>({1, 3}, {true, false, false}));
  const metrics::MeanSquaredError metric;
  metric.update_state(target, own);  // (3 - 1)^2: the first step only
  expect(metric.result().item<float>() == 4, "a metric leaves masked steps out");
}

void addition_of_low_rank() {
  const layers::Dense wide({.units = 64});
  Sequential tuned({layers::Input({.shape = {32}}), wide});
  wide.enable_lora({.rank = 2});
  tuned.compile({.optimizer = "adam", .loss = "mse"});  // again, as after each change of `trainable`

  const Tensor x = numbers({64, 32}, 11), y = numbers({64, 64}, 12), frozen = wide.get_weights()[0];
  const auto history = tuned.fit(x, y, {.epochs = 5, .verbose = 0});
  expect(history["loss"].back() < history["loss"].front(), "an addition of low rank learns");
  expect(ops::max(ops::abs(wide.get_weights()[0] - frozen)).item<float>() == 0 &&
             wide.trainable_weights().size() == 3,
         "and the weight stays");
}

void values_computed_again() {
  const Tensor x = numbers({256, 32}, 13), y = numbers({256, 1}, 14);
  const auto bytes_of = [&](bool saves_memory) {
    std::optional<RematScope> scope;
    const RematScopeOptions of_deep{.mode = "list_of_layers", .layer_names = {"deep"}};
    if (saves_memory) scope.emplace(of_deep);
    std::vector<LayerHandle> dense;
    for (int i = 0; i < 8; ++i) dense.push_back(layers::Dense({.units = 64, .activation = "gelu"}));
    const Sequential deep(dense, {.name = "deep"});
    Sequential model({layers::Input({.shape = {32}}), deep, layers::Dense({.units = 1})});
    model.compile({.optimizer = "adam", .loss = "mse"});
    return model.train_program(x, y, {.batch_size = 256}).stats.arena_bytes;
  };
  expect(bytes_of(true) <= bytes_of(false), "no more memory");

  const layers::Dense first({.units = 64, .activation = "gelu"}), second({.units = 32});
  const auto block = remat([&](const Tensor& in) { return second(first(in)); });
  auto gradient = function([&](const Tensor& in) {
    GradientTape tape;
    tape.watch(in);
    return tape.gradient(ops::mean(block(in)), in);
  });
  expect(gradient(x).shape() == x.shape(), "a gradient through the block");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "functional models", argc, argv,
      {several_inputs_and_outputs, shared_layers, models_inside_models, names_and_paths, subclassed_models,
       masks, addition_of_low_rank, values_computed_again});
}
