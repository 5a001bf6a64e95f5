#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// How far a training scales over replicas: what a step computes is measured here, what replicas send
/// each other is predicted.
struct StudyScalingOptions {
  std::vector<std::string> networks = {"mnist_cnn", "cifar_2m_b256", "imdb_bilstm"};
  std::string device = "cpu";
  std::vector<std::int64_t> replicas = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  /// What replicas send each other goes at the rates that these measured calls show (study::parse_calls)...
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
