#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/study/bootstrap.h"
#include "cli/study/deadline.h"
#include "cli/study/prices.h"
#include "cli/study/report.h"

namespace cornu::inline v0::cli {

/// Checkpoints and restarts of a training on machines that are taken away.
struct InterruptionOptions {
  double checkpoint_interval_seconds = 600;
  double checkpoint_seconds = 1;
  double restart_seconds = 60;
};

/// The most that a training may cost, in the currency of the price list, and when it must end.
struct TrainingLimits {
  std::optional<double> budget = {};
  std::optional<study::Deadline> deadline = {};
};

/// Machines that a study considers, and how they are rented.
struct RentalOptions {
  /// Names of lists that come with Cornu, or files (study::read_prices).
  std::vector<std::string> prices = {"aws", "azure", "gcp"};
  std::vector<std::string> machines = {};  // of the price lists; empty: all
  InterruptionOptions interruptions = {};
  TrainingLimits limits = {};
};

/// The machines of RentalOptions with their prices. Lifetime: `machines` points into `prices`.
struct RentalMachines {
  explicit RentalMachines(RentalOptions options);
  RentalMachines(const RentalMachines&) = delete;
  RentalMachines& operator=(const RentalMachines&) = delete;

  RentalOptions options;
  study::PriceList prices;
  std::vector<const study::PricedMachine*> machines;
};

/// A program that was measured on one machine with several numbers of threads.
struct MeasuredProgram {
  std::string name;
  std::string isa;   // empty: of a command
  std::string host;  // empty: this machine
  study::MeasuredMachine machine;
  std::vector<int> threads;
  std::vector<study::Repeats> seconds;  // of the whole training, for each number of threads

  /// "mnist_mlp, avx512".
  std::string title() const;
};

/// Predicted seconds of the whole training on a machine.
struct Prediction {
  std::optional<double> seconds = {};  // nothing: `basis` states the reason
  std::string basis = {};
  /// 90 %; the upper bound of a profile with peak rates is infinite. Nothing: not known.
  std::optional<study::Interval> interval = {};
};
/// The prediction for the processors of a machine: the measured time at the same number of processors, or by
/// the law with the least error on numbers of threads that were left out of its fit.
Prediction predict_processors(const MeasuredProgram& program, const study::PricedMachine& machine);

/// One program on one machine of a price list.
struct Forecast {
  const study::PricedMachine* machine = nullptr;
  double seconds = 0;            // of the whole training
  double cost = 0;               // on demand
  double spot_seconds = 0;       // expected, with interruptions; 0: not offered so, or it would never end
  double simulated_seconds = 0;  // the same by playing it; 0: too long to play
  std::string why_no_spot = {};  // where it is offered so
  double spot_cost = 0;
  /// The 90 % interval of `seconds`.
  std::optional<study::Interval> interval = {};

  double best_cost() const { return spot_seconds > 0 && spot_cost < cost ? spot_cost : cost; }
  /// The 90 % interval of best_cost(), relative to it as wide as that of `seconds`.
  std::optional<study::Interval> cost_interval() const;
};

/// Adds what follows from `seconds` of work. Errors: as study::expected_seconds.
Forecast forecast(const study::PriceList& prices, const study::PricedMachine& machine, double seconds,
                  const InterruptionOptions& options);
/// One sentence. The cheapest machine with its cost and time and their intervals, and the multiple of its
/// price up to which it is cheaper than the reference, or than the next best machine if it is the reference;
/// if the intervals of another machine overlap, or one is not known, the reason why there is no conclusion.
std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts);
/// One sentence for a budget, a deadline or both: the fastest machine within the budget, or the cheapest one
/// that ends before the deadline; both hold for the upper ends of the 90 % intervals, and spot machines are
/// left out where there is a deadline, as their end is not certain. Without such a machine the nearest one.
std::string best_within(const std::string& what, const study::PriceList& prices,
                        const std::vector<Forecast>& forecasts, const TrainingLimits& limits);
/// Indices of the forecasts that no other one beats in both time and cost, the fastest first.
std::vector<std::size_t> pareto_front(const std::vector<Forecast>& forecasts);

/// The name of a workload's training by another library: "mnist_mlp with torch".
std::string program_with(const std::string& workload, const std::string& library);
/// The workload of such a name: "mnist_mlp".
std::string training_of(const std::string& program);

/// The forecasts of a study in one table, for trainings that several programs ran.
class ProgramComparison {
 public:
  void add(const MeasuredProgram& program, const std::vector<Forecast>& forecasts);
  /// Adds a table with the machines and programs of each training that at least two programs ran, the
  /// cheapest first, and a sentence for each.
  void end(const study::PriceList& prices, study::Report& report) const;

 private:
  struct Row {
    std::string program, isa;
    Forecast forecast;
  };
  static std::string compare(const std::string& training, const Row& least, const Row& other,
                             const std::string& currency);
  std::vector<std::pair<std::string, std::vector<Row>>> trainings_;  // by name
};

/// The tables, plots and sentences of a study that predicts times and costs.
class CostForecast {
 public:
  /// Predicts a program on a machine with an accelerator.
  using PredictDevice = std::function<Prediction(const MeasuredProgram&, const study::PricedMachine&)>;

  /// Lifetime: `rental` and `report` outlive this object. Appends its tables to the report.
  CostForecast(const RentalMachines& rental, PredictDevice predict_device, study::Report& report);

  /// Adds the rows, the plots and the sentence of a program; `measured` has it from one machine or several,
  /// and each machine is predicted from that with the nearest processor.
  void add(const std::vector<MeasuredProgram>& measured);
  /// After all programs: the table of prices, and a note about machines that are not known.
  void end();

 private:
  struct Row {
    Forecast forecast;
    Prediction prediction;
  };

  Prediction predict(const std::vector<MeasuredProgram>& measured, const study::PricedMachine& machine) const;
  void warn(const std::string& what, const Row& row);
  void add_rows(const MeasuredProgram& program, const Row& row, const std::optional<Forecast>& reference);
  void add_plots(const std::string& what, const std::vector<Forecast>& forecasts,
                 const std::optional<Forecast>& reference);

  const RentalMachines& rental_;
  const study::PriceList& prices_;  // those of rental_
  PredictDevice predict_device_;
  study::Report& report_;
  std::size_t times_ = 0, costs_ = 0;  // indices of the tables
  std::vector<std::string> unknown_;   // machines
  ProgramComparison comparison_;
};

}  // namespace cornu::inline v0::cli
