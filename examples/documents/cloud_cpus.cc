// The benchmark script of the study "TensorFlow on cloud CPUs or a cloud GPU": six examples of Keras, each
// trained with the processor's instructions and without them (the study's TensorFlow from pip, and compiled),
// by threads:
//
//   mnist_mlp  mnist_cnn  cifar10_cnn  imdb_fasttext  imdb_bidirectional_lstm  lstm_text_generation
//
// Made data in the shape of the real ones, on which each must learn; --device adds a device that the times
// are put in proportion to, as the study does with its GPU (GPU = 1). What machines and minutes cost is
// `cornu study cost`'s: it takes these times on to 8 to 64 processors, and prices.
//
//   document_cloud_cpus --network mnist_mlp --device sim:k80,clock=virtual
//   cornu study cost --workloads mnist_mlp

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/keras/keras.h"
#include "examples/models/models.h"
#include "examples/support/data.h"
#include "examples/support/document_device.h"
#include "examples/support/program.h"

namespace {

using namespace cornu;
using namespace cornu::keras;

struct Rows {
  Tensor x, y;
};

/// A network, its settings and data as Keras's example has them.
struct Network {
  std::string name;
  std::int64_t batch_size;
  std::function<Sequential()> make_model;
  std::function<CompileOptions()> training;
  Rows rows;
};

Tensor as_floats(const Tensor& labels) {
  return Tensor::adopt({labels.num_rows()}, labels.to_vector<float>());
}

Rows digits(std::int64_t num_rows, std::uint32_t seed, const Dims& row) {
  const auto made = datasets::mnist::make_data({.num_train = num_rows, .num_test = 1, .seed = seed}).train;
  Dims shape = row;
  shape.insert(shape.begin(), num_rows);
  return {examples::scaled_pixels(made.x, shape), examples::class_ids(made.y)};
}

Rows photographs(std::int64_t num_rows, std::uint32_t seed) {
  const auto made = datasets::cifar10::make_data({.num_train = num_rows, .num_test = 1, .seed = seed}).train;
  return {examples::scaled_pixels(made.x, made.x.shape()), examples::class_ids(made.y)};
}

Rows reviews(std::int64_t num_rows, std::uint32_t seed, std::int64_t num_words) {
  const auto made =
      datasets::imdb::make_data({.num_train = num_rows, .num_test = 1, .seed = seed}, {.num_words = 20000})
          .train;
  return {utils::pad_sequences(made.x, {.maxlen = num_words}), as_floats(made.y)};
}

/// Windows of the licence that lies in the root of this tree: the example reads Nietzsche.
Network text_generation(std::int64_t num_rows) {
  std::string text = io::read_text_file(CORNU_EXAMPLE_FOLDER "/../../LICENSE");
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const utils::CharacterVocabulary vocabulary(text);
  const auto [x, y] = utils::text_windows(text, vocabulary, {.maxlen = 40, .step = 3});
  const std::int64_t rows = std::min(num_rows, x.num_rows()), num_characters = vocabulary.size();
  return {.name = "lstm_text_generation",
          .batch_size = 128,
          .make_model = [=] { return examples::lstm_text_generation(num_characters); },
          .training = examples::lstm_text_generation_training,
          .rows = {x.rows(0, rows), y.rows(0, rows)}};
}

const char* const kNames =
    "all mnist_mlp mnist_cnn cifar10_cnn imdb_fasttext imdb_bidirectional_lstm lstm_text_generation";

Network make_network(const std::string& name, std::int64_t batches, std::uint32_t seed) {
  if (name == "mnist_mlp")
    return {name, 128, examples::mnist_mlp, examples::mnist_mlp_training, digits(128 * batches, seed, {784})};
  if (name == "mnist_cnn")  // with the rate that Keras's Adadelta had when the study was made
    return {name, 128, examples::mnist_cnn, [] { return examples::mnist_cnn_training(1.0); },
            digits(128 * batches, seed, {28, 28, 1})};
  if (name == "cifar10_cnn")
    return {name, 32, examples::cifar10_cnn, [] { return examples::cifar10_cnn_training(); },
            photographs(32 * batches, seed)};
  if (name == "imdb_fasttext")
    return {name, 32, [] { return examples::imdb_fasttext(); }, examples::imdb_fasttext_training,
            reviews(32 * batches, seed, 400)};
  if (name == "imdb_bidirectional_lstm")
    return {name, 32, [] { return examples::imdb_bidirectional_lstm(); },
            examples::imdb_bidirectional_lstm_training, reviews(32 * batches, seed, 100)};
  return text_generation(128 * batches);
}

/// A network that trains on one client.
class Trained {
 public:
  Trained(const Network& network, std::shared_ptr<runtime::Client> client)
      : network_(network), client_(std::move(client)) {
    set_default_client(client_);
    set_random_seed(1);
    model_ = network.make_model();
    CompileOptions options = network.training();
    options.steps_per_execution = 50;
    model_.compile(options);
    loss_before_ = loss();
    fit(1);  // compiles
  }

