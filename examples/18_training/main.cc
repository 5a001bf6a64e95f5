// The programs of docs/guide/training.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here.

#include <cmath>
#include <cstdio>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// Numbers in [-1, 1) that follow from the seed.
Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

/// 96 points whose value is the square of their distance from the origin.
Tensor points() { return numbers({96, 2}, 1); }
Tensor values() { return ops::sum(ops::square(points()), {.axis = -1, .keepdims = true}); }

Sequential small_model() {
  return Sequential({layers::Input({.shape = {2}}), layers::Dense({.units = 16, .activation = "tanh"}),
                     layers::Dense({.units = 1})});
}

void early_stopping() {
  const Tensor x = points(), y = values();
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "mse"});
  callbacks::EarlyStopping stopping(
      {.monitor = "val_loss", .min_delta = 1e-3, .patience = 3, .restore_best_weights = true});
  callbacks::ReduceLROnPlateau slower({.factor = 0.5, .patience = 2});
  const auto history = model.fit(
      x, y, {.epochs = 200, .verbose = 0, .callbacks = {&stopping, &slower}, .validation_split = 0.25});
  const auto epochs_run = history.epoch.size();  // fewer than 200
  const std::int64_t best = stopping.best_epoch();

  expect(epochs_run < 200 && stopping.stopped_epoch() + 1 == static_cast<std::int64_t>(epochs_run),
         "EarlyStopping ends the run");
  const Logs now = model.evaluate(x.rows(72, 96), y.rows(72, 96), {.verbose = 0});
  const double best_loss = history["val_loss"][static_cast<std::size_t>(best)];
  expect(std::abs(now["loss"] - best_loss) < 1e-4 * best_loss, "the best weights are restored");
}

void other_callbacks() {
  const Tensor x = points(), y = values();
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  std::vector<double> losses_seen;
  model.fit(x, y,
            {.epochs = 3,
             .verbose = 0,
             .callbacks = {callbacks::LearningRateScheduler([](std::int64_t epoch, double rate) {
                             return epoch == 0 ? rate : rate * 0.5;
                           }),
                           callbacks::TerminateOnNaN(),
                           callbacks::LambdaCallback({.on_epoch_end = [&](std::int64_t, Logs& logs) {
                             losses_seen.push_back(logs["loss"]);
                           }})}});

  expect(losses_seen.size() == 3, "LambdaCallback is called");
  expect(std::abs(model.optimizer()->learning_rate().item<float>() - 0.0025F) < 1e-8F,
         "the scheduler sets the rate");
}

void schedules() {
  const Tensor x = points(), y = values();
  const optimizers::schedules::CosineDecay rate(
      {.initial_learning_rate = 0, .decay_steps = 100, .warmup_target = 0.1, .warmup_steps = 10});
  Sequential model = small_model();
  model.compile(
      {.optimizer = optimizers::Adam({.learning_rate = rate}), .loss = "mse", .steps_per_execution = 16});
  const auto history = model.fit(x, y, {.batch_size = 8, .epochs = 10, .verbose = 0});
  const float at_the_end = rate(model.optimizer()->iterations()).item<float>();  // 120 steps are done: 0

  expect(at_the_end < 1e-6F && history["loss"].back() < history["loss"].front(), "a schedule falls to 0");

  const auto inverse_root = [](const Tensor& step) {
    return 0.1 / ops::sqrt(1.0 + ops::cast(step, DType::kF32));
  };
  model.compile({.optimizer = optimizers::SGD({.learning_rate = inverse_root}), .loss = "mse"});
  model.fit(x, y, {.epochs = 2, .verbose = 0});

  expect(std::abs(model.optimizer()->learning_rate().item<float>() - 0.1F / std::sqrt(7.0F)) < 1e-6F,
         "a function is a schedule");
}

void rate_by_hand() {
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "mse"});
  model.optimizer()->set_learning_rate(1e-4);  // nothing is compiled again

  expect(model.optimizer()->learning_rate().item<float>() == 1e-4F, "set_learning_rate");
}

