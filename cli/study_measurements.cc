#include "cli/study_measurements.h"

#include <algorithm>
#include <cmath>

#include "cli/timed_command.h"
#include "cli/timed_training.h"
#include "cornu/base/check.h"
#include "cornu/base/cpu_budget.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::int64_t kStepsPerExecution = 50;

/// Length of the training in Keras's examples.
struct ExampleLength {
  const char* workload;
  std::int64_t rows, epochs;
};
constexpr ExampleLength kLengths[] = {{"mnist_mlp", 60000, 20},    {"mnist_cnn", 60000, 12},
                                      {"cifar10_cnn", 50000, 100}, {"imdb_fasttext", 25000, 5},
                                      {"imdb_bilstm", 25000, 4},   {"lstm_textgen", 200285, 60}};

}  // namespace

std::vector<int> threads_to_measure(const std::vector<int>& named) {
  if (!named.empty()) return named;
  const int all = affinity_num_cpus();
  std::vector<int> threads;
  for (int n = 1; n < all; n *= 2) threads.push_back(n);
  threads.push_back(all);
  return threads;
}

std::vector<std::string> isas_to_measure(const std::vector<std::string>& named) {
  if (!named.empty()) return named;
  const std::string best(isa_level_name(cpu_isa_level()));
  return best == "sse2" ? std::vector<std::string>{best} : std::vector<std::string>{"sse2", best};
}

void require_processors(const std::vector<int>& threads) {
  for (const int n : threads)
    if (n > affinity_num_cpus())
      invalid_argument(
          "[study] {} threads cannot be measured on the {} processors that this process may use: they would "
          "say nothing of {} processors; leave them out, the forecast is for other numbers",
          n, affinity_num_cpus(), n);
}

double steps_of_training(const std::string& workload) {
  for (const ExampleLength& length : kLengths)
    if (workload == length.workload)
      return std::ceil(static_cast<double>(length.rows) /
                       static_cast<double>(find_workload(workload).batch_size)) *
             static_cast<double>(length.epochs);
  return 10000;
}

std::vector<double> measure_steps(const std::string& workload, const std::shared_ptr<runtime::Client>& client,
                                  double seconds, std::int64_t repeats) {
  TimedTraining training(find_workload(workload), client, kStepsPerExecution);
  const std::int64_t steps = steps_for(training, seconds, kStepsPerExecution);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(repeats));
  for (std::int64_t i = 0; i < repeats; ++i)
    values.push_back(1e3 * training.fit(steps) / static_cast<double>(steps));
  return values;
}

std::vector<double> measure_command(const std::vector<std::string>& command, int threads,
                                    std::int64_t repeats, double limit_seconds) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(repeats));
  for (std::int64_t i = 0; i < repeats; ++i)
    values.push_back(1e3 * time_command(command, threads, limit_seconds));
  return values;
}

std::vector<double> measure_peer(const PeerRequest& peer, const std::string& workload,
                                 const PeerMeasurement& measurement, std::int64_t repeats) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(repeats));
  for (std::int64_t i = 0; i < repeats; ++i)
    values.push_back(run_peer(peer, workload, measurement).step_milliseconds);
  return values;
}

}  // namespace cornu::inline v0::cli
