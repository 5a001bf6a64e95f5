#include "cli/study_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/timed_command.h"
#include "cornu/base/check.h"
#include "cornu/base/cpu_budget.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kStepsPerExecution = 50;
constexpr int kSimulatedRuns = 2000;
constexpr std::uint64_t kSeed = 2017;

/// How long Keras's examples train.
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

/// What the study runs: a workload at an instruction set level, or the command.
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
Json measure_steps(const std::string& workload, const std::shared_ptr<runtime::Client>& client,
                   const StudyCostOptions& options) {
  TimedTraining training(find_workload(workload), client, kStepsPerExecution);
  const std::int64_t steps = steps_for(training, options.seconds, kStepsPerExecution);
  Json values = Json::array();
  for (std::int64_t i = 0; i < options.repeats; ++i)
    values.push_back(1e3 * training.fit(steps) / static_cast<double>(steps));
  return values;
}

Json measure_command(const StudyCostOptions& options, int threads) {
  Json values = Json::array();
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

study::Table forecast_table(const study::PriceList& prices) {
  const std::string& money = prices.currency;
  return {.title = "Forecast: what a training takes and costs on the machines of the price list",
          .columns = {{"program", ""},
                      {"instruction_set", ""},
                      {"machine", ""},
                      {"training", "s", true},
                      {"law_and_error", ""},
                      {"by_usl", "s", true},
                      {"on_demand", money, true},
                      {"spot_with_interruptions", "s", true},
                      {"of_these_simulated", "s", true},
                      {"spot", money, true},
                      {"time_to_reference", "", true},
                      {"cost_to_reference", "", true},
                      {"spot_cost_to_reference", "", true}},
          .rows = {}};
}

/// Everything that one study gathers.
class CostStudy {
 public:
  CostStudy(const StudyCostOptions& options, const study::PriceList& prices)
      : options_(options),
        prices_(prices),
        log_(options.output.prefix.empty() ? "" : options.output.prefix + ".log", header(),
             options.output.resumes),
        threads_(threads_of(options)) {
    for (const study::PricedMachine& machine : prices.machines)
      if (options.machines.empty() ||
          std::find(options.machines.begin(), options.machines.end(), machine.name) != options.machines.end())
        machines_.push_back(&machine);
    report_.title = "Cost of training";
    report_.tables = {measured_table(is_command()), forecast_table(prices)};
    report_.machine = study::describe_machine();
    report_.notes = {fmt::format(
        "Times of this machine are measured, {} times each. Times with other numbers of processors follow "
        "from laws fitted to them, those of {} from profiles with peak rates: both are called predicted. "
        "Prices in {} of {}; source: {} Interrupted work: a checkpoint every {:g} s takes {:g} s, another "
        "machine works after {:g} s.",
        options.repeats, "sim: devices", prices.currency, prices.date, prices.source,
        options.checkpoint_interval_seconds, options.checkpoint_seconds, options.restart_seconds)};
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
            {"version", CORNU_VERSION},
            {"command", options_.command},
            {"seconds", options_.seconds},
            {"repeats", options_.repeats},
            {"machine", study::describe_machine()}};
  }

  double whole_training(const std::string& name, double milliseconds) const {
    return 1e-3 * milliseconds * (is_command() ? 1 : steps_of_training(name));
  }

  study::Sample add_measured(const std::string& name, const std::string& isa, const std::string& device,
                             int threads, const Json& values) {
    const study::Sample sample = study::summarize(values.get<std::vector<double>>());
    report_.tables[0].add({name, isa, device, threads, sample.median, sample.low, sample.high,
                           whole_training(name, sample.median)});
    return sample;
  }

  void measure(Program& program, int threads, study::StudyProgress& progress) {
    const std::string key = fmt::format("{}/{}/{}", program.name, program.isa, threads);
    progress.begin(key, log_.has(key));
    const Json values = log_.get(key, [&] {
      if (is_command()) return measure_command(options_, threads);
      MachineOptions machine{.threads = threads, .isa = program.isa};
      return measure_steps(program.name, runtime::make_client("cpu", client_options(machine)), options_);
    });
    const study::Sample sample = add_measured(program.name, program.isa, "cpu", threads, values);
    program.timings.push_back({static_cast<double>(threads), whole_training(program.name, sample.median)});
  }

  /// A device that fails leaves a warning.
  void measure_device(const std::string& name, const std::string& device, study::StudyProgress& progress) {
    if (is_command()) invalid_argument("[study] a command runs on processors only: leave --device out");
    const std::string key = fmt::format("{}/{}", name, device);
    progress.begin(key, log_.has(key));
    try {
      const Json values = log_.get(key, [&] {
        return measure_steps(name, runtime::make_client(device, client_options({})), options_);
      });
      add_measured(name, "", device + (device.starts_with("sim:") ? " (simulated)" : ""), 0, values);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnavailable) throw;
      report_.warnings.push_back(fmt::format("{} on {} is left out: {}", name, device, error.what()));
    }
  }

  /// Predicted seconds on a machine, with what they rest on; nothing where nothing can be said.
  struct Prediction {
    std::optional<double> seconds;
    std::string basis;
    std::optional<double> by_usl = {};
  };
  Prediction predict(const Program& program, const study::PricedMachine& machine) {
    if (!machine.device.empty()) {
      if (is_command()) return {std::nullopt, "no profile of a command"};
      const std::string key = fmt::format("{}/{}", program.name, machine.device);
      const Json values = log_.get(key, [&] {
        const std::string spec =
            machine.device + (machine.device.starts_with("sim:") ? ",clock=virtual" : "");
        StudyCostOptions quick = options_;
        quick.repeats = 1;
        return measure_steps(program.name, runtime::make_client(spec, client_options({})), quick);
      });
      return {whole_training(program.name, study::summarize(values.get<std::vector<double>>()).median),
              "profile, peak rates"};
    }
    const auto amdahl = study::fit_scaling(study::ScalingLaw::kAmdahl, program.timings);
    const auto usl = study::fit_scaling(study::ScalingLaw::kUsl, program.timings);
    if (!amdahl.has_value()) return {std::nullopt, "needs two numbers of threads"};
    Prediction prediction{amdahl->seconds(machine.vcpus),
                          amdahl->relative_error.has_value()
                              ? fmt::format("Amdahl, fits within {:.1f} %", 100 * *amdahl->relative_error)
                              : "Amdahl, error not known: two terms from two timings"};
    if (usl.has_value()) prediction.by_usl = usl->seconds(machine.vcpus);
    return prediction;
  }

  void forecast_program(const Program& program) {
    struct Row {
      Forecast forecast;
      Prediction prediction;
    };
    std::vector<Row> rows;
    for (const study::PricedMachine* const machine : machines_) {
      const Prediction prediction = predict(program, *machine);
      if (prediction.seconds.has_value())
        rows.push_back({forecast(prices_, *machine, *prediction.seconds, options_), prediction});
    }
    const auto reference = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.forecast.machine->name == prices_.reference;
    });
    const auto ratio = [&](double value, double Forecast::* member) -> Json {
      if (reference == rows.end() || value == 0 || reference->forecast.*member == 0) return nullptr;
      return value / (reference->forecast.*member);
    };
    std::vector<Forecast> forecasts;
    for (const auto& [found, prediction] : rows) {
      const bool is_spot = found.spot_seconds > 0;
      const auto or_null = [](bool there, double value) { return there ? Json(value) : Json(nullptr); };
      report_.tables[1].add({program.name, program.isa, found.machine->name, found.seconds, prediction.basis,
                             or_null(prediction.by_usl.has_value(), prediction.by_usl.value_or(0)),
                             found.cost, or_null(is_spot, found.spot_seconds),
                             or_null(is_spot, found.simulated_seconds), or_null(is_spot, found.spot_cost),
                             ratio(found.seconds, &Forecast::seconds), ratio(found.cost, &Forecast::cost),
                             ratio(found.spot_cost, &Forecast::cost)});
      forecasts.push_back(found);
    }
    const std::string what =
        program.isa.empty() ? program.name : fmt::format("{}, {}", program.name, program.isa);
    if (!forecasts.empty()) report_.conclusions.push_back(best_value(what, prices_, forecasts));
    if (reference != rows.end()) add_plot(what, forecasts, reference->forecast);
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
  study::StudyLog log_;
  std::vector<int> threads_;
  std::vector<const study::PricedMachine*> machines_;
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
  found.spot_seconds = study::expected_seconds(work);
  found.simulated_seconds = study::simulate_seconds(work, kSimulatedRuns, kSeed).mean;
  found.spot_cost = prices.cost(machine, found.spot_seconds, true);
  return found;
}

