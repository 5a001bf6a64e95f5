// The model of the guide for TPUs on MNIST: convolutions of 256 filters, wide dense layers, L2 penalties,
// logits; Adam, batches of 200, 5 epochs. Trained four times from the same weights, as that guide does:
//
//   fit          one step an execution
//   executions   fit with many steps an execution
//   loop         a loop by hand, one step a call of a `function`
//   many_steps   a loop by hand, many steps a call: the loop stands inside the `function`
//
// All must learn, and the program says what each step cost. --way runs one of them alone.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/models/models.h"
#include "examples/support/data.h"
#include "examples/support/document_device.h"

namespace {

using cornu::Tensor;
namespace keras = cornu::keras;
namespace ops = cornu::ops;
namespace examples = cornu::examples;

struct Task {
  Tensor x, y, x_test, y_test;
  std::int64_t batch_size = 200;
  std::int64_t epochs = 5;
  std::int64_t steps_per_execution = 50;
  std::int64_t filters = 256;
  std::uint32_t seed = 1;
  std::int64_t steps_per_epoch() const { return x.num_rows() / batch_size; }
};

keras::Sequential new_model(const Task& task) {
  cornu::set_random_seed(task.seed);
  keras::Sequential model = examples::mnist_tpu_cnn(task.filters);
  model.build({keras::kUnknown, 28, 28, 1});
  return model;
}

double evaluate_by_fit_model(keras::Sequential& model, const Task& task) {
  return model.evaluate(task.x_test, task.y_test,
                        {.batch_size = task.batch_size, .verbose = 0})["sparse_categorical_accuracy"];
}

double train_by_fit(examples::Program& program, const std::string& name, const Task& task,
                    std::int64_t steps_per_execution) {
  keras::Sequential model = new_model(task);
  keras::CompileOptions training = examples::mnist_tpu_cnn_training();
  training.metrics = {"sparse_categorical_accuracy"};
  training.steps_per_execution = steps_per_execution;
  model.compile(training);
  const auto history = model.fit(task.x, task.y,
                                 {.batch_size = task.batch_size,
                                  .epochs = task.epochs,
                                  .steps_per_epoch = task.steps_per_epoch(),
                                  .repeat = true});
  examples::print_time(program, history, name);
  return evaluate_by_fit_model(model, task);
}

/// A loop by hand: a step is a function, or many steps are.
class CustomLoop {
 public:
  explicit CustomLoop(const Task& task) : task_(task), model_(new_model(task)) {}

  /// Returns the accuracy; figure `<name>_step`, the ms a step of the last epoch, unless that is the first,
  /// which compiles.
  double train(examples::Program& program, const std::string& name, bool many_steps) {
    const auto step =
        cornu::function([this](const Tensor& rows) { train_step(rows); }, {.name = "train_step"});
    const auto steps = cornu::function(
        [this](const Tensor& order, const Tensor& first, const Tensor& count) {
          cornu::fori_loop(0, count, [&](const Tensor& i) {
            train_step(ops::take(order,
                                 (first + i) * static_cast<int>(task_.batch_size) +
                                     ops::arange(static_cast<int>(task_.batch_size)),
                                 {.axis = 0}));
          });
        },
        {.name = "train_multiple_steps"});
    std::mt19937 bits(task_.seed);
    const std::shared_ptr<cornu::runtime::Client> client = cornu::default_client();
    for (std::int64_t epoch = 0; epoch < task_.epochs; ++epoch) {
      const double start = client->now();
      const Tensor order = shuffled_rows(bits);
      if (many_steps) {
        for (std::int64_t first = 0; first < task_.steps_per_epoch(); first += task_.steps_per_execution)
          steps(order, number(first),
                number(std::min(task_.steps_per_execution, task_.steps_per_epoch() - first)));
      } else {
        for (std::int64_t i = 0; i < task_.steps_per_epoch(); ++i)
          step(order.rows(i * task_.batch_size, (i + 1) * task_.batch_size));
      }
      // Who reads them waits for the steps.
      const double loss = loss_->result().item<double>(), accuracy = accuracy_->result().item<double>();
      const double step_ms = (client->now() - start) * 1e3 / static_cast<double>(task_.steps_per_epoch());
      std::printf("epoch %lld: loss %.4f, accuracy %.4f, %.3f ms a step%s\n",
                  static_cast<long long>(epoch) + 1, loss, accuracy, step_ms,
                  epoch == 0 ? ", compiling included" : "");
      if (epoch > 0 && epoch + 1 == task_.epochs)
        program.keep(name + "_step", step_ms, "ms", examples::kind_of(*client));
      loss_->reset_state();
      accuracy_->reset_state();
    }
    return evaluate();
  }

