/// A training that is killed while it writes a backup, for backup_test: killed_run FOLDER RESULT KILL_AT.
///
/// Before step KILL_AT of writing files (0: never) the process kills itself; with a negative number it gets
/// SIGTERM in that execution. A run that comes to its end writes its weights to RESULT.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "cornu/io/file.h"
#include "cornu/keras/keras.h"

namespace {

using namespace cornu;
using namespace cornu::keras;

std::atomic<int> steps_left{0}, executions_left{0};

void kill_at_last_step(const char*) {
  if (--steps_left == 0) std::raise(SIGKILL);
}

Tensor rows() {
  std::vector<float> values;
  for (int i = 0; i < 22 * 4; ++i) values.push_back(static_cast<float>((i * 37) % 19) / 19.0F - 0.5F);
  return Tensor::from({22, 4}, std::span<const float>(values));
}

void train(const std::string& folder, const std::string& result) {
  set_random_seed(3);
  const Tensor x = rows(), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model({Input({.shape = {4}}), layers::Dense({.units = 6, .activation = "tanh"}),
                    layers::BatchNormalization(), layers::Dropout({.rate = 0.25}),
                    layers::Dense({.units = 1})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05, .use_ema = true}),
                 .loss = "mse",
                 .steps_per_execution = 2});
  model.fit(x, y,
            {.batch_size = 4,
             .epochs = 3,
             .verbose = 0,
             .callbacks = {callbacks::LambdaCallback({.on_train_batch_end =
                                                          [](const callbacks::BatchRange&, LazyLogs&) {
                                                            if (--executions_left == 0) std::raise(SIGTERM);
                                                          }}),
                           callbacks::ReduceLROnPlateau({.monitor = "loss", .patience = 1}),
                           callbacks::BackupAndRestore({.backup_dir = folder, .save_freq = 2})}});
  io::whole_file_step_for_tests = nullptr;
  model.save_weights(result);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  steps_left = std::atoi(argv[3]);
  executions_left = -steps_left;
  io::whole_file_step_for_tests = steps_left > 0 ? &kill_at_last_step : nullptr;
  try {
    train(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "killed_run: %s\n", error.what());
    return 1;
  }
  return 0;
}
