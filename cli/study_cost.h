#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/interruptions.h"
#include "cli/study/prices.h"
#include "cli/study/report.h"
#include "cli/study/scaling.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of the cost of training on rented machines, as in the study of 2017.
struct StudyCostOptions {
  std::vector<std::string> workloads = {"mnist_mlp",     "mnist_cnn",   "cifar10_cnn",
                                        "imdb_fasttext", "imdb_bilstm", "lstm_textgen"};
  std::vector<int> threads;          // empty: 1, 2, 4, ... and all that there are
  std::vector<std::string> isas;     // empty: sse2, and the best there is
  std::vector<std::string> devices;  // measured besides the processors
  /// Another program in place of the workloads: it is run whole, with each number of processors.
  std::vector<std::string> command;
  double seconds = 1;  // about, of each measurement
  std::int64_t repeats = 3;
  std::string prices;                 // a file; empty: those of 2017
  std::vector<std::string> machines;  // of the price list; empty: all
  double checkpoint_interval_seconds = 600;
  double checkpoint_seconds = 1;
  double restart_seconds = 60;
  StudyOutput output;
};

/// One program on the machines of a price list.
struct Forecast {
  const study::PricedMachine* machine = nullptr;
  double seconds = 0;            // of the whole training
  double cost = 0;               // on demand
  double spot_seconds = 0;       // expected, with interruptions; 0: not offered so, or it would never end
  double simulated_seconds = 0;  // the same by playing it; 0: too long to play
  std::string why_no_spot = {};  // where it is offered so
  double spot_cost = 0;
  double best_cost() const { return spot_seconds > 0 && spot_cost < cost ? spot_cost : cost; }
};

/// Adds what follows from `seconds` of work. Errors: as study::expected_seconds.
Forecast forecast(const study::PriceList& prices, const study::PricedMachine& machine, double seconds,
                  const StudyCostOptions& options);
/// One sentence: the cheapest machine with its cost and time, and the multiple of its price up to which it is
/// cheaper than the reference, or than the next best machine if it is the reference.
std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts);

/// Measures and forecasts. A device that fails leaves a warning, and its machine a row that has only the
/// reason.
/// Errors: InvalidArgument, before anything is measured, for unknown workloads, machines and instruction
///         sets, for price files, for more threads than processors, for strings that name no device, for
///         devices beside a command; as study::StudyLog; kUnavailable when a command fails.
study::Report study_cost(const StudyCostOptions& options);

}  // namespace cornu::inline v0::cli
