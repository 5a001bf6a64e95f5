#include "cli/study_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

study::Table measured_table(bool is_command, const std::optional<study::MetricTarget>& to) {
  return {.title = to.has_value() ? fmt::format("Measured on this machine, until {}", to->text())
                                  : "Measured on this machine",
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
  explicit CostStudy(const StudyCostOptions& options)
      : options_(options),
        rental_(options.rental),
        devices_(devices_of(options, rental_.machines), {}),
        log_(options.output.log_path(), header(), options.output.resumes),
        threads_(threads_to_measure(options.threads)) {
    report_.title = "Cost of training";
    report_.tables = {measured_table(is_command(), options.to)};
    report_.machine = study::describe_machine();
    report_.notes = {fmt::format(
        "Times of this machine are measured, {} times each. Times with other numbers of processors follow "
        "from the law with the least error on numbers of threads that were left out, times of sim: devices "
        "from "
        "profiles with peak rates: both are called predicted.",
        options.repeats)};
    forecast_.emplace(
        rental_,
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
    study::StudyProgress progress(
        names.size() * ((isas.size() + options_.peers.size()) * threads_.size() + options_.devices.size()));
    for (const std::string& name : names) {
      for (const std::string& isa : isas)
        add_program(name, isa, progress, [&](const std::string& key, int threads) {
          return is_command() ? of_command(key, threads) : of_workload(key, name, isa, threads);
        });
      for (const PeerRequest& peer : options_.peers)
        add_program(program_with(name, peer.library), "", progress,
                    [&](const std::string& key, int threads) { return of_peer(key, peer, name, threads); });
      for (const std::string& device : options_.devices) measure_device(name, device, progress);
    }
    if (report_.tables[0].rows.empty())
      fail(ErrorCode::kUnavailable, "[study] nothing could be measured: {}",
           fmt::join(report_.warnings, "; "));
    if (options_.to.has_value()) play();
    forecast_->end();
    return std::move(report_);
  }

 private:
  bool is_command() const { return !options_.command.empty(); }

  Json header() const {
    return {{"kind", "cost"},
            {"version", CORNU_VERSION_STRING},
            {"command", options_.command},
            {"to", options_.to.has_value() ? Json(options_.to->text()) : Json(nullptr)},
            {"seconds", options_.seconds},
            {"repeats", options_.repeats},
            {"machine", study::describe_machine()}};
  }

  double whole_training(const std::string& name, double milliseconds) const {
    return 1e-3 * milliseconds * (is_command() ? 1 : steps_of_training(training_of(name)));
  }

  void add_measured(const std::string& name, const std::string& isa, const std::string& device, int threads,
                    const std::vector<double>& values) {
    const study::Sample sample = study::summarize(values);
    report_.tables[0].add({name, isa, device, threads, sample.median, sample.low, sample.high,
                           whole_training(name, sample.median)});
  }

  /// Milliseconds for each repeat, from the log or measured.
  using Measure = std::function<std::vector<double>(const std::string& key, int threads)>;

  std::vector<double> of_workload(const std::string& key, const std::string& name, const std::string& isa,
                                  int threads) {
    return log_.numbers(key, 0, [&] {
      const MachineOptions machine{.threads = threads, .isa = isa};
      return measure_steps(name, runtime::make_client("cpu", client_options(machine)), options_.seconds,
                           options_.repeats);
    });
  }

  std::vector<double> of_peer(const std::string& key, const PeerRequest& peer, const std::string& name,
                              int threads) {
    return log_.numbers(key, 0, [&] {
      return measure_peer(
          peer, name,
          {.threads = threads, .seconds = options_.seconds, .limit_seconds = options_.limit_seconds},
          options_.repeats);
    });
  }

  std::vector<double> of_command(const std::string& key, int threads) {
    if (!options_.to.has_value())
      return log_.numbers(key, 0, [&] {
        return measure_command(options_.command, threads, options_.repeats, options_.limit_seconds);
      });
    std::vector<double> milliseconds;
    std::vector<MetricTraining> trainings;
    for (std::int64_t i = 0; i < options_.repeats; ++i) {
      // The time until the metric was reached, then those of the lines with the metric.
      const std::vector<double> seconds = log_.numbers(fmt::format("{}/{}", key, i), 0, [&] {
        const MetricTraining training =
            train_to_metric(options_.command, *options_.to, threads, options_.limit_seconds);
        std::vector<double> all = {training.seconds};
        all.insert(all.end(), training.line_seconds.begin(), training.line_seconds.end());
        return all;
      });
      milliseconds.push_back(1e3 * seconds[0]);
      trainings.push_back({.seconds = seconds[0], .line_seconds = {seconds.begin() + 1, seconds.end()}});
    }
    std::sort(trainings.begin(), trainings.end(),
              [](const MetricTraining& x, const MetricTraining& y) { return x.seconds < y.seconds; });
    undisturbed_ = trainings[trainings.size() / 2];
    for (const MetricTraining& each : trainings) undisturbed_.repeats.push_back(each.seconds);
    undisturbed_threads_ = threads;
    return milliseconds;
  }

  /// Measures with each number of threads and forecasts. Another program that fails leaves a warning.
  void add_program(const std::string& name, const std::string& isa, study::StudyProgress& progress,
                   const Measure& measure) {
    MeasuredProgram program;
    program.name = name;
    program.isa = isa;
    program.machine = study::measured_machine(report_.machine);
    for (const int threads : threads_) {
      const std::string key = fmt::format("{}/{}/{}", name, isa, threads);
      progress.begin(key, log_.has(key));
      try {
        const std::vector<double> values = measure(key, threads);
        add_measured(name, isa, "cpu", threads, values);
        program.threads.push_back(threads);
        program.seconds.emplace_back();
        for (const double value : values) program.seconds.back().push_back(whole_training(name, value));
      } catch (const Error& error) {
        if (!isa.empty() || !is_of_device(error)) throw;
        report_.warnings.push_back(fmt::format("{} with {} thread{} is left out: {}", name, threads,
                                               threads == 1 ? "" : "s", error.what()));
      }
    }
    if (!program.threads.empty()) forecast_->add({program});
  }

  /// Interruptions on the real training beside the closed form.
  void play() {
    if (options_.play.plays == 0 || undisturbed_threads_ == 0) return;
    if (!has_backups(options_.command)) {
      report_.notes.push_back(
          "Interruptions were not played on this training: no argument of the command has {BACKUP}, which "
          "stands for the folder of its backups.");
      return;
    }
    try {
      // The times of the plays, then the number of interruptions.
      const std::vector<double> all = log_.numbers("play", 0, [&] {
        const PlayedTrainings played =
            play_interruptions(options_.command, *options_.to, undisturbed_threads_, options_.limit_seconds,
                               undisturbed_, options_.play);
        std::vector<double> values = played.seconds;
        values.push_back(played.num_kills);
        return values;
      });
      const PlayedTrainings played{.seconds = {all.begin(), all.end() - 1},
                                   .num_kills = static_cast<int>(all.back())};
      report_.conclusions.push_back(
          compare_with_closed_form(options_.command[0], undisturbed_, played, options_.play));
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report_.warnings.push_back(fmt::format("the play of interruptions is left out: {}", error.what()));
    }
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
    if (is_command() || program.isa.empty()) return {.basis = "not known: no profile of another program"};
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
  RentalMachines rental_;
  StudyDevices devices_;
  std::set<std::string> lost_;  // devices
  study::StudyLog log_;
  std::vector<int> threads_;
  study::Report report_;
  std::optional<CostForecast> forecast_;
  MetricTraining undisturbed_;  // the median one with the last number of threads
  int undisturbed_threads_ = 0;
};

}  // namespace

study::Report study_cost(const StudyCostOptions& options) {
  require_processors(options.threads);
  const bool is_command = !options.command.empty();
  if (is_command && !options.devices.empty())
    invalid_argument("[study] a command runs on processors only: leave --device out");
  if (is_command && !options.peers.empty())
    invalid_argument("[study] --with adds other libraries to workloads: leave it out beside a command");
  if (options.to.has_value() && !is_command)
    invalid_argument(
        "[study] --to {} takes a program after --, as the workloads train on made data whose labels cannot "
        "be "
        "learned",
        options.to->metric);
  if (!is_command)
    for (const std::string& workload : options.workloads) find_workload(workload);
  return CostStudy(options).run();
}

}  // namespace cornu::inline v0::cli
