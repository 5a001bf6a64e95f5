#include "cli/bench_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "cli/commands.h"
#include "cli/process_clock.h"
#include "cli/workloads.h"
#include "cornu/base/check.h"
#include "cornu/tensor/device.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::int64_t kRows = 150;
constexpr double kValidationSplit = 0.3;
constexpr std::int64_t kEpochs = 20;
constexpr std::int64_t kTrainRows = 105;

/// By the clock of the default client, which may be a virtual one.
double milliseconds_of(const std::function<void()>& work) {
  const std::shared_ptr<runtime::Client> client = default_client();
  const double start = client->now();
  work();
  return (client->now() - start) * 1e3;
}

std::function<void()> make_iris_fit(const std::string& name, std::int64_t steps_per_execution) {
  Workload workload = find_workload("iris_mlp");
  workload.num_rows = kRows;
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.metrics = {"accuracy"};
  options.steps_per_execution = name == "iris_fit_auto" ? keras::StepsPerExecution("auto")
                                                        : keras::StepsPerExecution(steps_per_execution);
  model.compile(options);
  if (name != "iris_fit_long") {
    return [=]() mutable {
      model.fit(data.x, data.y,
                {.batch_size = 20, .epochs = kEpochs, .verbose = 0, .validation_split = kValidationSplit});
    };
  }
  // The same rows as one repeated stream.
  return [=]() mutable {
    model.fit(data.x, data.y,
              {.batch_size = 20,
               .verbose = 0,
               .validation_split = kValidationSplit,
               .steps_per_epoch = kTrainRows * kEpochs / 20,
               .validation_batch_size = 20,
               .repeat = true});
  };
}

std::function<void()> make_predict() {
  const Workload& workload = find_workload("mnist_mlp");
  keras::Model model = workload.make_model();
  const Tensor row = make_data(workload).x[0].rows(0, 1);
  return [=]() mutable { model.predict(row, {.verbose = 0}); };
}

}  // namespace

// benchmarks/compare.py reads names and the word "false" from these rows.
const std::vector<WholeRun>& whole_runs() {
  static const std::vector<WholeRun> all = {
      {"iris_fit_short", "fit of 20 epochs of 105 rows in batches of 20, validation after each"},
      {"iris_fit_long", "the same rows as one epoch of a repeated stream"},
      {"iris_fit_auto", "iris_fit_short with steps_per_execution \"auto\"", false, "auto"},
      {"mnist_predict", "predict of one row by mnist_mlp", false},
  };
  return all;
}

std::function<void()> make_whole_run(const std::string& name, std::int64_t steps_per_execution) {
  return name == "mnist_predict" ? make_predict() : make_iris_fit(name, steps_per_execution);
}

bool is_whole_run(const std::string& name) {
  return std::any_of(whole_runs().begin(), whole_runs().end(),
                     [&](const WholeRun& run) { return run.name == name; });
}

const WholeRun& find_whole_run(const std::string& name) {
  const auto found = std::find_if(whole_runs().begin(), whole_runs().end(),
                                  [&](const WholeRun& run) { return run.name == name; });
  CORNU_CHECK(found != whole_runs().end(), "there is no whole run {}", name);
  return *found;
}

nlohmann::ordered_json bench_whole_run(const std::string& name, std::int64_t steps_per_execution,
                                       double seconds, runtime::TransferStatistics* calls_of_one) {
  const WholeRun& which = find_whole_run(name);
  set_random_seed(0);
  const std::function<void()> run = make_whole_run(name, steps_per_execution);
  const double first_ms = milliseconds_of(run);
  const double startup_seconds = seconds_since_process_start();
  const auto real_start = std::chrono::steady_clock::now();
  const double simulated_ms = milliseconds_of(run);
  const double real_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - real_start).count();
  const double estimate_ms = std::max({simulated_ms, real_ms, 1e-3});
  const auto count = static_cast<std::size_t>(std::clamp(seconds * 1e3 / estimate_ms, 5.0, 20000.0));
  std::vector<double> times(count);
  runtime::TransferStatistics before;
  for (double& time : times) {
    before = default_client()->counts();
    time = milliseconds_of(run);
  }
  *calls_of_one = default_client()->counts().since(before);
  std::sort(times.begin(), times.end());
  return {
      {"workload", name},
      {"peer", "cornu"},
      {"version", CORNU_VERSION_STRING},
      {"spe", which.takes_steps_per_execution ? nlohmann::ordered_json(steps_per_execution) : which.own_spe},
      {"ms_step", std::round(times[count / 2] * 1e6) / 1e6},  // of a whole run
      {"ms_min", std::round(times.front() * 1e6) / 1e6},
      {"first_fit_s", std::round(first_ms * 10) / 1e4},
      {"import_s", std::round(seconds_to_main() * 1e4) / 1e4},
      {"startup_s", std::round(startup_seconds * 1e4) / 1e4},
      {"steps", count},
      {"rss_mb", peak_memory_mb()}};
}

void print_whole_run(const nlohmann::ordered_json& row) {
  if (row.contains("device"))
    print_text(fmt::format("on {}{}:\n", row["device"].get<std::string>(),
                           row["simulated"].get<bool>() ? ", all times simulated" : ""));
  print_text(fmt::format(
      "{}: {:.4f} ms a run (median of {}; best {:.4f} ms); the first one, with compiling, {:.0f} ms; {} MiB "
      "at most\n",
      row["workload"].get<std::string>(), row["ms_step"].get<double>(), row["steps"].get<std::size_t>(),
      row["ms_min"].get<double>(), row["first_fit_s"].get<double>() * 1e3, row["rss_mb"].get<long>()));
}

}  // namespace cornu::inline v0::cli
