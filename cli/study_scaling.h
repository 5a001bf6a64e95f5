#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of a study of scaling over replicas: the computation of a step is measured, the communication of
/// replicas is predicted.
struct StudyScalingOptions {
  std::vector<std::string> networks = {"mnist_cnn", "cifar_2m_b256", "imdb_bilstm"};
  std::string device = "cpu";
  std::vector<std::int64_t> replicas = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  /// A file of measured calls, whose rates replicas communicate at (study::parse_calls) ...
  std::string calls;
  /// ... or at these: without anything, Ethernet of 10 Gbit/s.
  double link_bytes_per_second = 1.25e9;
  double link_latency_seconds = 30e-6;
  double seconds = 1;  // about, of each measurement
  std::int64_t repeats = 3;
  MachineOptions machine;  // its device is not looked at
  StudyOutput output;
};

/// Measures steps of the workload's batch, its half, quarter and eighth,
/// fits seconds = fixed + rows * per_row, and adds the all-reduce of the gradients.
/// Errors: InvalidArgument for an unknown network, an empty list, a file of calls that is none;
///         NotFound for one that is not there; FailedPrecondition for a device on which a step takes no time;
///         as StudyOutput::log_path and study::StudyLog.
study::Report study_scaling(const StudyScalingOptions& options);

}  // namespace cornu::inline v0::cli
