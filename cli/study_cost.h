#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/cost_forecast.h"
#include "cli/metric_training.h"
#include "cli/study/report.h"
#include "cli/study_peers.h"
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
  double limit_seconds = 0;  // of a run of the command; 0: none
  /// Other libraries that train the workloads beside Cornu.
  std::vector<PeerRequest> peers = {};
  /// The command is measured until this metric is reached.
  std::optional<study::MetricTarget> to = {};
  PlayOptions play = {};
  RentalOptions rental = {};
  StudyOutput output = {};
};

/// Measures and forecasts. A device that fails leaves a warning, and its machine a row that has only the
/// reason. A command or another library that fails with some number of threads leaves a warning, and the rest
/// is measured. With `to` and a command that has "{BACKUP}" interruptions are played (play_interruptions).
/// Errors: InvalidArgument, before anything is measured, for unknown workloads, machines and instruction
///         sets, for price files, for more threads than processors, for strings that name no device, for
///         devices or libraries beside a command, `to` without one; as study::StudyLog; kUnavailable when
///         nothing could be measured.
study::Report study_cost(const StudyCostOptions& options);

}  // namespace cornu::inline v0::cli
