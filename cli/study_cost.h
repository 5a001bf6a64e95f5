#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/cost_forecast.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of the cost of training on rented machines, as in a study of 2017.
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
  /// Names of lists that come with Cornu, or files (study::read_prices).
  std::vector<std::string> prices = {"aws", "azure", "gcp"};
  std::vector<std::string> machines;  // of the price lists; empty: all
  InterruptionOptions interruptions;
  StudyOutput output;
};

/// Measures and forecasts. A device that fails leaves a warning, and its machine a row that has only the
/// reason.
/// Errors: InvalidArgument, before anything is measured, for unknown workloads, machines and instruction
///         sets, for price files, for more threads than processors, for strings that name no device, for
///         devices beside a command; as study::StudyLog; kUnavailable when a command fails.
study::Report study_cost(const StudyCostOptions& options);

}  // namespace cornu::inline v0::cli
