// TensorFlow's guide to TPUs, block by block in its order, with the names of the original in comments:
// initialization, manual placement, a matmul on all cores, a classifier trained by fit, the same with many
// steps an execution, a training loop of one's own, and many steps inside a function.
//
//   document_tpu_guide                                          on a simulated TPU of eight cores
//   document_tpu_guide --tpu grpc://10.0.0.2:8470               on a worker's TPU
//   document_tpu_guide --tpu ""                                 at COLAB_TPU_ADDR, else TPU_NAME
//   document_tpu_guide --part loop                              one of the four trainings only
//
// The guide's data are MNIST by tensorflow_datasets. Here MNIST's files are read where they are (--data);
// else digits are made in their shape. Either way they pass through a file of records, as the guide advises.
// docs/guide/accelerators.md shows what stands here.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "cornu/data/files.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/losses.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/io/example.h"
#include "cornu/io/tfrecord.h"
#include "cornu/keras/keras.h"
#include "examples/support/data.h"
#include "examples/support/document_device.h"
#include "examples/support/program.h"

namespace {

using namespace cornu;
using namespace cornu::keras;
using data::Dataset;

/// Sizes: the guide's, unless the program is told otherwise.
struct Sizes {
  std::int64_t filters = 256;
  std::int64_t batch_size = 200;
  std::int64_t epochs = 5;
  std::int64_t steps_per_epoch = 300;
  std::int64_t validation_steps = 50;
  std::int64_t steps_per_execution = 50;
};

// --- Initialization

/// Connects and initializes the TPU, and lists its devices.
distribute::TPUStrategy initialize_tpu(const std::string& tpu) {
  const distribute::TPUClusterResolver resolver(tpu);  // tf.distribute.cluster_resolver.TPUClusterResolver
  distribute::connect_to_cluster(resolver);            // tf.config.experimental_connect_to_cluster
  distribute::initialize_tpu_system(resolver);         // tf.tpu.experimental.initialize_tpu_system
  std::printf("All devices:\n");
  for (const LogicalDevice& device : list_logical_devices("TPU")) std::printf("%s\n", device.name.c_str());
  return distribute::TPUStrategy(resolver);  // tf.distribute.TPUStrategy
}

// --- Manual device placement

bool manual_placement() {
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor c = with_device("/TPU:0", [&] { return ops::matmul(a, b); });  // with tf.device('/TPU:0')
  std::printf("c device: %s\n%s\n", c.device().c_str(), c.str().c_str());
  return c.to_vector<float>() == std::vector<float>{22, 28, 49, 64} &&
         c.device().find("TPU:0") != std::string::npos;
}

// --- Distribution strategies

bool matmul_on_all_cores(const distribute::TPUStrategy& strategy) {
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  // @tf.function def matmul_fn(x, y)
  const auto matmul_fn = function([](const Tensor& x, const Tensor& y) { return ops::matmul(x, y); });
  const auto z = strategy.run(matmul_fn, a, b);
  std::printf("%s\n", str(z).c_str());
  return std::all_of(z.values.begin(), z.values.end(), [](const Tensor& of_replica) {
    return of_replica.to_vector<float>() == std::vector<float>{22, 28, 49, 64};
  });
}

// --- Classification

Sequential create_model(std::int64_t filters = 256) {
  const RegularizerSpec regularizer = regularizers::L2({.l2 = 1e-5});
  return Sequential(
      {layers::Conv2D({.filters = filters,
                       .kernel_size = 3,
                       .activation = "relu",
                       .kernel_regularizer = regularizer,
                       .input_shape = {28, 28, 1}}),
       layers::Conv2D(
           {.filters = filters, .kernel_size = 3, .activation = "relu", .kernel_regularizer = regularizer}),
       layers::Flatten(),
       layers::Dense({.units = 256, .activation = "relu", .kernel_regularizer = regularizer}),
       layers::Dense({.units = 128, .activation = "relu", .kernel_regularizer = regularizer}),
       layers::Dense({.units = 10, .kernel_regularizer = regularizer})});
}

// --- Input datasets

/// A file of records, as tensorflow_datasets keeps them: an image's bytes and its label.
void write_records(const std::string& path, const datasets::Arrays& digits) {
  io::RecordWriter writer(path);
  const auto pixels = digits.x.data<std::uint8_t>();
  const auto labels = digits.y.to_vector<std::int64_t>();
  for (std::size_t i = 0; i < labels.size(); ++i)
    writer.write(io::serialize_example(
        {{"image", std::vector{std::string(pixels.begin() + i * 784, pixels.begin() + (i + 1) * 784)}},
         {"label", std::vector{labels[i]}}}));
  writer.close();
}

Dataset get_dataset(const std::string& path, std::int64_t batch_size, bool is_training = true) {
  const data::ParseExample parse({{"image", data::FixedLenFeature{.dtype = std::nullopt}},
                                  {"label", data::FixedLenFeature{.dtype = DType::kI64}}});
  // Normalize the input data.
  const auto scale = [](const data::Element& digit) {
    const std::string_view image = digit["image"].text();
    std::vector<float> pixels(image.size());
    std::transform(image.begin(), image.end(), pixels.begin(),
                   [](char byte) { return static_cast<float>(static_cast<unsigned char>(byte)) / 255.0f; });
    return std::pair(Tensor::adopt({28, 28, 1}, std::move(pixels)), digit["label"].item<std::int64_t>());
  };
  Dataset dataset =
      data::TFRecordDataset(path).map(parse).map(scale, {.num_parallel_calls = data::kAutotune}).cache();
  // Only shuffle and repeat the dataset in training: there is then no partial batch.
  if (is_training) dataset = dataset.shuffle(10000, {.seed = 1}).repeat();
  return dataset.batch(batch_size);
}

struct Digits {
  std::string train_path, test_path;
};

// --- Train the model with fit

struct Training {
  double seconds = 0;  // of the device's clock, without compiling and validation
  double first_loss = 0, last_loss = 0;
  double accuracy = 0;
  std::int64_t iterations = 0;
};

Training train_by_fit(const distribute::TPUStrategy& strategy, const Digits& digits, const Sizes& sizes,
                      std::int64_t steps_per_execution) {
  set_random_seed(1);
  Sequential model;
  {
    const auto scope = strategy.scope();  // with strategy.scope():
    model = create_model(sizes.filters);
    model.compile({.optimizer = "adam",
                   .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                   .metrics = {"sparse_categorical_accuracy"},
                   // Anything between 2 and `steps_per_epoch` could help here.
                   .steps_per_execution = steps_per_execution});
  }
  const Dataset train_dataset = get_dataset(digits.train_path, sizes.batch_size, true);
  const Dataset test_dataset = get_dataset(digits.test_path, sizes.batch_size, false);

  const auto history = model.fit(train_dataset, {.epochs = sizes.epochs,
                                                 .validation_data = {.dataset = test_dataset},
                                                 .steps_per_epoch = sizes.steps_per_epoch,
                                                 .validation_steps = sizes.validation_steps});
  return {history.train_seconds, history["loss"].front(), history["loss"].back(),
          history["sparse_categorical_accuracy"].back(), history.num_steps};
}

// --- Train the model with a custom training loop

using Batches = distribute::DistributedDataset::Iterator;

/// What the loop makes inside the scope, and its step.
class CustomLoop {
 public:
  CustomLoop(const distribute::TPUStrategy& strategy, Digits digits, const Sizes& sizes)
      : strategy_(strategy), digits_(std::move(digits)), sizes_(sizes) {
    set_random_seed(1);
    const auto scope = strategy.scope();
    // Create the model, optimizer and metrics inside the strategy's scope: its variables.
    model_ = create_model(sizes.filters);
    optimizer_ = optimizers::Adam();
    training_loss_ = metrics::Mean({.name = "training_loss"});
    training_accuracy_ = metrics::SparseCategoricalAccuracy({.name = "training_accuracy"});
  }

