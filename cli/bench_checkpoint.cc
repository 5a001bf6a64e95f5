#include "cli/bench_checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/bench_data.h"
#include "cli/commands.h"
#include "cornu/base/check.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/random.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kStepsOfBackup = 50;
constexpr std::int64_t kUnits = 2048;  // two layers of these, and two slots of Adam for each weight: 100.7 MB
constexpr std::int64_t kBatchSize = 128;

/// Notes the time after every 50 steps, before what other callbacks do there.
class Stopwatch : public keras::callbacks::Callback {
 public:
  std::string name() const override { return "Stopwatch"; }
  std::int64_t max_batches_per_call() const override { return kStepsOfBackup; }
  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs&) override {
    steps_ += batches.count;
    if (steps_ % kStepsOfBackup == 0) times_.push_back(Clock::now());
  }
  /// Milliseconds from one to the next.
  void append_to(std::vector<double>& all) const {
    for (std::size_t i = 1; i < times_.size(); ++i)
      all.push_back(std::chrono::duration<double, std::milli>(times_[i] - times_[i - 1]).count());
  }

 private:
  std::int64_t steps_ = 0;
  std::vector<Clock::time_point> times_;
};

keras::Model make_network() {
  keras::Sequential model({keras::layers::Dense({.units = kUnits, .activation = "relu"}),
                           keras::layers::Dense({.units = kUnits})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 1e-5}), .loss = "mse"});
  return model;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double rounded_to(double value, double unit) { return std::round(value / unit) * unit; }

}  // namespace

nlohmann::ordered_json bench_checkpoint_fit(double seconds) {
  set_random_seed(0);
  keras::Model model = make_network();
  const Tensor x = random::uniform({4 * kBatchSize, kUnits});
  const auto fit = [&](std::int64_t steps, std::vector<keras::callbacks::CallbackEntry> callbacks) {
    model.fit(x, x,
              {.batch_size = kBatchSize,
               .verbose = 0,
               .callbacks = std::move(callbacks),
               .steps_per_epoch = steps,
               .repeat = true});
  };
  fit(2, {});
  const Clock::time_point start = Clock::now();
  fit(10, {});
  const double step_seconds = std::chrono::duration<double>(Clock::now() - start).count() / 10;
  constexpr int kTurns = 3;
  const auto backups = std::clamp<std::int64_t>(
      std::llround(seconds / (2 * kTurns) / (kStepsOfBackup * step_seconds)), 2, 1000);
  const TemporaryFolder folder("cornu-bench-");
  std::vector<double> plain, with_backups;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (const bool has_backups : {false, true}) {
      const auto watch = std::make_shared<Stopwatch>();
      std::vector<keras::callbacks::CallbackEntry> callbacks;
      callbacks.emplace_back(watch);
      if (has_backups)
        callbacks.push_back(keras::callbacks::BackupAndRestore(
            {.backup_dir = folder.path().string(), .save_freq = kStepsOfBackup, .exit_on_sigterm = false}));
      fit((backups + 1) * kStepsOfBackup, std::move(callbacks));
      watch->append_to(has_backups ? with_backups : plain);
    }
  }
  const auto least = [](const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
  };
  return {{"workload", kCheckpointBench},
          {"peer", "cornu"},
          {"version", CORNU_VERSION_STRING},
          {"threads", default_client()->num_threads()},
          {"state_bytes", 3 * 4 * 2 * (kUnits * kUnits + kUnits)},
          {"steps", kStepsOfBackup},
          {"ms_step", rounded_to(median(with_backups), 1e-3)},
          {"ms_min", rounded_to(least(with_backups), 1e-3)},
          {"plain_ms_step", rounded_to(median(plain), 1e-3)},
          {"plain_ms_min", rounded_to(least(plain), 1e-3)},
          {"times_plain", rounded_to(median(with_backups) / median(plain), 1e-4)},
          {"times_plain_min", rounded_to(least(with_backups) / least(plain), 1e-4)}};
}

void print_checkpoint_fit(const nlohmann::ordered_json& row) {
  print_text(fmt::format(
      "{} steps and a backup of {:.1f} MB: {:.1f} ms (best {:.1f}); without: {:.1f} ms (best {:.1f}): {:.4f} "
      "times, {:.4f} of the best\n",
      row["steps"].get<std::int64_t>(), row["state_bytes"].get<double>() / 1e6, row["ms_step"].get<double>(),
      row["ms_min"].get<double>(), row["plain_ms_step"].get<double>(), row["plain_ms_min"].get<double>(),
      row["times_plain"].get<double>(), row["times_plain_min"].get<double>()));
}

}  // namespace cornu::inline v0::cli
