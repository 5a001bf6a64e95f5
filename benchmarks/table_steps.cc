// Steps of training an embedding table, for benchmarks/tables.py: each line of stdin trains some steps, and
// the milliseconds of a step are a line of stdout.
//
//   table_steps ROWS WIDTH BATCH IDS OPTIMIZER STEPS_PER_EXECUTION
//
// OPTIMIZER is sgd, momentum, adagrad, rmsprop or adam, with "lazy_" before it for lazy_rows. The model adds
// the rows of IDS random ids and applies one dense unit; ids are new in each step. With OPTIMIZER "rows"
// nothing is trained: a step reads and writes the same rows of a plain array in a simple
// loop.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

namespace {

using namespace cornu::keras;
using cornu::DType;

OptimizerHandle optimizer_of(const std::string& name) {
  const bool lazy = name.starts_with("lazy_");
  const std::string kind = lazy ? name.substr(5) : name;
  if (kind == "sgd") return optimizers::SGD({.learning_rate = 0.1, .lazy_rows = lazy});
  if (kind == "momentum") return optimizers::SGD({.learning_rate = 0.1, .momentum = 0.9, .lazy_rows = lazy});
  if (kind == "adagrad") return optimizers::Adagrad({.learning_rate = 0.1, .lazy_rows = lazy});
  if (kind == "rmsprop") return optimizers::RMSprop({.lazy_rows = lazy});
  return optimizers::Adam({.lazy_rows = lazy});
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

constexpr std::int64_t kSteps = 200;

/// Calls `step_all`, which does kSteps steps, for each line of stdin and prints the milliseconds of a step.
void print_times(const std::function<void()>& step_all) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    step_all();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.5f\n", took.count() / kSteps);
    std::fflush(stdout);
  }
}

/// Scales the rows that the ids name, in memory of large pages as the engine's.
void touch_rows(const Data& data, std::int64_t rows, std::int64_t width) {
  const std::size_t page = std::size_t{2} << 20, floats = static_cast<std::size_t>(rows * width);
  const std::size_t size_bytes = (floats * sizeof(float) + page - 1) / page * page;
  auto* const table = static_cast<float*>(std::aligned_alloc(page, size_bytes));
  madvise(table, size_bytes, MADV_HUGEPAGE);
  std::fill_n(table, floats, 1.0F);
  const std::vector<std::int32_t> ids = data.x.to_vector<std::int32_t>();
  print_times([&] {
    for (const std::int32_t id : ids) {
      float* const row = table + id * width;
      for (std::int64_t i = 0; i < width; ++i) row[i] *= 0.999F;
    }
  });
  std::free(table);
}

int run(std::int64_t rows, std::int64_t width, std::int64_t batch, std::int64_t ids, const std::string& name,
        std::int64_t steps_per_execution) {
  cornu::set_random_seed(1);
  const Data data = random_data(batch * kSteps, ids, rows);
  if (name == "rows") {
    touch_rows(data, rows, width);
    return 0;
  }
  Sequential model({Input({.shape = {ids}, .dtype = DType::kI32}),
                    layers::Embedding({.input_dim = rows, .output_dim = width}),
                    layers::GlobalAveragePooling1D({}), layers::Dense({.units = 1})});
  model.compile({.optimizer = optimizer_of(name), .loss = "mse", .steps_per_execution = steps_per_execution});
  print_times(
      [&] { model.fit(data.x, data.y, {.batch_size = batch, .epochs = 1, .verbose = 0, .shuffle = false}); });
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "usage: table_steps ROWS WIDTH BATCH IDS OPTIMIZER STEPS_PER_EXECUTION\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoll(arguments[i], nullptr, 10); };
  return run(number(1), number(2), number(3), number(4), arguments[5], number(6));
}