  /// One step for each replica.
  void step_fn(const distribute::Components& inputs) {
    const Tensor &images = inputs[0], &labels = inputs[1];
    GradientTape tape;
    const Tensor logits = model_(images, {.training = true});
    const Tensor per_example_loss =
        losses::sparse_categorical_crossentropy(labels, logits, {.from_logits = true});
    Tensor loss = nn::compute_average_loss(per_example_loss);
    for (const Tensor& model_loss : model_.losses()) loss = loss + nn::scale_regularization_loss(model_loss);
    const auto variables = model_.trainable_variables();
    optimizer_->apply(tape.gradient(loss, variables), variables);
    // The loss of all replicas, for people.
    training_loss_.update_state(loss * static_cast<double>(strategy_.num_replicas_in_sync()));
    training_accuracy_.update_state(labels, logits);
  }

  /// A step a call.
  Training one_step_a_call() {
    // @tf.function def train_step(iterator)
    const auto train_step = function([this](const Batches& iterator) {
      strategy_.run([this](const distribute::Components& inputs) { step_fn(inputs); }, next(iterator));
    });
    return run_epochs([&](const Batches& iterator) {
      for (std::int64_t step = 0; step < sizes_.steps_per_epoch; ++step) train_step(iterator);
    });
  }

  // --- Improving performance with multiple steps inside a function

