// Steps of training an embedding table, for benchmarks/tables.py: each line of stdin trains some steps, and
// the milliseconds of a step are a line of stdout.
//
//   table_steps ROWS WIDTH BATCH IDS sgd|adagrad|adam STEPS_PER_EXECUTION
//
// The model adds the rows of IDS random ids and applies one dense unit; ids are new in each step.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "cornu/keras/keras.h"

namespace {

using namespace cornu::keras;
using cornu::DType;

OptimizerHandle optimizer_of(const std::string& name) {
  if (name == "sgd") return optimizers::SGD({.learning_rate = 0.1});
  if (name == "adagrad") return optimizers::Adagrad({.learning_rate = 0.1});
  return optimizers::Adam({});
}

struct Data {
  cornu::Tensor x, y;
};

Data random_data(std::int64_t num_samples, std::int64_t ids, std::int64_t rows) {
  cornu::ir::Literal x(cornu::TensorType{DType::kI32, {num_samples, ids}});
  cornu::ir::Literal y(cornu::TensorType{DType::kF32, {num_samples, 1}});
  std::mt19937 generator(1);
  std::uniform_int_distribution<std::int32_t> some_row(0, static_cast<std::int32_t>(rows - 1));
  std::uniform_real_distribution<float> some_label(0, 1);
  for (std::int32_t& id : x.mutable_data<std::int32_t>()) id = some_row(generator);
  for (float& label : y.mutable_data<float>()) label = some_label(generator);
  return {cornu::Tensor(x), cornu::Tensor(y)};
}

int run(std::int64_t rows, std::int64_t width, std::int64_t batch, std::int64_t ids, const std::string& name,
        std::int64_t steps_per_execution) {
  constexpr std::int64_t kSteps = 200;
  cornu::set_random_seed(1);
  Sequential model({Input({.shape = {ids}, .dtype = DType::kI32}),
                    layers::Embedding({.input_dim = rows, .output_dim = width}),
                    layers::GlobalAveragePooling1D({}), layers::Dense({.units = 1})});
  model.compile({.optimizer = optimizer_of(name), .loss = "mse", .steps_per_execution = steps_per_execution});
  const Data data = random_data(batch * kSteps, ids, rows);
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    model.fit(data.x, data.y, {.batch_size = batch, .epochs = 1, .verbose = 0, .shuffle = false});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.5f\n", took.count() / kSteps);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "usage: table_steps ROWS WIDTH BATCH IDS sgd|adagrad|adam STEPS_PER_EXECUTION\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoll(arguments[i], nullptr, 10); };
  return run(number(1), number(2), number(3), number(4), arguments[5], number(6));
}
