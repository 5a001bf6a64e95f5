#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/cost_forecast.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of the measurements of one machine, for a study of several.
struct StudyRunOptions {
  std::vector<std::string> workloads = {"mnist_mlp",     "mnist_cnn",   "cifar10_cnn",
                                        "imdb_fasttext", "imdb_bilstm", "lstm_textgen"};
  std::vector<int> threads;          // empty: 1, 2, 4, ... and all that there are
  std::vector<std::string> isas;     // empty: sse2, and the best there is
  std::vector<std::string> devices;  // besides the processors
  std::vector<std::string> command;  // in place of the workloads
  std::string command_name;          // of the command in tables; empty: its first word
  double seconds = 1;                // about, of each measurement
  std::int64_t repeats = 5;
  std::string host;           // empty: the name of this host
  std::string instance_type;  // the cloud's name of this machine; empty: from the firmware
  std::string log;            // the file
  bool resumes = false;
};
/// Measures and writes one log; returns the table of its measurements. A device that fails leaves a warning.
/// Errors: InvalidArgument, before anything is measured, for no file, for unknown workloads, for more threads
///         than processors, and for strings that name no device; as study::StudyLog; kUnavailable when a
///         command fails.
study::Report study_run(const StudyRunOptions& options);

struct StudyMergeOptions {
  std::vector<std::string> logs;
  std::vector<std::string> prices = {"aws", "azure", "gcp"};
  std::vector<std::string> machines;  // of the price lists; empty: all
  InterruptionOptions interruptions;
  StudyOutput output;
};
/// Joins the logs of several machines into one table, plots and a page: measured, predicted and simulated
/// times apart, and forecasts for the machines of the price lists whose processors were measured.
/// Errors: as study::join_machine_logs; study::read_prices; PriceList::require.
study::Report study_merge(const StudyMergeOptions& options);

}  // namespace cornu::inline v0::cli
