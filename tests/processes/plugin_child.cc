// What plugin_ends_test starts by mpirun: processes_plugin_child WHAT. Prints what happened, a line a rank.
#include <cstdio>
#include <string>
#include <vector>

#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/collective.h"

namespace {

using namespace cornu;

/// "gpu" and "gpu_for_ever", until it is ended: on GPU:0; "two": two devices each; "settings": a client with
/// settings; "used": the device is used before the strategy is made; else on XLA_CPU:0.
std::vector<std::string> devices_of(const std::string& what) {
  if (what.starts_with("gpu")) return {"GPU:0"};
  if (what == "two") return {"XLA_CPU:0", "XLA_CPU:1"};
  return {"XLA_CPU:0"};
}

int train(const std::string& what) {
  if (what == "used") with_device("XLA_CPU:0", [] { return Tensor(1.0F) + 1.0F; });
  const distribute::MultiWorkerMirroredStrategy strategy({.devices = devices_of(what)});
  const keras::Flowers data(24);
  keras::Sequential model;
  {
    const auto scope = strategy.scope();
    model = keras::small_model(1);
    model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 5});
  }
  const keras::FitOptions options{.batch_size = 8, .epochs = 3, .verbose = 0};
  auto history = model.fit(data.x, data.class_id, options);
  if (what == "gpu_for_ever") {
    std::printf("rank %d goes on\n", strategy.rank());
    std::fflush(stdout);
    while (true) history = model.fit(data.x, data.class_id, options);
  }
  std::printf("rank %d of %d: %lld replicas, loss %.6f\n", strategy.rank(), strategy.num_workers(),
              static_cast<long long>(strategy.num_replicas_in_sync()), history["loss"].back());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  set_random_seed(9);
  try {
    return train(arguments[1]);
  } catch (const Error& error) {
    // In one piece, so that lines of several ranks do not mix.
    const std::string line = "error: " + std::string(error.what()) + "\n";
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
    return 3;
  }
}