  /// Milliseconds of a step, by the client's clock.
  double fit(std::int64_t steps) {
    set_default_client(client_);
    const double start = client_->now();
    model_.fit(network_.rows.x, network_.rows.y,
               {.batch_size = network_.batch_size, .verbose = 0, .steps_per_epoch = steps, .repeat = true});
    return 1e3 * (client_->now() - start) / static_cast<double>(steps);
  }
  /// Of what it trained on, to what it was before.
  double loss_to_before() { return loss() / loss_before_; }

 private:
  double loss() {
    set_default_client(client_);
    return model_.evaluate(network_.rows.x, network_.rows.y,
                           {.batch_size = network_.batch_size, .verbose = 0})["loss"];
  }

  const Network& network_;
  std::shared_ptr<runtime::Client> client_;
  Sequential model_;
  double loss_before_ = 0;
};

/// A way to train on: a level of instructions and a number of threads, or another device.
struct Way {
  std::string name, device, kind;
  std::shared_ptr<runtime::Client> client;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class CloudCpus {
 public:
  std::string network = "all", device;
  std::int64_t steps = 100, repeats = 3;

  explicit CloudCpus(examples::Program& program) : program_(program) {}

  void run() {
    const std::vector<Way> ways = all_ways();
    std::istringstream names(kNames);
    std::int64_t batches = 20;
    if (program_.quick()) network = "mnist_mlp", steps = 10, repeats = 1, batches = 4;
    for (std::string name; names >> name;)
      if (name != "all" && (network == "all" || network == name))
        run_network(make_network(name, batches, program_.seed()), ways);
    set_default_client(nullptr);
  }

 private:
  std::vector<Way> all_ways() const {
    std::vector<Way> ways;
    const int all_threads = runtime::make_client("cpu")->num_threads();
    for (const int threads : {1, all_threads}) {
      if (threads == 1 && all_threads == 1 && !ways.empty()) continue;
      for (const char* const isa : {"sse2", ""})
        ways.push_back({std::string(*isa == 0 ? "compiled_" : "generic_") + std::to_string(threads) +
                            (threads == 1 ? "_thread" : "_threads"),
                        "cpu", "measured",
                        runtime::make_client("cpu", {.num_threads = threads, .isa = isa})});
    }
    if (!device.empty()) {
      const std::shared_ptr<runtime::Client> client = runtime::make_client(device);
      ways.push_back({"reference", device, examples::kind_of(*client), client});
    }
    return ways;
  }

  void run_network(const Network& of, const std::vector<Way>& ways) {
    std::vector<Trained> trained;
    for (const Way& way : ways) trained.emplace_back(of, way.client);
    std::vector<std::vector<double>> times(ways.size());
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat)
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::size_t at = (i + static_cast<std::size_t>(repeat)) % ways.size();
        times[at].push_back(trained[at].fit(steps));
      }
    const double reference = device.empty() ? 0 : median(times.back());
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double step = median(times[i]);
      program_.figure({of.name + "_" + ways[i].name, step, "ms", ways[i].device, ways[i].kind});
      if (reference > 0 && i + 1 < ways.size())
        program_.figure({of.name + "_" + ways[i].name + "_to_reference", step / reference, "",
                         ways[i].device + " / " + device, ways.back().kind});
      if (examples::computes_results(ways[i].device))
        program_.check_at_most(of.name + " " + ways[i].name + ": the loss, to what it was before",
                               trained[i].loss_to_before(), 0.999);
    }
  }

  examples::Program& program_;
};

}  // namespace

int main(int argc, char** argv) {
  examples::Program program(
      "document_cloud_cpus",
      "Times six examples of Keras by instructions and threads, as a study of cloud CPUs did",
      "about 10 minutes");
  program.finds_device_itself();
  CloudCpus study(program);
  program.choice("--network", &study.network, kNames, "Which of them");
  program.option("--device", &study.device,
                 "A device to put the times in proportion to, such as sim:k80,clock=virtual");
  program.option("--steps", &study.steps, "Steps of each timing");
  program.option("--repeats", &study.repeats, "Timings of each, in turn");
  return program.main(argc, argv, [&] { study.run(); });
}