  Training many_steps_a_call() {
    // @tf.function def train_multiple_steps(iterator, steps)
    const auto train_multiple_steps = function([this](const Batches& iterator, const Tensor& steps) {
      // for _ in tf.range(steps): a tensor, so that another number does not trace again
      fori_loop(0, steps, [&](const Tensor&) {
        strategy_.run([this](const distribute::Components& inputs) { step_fn(inputs); }, next(iterator));
      });
    });
    return run_epochs([&](const Batches& iterator) {
      for (std::int64_t done = 0; done < sizes_.steps_per_epoch; done += sizes_.steps_per_execution) {
        const std::int64_t steps = std::min(sizes_.steps_per_execution, sizes_.steps_per_epoch - done);
        train_multiple_steps(iterator, Tensor::of<std::int32_t>({}, {static_cast<std::int32_t>(steps)}));
      }
    });
  }

 private:
  distribute::DistributedDataset distributed() const {
    // Each replica's part of the batch.
    const std::int64_t per_replica_batch_size = sizes_.batch_size / strategy_.num_replicas_in_sync();
    // strategy.experimental_distribute_datasets_from_function(lambda _: ...)
    return strategy_.distribute_datasets_from_function([&](const distribute::InputContext&) {
      return get_dataset(digits_.train_path, per_replica_batch_size, /*is_training=*/true);
    });
  }

  template <typename Epoch>
  Training run_epochs(const Epoch& run_epoch) {
    const distribute::DistributedDataset train_dataset = distributed();
    const Batches train_iterator = train_dataset.iterator();  // iter(train_dataset)
    const DeviceScope scope("/TPU:0");
    const auto now = [] { return current_placement().client()->now(); };
    Training result;
    for (std::int64_t epoch = 0; epoch < sizes_.epochs; ++epoch) {
      const double start = now();
      run_epoch(train_iterator);
      const double loss = training_loss_.result().item<double>();
      const double accuracy = training_accuracy_.result().item<double>();
      const double seconds = now() - start;
      std::printf(
          "Epoch: %lld/%lld\nCurrent step: %lld, training loss: %.4f, training accuracy: %.2f%%, %.3f s\n",
          static_cast<long long>(epoch) + 1, static_cast<long long>(sizes_.epochs),
          static_cast<long long>(optimizer_->iterations().item<std::int64_t>()), loss, 100 * accuracy,
          seconds);
      training_loss_.reset_state();
      training_accuracy_.reset_state();
      if (epoch == 0) result.first_loss = loss;
      result.seconds += epoch == 0 ? 0 : seconds;  // the first one compiles
      result.last_loss = loss;
      result.accuracy = accuracy;
    }
    result.iterations = optimizer_->iterations().item<std::int64_t>();
    return result;
  }

