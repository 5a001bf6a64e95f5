#include "cli/workloads.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "cli/bench_list.h"
#include "cornu/base/check.h"
#include "examples/models/models.h"

namespace cornu::inline v0::cli {
namespace {

Dims with_rows(Dims row, std::int64_t num_rows) {
  row.insert(row.begin(), num_rows);
  return row;
}

std::vector<std::int32_t> random_ids(std::mt19937& random, const Dims& shape, std::int64_t limit) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(TensorType{DType::kI32, shape}.num_elements()));
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(limit));
  return ids;
}

/// Ids by Zipf's law.
std::vector<std::int32_t> zipf_ids(std::mt19937& random, const Dims& shape, const WorkloadInput& input) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(TensorType{DType::kI32, shape}.num_elements()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto num_ids = static_cast<double>(input.num_ids_at(i));
    const double uniform = static_cast<double>(random()) * 0x1p-32;
    ids[i] = static_cast<std::int32_t>(std::min(std::pow(num_ids + 1, uniform) - 1, num_ids - 1));
  }
  return ids;
}

Tensor random_input(std::mt19937& random, const WorkloadInput& input, std::int64_t num_rows) {
  const Dims shape = with_rows(input.shape, num_rows);
  if (!input.column_ids.empty()) return Tensor::adopt(shape, zipf_ids(random, shape, input));
  if (input.num_ids > 0) return Tensor::adopt(shape, random_ids(random, shape, input.num_ids));
  std::vector<float> values(static_cast<std::size_t>(TensorType{DType::kF32, shape}.num_elements()));
  for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-24F;
  return Tensor::adopt(shape, std::move(values));
}

/// With the two networks for CIFAR-10, two batch sizes each, and the family.
std::vector<Workload> with_the_others(std::vector<Workload> workloads) {
  for (const bool large : {false, true}) {
    for (const std::int64_t batch_size : {32, 256}) {
      workloads.push_back(
          {.name = fmt::format("cifar_{}_b{}", large ? "10m" : "2m", batch_size),
           .summary = fmt::format("four convolutions, two dense layers, Adam, batch {}", batch_size),
           .inputs = {{.shape = {32, 32, 3}}},
           .num_classes = 10,
           .batch_size = batch_size,
           .num_rows = 10 * std::max<std::int64_t>(batch_size, 128),
           .num_parameters = large ? 10103770 : 2168362,
           .make_model = [large] { return examples::cifar_cnn(large); },
           .compile_options = examples::cifar_cnn_training});
    }
  }
  for (Workload& workload : family_workloads()) workloads.push_back(std::move(workload));
  return workloads;
}

}  // namespace

std::span<const Workload> workloads() {
  static const std::vector<Workload> all = with_the_others({
      {.name = "iris_mlp",
       .summary = "4-32-3, Adam, log-cosh, batch 20",
       .inputs = {{.shape = {4}}},
       .num_classes = 3,
       .batch_size = 20,
       .num_rows = 100,
       .labels_as_column = true,
       .num_parameters = 259,
       .make_model = examples::iris_mlp,
       .compile_options = examples::iris_mlp_training},
      {.name = "mnist_tpu_cnn",
       .summary = "two convolutions of 256 filters, dense 256-128-10, L2, Adam, batch 200",
       .inputs = {{.shape = {28, 28, 1}}},
       .num_classes = 10,
       .batch_size = 200,
       .num_rows = 1000,
       .num_parameters = 38375818,
       .make_model = [] { return examples::mnist_tpu_cnn(); },
       .compile_options = examples::mnist_tpu_cnn_training},
      {.name = "mnist_mlp",
       .summary = "784-512-512-10 with dropout, RMSprop, cross-entropy, batch 128",
       .inputs = {{.shape = {784}}},
       .num_classes = 10,
       .batch_size = 128,
       .num_rows = 12800,
       .num_parameters = 669706,
       .make_model = examples::mnist_mlp,
       .compile_options = examples::mnist_mlp_training},
      {.name = "mnist_cnn",
       .summary = "convolutions of 32 and 64 filters, dense 128-10, dropout, Adadelta, batch 128",
       .inputs = {{.shape = {28, 28, 1}}},
       .num_classes = 10,
       .batch_size = 128,
       .num_rows = 2560,
       .num_parameters = 1199882,
       .make_model = examples::mnist_cnn,
       .compile_options = [] { return examples::mnist_cnn_training(); }},
      {.name = "cifar10_cnn",
       .summary = "four convolutions, dense 512-10, dropout, RMSprop, batch 32",
       .inputs = {{.shape = {32, 32, 3}}},
       .num_classes = 10,
       .batch_size = 32,
       .num_rows = 1280,
       .num_parameters = 1250858,
       .make_model = examples::cifar10_cnn,
       .compile_options = [] { return examples::cifar10_cnn_training(); }},
      {.name = "imdb_fasttext",
       .summary = "the mean of 400 embeddings of 50, one unit, Adam, batch 32",
       .inputs = {{.shape = {400}, .num_ids = 20000}},
       .num_classes = 1,
       .batch_size = 32,
       .num_rows = 3200,
       .num_parameters = 1000051,
       .make_model = [] { return examples::imdb_fasttext(); },
       .compile_options = examples::imdb_fasttext_training},
      {.name = "imdb_bilstm",
       .summary = "100 embeddings of 128, LSTM of 64 both ways, dropout, one unit, Adam, batch 32",
       .inputs = {{.shape = {100}, .num_ids = 20000}},
       .num_classes = 1,
       .batch_size = 32,
       .num_rows = 640,
       .num_parameters = 2658945,
       .make_model = [] { return examples::imdb_bidirectional_lstm(); },
       .compile_options = examples::imdb_bidirectional_lstm_training},
      {.name = "lstm_textgen",
       .summary = "40 one-hot characters of 57, LSTM of 128, softmax, RMSprop, batch 128",
       .inputs = {{.shape = {40, 57}}},
       .num_classes = 57,
       .batch_size = 128,
       .num_rows = 2560,
       .num_parameters = 102585,
       .make_model = [] { return examples::lstm_text_generation(); },
       .compile_options = examples::lstm_text_generation_training},
  });
  return all;
}

const Workload& find_workload(const std::string& name) {
  for (const Workload& workload : workloads())
    if (workload.name == name) return workload;
  for (const Workload& workload : large_workloads())
    if (workload.name == name) return workload;
  if (is_bench_workload(name))
    invalid_argument(
        "{} is no training step: only `cornu bench` measures it; \"cornu bench list\" shows the training "
        "steps",
        name);
  unknown_workload(name);
}

WorkloadData make_data(const Workload& workload) {
  std::mt19937 random(0);
  std::vector<Tensor> x;
  x.reserve(workload.inputs.size());
  for (const WorkloadInput& input : workload.inputs)
    x.push_back(random_input(random, input, workload.num_rows));
  if (workload.num_classes == 0) return {x, x[0]};
  const Dims shape = with_rows(workload.labels_as_column ? Dims{1} : workload.label_shape, workload.num_rows);
  std::vector<std::int32_t> labels =
      random_ids(random, shape, std::max<std::int64_t>(2, workload.num_classes));
  if (workload.num_classes > 1 && !workload.labels_as_column)
    return {x, Tensor::adopt(shape, std::move(labels))};
  return {x, Tensor::adopt(shape, std::vector<float>(labels.begin(), labels.end()))};
}

}  // namespace cornu::inline v0::cli
