// Steps of a model in which lookups in sharded tables dominate, under mpirun or alone:
//
//   mpirun -n 2 sharded_tables ROWS WIDTH IDS BATCH STEPS SHARDING POWER
//
// SHARDING is row_wise, row_wise_modulo, column_wise or replicated. IDS ids for each of BATCH rows are drawn
// with a frequency proportional to 1 / id^POWER (0: uniform), so that some repeat in a batch. Rank 0 prints
// the milliseconds of a step, the best of five passes, and the collectives of a step.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/collective.h"

namespace {

using namespace cornu;

struct Case {
  std::int64_t rows = 0, width = 0, ids = 0, batch = 0, steps = 0;
  std::string sharding;
  double power = 0;
};

/// An id by the inverse of the distribution function of the continuous power law on [1, rows + 1).
std::int32_t id_at(double uniform, const Case& it) {
  const double end = static_cast<double>(it.rows) + 1, rest = 1 - it.power;
  const double value =
      it.power == 1 ? std::pow(end, uniform) : std::pow(1 + uniform * (std::pow(end, rest) - 1), 1 / rest);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(value) - 1, 0, it.rows - 1));
}

double best_of_passes(const Case& it) {
  set_random_seed(1);
  const distribute::MultiWorkerMirroredStrategy strategy;
  std::vector<std::int32_t> ids(static_cast<std::size_t>(it.steps * it.batch * it.ids));
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (std::int32_t& id : ids) id = id_at(uniform(generator), it);
  const Tensor x = Tensor::adopt({it.steps * it.batch, it.ids}, std::move(ids)),
               y = Tensor::zeros({it.steps * it.batch, 1});
  keras::Sequential model;
  {
    const auto scope = strategy.scope();
    const keras::layers::TableConfig table{.vocabulary_size = it.rows,
                                           .dim = it.width,
                                           .combiner = "sum",
                                           .sharding = it.sharding,
                                           .name = "table"};
    model = keras::Sequential({keras::layers::DistributedEmbedding({.feature_configs = {{.table = table}}}),
                               keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = keras::optimizers::SGD({.learning_rate = 0.01}),
                   .loss = "mse",
                   .steps_per_execution = it.steps});
  }
  const auto pass = [&] {
    model.fit(x, y, {.batch_size = it.batch, .epochs = 1, .verbose = 0, .shuffle = false});
  };
  pass();
  double best = INFINITY;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pass();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best / static_cast<double>(it.steps);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 8) {
    std::fprintf(stderr, "sharded_tables ROWS WIDTH IDS BATCH STEPS SHARDING POWER\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoll(arguments[i], nullptr, 10); };
  const Case it{.rows = number(1),
                .width = number(2),
                .ids = number(3),
                .batch = number(4),
                .steps = number(5),
                .sharding = arguments[6],
                .power = std::strtod(arguments[7], nullptr)};
  const double seconds = best_of_passes(it);
  const auto& processes = runtime::joined_processes();
  if (!runtime::is_chief()) return 0;
  std::printf("%.3f ms a step; %s\n", seconds * 1e3,
              processes == nullptr ? "alone" : processes->counts().str(6 * it.steps).c_str());
}
