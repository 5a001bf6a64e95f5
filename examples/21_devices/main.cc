// The programs of docs/guide/devices.md, run and checked: tools/check_guide.py sees that the guide shows what
// stands here.

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

Sequential small_model() {
  return Sequential({layers::Dense({.units = 32, .activation = "relu"}),
                     layers::Dense({.units = 3, .activation = "softmax"})});
}

void a_device_with_a_name() {
  const Tensor x = random::uniform({105, 4}, {.seed = 1});
  const Tensor y = random::uniform({105}, {.minval = 0, .maxval = 3, .dtype = DType::kI32, .seed = 2});
  set_random_seed(1);
  Sequential on_cpu = small_model();
  on_cpu.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .steps_per_execution = 50});
  const auto expected = on_cpu.fit(x, y, {.batch_size = 20, .epochs = 5, .verbose = 0});
  set_random_seed(1);
  Sequential model = small_model();

  connect_devices("sim:gpu_in_this_machine,clock=virtual");  // "GPU:0"
  const DeviceScope scope("GPU:0");
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .steps_per_execution = 50});
  const auto history = model.fit(x, y, {.batch_size = 20, .epochs = 5, .verbose = 0});

  expect(history["loss"] == expected["loss"], "a simulated device computes what the CPU computes");
  expect(history.train_seconds > 0, "its time is simulated");
}

void counting_calls() {
  const Tensor x = random::uniform({105, 4}, {.seed = 1});
  const Tensor y = random::uniform({105}, {.minval = 0, .maxval = 3, .dtype = DType::kI32, .seed = 2});

  const std::shared_ptr<runtime::Client> client = runtime::make_client("sim:call_60ms,clock=virtual");
  set_default_client(client);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  model.fit(x, y, {.batch_size = 20, .verbose = 0});  // compiles

  const runtime::TransferStatistics before = client->counts();
  const double start = client->now();
  model.fit(x, y, {.batch_size = 20, .epochs = 20, .verbose = 0});
  std::printf("%.2f simulated seconds\n%s", client->now() - start,
              client->counts().since(before).str().c_str());

  const runtime::TransferStatistics calls = client->counts().since(before);
  expect(calls.executions.calls == 20 * 6, "six launches an epoch");
  const auto round_trips =
      static_cast<double>(calls.executions.calls + calls.reads.calls + calls.writes.calls);
  expect(std::abs(client->now() - start - 0.06 * round_trips) < 1e-9, "60 ms a call and nothing else");
  set_default_client(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("devices", argc, argv, {a_device_with_a_name, counting_calls},
                                            cornu::examples::GuideDevice::kOwn);
}
