#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/study/bootstrap.h"
#include "cli/study/prices.h"
#include "cli/study/report.h"

namespace cornu::inline v0::cli {

/// Checkpoints and restarts of a training on machines that are taken away.
struct InterruptionOptions {
  double checkpoint_interval_seconds = 600;
  double checkpoint_seconds = 1;
  double restart_seconds = 60;
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
/// price up to which it is cheaper than the reference, or than the next best machine if it is the reference; if the
/// intervals of another machine overlap, or one is not known, the reason why there is no conclusion.
std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts);
/// Indices of the forecasts that no other one beats in both time and cost, the fastest first.
std::vector<std::size_t> pareto_front(const std::vector<Forecast>& forecasts);

/// The tables, plots and sentences of a study that predicts times and costs.
class CostForecast {
 public:
  /// Predicts a program on a machine with an accelerator.
  using PredictDevice = std::function<Prediction(const MeasuredProgram&, const study::PricedMachine&)>;

  /// Lifetime: `prices` and `report` outlive this object. Appends its tables to the report.
  CostForecast(const study::PriceList& prices, std::vector<const study::PricedMachine*> machines,
               InterruptionOptions options, PredictDevice predict_device, study::Report& report);

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

  const study::PriceList& prices_;
  std::vector<const study::PricedMachine*> machines_;
  InterruptionOptions options_;
  PredictDevice predict_device_;
  study::Report& report_;
  std::size_t times_ = 0, costs_ = 0;  // indices of the tables
  std::vector<std::string> unknown_;   // machines
};

/// Machines of the list by name; all of them without names.
std::vector<const study::PricedMachine*> machines_of(const study::PriceList& prices,
                                                     const std::vector<std::string>& names);

}  // namespace cornu::inline v0::cli