std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts) {
  const auto cheapest =
      std::min_element(forecasts.begin(), forecasts.end(),
                       [](const Forecast& x, const Forecast& y) { return x.best_cost() < y.best_cost(); });
  const bool is_spot = cheapest->best_cost() < cheapest->cost;
  std::string text =
      fmt::format("{}: best value is {}{}: {:.3g} {} for {:.3g} s (predicted).", what,
                  cheapest->machine->name, is_spot ? " as a spot machine" : "", cheapest->best_cost(),
                  prices.currency, is_spot ? cheapest->spot_seconds : cheapest->seconds);
  const auto reference = std::find_if(forecasts.begin(), forecasts.end(), [&](const Forecast& each) {
    return each.machine->name == prices.reference;
  });
  if (reference == forecasts.end() || !(reference->seconds > 0)) return text;
  if (reference == cheapest) {
    const auto next =
        std::min_element(forecasts.begin(), forecasts.end(), [&](const Forecast& x, const Forecast& y) {
          return (&x == &*reference ? INFINITY : x.best_cost()) <
                 (&y == &*reference ? INFINITY : y.best_cost());
        });
    if (next == reference) return text;
    return text + fmt::format(" That turns where {} costs {:.3g} times as much as now.", prices.reference,
                              next->best_cost() / reference->best_cost());
  }
  const double now = cheapest->machine->price_per_hour * (is_spot ? cheapest->machine->spot_share : 1) /
                     reference->machine->price_per_hour;
  const double turns = now * reference->best_cost() / cheapest->best_cost();
  return text + fmt::format(
                    " It costs {:.3g} of {}'s price an hour; from {:.3g} of it on, {} is the better value{}.",
                    now, prices.reference, turns, prices.reference,
                    is_spot && cheapest->cost > reference->best_cost()
                        ? ", as it is against its price on demand"
                        : "");
}

study::Report study_cost(const StudyCostOptions& options) {
  const study::PriceList prices =
      options.prices.empty() ? study::default_prices() : study::read_prices(options.prices);
  prices.require(options.machines);
  if (options.command.empty())
    for (const std::string& workload : options.workloads) find_workload(workload);
  return CostStudy(options, prices).run();
}

}  // namespace cornu::inline v0::cli
