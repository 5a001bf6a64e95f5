// The program of docs/guide/processes.md:
//   mpirun -n 4 example_28_processes

#include <cstdio>
#include <filesystem>

#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

constexpr std::int64_t kNumRows = 500;

struct Data {
  Tensor x, y;
};

/// Points, and on which side of a curve they lie.
Data points() {
  const Tensor x = random::uniform({kNumRows, 2}, {.minval = -1, .maxval = 1, .seed = 2});
  const Tensor square = ops::sum(ops::square(x), {.axis = -1});
  return {x, ops::cast(ops::greater(square, 0.6), DType::kI32)};
}

void train() {
  set_random_seed(1);
  const distribute::MultiWorkerMirroredStrategy strategy;

  Sequential model;
  {
    const auto scope = strategy.scope();
    model = Sequential({layers::Dense({.units = 32, .activation = "tanh", .input_shape = {2}}),
                        layers::Dense({.units = 2, .activation = "softmax"})});
    model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                   .loss = "sparse_categorical_crossentropy",
                   .metrics = {"accuracy"},
                   .steps_per_execution = 4});
  }
  const auto [x, y] = points();
  const std::string folder = (std::filesystem::temp_directory_path() / "cornu_processes").string();
  const auto history = model.fit(x, y,
                                 {.batch_size = 64,
                                  .epochs = 40,
                                  .verbose = 2,
                                  .callbacks = {callbacks::BackupAndRestore({.backup_dir = folder})}});
  const Logs logs = model.evaluate(x, y, {.batch_size = 64, .verbose = 0});
  if (strategy.is_chief())
    std::printf("%d workers, accuracy %.3f\n", strategy.num_workers(), static_cast<double>(logs["accuracy"]));

  expect(strategy.num_replicas_in_sync() == strategy.num_workers(), "a replica a process");
  expect(history["loss"].back() < 0.5 * history["loss"].front(), "processes train together");
  expect(logs["accuracy"] > 0.9, "processes evaluate together");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program("processes", argc, argv, {train}, examples::GuideDevice::kOwn);
}
