// The programs of docs/guide/from-tensorflow.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here. The TPUs are simulated ones.

#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using data::Dataset;
using examples::expect;
using namespace cornu::keras;

/// Rows of four numbers; the class is that of the largest of the first three.
struct Flowers {
  Tensor x, y;
};
Flowers flowers(std::int64_t num_rows, std::uint64_t seed) {
  const Tensor x = random::normal({num_rows, 4}, {.seed = seed});
  return {x, ops::argmax(x.slice({{}, {0, 3}}), {.axis = 1})};
}

distribute::TPUStrategy connect(const std::string& address) {
  // "grpc://10.0.0.2:8470"; "": the value of COLAB_TPU_ADDR, or else of TPU_NAME
  const distribute::TPUClusterResolver resolver(address);
  distribute::connect_to_cluster(resolver);     // tf.config.experimental_connect_to_cluster(resolver)
  distribute::initialize_tpu_system(resolver);  // tf.tpu.experimental.initialize_tpu_system(resolver)
  for (const LogicalDevice& tpu : list_logical_devices("TPU")) std::printf("%s\n", tpu.name.c_str());
  const distribute::TPUStrategy strategy(resolver);  // tf.distribute.experimental.TPUStrategy(resolver)
  return strategy;
}

void a_classifier_on_a_tpu() {
  const std::string address = "sim:colab-tpu-node,clock=virtual";
  const distribute::TPUStrategy strategy = connect(address);
  const auto [x, y] = flowers(105, 1);
  const auto [x_val, y_val] = flowers(45, 2);

  Sequential model;
  {
    const auto scope = strategy.scope();  // with strategy.scope():
    model =
        Sequential({layers::Dense({.units = 32, .activation = "relu", .name = "relu", .input_shape = {4}}),
                    layers::Dense({.units = 3, .activation = "softmax", .name = "softmax"})});
    model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}),
                   .loss = "sparse_categorical_crossentropy",
                   .metrics = {"sparse_categorical_accuracy"}});
  }
  expect(model.layers().size() == 2, "a model is made in a scope");

  // Two steps an epoch from arrays.
  model.fit(x, y,
            {.batch_size = 20,
             .epochs = 20,
             .verbose = 0,
             .validation_data = {x_val, y_val},
             .steps_per_epoch = 2});
  expect(model.optimizer()->iterations().item<std::int64_t>() == 40, "two steps an epoch");

  // Twenty short epochs, then one long one.
  const Dataset train = Dataset::from_tensor_slices({x, y});  // tf.data.Dataset.from_tensor_slices((x, y))
  const Dataset validation = Dataset::from_tensor_slices({x_val, y_val}).batch(20);
  model.fit(train.batch(20), {.epochs = 20, .verbose = 0, .validation_data = {.dataset = validation}});
  const auto history =
      model.fit(train.repeat(20).batch(20), {.verbose = 0, .validation_data = {.dataset = validation}});
  expect(model.optimizer()->iterations().item<std::int64_t>() == 40 + 120 + 105, "steps of both");
  expect(history["sparse_categorical_accuracy"].back() > 0.9, "it learns");
  distribute::shutdown_tpu_system(distribute::TPUClusterResolver(address));
}

void manual_placement() {
  const std::string address = "sim:tpu_8_cores,clock=virtual";
  connect(address);

  // tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor c = with_device("/TPU:0", [&] { return ops::matmul(a, b); });  // with tf.device('/TPU:0'):
  std::cout << c.device() << "\n" << c << "\n";                               // print(c.device), print(c)

  expect(c.device().ends_with("TPU:0"), "a result lives where it was computed");
  expect(c.to_vector<float>() == std::vector<float>({22, 28, 49, 64}), "and has the right numbers");
  distribute::shutdown_tpu_system(distribute::TPUClusterResolver(address));
}

void pictures() {
  const auto mnist = datasets::mnist::make_data({.num_train = 640, .num_test = 100});

  const auto scale = [](const Tensor& image, const Tensor& label) {
    return std::pair(ops::expand_dims(ops::cast(image, DType::kF32), -1) / 255.0, label);
  };
  const Dataset train = Dataset::from_tensor_slices({mnist.train.x, mnist.train.y})  // instead of tfds.load
                            .map(scale)
                            .shuffle(10000)
                            .repeat()  // so no batch is short
                            .batch(64);
  Sequential model(
      {layers::Conv2D({.filters = 8, .kernel_size = 3, .activation = "relu", .input_shape = {28, 28, 1}}),
       layers::Flatten(),
       layers::Dense({.units = 10, .kernel_regularizer = regularizers::L2({.l2 = 1e-5})})});
  model.compile({.optimizer = "adam",
                 .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                 .metrics = {"sparse_categorical_accuracy"},
                 .steps_per_execution = 5});  // experimental_steps_per_execution before TensorFlow 2.4
  const auto history = model.fit(train, {.epochs = 4, .verbose = 0, .steps_per_epoch = 10});

  expect(history["loss"].back() < 0.7 * history["loss"].front(), "it learns pictures");
}

void old_optimizers() {
  // RMSprop(lr=0.0001, decay=1e-6)
  const optimizers::RMSprop optimizer(
      {.learning_rate = optimizers::schedules::InverseTimeDecay(
           {.initial_learning_rate = 0.0001, .decay_steps = 1, .decay_rate = 1e-6})});
  expect(optimizer->iterations().item<std::int64_t>() == 0, "an optimizer with decay");
}

void augmentation() {
  const auto cifar10 = datasets::cifar10::make_data({.num_train = 64, .num_test = 8});

  // ImageDataGenerator(width_shift_range=0.1, height_shift_range=0.1, horizontal_flip=True)
  Sequential model(
      {layers::Rescaling({.scale = 1.0 / 255}), layers::RandomFlip({.mode = "horizontal"}),
       layers::RandomTranslation({.height_factor = 0.1, .width_factor = 0.1, .fill_mode = "nearest"}),
       layers::Conv2D({.filters = 8, .kernel_size = 3, .activation = "relu"}), layers::Flatten(),
       layers::Dense({.units = 10, .activation = "softmax"})});
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  const auto history =
      model.fit(cifar10.train.x, cifar10.train.y, {.epochs = 2, .verbose = 0});  // fit_generator

  expect(history["loss"].size() == 2, "pictures are changed while it trains");
}

void many_steps_in_a_function() {
  Variable w(3.0F);

  const auto train_multiple_steps = function([&](const Tensor& steps) {
    fori_loop(0, steps, [&](const Tensor&) {  // for _ in tf.range(steps):
      GradientTape tape;
      const Tensor loss = ops::square(w - 4.0F);
      w.assign(w - 0.25F * tape.gradient(loss, w));
    });
  });
  train_multiple_steps(Tensor::of<std::int32_t>({}, {5}));  // tf.convert_to_tensor(5)
  train_multiple_steps(Tensor::of<std::int32_t>({}, {7}));  // the same program

  expect(train_multiple_steps.trace_count() == 1, "a tensor bound is traced once");
}

void threads_and_instructions() {
  set_cpu_options({.num_threads = 1, .isa = "sse2"});  // first thing in a program
  expect(ops::sum(ops::ones({8})).item<float>() == 8, "the CPU computes as it is told");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "from TensorFlow", argc, argv,
      {a_classifier_on_a_tpu, manual_placement, pictures, old_optimizers, augmentation,
       many_steps_in_a_function, threads_and_instructions});
}
