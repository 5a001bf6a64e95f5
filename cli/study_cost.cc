#include "cli/study_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "cli/study/figures.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study_devices.h"
#include "cli/timed_command.h"
#include "cornu/base/check.h"
#include "cornu/base/cpu_budget.h"
#include "cornu/base/cpu_info.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kStepsPerExecution = 50;
constexpr int kSimulatedRuns = 2000;
constexpr double kMostSimulatedMachines = 5e6;  // of all runs together: a second of this machine's time
constexpr std::uint64_t kSeed = 2017;

/// Length of the training in Keras's examples.
struct ExampleLength {
  const char* workload;
  std::int64_t rows, epochs;
};
constexpr ExampleLength kLengths[] = {{"mnist_mlp", 60000, 20},    {"mnist_cnn", 60000, 12},
                                      {"cifar10_cnn", 50000, 100}, {"imdb_fasttext", 25000, 5},
                                      {"imdb_bilstm", 25000, 4},   {"lstm_textgen", 200285, 60}};

/// Steps of the whole training; of workloads that are no example of Keras's 10,000.
double steps_of_training(const std::string& workload) {
  for (const ExampleLength& length : kLengths)
    if (workload == length.workload)
      return std::ceil(static_cast<double>(length.rows) /
                       static_cast<double>(find_workload(workload).batch_size)) *
             static_cast<double>(length.epochs);
  return 10000;
}

/// A program of the study: a workload at an instruction set level, or the command.
struct Program {
  std::string name;
  std::string isa;
  std::vector<study::Timing> timings = {};  // of the whole training, by threads
};

std::vector<int> threads_of(const StudyCostOptions& options) {
  if (!options.threads.empty()) return options.threads;
  const int all = affinity_num_cpus();
  std::vector<int> threads;
  for (int n = 1; n < all; n *= 2) threads.push_back(n);
  threads.push_back(all);
  return threads;
}

std::vector<std::string> isas_of(const StudyCostOptions& options) {
  if (!options.isas.empty()) return options.isas;
  const std::string best(isa_level_name(cpu_isa_level()));
  return best == "sse2" ? std::vector<std::string>{best} : std::vector<std::string>{"sse2", best};
}

/// Milliseconds a step, `repeats` times, on any client.
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

std::vector<double> measure_command(const StudyCostOptions& options, int threads) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(options.repeats));
  for (std::int64_t i = 0; i < options.repeats; ++i)
    values.push_back(1e3 * time_command(options.command, threads));
  return values;
}

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

std::vector<study::Table> forecast_tables(const study::PriceList& prices) {
  const std::string& money = prices.currency;
  return {{.title = "Forecast: what a training takes on the machines of the price list",
           .columns = {{"program", ""},
                       {"instruction_set", ""},
                       {"machine", ""},
                       {"training", "s", true},
                       {"law_and_error", ""},
                       {"by_usl", "s", true},
                       {"training_as_spot", "s", true},
                       {"spot_simulated", "s", true}},
           .rows = {}},
          {.title = "Forecast: what it costs, and time and cost as multiples of the reference's",
           .columns = {{"program", ""},
                       {"instruction_set", ""},
                       {"machine", ""},
                       {"on_demand", money, true},
                       {"spot", money, true},
                       {"time_to_reference", "", true},
                       {"cost_to_reference", "", true},
                       {"spot_cost_to_reference", "", true}},
           .rows = {}}};
}

std::vector<std::string> devices_of(const StudyCostOptions& options,
                                    const std::vector<const study::PricedMachine*>& machines) {
  std::vector<std::string> devices = options.devices;
  if (!options.command.empty()) return devices;  // no device runs it
  for (const study::PricedMachine* const machine : machines)
    if (!machine->device.empty()) devices.push_back(machine->device);
  return devices;
}

std::vector<const study::PricedMachine*> machines_of(const StudyCostOptions& options,
                                                     const study::PriceList& prices) {
  std::vector<const study::PricedMachine*> machines;
  for (const study::PricedMachine& machine : prices.machines)
    if (options.machines.empty() ||
        std::find(options.machines.begin(), options.machines.end(), machine.name) != options.machines.end())
      machines.push_back(&machine);
  return machines;
}

