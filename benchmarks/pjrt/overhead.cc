#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/pjrt/bare_program.h"
#include "cli/workloads.h"
#include "cornu/backends/pjrt/discovery.h"
#include "cornu/tensor/device.h"

// pjrt_overhead [WORKLOAD [STEPS_PER_EXECUTION [PLUGIN]]]: microseconds a step of fit on a plug-in's device
// beside the same program in a loop of bare calls, in turns.
namespace {

using namespace cornu;  // NOLINT(google-build-using-namespace): a program

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  std::vector<double> seconds;
  double at(double share) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  }
};

void measure(const std::string& name, std::int64_t k, const std::string& plugin) {
  const cli::Workload& workload = cli::find_workload(name);
  set_default_client(runtime::make_client("pjrt:" + plugin, default_client_options()));
  const cli::WorkloadData data = cli::make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = k;
  model.compile(options);
  const auto fit = [&](std::int64_t steps) {
    model.fit(data.x, data.y,
              {.batch_size = workload.batch_size, .verbose = 0, .steps_per_epoch = steps, .repeat = true});
  };
  fit(k);
  const std::string text =
      model.train_executable(data.x, data.y, {.batch_size = workload.batch_size}).dump("stablehlo");
  benchmarks::BareProgram bare(backends::pjrt::find_plugin(plugin).path, text, static_cast<int>(k),
                               static_cast<int>(k * workload.batch_size));
  bare.run();
  const double execution = seconds_of([&] { bare.run(); });
  const auto executions = std::clamp<std::int64_t>(static_cast<std::int64_t>(0.2 / execution), 2, 2000);
  Times ours, theirs;
  for (int round = 0; round < 15; ++round) {
    ours.seconds.push_back(seconds_of([&] { fit(executions * k); }));
    theirs.seconds.push_back(seconds_of([&] {
      for (std::int64_t i = 0; i < executions; ++i) bare.run();
    }));
  }
  const double steps = static_cast<double>(executions * k) * 1e-6;
  std::printf("%s on pjrt:%s, %ld steps an execution, %ld executions a round, us a step (median, least):\n",
              name.c_str(), plugin.c_str(), static_cast<long>(k), static_cast<long>(executions));
  std::printf(
      "  fit   %9.3f %9.3f\n  bare  %9.3f %9.3f\n  ratio %9.3f %9.3f, over the bare call %.2f us an "
      "execution\n",
      ours.at(0.5) / steps, ours.at(0) / steps, theirs.at(0.5) / steps, theirs.at(0) / steps,
      ours.at(0.5) / theirs.at(0.5), ours.at(0) / theirs.at(0),
      (ours.at(0.5) - theirs.at(0.5)) / static_cast<double>(executions) * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure(argc > 1 ? argv[1] : "iris_mlp", argc > 2 ? std::atol(argv[2]) : 50, argc > 3 ? argv[3] : "cpu");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