void weights_of_classes_and_rows() {
  const Tensor x = points();
  // A quarter of them are 1.
  const Tensor classes = ops::cast(ops::greater(x.slice({{}, {0, 1}}), 0.5F), DType::kI32);
  Sequential classifier(
      {layers::Input({.shape = {2}}), layers::Dense({.units = 2, .activation = "softmax"})});
  classifier.compile(
      {.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .weighted_metrics = {"accuracy"}});
  classifier.fit(x, classes, {.epochs = 2, .verbose = 0, .class_weight = {{0, 1.0}, {1, 3.0}}});
  const Tensor trust = ops::where(ops::less(x.slice({{}, {1, 2}}), 0), 0.5, 1.0);  // [96, 1]
  classifier.fit(x, classes, {.epochs = 2, .verbose = 0, .sample_weight = ops::squeeze(trust, {.axis = 1})});

  const std::vector<Tensor> before = classifier.get_weights();
  const Logs logs = classifier.evaluate(x, classes, {.verbose = 0, .sample_weight = ops::zeros({96})});
  expect(logs["loss"] == 0 && before.size() == 2, "rows of weight 0 do not count");
}

void weights_of_several_outputs() {
  const Tensor x = points(), sizes = values();
  const Tensor kinds = ops::cast(ops::greater(x.slice({{}, {0, 1}}), 0.5F), DType::kI32);
  const Input point({.shape = {2}});
  Model model({.inputs = point,
               .outputs = {layers::Dense({.units = 1, .name = "size"})(point),
                           layers::Dense({.units = 2, .activation = "softmax", .name = "kind"})(point)}});
  model.compile(
      {.optimizer = "adam", .loss = {{"size", "mse"}, {"kind", "sparse_categorical_crossentropy"}}});

  const Tensor weight_of_class = Tensor::of<float>({2}, {1, 3});
  // The weight of each row's class.
  const Tensor weight_of_row = ops::take(weight_of_class, ops::squeeze(kinds, {.axis = 1}), {.axis = 0});
  model.fit(
      x, {{"size", sizes}, {"kind", kinds}},
      {.epochs = 2, .verbose = 0, .sample_weight = {{"size", ops::ones({96})}, {"kind", weight_of_row}}});

  const Logs whole = model.evaluate(x, {sizes, kinds}, {.verbose = 0});
  const Logs weighted =
      model.evaluate(x, {sizes, kinds}, {.verbose = 0, .sample_weight = {ops::ones({96}), weight_of_row}});
  expect(std::abs(whole["size_loss"] - weighted["size_loss"]) < 1e-6 &&
             whole["kind_loss"] != weighted["kind_loss"],
         "each output has weights of its own");
  bool is_refused = false;
  try {
    model.fit(x, {sizes, kinds}, {.verbose = 0, .class_weight = {{1, 3.0}}});
  } catch (const Error&) {
    is_refused = true;
  }
  expect(is_refused, "class_weight is refused");
}

void get_and_set_weights() {
  Sequential model = small_model();
  const std::vector<Tensor> begin = model.get_weights();  // copies, in the order of model.weights()
  model.compile({.optimizer = "adam", .loss = "mse"});
  model.fit(points(), values(), {.epochs = 1, .verbose = 0});
  model.set_weights(begin);  // as they were; the optimizer's slots stay

  const std::vector<Tensor> kernel_and_bias = model.layers()[0].get_weights();
  utils::save_npz("/tmp/weights.npz", model.get_weights());
  const Tensors read = utils::load_npz("/tmp/weights.npz");
  model.set_weights({read.begin(), read.end()});

  expect(kernel_and_bias.size() == 2 && read.size() == 4, "weights of a layer and of a model");
  expect(ops::max(ops::abs(read[0] - begin[0])).item<float>() == 0, "weights come back from a file");
  std::remove("/tmp/weights.npz");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "training", argc, argv,
      {early_stopping, other_callbacks, schedules, rate_by_hand, weights_of_classes_and_rows,
       weights_of_several_outputs, get_and_set_weights});
}