/// Everything that one study gathers.
class CostStudy {
 public:
  CostStudy(const StudyCostOptions& options, const study::PriceList& prices)
      : options_(options),
        prices_(prices),
        machines_(machines_of(options, prices)),
        devices_(devices_of(options, machines_), {}),
        log_(options.output.log_path(), header(), options.output.resumes),
        threads_(threads_of(options)) {
    report_.title = "Cost of training";
    report_.tables = forecast_tables(prices);
    report_.tables.insert(report_.tables.begin(), measured_table(is_command()));
    report_.machine = study::describe_machine();
    if (const std::string warning = prices.age_warning(study::this_month()); !warning.empty())
      report_.warnings.push_back(warning);
    report_.notes = {fmt::format(
        "Times of this machine are measured, {} times each. Times with other numbers of processors follow "
        "from laws fitted to them, times of {} from profiles with peak rates: both are called predicted. "
        "Prices in {} of {}; source: {} Interrupted work (spot): a checkpoint every {:g} s takes {:g} s, "
        "the next machine works after {:g} s; \"spot simulated\" is the same expectation by simulation with "
        "random numbers, {} times at most.",
        options.repeats, "sim: devices", prices.currency, prices.date, prices.source,
        options.checkpoint_interval_seconds, options.checkpoint_seconds, options.restart_seconds,
        kSimulatedRuns)};
  }

