#include "cli/study_cost.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>

#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study_devices.h"
#include "cli/study_measurements.h"
#include "cornu/base/check.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

study::Table measured_table(bool is_command) {
  return {.title = "Measured on this machine",
          .columns = {{"program", ""},
                      {"instruction_set", ""},
                      {"device", ""},
                      {"threads", ""},
                      {is_command ? "run" : "step", "ms"},
                      {"low_quartile", "ms"},
                      {"high_quartile", "ms"},
                      {"training", "s"}},
          .rows = {}};
}

std::vector<std::string> devices_of(const StudyCostOptions& options,
                                    const std::vector<const study::PricedMachine*>& machines) {
  std::vector<std::string> devices = options.devices;
  if (!options.command.empty()) return devices;  // no device runs it
  for (const study::PricedMachine* const machine : machines)
    if (!machine->device.empty()) devices.push_back(machine->device);
  return devices;
}

/// Everything that one study gathers.
class CostStudy {
 public:
  CostStudy(const StudyCostOptions& options, const study::PriceList& prices)
      : options_(options),
        machines_(machines_of(prices, options.machines)),
        devices_(devices_of(options, machines_), {}),
        log_(options.output.log_path(), header(), options.output.resumes),
        threads_(threads_to_measure(options.threads)) {
    report_.title = "Cost of training";
    report_.tables = {measured_table(is_command())};
    report_.machine = study::describe_machine();
    report_.notes = {fmt::format(
        "Times of this machine are measured, {} times each. Times with other numbers of processors follow "
        "from the law with the least error on numbers of threads that were left out, times of sim: devices "
        "from "
        "profiles with peak rates: both are called predicted.",
        options.repeats)};
    forecast_.emplace(
        prices, machines_, options.interruptions,
        [this](const MeasuredProgram& program, const study::PricedMachine& machine) {
          return predict_device(program, machine);
        },
        report_);
  }

  study::Report run() {
    const std::vector<std::string> isas =
        is_command() ? std::vector<std::string>{""} : isas_to_measure(options_.isas);
    const std::vector<std::string> names =
        is_command() ? std::vector<std::string>{options_.command[0]} : options_.workloads;
    study::StudyProgress progress(names.size() * (isas.size() * threads_.size() + options_.devices.size()));
    for (const std::string& name : names) {
      for (const std::string& isa : isas) {
        MeasuredProgram program;
        program.name = name;
        program.isa = isa;
        program.machine = study::measured_machine(report_.machine);
        for (const int threads : threads_) measure(program, threads, progress);
        forecast_->add({program});
      }
      for (const std::string& device : options_.devices) measure_device(name, device, progress);
    }
    forecast_->end();
    return std::move(report_);
  }

 private:
  bool is_command() const { return !options_.command.empty(); }

  Json header() const {
    return {{"kind", "cost"},
            {"version", CORNU_VERSION_STRING},
            {"command", options_.command},
            {"seconds", options_.seconds},
            {"repeats", options_.repeats},
            {"machine", study::describe_machine()}};
  }

  double whole_training(const std::string& name, double milliseconds) const {
    return 1e-3 * milliseconds * (is_command() ? 1 : steps_of_training(name));
  }

  void add_measured(const std::string& name, const std::string& isa, const std::string& device, int threads,
                    const std::vector<double>& values) {
    const study::Sample sample = study::summarize(values);
    report_.tables[0].add({name, isa, device, threads, sample.median, sample.low, sample.high,
                           whole_training(name, sample.median)});
  }

  void measure(MeasuredProgram& program, int threads, study::StudyProgress& progress) {
    const std::string key = fmt::format("{}/{}/{}", program.name, program.isa, threads);
    progress.begin(key, log_.has(key));
    const std::vector<double> values = log_.numbers(key, 0, [&] {
      if (is_command()) return measure_command(options_.command, threads, options_.repeats);
      MachineOptions machine{.threads = threads, .isa = program.isa};
      return measure_steps(program.name, runtime::make_client("cpu", client_options(machine)),
                           options_.seconds, options_.repeats);
    });
    add_measured(program.name, program.isa, "cpu", threads, values);
    program.threads.push_back(threads);
    program.seconds.emplace_back();
    for (const double value : values) program.seconds.back().push_back(whole_training(program.name, value));
  }

  /// Times of a workload on a device, from the log or measured. A device that fails leaves a warning and no
  /// times.
  std::optional<std::vector<double>> of_device(const std::string& key, const std::string& name,
                                               const std::string& device, std::int64_t repeats) {
    if (lost_.contains(device) && !log_.has(key)) return std::nullopt;
    try {
      return log_.numbers(
          key, 0, [&] { return measure_steps(name, devices_.make(device), options_.seconds, repeats); });
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report_.warnings.push_back(fmt::format("{} on {} is left out: {}", name, device, error.what()));
      // Another workload may need less memory.
      if (error.code() != ErrorCode::kResourceExhausted) lost_.insert(device);
      return std::nullopt;
    }
  }

  void measure_device(const std::string& name, const std::string& device, study::StudyProgress& progress) {
    const std::string key = fmt::format("{}/{}", name, with_virtual_clock(device));
    progress.begin(key, log_.has(key));
    if (const auto values = of_device(key, name, device, options_.repeats); values.has_value())
      add_measured(name, "", devices_.shown(device), 0, *values);
  }

  /// A machine with an accelerator.
  Prediction predict_device(const MeasuredProgram& program, const study::PricedMachine& machine) {
    if (is_command()) return {.basis = "not known: no profile of a command"};
    const bool is_simulated = devices_.is_simulated(machine.device);
    const std::int64_t repeats = is_simulated ? 1 : options_.repeats;  // a virtual clock repeats itself
    // Apart from what is measured with --device: that has other repeats.
    const std::string key = fmt::format("{}/{}/forecast", program.name, with_virtual_clock(machine.device));
    const auto values = of_device(key, program.name, machine.device, repeats);
    if (!values.has_value()) return {.basis = "the device failed"};
    study::Repeats seconds;
    for (const double value : *values) seconds.push_back(whole_training(program.name, value));
    Prediction prediction{.seconds = study::summarize(seconds).median};
    prediction.basis = is_simulated ? "profile, peak rates" : "measured here";
    if (machine.num_accelerators > 1)
      prediction.basis += fmt::format("; one of {} works", machine.num_accelerators);
    prediction.interval = is_simulated ? std::optional(study::Interval{*prediction.seconds, INFINITY})
                                       : study::median_interval(seconds);
    return prediction;
  }

  const StudyCostOptions& options_;
  std::vector<const study::PricedMachine*> machines_;
  StudyDevices devices_;
  std::set<std::string> lost_;  // devices
  study::StudyLog log_;
  std::vector<int> threads_;
  study::Report report_;
  std::optional<CostForecast> forecast_;
};

}  // namespace

study::Report study_cost(const StudyCostOptions& options) {
  const study::PriceList prices = study::read_prices(options.prices);
  prices.require(options.machines);
  require_processors(options.threads);
  if (!options.command.empty() && !options.devices.empty())
    invalid_argument("[study] a command runs on processors only: leave --device out");
  if (options.command.empty())
    for (const std::string& workload : options.workloads) find_workload(workload);
  return CostStudy(options, prices).run();
}

}  // namespace cornu::inline v0::cli
