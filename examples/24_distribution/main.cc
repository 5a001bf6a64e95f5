// The programs of docs/guide/distribution.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here. The TPU is a simulated one.

#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/losses.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/distribution/distribution.h"
#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

constexpr std::int64_t kNumRows = 160;

struct Digits {
  Tensor images, labels;
};

/// Bars in one of four places.
Digits digits() {
  const Tensor labels =
      random::uniform({kNumRows}, {.minval = 0, .maxval = 4, .dtype = DType::kI32, .seed = 2});
  const Tensor noise = random::normal({kNumRows, 8, 8, 1}, {.stddev = 0.2, .seed = 3});
  const Tensor rows = ops::floor_divide(ops::arange(8), 2);
  const Tensor bars = ops::cast(
      ops::equal(ops::reshape(rows, {1, 8, 1, 1}), ops::reshape(labels, {kNumRows, 1, 1, 1})), DType::kF32);
  return {noise + bars, labels};
}

Sequential create_model() {
  const RegularizerSpec regularizer = regularizers::L2({.l2 = 1e-4});
  return Sequential({layers::Conv2D({.filters = 8,
                                     .kernel_size = 3,
                                     .activation = "relu",
                                     .kernel_regularizer = regularizer,
                                     .input_shape = {8, 8, 1}}),
                     layers::Flatten(),
                     layers::Dense({.units = 16, .activation = "relu", .kernel_regularizer = regularizer}),
                     layers::Dense({.units = 4, .kernel_regularizer = regularizer})});
}

CompileOptions training() {
  return {.optimizer = "adam",
          .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
          .metrics = {"sparse_categorical_accuracy"},
          .steps_per_execution = 5};
}

void mirrored_strategy() {
  set_logical_devices({.cpu = 4});  // before anything is computed
  const auto [images, labels] = digits();

  const distribute::MirroredStrategy strategy;
  std::printf("Number of devices: %d\n", static_cast<int>(strategy.num_replicas_in_sync()));

  Sequential model;
  {
    const auto scope = strategy.scope();
    model = create_model();
    model.compile(training());
  }
  const auto history = model.fit(images, labels, {.batch_size = 32, .epochs = 6, .verbose = 0});
  const Logs logs = model.evaluate(images, labels, {.batch_size = 32, .verbose = 0});
  const Tensor logits = model.predict(images, {.batch_size = 32, .verbose = 0});

  expect(strategy.num_replicas_in_sync() == 4, "all logical CPUs are taken");
  expect(history["loss"].back() < 0.5 * history["loss"].front(), "replicas train the model");
  expect(logs["sparse_categorical_accuracy"] > 0.8, "replicas evaluate it");
  expect(logits.shape() == Dims({kNumRows, 4}), "replicas predict");
}

void chosen_devices() {
  const distribute::MirroredStrategy mirrored({.devices = {"CPU:0", "CPU:1"}});
  const distribute::OneDeviceStrategy one("CPU:0");
  const distribute::Strategy none;  // the default one: as without a strategy
  expect(mirrored.num_replicas_in_sync() == 2 && one.num_replicas_in_sync() == 1 &&
             none.num_replicas_in_sync() == 1,
         "strategies know their replicas");
}

void weights_in_parts() {
  const auto [images, labels] = digits();

  const distribution::DeviceMesh mesh({1, 4}, {"batch", "model"}, distribution::list_devices("cpu"));
  distribution::LayoutMap layouts(mesh);
  layouts.set(".*dense.*/kernel", {std::nullopt, "model"});  // columns, one part a device
  layouts.set(".*dense.*/bias", {"model"});
  const distribution::ModelParallel strategy(layouts);

  Sequential model;
  {
    const auto scope = strategy.scope();
    model = create_model();
    model.compile(training());
  }
  const auto history = model.fit(images, labels, {.batch_size = 32, .epochs = 6, .verbose = 0});

  expect(history["loss"].back() < 0.5 * history["loss"].front(), "weights in parts are trained");
  expect(strategy.get_variable_layout(model.weights()[2]).axes()[1] == "model", "the kernel has a layout");
}

distribute::TPUStrategy the_tpu_guide() {
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual");
  distribute::connect_to_cluster(resolver);
  distribute::initialize_tpu_system(resolver);
  for (const LogicalDevice& device : list_logical_devices("TPU")) std::printf("%s\n", device.name.c_str());

  const distribute::TPUStrategy strategy(resolver);
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
               b = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto matmul_fn = function([](const Tensor& x, const Tensor& y) { return ops::matmul(x, y); });
  const auto z = strategy.run(matmul_fn, a, b);
  std::printf("%s\n", str(z).c_str());
  expect(z.values.size() == 8 && z.values[7].to_vector<float>() == std::vector<float>({22, 28, 49, 64}),
         "every core multiplies");

  return strategy;
}

