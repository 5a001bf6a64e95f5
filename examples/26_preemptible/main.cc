// A training that may lose its machine at any time: example_26_preemptible [--device D] [FOLDER]
//
// SIGTERM makes a backup and ends it with the exit code 75; started again with the same folder it goes on
// from there. It writes its weights to FOLDER/weights.safetensors. preempted.sh beside this file takes its
// machine away again and again, and compares what comes out with an undisturbed run.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "cornu/keras/keras.h"
#include "examples/device_option.h"

namespace {

using namespace cornu;
using namespace cornu::keras;

constexpr std::int64_t kNumRows = 4096;
constexpr double kWantedAccuracy = 0.9;

/// Points in eight dimensions; the class is whether the first four weigh more than the last.
struct Points {
  Tensor x, y;
};
Points points() {
  const Tensor x = random::normal({kNumRows, 8}, {.seed = 1});
  const Tensor weights = Tensor::of<float>({8}, {1, 1, 1, 1, -1, -1, -1, -1});
  return {x, ops::cast(ops::greater(ops::sum(x * weights, {.axis = 1, .keepdims = true}), 0), DType::kF32)};
}

double train(const std::string& folder) {
  set_random_seed(1);
  const auto [x, y] = points();

  Sequential model({Input({.shape = {8}}), layers::Dense({.units = 256, .activation = "relu"}),
                    layers::Dropout({.rate = 0.2}), layers::Dense({.units = 256, .activation = "relu"}),
                    layers::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = "adam",
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 16});
  const auto history = model.fit(
      x, y,
      {.batch_size = 32,
       .epochs = 60,
       .verbose = 2,
       .callbacks = {callbacks::BackupAndRestore({.backup_dir = folder + "/backup", .save_freq = 64})}});
  model.save_weights(folder + "/weights.safetensors");
  std::printf("loss %.9g\n", history["loss"].back());  // history has the epochs since the last start
  return history["accuracy"].back();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (!examples::take_device_option(argc, argv, "[FOLDER]")) return EXIT_SUCCESS;
    const bool is_temporary = argc < 2;
    const std::string folder = is_temporary ? std::filesystem::temp_directory_path() / "cornu_preemptible"
                                            : std::filesystem::path(argv[1]);
    std::filesystem::create_directories(folder);
    const double accuracy = train(folder);
    if (is_temporary) std::filesystem::remove_all(folder);
    if (accuracy >= kWantedAccuracy) return EXIT_SUCCESS;
    std::fprintf(stderr, "accuracy %.3f; %.1f was expected\n", accuracy, kWantedAccuracy);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_26_preemptible: %s\n", error.what());
  }
  return EXIT_FAILURE;
}