  distribute::TPUStrategy strategy_;
  Digits digits_;
  Sizes sizes_;
  Sequential model_;
  OptimizerHandle optimizer_ = optimizers::Adam();
  metrics::Mean training_loss_;
  metrics::SparseCategoricalAccuracy training_accuracy_;
};

// --- The program

/// A folder that goes when the program does.
struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("cornu_tpu_guide_" + std::to_string(getpid()));
  TemporaryFolder() { std::filesystem::create_directories(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

Digits write_digits(const examples::Program& program, const std::string& source, const Sizes& sizes,
                    const TemporaryFolder& folder) {
  const Digits digits{(folder.path / "train.tfrecord").string(), (folder.path / "test.tfrecord").string()};
  const std::int64_t train_rows = sizes.batch_size * sizes.steps_per_epoch;
  const std::int64_t test_rows = sizes.batch_size * sizes.validation_steps;
  const auto [train, test] = examples::load_mnist(program, source, {.train = train_rows, .test = test_rows});
  const auto first = [](const datasets::Arrays& all, std::int64_t rows) {
    rows = std::min(rows, all.x.num_rows());
    return datasets::Arrays{all.x.rows(0, rows), all.y.rows(0, rows)};
  };
  write_records(digits.train_path, first(train, train_rows));
  write_records(digits.test_path, first(test, test_rows));
  return digits;
}

class TpuGuide {
 public:
  std::string tpu = "sim:tpu_8_cores,clock=virtual", data, part = "all";
  Sizes sizes;

  explicit TpuGuide(examples::Program& program) : program_(program) {}

  void run() {
    const distribute::TPUStrategy strategy = initialize_tpu(tpu);
    figure("num_replicas", static_cast<double>(strategy.num_replicas_in_sync()), "");
    const bool by_hand = manual_placement(), on_all = matmul_on_all_cores(strategy);
    program_.check_true("the product that was placed by hand is wrong, or elsewhere", by_hand || !computes());
    program_.check_true("a core's product is wrong", on_all || !computes());
    make_quick();
    const TemporaryFolder folder;
    const Digits digits = write_digits(program_, data, sizes, folder);

    const auto fit = [&](std::int64_t steps_per_execution) {
      return train_by_fit(strategy, digits, sizes, steps_per_execution);
    };
    const std::optional<double> one = train("fit", sizes.epochs, [&] { return fit(1); });
    const std::optional<double> many =
        train("fit_many_steps_an_execution", sizes.epochs, [&] { return fit(sizes.steps_per_execution); });
    if (one && many) figure("throughput_of_many_steps_an_execution", *one / *many, "");
    const std::optional<double> loop = train(
        "loop", sizes.epochs - 1, [&] { return CustomLoop(strategy, digits, sizes).one_step_a_call(); });
    const std::optional<double> steps = train("many_steps_a_call", sizes.epochs - 1, [&] {
      return CustomLoop(strategy, digits, sizes).many_steps_a_call();
    });
    if (loop && steps) figure("throughput_of_many_steps_a_call", *loop / *steps, "");
  }

 private:
  void make_quick() {
    if (!program_.quick()) return;
    sizes = {.filters = 8,
             .batch_size = 64,
             .epochs = 3,
             .steps_per_epoch = 12,
             .validation_steps = 2,
             .steps_per_execution = 6};
  }

  void figure(const std::string& name, double value, const std::string& unit) const {
    program_.figure({name, value, unit, tpu, kind()});
  }

  /// Seconds of a step of the training of this name, or nothing where --part names another one.
  template <typename Train>
  std::optional<double> train(const std::string& name, std::int64_t timed_epochs,
                              const Train& run_training) const {
    if (part != "all" && part != name) return std::nullopt;
    std::printf("\n%s\n", name.c_str());
    const Training training = run_training();
    const double epoch = training.seconds / static_cast<double>(timed_epochs);
    const double step = epoch / static_cast<double>(sizes.steps_per_epoch);
    figure(name + "_step", 1e3 * step, "ms");
    figure(name + "_epoch", epoch, "s");
    if (!computes()) return step;
    const std::int64_t wanted = sizes.epochs * sizes.steps_per_epoch;
    program_.check_true(
        name + " ran " + std::to_string(training.iterations) + " steps instead of " + std::to_string(wanted),
        training.iterations == wanted);
    program_.check_at_most(name + ": the last epoch's loss to the first one's",
                           training.last_loss / training.first_loss, 0.9);
    program_.check(name + ": accuracy of the last epoch", training.accuracy, program_.quick() ? 0.3 : 0.8);
    return step;
  }

  /// False on a simulated device that only takes its time.
  bool computes() const { return examples::computes_results(tpu); }
  const char* kind() const {
    const DeviceScope scope("/TPU:0");
    return examples::kind_of(*current_placement().client());
  }

  examples::Program& program_;
};

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("document_tpu_guide", "Runs TensorFlow's guide to TPUs block by block",
                            "about 6 hours in the guide's sizes (--filters 16: a quarter of an hour; "
                            "with results=zeros in the TPU's profile: 30 s)");
  program.finds_device_itself();
  TpuGuide guide(program);
  program.option("--tpu", &guide.tpu,
                 "What TPUClusterResolver takes: grpc://HOST:PORT, sim:PROFILE, a name, or nothing");
  program.option("--data", &guide.data, "Folder with MNIST's four IDX files, or mnist.npz");
  program.option("--filters", &guide.sizes.filters, "Of each convolution");
  program.option("--batch-size", &guide.sizes.batch_size, "Rows a step, of all replicas");
  program.option("--epochs", &guide.sizes.epochs, "Of each training; the first one compiles", 2);
  program.option("--steps-per-epoch", &guide.sizes.steps_per_epoch, "Steps an epoch");
  program.option("--validation-steps", &guide.sizes.validation_steps, "Steps of validation");
  program.option("--steps-per-execution", &guide.sizes.steps_per_execution,
                 "Steps an execution or a call, where there are many");
  program.choice("--part", &guide.part, "all fit fit_many_steps_an_execution loop many_steps_a_call",
                 "Trainings to run");
  return program.main(argc, argv, [&] { guide.run(); });
}
