// The programs of docs/guide/own_training_step.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include <algorithm>
#include <cmath>
#include <memory>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// 64 points and a value that follows from them.
const Tensor& points() {
  static const Tensor x = random::uniform({64, 3}, {.minval = -1, .maxval = 1, .seed = 7});
  return x;
}
const Tensor& values() {
  static const Tensor y = ops::sum(ops::square(points()), {.axis = -1, .keepdims = true});
  return y;
}

/// Trains on the points and on the same points moved a little.
class Robust : public Network {
 public:
  explicit Robust(double distance) : Network("Robust", ""), distance_(distance) {}

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    GradientTape tape;
    const Tensors y_pred = {output_(hidden_(data.x[0]))};
    const Tensor moved = output_(hidden_(data.x[0] + distance_));
    const Tensor difference = losses::MeanSquaredError()(y_pred[0], moved, {.rows = data.rows});
    const Tensor loss = tools.compute_loss(data, y_pred) + 0.1 * difference;
    tools.apply(tape.gradient(loss, tools.trainable_variables()), tools.trainable_variables());
    StepLogs logs = tools.compute_metrics(data, y_pred, loss);
    logs.emplace_back("difference", difference);
    return logs;
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return output_(hidden_(x)); }

 private:
  double distance_;
  LayerHandle hidden_ = track(layers::Dense({.units = 16, .activation = "tanh"}));
  LayerHandle output_ = track(layers::Dense({.units = 1}));
};

void own_train_step() {
  Model model(std::make_shared<Robust>(0.01));
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}),
                 .loss = "mse",
                 .metrics = {"mae"},
                 .steps_per_execution = 8});
  const auto history = model.fit(points(), values(), {.batch_size = 8, .epochs = 20, .verbose = 0});
  const double last = history["difference"].back();

  expect(last < 0.1 && history["loss"].back() < history["loss"].front(), "an own train_step learns");
  expect(history.contains("mae") && history.num_compiles == 1, "it uses the compiled parts");
}

/// Two parts, two optimizers, no loss of compile().
class Gan : public Network {
 public:
  Gan() : Network("Gan", "") {}

  StepLogs train_step(StepTools&, const StepData& data) override {
    const Tensor real = data.x[0];
    const std::int64_t batch = real.shape()[0];  // padding too: num_rows() would ask for batches without
    const Tensor noise = random::normal({batch, 2});
    const Tensor ones = ops::ones({batch, 1}), zeros = ops::zeros({batch, 1});
    const losses::BinaryCrossentropy loss({.from_logits = true});
    const SampleWeights rows{.rows = data.rows};

    GradientTape discriminator_tape;
    const Tensor discriminator_loss =
        loss(ones, discriminator_(real), rows) + loss(zeros, discriminator_(generator_(noise)), rows);
    discriminator_optimizer_.apply(
        discriminator_tape.gradient(discriminator_loss, discriminator_->trainable_weights()),
        discriminator_->trainable_weights());

    GradientTape generator_tape;
    const Tensor generator_loss = loss(ones, discriminator_(generator_(noise)), rows);
    generator_optimizer_.apply(generator_tape.gradient(generator_loss, generator_->trainable_weights()),
                               generator_->trainable_weights());

    mean_generator_loss_.update_state(generator_loss);
    return {{"discriminator_loss", discriminator_loss}, {"generator_loss", mean_generator_loss_.result()}};
  }

 private:
  LayerHandle generator_ = track(layers::Dense({.units = 3}));
  LayerHandle discriminator_ = track(layers::Dense({.units = 1}));
  optimizers::Adam discriminator_optimizer_, generator_optimizer_;
  metrics::Mean mean_generator_loss_ = track(metrics::Mean({.name = "generator_loss"}));
};

void two_optimizers() {
  Model gan(std::make_shared<Gan>());
  gan.compile({.steps_per_execution = 4});
  const auto history = gan.fit(points(), {}, {.batch_size = 16, .epochs = 2, .verbose = 0});
  expect(std::isfinite(history["discriminator_loss"].back()) && history["generator_loss"].size() == 2,
         "two optimizers");
  const std::vector<Tensor> before = gan.get_weights();
  gan.fit(points(), {}, {.batch_size = 16, .epochs = 1, .verbose = 0});
  const std::vector<Tensor> after = gan.get_weights();
  expect(before.size() == 4, "two layers with two weights each");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const float moved = ops::max(ops::abs(after[i] - before[i])).item<float>();
    expect(moved > 1e-5F && moved < 0.1F, "both optimizers move all weights of their part");
  }
}

void many_steps_a_call() {
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 16, .activation = "tanh"}),
                    layers::Dense({.units = 1})});
  const optimizers::Adam optimizer({.learning_rate = 0.01});
  const metrics::Mean mean_loss({.name = "loss"});
  const losses::MeanSquaredError mse;

  const auto train =
      function([&](const Tensor& x, const Tensor& y, const Tensor& first, const Tensor& steps) {
        fori_loop(0, steps, [&](const Tensor& i) {
          const Tensor rows = ops::mod((first + i) * 8 + ops::arange(8), 64);  // the next eight rows
          GradientTape tape;
          const Tensor loss = mse(ops::take(y, rows, {.axis = 0}),
                                  model(ops::take(x, rows, {.axis = 0}), {.training = true}));
          optimizer.apply(tape.gradient(loss, model.trainable_weights()), model.trainable_weights());
          mean_loss.update_state(loss);
        });
      });
  double before = 0, after = 0;
  for (std::int32_t epoch = 0; epoch < 20; ++epoch) {
    mean_loss.reset_state();
    train(points(), values(), Tensor::of<std::int32_t>({}, {0}), Tensor::of<std::int32_t>({}, {6}));
    train(points(), values(), Tensor::of<std::int32_t>({}, {6}),
          Tensor::of<std::int32_t>({}, {2}));  // the same program
    after = mean_loss.result().item<double>();
    if (epoch == 0) before = after;
  }

  expect(after < 0.5 * before, "a loop by hand learns");
  expect(train.trace_count() == 1 && optimizer.iterations().item<std::int64_t>() == 160,
         "one program for any number of steps");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("own training step", argc, argv,
                                            {own_train_step, two_optimizers, many_steps_a_call});
}