void a_loop_of_ones_own() {
  const distribute::TPUStrategy strategy = the_tpu_guide();
  const auto [images, labels] = digits();
  const auto dataset = data::Dataset::from_tensor_slices({images, labels});

  Sequential model;
  OptimizerHandle optimizer = optimizers::Adam({.learning_rate = 0.01});
  metrics::Mean training_loss;
  metrics::SparseCategoricalAccuracy training_accuracy;
  {
    const auto scope = strategy.scope();
    model = create_model();
    optimizer = optimizers::Adam({.learning_rate = 0.01});
    training_loss = metrics::Mean({.name = "training_loss"});
    training_accuracy = metrics::SparseCategoricalAccuracy({.name = "training_accuracy"});
  }

  const auto batches =
      strategy.distribute_datasets_from_function([&](const distribute::InputContext& context) {
        const auto own = context.shard(dataset).shuffle(kNumRows, {.seed = 1}).repeat();
        return own.batch(context.get_per_replica_batch_size(32), {.drop_remainder = true});
      });

  const auto step_fn = [&](const distribute::Components& inputs) {
    GradientTape tape;
    const Tensor logits = model(inputs[0], {.training = true});
    const Tensor per_example =
        losses::sparse_categorical_crossentropy(inputs[1], logits, {.from_logits = true});
    Tensor loss = nn::compute_average_loss(per_example);
    for (const Tensor& extra : model.losses()) loss = loss + nn::scale_regularization_loss(extra);
    optimizer->apply(tape.gradient(loss, model.trainable_variables()), model.trainable_variables());
    training_loss.update_state(loss * static_cast<double>(strategy.num_replicas_in_sync()));
    training_accuracy.update_state(inputs[1], logits);
  };
  using Batches = distribute::DistributedDataset::Iterator;
  const auto train_step = function([&](const Batches& iterator) { strategy.run(step_fn, next(iterator)); });
  const auto train_multiple_steps = function([&](const Batches& iterator, const Tensor& steps) {
    fori_loop(0, steps, [&](const Tensor&) { strategy.run(step_fn, next(iterator)); });
  });

  const Batches iterator = batches.iterator();
  double first = 0, accuracy = 0;
  for (int epoch = 0; epoch < 5; ++epoch) {
    if (epoch < 2) {
      for (int step = 0; step < 5; ++step) train_step(iterator);
    } else {
      train_multiple_steps(iterator, Tensor::of<std::int32_t>({}, {5}));
    }
    const double loss = training_loss.result().item<float>();
    accuracy = training_accuracy.result().item<float>();
    std::printf("Epoch %d, training loss: %.4f, accuracy: %.2f%%\n", epoch + 1, loss, 100 * accuracy);
    if (epoch == 0) first = loss;
    training_loss.reset_state();
    training_accuracy.reset_state();
    if (epoch == 4) expect(loss < first, "the loop trains");
  }
  expect(accuracy > 0.6, "it learns");
  distribute::shutdown_tpu_system(distribute::TPUClusterResolver("sim:tpu_8_cores,clock=virtual"));
}

void replicas() {
  const distribute::MirroredStrategy strategy;

  const auto all = strategy.run([] {
    const distribute::ReplicaContext context = distribute::get_replica_context();
    const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
    return std::vector<Tensor>{id, context.all_reduce(distribute::ReduceOp::kSum, id)};
  });
  const std::vector<Tensor> mean = strategy.reduce(distribute::ReduceOp::kMean, all);
  expect(mean[0].item<float>() == 1.5f && mean[1].item<float>() == 6.0f, "replicas meet");

  Variable total;
  {
    const auto scope = strategy.scope();
    total = Variable(0.0f, {.name = "total", .trainable = false, .aggregation = VariableAggregation::kSum});
  }
  strategy.run([&] { total.assign_add(1.0f); });
  expect(total.value().item<float>() == 4.0f, "aggregation adds");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program(
      "distribution", argc, argv,
      {mirrored_strategy, chosen_devices, weights_in_parts, a_loop_of_ones_own, replicas},
      examples::GuideDevice::kOwn);
}