  study::Report run() {
    const std::vector<std::string> isas = is_command() ? std::vector<std::string>{""} : isas_of(options_);
    const std::vector<std::string> names =
        is_command() ? std::vector<std::string>{options_.command[0]} : options_.workloads;
    study::StudyProgress progress(names.size() * (isas.size() * threads_.size() + options_.devices.size()));
    for (const std::string& name : names) {
      for (const std::string& isa : isas) {
        Program program{name, isa};
        for (const int threads : threads_) measure(program, threads, progress);
        forecast_program(program);
      }
      for (const std::string& device : options_.devices) measure_device(name, device, progress);
    }
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

  study::Sample add_measured(const std::string& name, const std::string& isa, const std::string& device,
                             int threads, const std::vector<double>& values) {
    const study::Sample sample = study::summarize(values);
    report_.tables[0].add({name, isa, device, threads, sample.median, sample.low, sample.high,
                           whole_training(name, sample.median)});
    return sample;
  }

  void measure(Program& program, int threads, study::StudyProgress& progress) {
    const std::string key = fmt::format("{}/{}/{}", program.name, program.isa, threads);
    progress.begin(key, log_.has(key));
    const std::vector<double> values = log_.numbers(key, 0, [&] {
      if (is_command()) return measure_command(options_, threads);
      MachineOptions machine{.threads = threads, .isa = program.isa};
      return measure_steps(program.name, runtime::make_client("cpu", client_options(machine)),
                           options_.seconds, options_.repeats);
    });
    const study::Sample sample = add_measured(program.name, program.isa, "cpu", threads, values);
    program.timings.push_back({static_cast<double>(threads), whole_training(program.name, sample.median)});
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

  /// Predicted seconds on a machine, with what they rest on, or why nothing can be said.
  struct Prediction {
    std::optional<double> seconds;
    std::string basis;
    std::optional<double> by_usl = {};
  };
  Prediction predict(const Program& program, const study::PricedMachine& machine) {
    if (!machine.device.empty()) {
      if (is_command()) return {std::nullopt, "no profile of a command"};
      // Apart from what is measured with --device: that has other repeats.
      const std::string key = fmt::format("{}/{}/forecast", program.name, with_virtual_clock(machine.device));
      const auto values = of_device(key, program.name, machine.device, 1);
      if (!values.has_value()) return {std::nullopt, "the device failed"};
      return {whole_training(program.name, study::summarize(*values).median),
              devices_.is_simulated(machine.device) ? "profile, peak rates" : "measured here"};
    }
    const auto amdahl = study::fit_scaling(study::ScalingLaw::kAmdahl, program.timings);
    const auto usl = study::fit_scaling(study::ScalingLaw::kUsl, program.timings);
    if (!amdahl.has_value()) return {std::nullopt, "takes two numbers of threads"};
    Prediction prediction{amdahl->seconds(machine.vcpus),
                          amdahl->relative_error.has_value()
                              ? fmt::format("Amdahl, fits within {:.1f} %", 100 * *amdahl->relative_error)
                              : "Amdahl, error not known"};
    if (usl.has_value()) prediction.by_usl = usl->seconds(machine.vcpus);
    return prediction;
  }

  struct Row {
    Forecast forecast;
    Prediction prediction;
  };

  void forecast_program(const Program& program) {
    const std::string what =
        program.isa.empty() ? program.name : fmt::format("{}, {}", program.name, program.isa);
    std::vector<Row> rows;
    std::vector<Forecast> forecasts;
    std::optional<Forecast> reference;
    for (const study::PricedMachine* const machine : machines_) {
      const Prediction prediction = predict(program, *machine);
      Forecast found{.machine = machine};
      if (prediction.seconds.has_value()) {
        found = forecast(prices_, *machine, *prediction.seconds, options_);
        forecasts.push_back(found);
        if (machine->name == prices_.reference) reference = found;
      }
      rows.push_back({found, prediction});
      warn(what, rows.back());
    }
    for (const Row& row : rows) add_rows(program, row, reference);
    if (!forecasts.empty()) report_.conclusions.push_back(best_value(what, prices_, forecasts));
    if (reference.has_value() && reference->seconds > 0) add_plot(what, forecasts, *reference);
  }

  void warn(const std::string& what, const Row& row) {
    const auto& [found, prediction] = row;
    if (!found.why_no_spot.empty())
      report_.warnings.push_back(fmt::format("{} on {} as a spot machine is left out: {}", what,
                                             found.machine->name, found.why_no_spot));
    if (!prediction.seconds.has_value() && found.machine->name == prices_.reference)
      report_.warnings.push_back(
          fmt::format("{}: nothing is compared with {}, the reference, as nothing is predicted for it: {}",
                      what, prices_.reference, prediction.basis));
  }

  /// Cells of what nothing can be said of are empty.
  void add_rows(const Program& program, const Row& row, const std::optional<Forecast>& reference) {
    const auto& [found, prediction] = row;
    const auto or_null = [](bool there, double value) { return there ? Json(value) : Json(nullptr); };
    const auto ratio = [&](double value, double Forecast::* member) -> Json {
      if (!reference.has_value() || value == 0 || (*reference).*member == 0) return nullptr;
      return value / ((*reference).*member);
    };
    const bool is_there = prediction.seconds.has_value(), is_spot = found.spot_seconds > 0;
    const std::string& machine = found.machine->name;
    report_.tables[1].add({program.name, program.isa, machine, or_null(is_there, found.seconds),
                           prediction.basis,
                           or_null(prediction.by_usl.has_value(), prediction.by_usl.value_or(0)),
                           or_null(is_spot, found.spot_seconds),
                           or_null(found.simulated_seconds > 0, found.simulated_seconds)});
    report_.tables[2].add({program.name, program.isa, machine, or_null(is_there, found.cost),
                           or_null(is_spot, found.spot_cost), ratio(found.seconds, &Forecast::seconds),
                           ratio(found.cost, &Forecast::cost), ratio(found.spot_cost, &Forecast::cost)});
  }

  void add_plot(const std::string& what, const std::vector<Forecast>& forecasts, const Forecast& reference) {
    study::Series time{.name = "time", .marks = {}}, on_demand{.name = "cost on demand", .marks = {}},
        spot{.name = "cost as spot", .marks = {}};
    for (const Forecast& each : forecasts) {
      const auto mark = [&](double value) {
        return study::Mark{.label = each.machine->name, .value = value, .is_predicted = true};
      };
      time.marks.push_back(mark(each.seconds / reference.seconds));
      if (reference.cost > 0) on_demand.marks.push_back(mark(each.cost / reference.cost));
      if (reference.cost > 0 && each.spot_seconds > 0)
        spot.marks.push_back(mark(each.spot_cost / reference.cost));
    }
    report_.plots.push_back({.title = what + ": time and cost, predicted",
                             .unit = fmt::format("relative to {}", prices_.reference),
                             .series = {time, on_demand, spot},
                             .reference = 1,
                             .reference_name = prices_.reference + " = 1"});
  }

  const StudyCostOptions& options_;
  const study::PriceList& prices_;
  std::vector<const study::PricedMachine*> machines_;
  StudyDevices devices_;
  std::set<std::string> lost_;  // devices
  study::StudyLog log_;
  std::vector<int> threads_;
  study::Report report_;
};

}  // namespace

Forecast forecast(const study::PriceList& prices, const study::PricedMachine& machine, double seconds,
                  const StudyCostOptions& options) {
  Forecast found{.machine = &machine, .seconds = seconds, .cost = prices.cost(machine, seconds, false)};
  if (machine.spot_share == 0) return found;
  const study::InterruptedWork work{.work_seconds = seconds,
                                    .checkpoint_interval_seconds = options.checkpoint_interval_seconds,
                                    .checkpoint_seconds = options.checkpoint_seconds,
                                    .restart_seconds = options.restart_seconds,
                                    .interruptions_per_hour = machine.spot_interruptions_per_hour,
                                    .longest_life_seconds = 3600 * machine.spot_longest_life_hours};
  found.why_no_spot = study::why_it_never_ends(work);
  if (!found.why_no_spot.empty()) return found;
  found.spot_seconds = study::expected_seconds(work);
  const double runs = kMostSimulatedMachines / study::expected_machines(work);
  if (runs >= 2)
    found.simulated_seconds =
        study::simulate_seconds(work, static_cast<int>(std::min<double>(runs, kSimulatedRuns)), kSeed).mean;
  found.spot_cost = prices.cost(machine, found.spot_seconds, true);
  return found;
}

std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts) {
  const auto is_cheaper = [](const Forecast& x, const Forecast& y) { return x.best_cost() < y.best_cost(); };
  const Forecast& cheapest = *std::min_element(forecasts.begin(), forecasts.end(), is_cheaper);
  const bool is_spot = cheapest.best_cost() < cheapest.cost;
  const std::string& winner = cheapest.machine->name;
  const std::string text = fmt::format(
      "{}: {} on {}{} in {} (predicted)", what, study::money_text(cheapest.best_cost(), prices.currency),
      winner, is_spot ? " as a spot machine" : "",
      study::seconds_text(is_spot ? cheapest.spot_seconds : cheapest.seconds));
  // The reference, or the next best machine beside it.
  const Forecast* rival = nullptr;
  for (const Forecast& each : forecasts) {
    if (&each == &cheapest || !(each.seconds > 0)) continue;
    const bool is_reference = each.machine->name == prices.reference;
    if (is_reference || (winner == prices.reference && (rival == nullptr || is_cheaper(each, *rival))))
      rival = &each;
  }
  // No multiple of a price of 0 is another price.
  if (rival == nullptr || !(cheapest.best_cost() > 0)) return text + ".";
  const double ratio = rival->best_cost() / cheapest.best_cost();
  return fmt::format("{}; cheaper than {} until {} costs {} times as much{}.", text, rival->machine->name,
                     winner, study::number_text(ratio, ratio < 1.1 ? 3 : 2),
                     is_spot && cheapest.cost > rival->best_cost()
                         ? fmt::format(", which its price on demand does ({})",
                                       study::money_text(cheapest.cost, prices.currency))
                         : "");
}

study::Report study_cost(const StudyCostOptions& options) {
  const study::PriceList prices =
      options.prices.empty() ? study::default_prices() : study::read_prices(options.prices);
  prices.require(options.machines);
  for (const int threads : options.threads)
    if (threads > affinity_num_cpus())
      invalid_argument(
          "[study] {} threads cannot be measured on the {} processors that this process may use: they would "
          "say nothing of {} processors; leave them out, the forecast is for other numbers",
          threads, affinity_num_cpus(), threads);
  if (!options.command.empty() && !options.devices.empty())
    invalid_argument("[study] a command runs on processors only: leave --device out");
  if (options.command.empty())
    for (const std::string& workload : options.workloads) find_workload(workload);
  return CostStudy(options, prices).run();
}

}  // namespace cornu::inline v0::cli
