// The client of rough_link_test: rough_link_client here | trains URL | executes URL. What it does and what
// came of it, a line each.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/keras/keras.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/device.h"

namespace {

using namespace cornu;

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

Tensor numbers(std::int64_t rows, std::int64_t columns) {
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i * 7 % 19) - 0.9F;
  return Tensor::from<float>({rows, columns}, values);
}

/// Says "pauses" behind each epoch but the last and waits for a line, so that a test knows what the link
/// does to which call.
struct Pauses : keras::callbacks::Callback {
  void on_epoch_end(std::int64_t epoch, keras::Logs&) override {
    // What is repeated from a backup pauses no more.
    if (epoch != num_pauses || epoch + 1 == params().epochs) return;
    ++num_pauses;
    say("pauses");
    std::getchar();
  }
  std::int64_t num_pauses = 0;
};

/// Says when an execution is known to be in the middle.
struct Watches : keras::callbacks::Callback {
  ~Watches() override {
    is_over = true;
    if (thread.joinable()) thread.join();
  }
  void on_train_begin() override {
    thread = std::thread([this, progress = params().progress] {
      while (!is_over && progress->steps_done.load() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!is_over) say("executes");
    });
  }
  std::atomic<bool> is_over{false};
  std::thread thread;
};

/// Numbers to the bit: all logs, and a sum over the bytes of all weights.
void say_result(const keras::callbacks::History& history, const keras::Sequential& model) {
  for (const auto& [name, values] : history.history)
    for (const double value : values) say(fmt::format("result: {} {:a}", name, value));
  std::uint64_t sum = 14695981039346656037U;
  for (const Variable& weight : model.weights())
    for (const float value : weight.value().to_vector<float>()) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      sum = (sum ^ bits) * 1099511628211U;
    }
  say(fmt::format("result: weights {:016x}", sum));
}

/// Some hundred kilobytes of rows and state, which are fetched again and again: several thousand packets.
void train(bool is_remote) {
  set_random_seed(11);
  keras::Sequential model({keras::layers::Dense({.units = 64, .activation = "tanh"}),
                           keras::layers::BatchNormalization(), keras::layers::Dropout({.rate = 0.25}),
                           keras::layers::Dense({.units = 1})});
  model.build({keras::kUnknown, 128});
  model.compile(
      {.optimizer = "adam", .loss = "mse", .metrics = {"mae"}, .steps_per_execution = 4, .seed = 5});
  Pauses pauses;
  keras::FitOptions options{
      .batch_size = 32, .epochs = 4, .verbose = 0, .callbacks = {&pauses}, .validation_split = 0.2};
  if (is_remote) options.backup = {.every_steps = 8, .first_wait_seconds = 0.2, .longest_wait_seconds = 1};
  say_result(model.fit(numbers(640, 128), numbers(640, 1), options), model);
}

/// One execution of more seconds than anyone waits.
void execute() {
  set_random_seed(11);
  keras::Sequential model({keras::layers::Dense({.units = 1024, .activation = "tanh"}),
                           keras::layers::Dense({.units = 1024, .activation = "tanh"}),
                           keras::layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 20000});
  Watches watches;
  model.fit(numbers(20000 * 32, 3), numbers(20000 * 32, 1),
            {.batch_size = 32, .verbose = 0, .callbacks = {&watches}});
}

void run_on(const std::string& url, const std::string& what) {
  const std::shared_ptr<runtime::Client> client = runtime::make_client(url);
  const std::vector<std::string> names = add_devices(client);
  {
    const DeviceScope scope(names.at(0));
    if (what == "trains") train(true);
    if (what == "executes") execute();
  }
  say(fmt::format("sessions: {}", client->distant()->generation()));
  remove_devices(client);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  try {
    if (what == "here") train(false);
    if (count > 2) run_on(arguments[2], what);
  } catch (const Error& error) {
    say(std::string("error: ") + error.what());
    return 3;
  }
}