 private:
  void train_step(const Tensor& rows) {
    const Tensor x = ops::take(task_.x, rows, {.axis = 0}), y = ops::take(task_.y, rows, {.axis = 0});
    cornu::GradientTape tape;
    const Tensor logits = model_(x, {.training = true});
    Tensor loss = ops::mean(keras::losses::sparse_categorical_crossentropy(y, logits, {.from_logits = true}));
    for (const Tensor& penalty : model_->losses()) loss = loss + penalty;
    const std::vector<cornu::Variable> weights = model_.trainable_weights();
    optimizer_.apply(tape.gradient(loss, weights), weights);
    loss_.update_state(loss);
    accuracy_->update_state(y, logits);
  }

  double evaluate() {
    const auto step = cornu::function(
        [this](const Tensor& x, const Tensor& y) {
          accuracy_->update_state(y, model_(x, {.training = false}));
        },
        {.name = "test_step"});
    accuracy_->reset_state();
    const std::int64_t batch = std::min(task_.batch_size, task_.x_test.num_rows());
    for (std::int64_t row = 0; row + batch <= task_.x_test.num_rows(); row += batch)
      step(task_.x_test.rows(row, row + batch), task_.y_test.rows(row, row + batch));
    return accuracy_->result().item<double>();
  }

  Tensor shuffled_rows(std::mt19937& bits) const {
    std::vector<std::int32_t> order(static_cast<std::size_t>(task_.x.num_rows()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[bits() % (i + 1)]);
    return Tensor::adopt({task_.x.num_rows()}, std::move(order));
  }
  static Tensor number(std::int64_t value) {
    return Tensor::of<std::int32_t>({}, {static_cast<std::int32_t>(value)});
  }

  Task task_;
  keras::Sequential model_;
  keras::optimizers::Adam optimizer_;
  keras::metrics::Mean loss_ = keras::metrics::Mean({.name = "training_loss"});
  keras::metrics::SparseCategoricalAccuracy accuracy_ =
      keras::metrics::SparseCategoricalAccuracy({.name = "training_accuracy"});
};

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("example_11_mnist_tpu", "Trains the TPU guide's network on MNIST in four ways",
                            "about 4 hours (--way runs one of its four trainings in one hour)");
  std::string path, way = "all";
  Task task;
  program.option("--data", &path, "Folder with MNIST's four IDX files, or mnist.npz");
  program.option("--epochs", &task.epochs, "Passes over the data");
  program.option("--steps-per-execution", &task.steps_per_execution,
                 "Steps an execution or a call, where there are many");
  program.choice("--way", &way, "all fit executions loop many_steps", "Which training");
  return program.main(argc, argv, [&] {
    const auto [train, test] = examples::load_mnist(program, path, {.train = 512, .test = 128});
    const auto images = [](const Tensor& x) { return examples::scaled_pixels(x, {x.num_rows(), 28, 28, 1}); };
    task.x = images(train.x);
    task.y = examples::class_ids(train.y);
    task.x_test = images(test.x);
    task.y_test = examples::class_ids(test.y);
    task.seed = program.seed();
    task.filters = program.scaled(task.filters, 16);
    task.batch_size = program.scaled(task.batch_size, 32);
    task.epochs = program.scaled(task.epochs, 5);
    task.steps_per_execution = program.scaled(task.steps_per_execution, 4);

    const double wanted = program.quick() ? 0.5 : 0.97;
    const auto run = [&](const char* name, auto&& training) {
      if (way != "all" && way != name) return;
      std::printf("\n%s\n", name);
      program.check(std::string("test accuracy of ") + name, training(name), wanted);
    };
    run("fit", [&](const char* name) { return train_by_fit(program, name, task, 1); });
    run("executions",
        [&](const char* name) { return train_by_fit(program, name, task, task.steps_per_execution); });
    run("loop", [&](const char* name) { return CustomLoop(task).train(program, name, false); });
    run("many_steps", [&](const char* name) { return CustomLoop(task).train(program, name, true); });
  });
}
