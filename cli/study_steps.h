#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/study_peers.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of a study of the time of a fit by steps_per_execution, as in the study of 2020.
struct StudyStepsOptions {
  std::vector<std::string> networks = {"cifar_2m", "cifar_10m"};
  std::vector<std::int64_t> batch_sizes = {32, 256};
  std::vector<std::int64_t> steps_per_execution = {1, 20, 50, 100, 200, 500};
  std::int64_t steps = 1000;
  std::int64_t repeats = 5;
  std::vector<std::string> devices = {"cpu"};
  /// Another program in place of the networks, run whole for each K; "{K}" in its arguments stands for K.
  std::vector<std::string> command = {};
  double limit_seconds = 0;  // of a run of the command; 0: none
  /// Other libraries that train the networks beside Cornu, where their scripts have the batch size.
  std::vector<PeerRequest> peers = {};
  double peer_seconds = 1;  // about, of each of their measurements after the first execution
  MachineOptions machine;   // its device is not looked at
  StudyOutput output;
};

/// Measures what the log does not have: for each device, network and batch size all K in turn, `repeats`
/// times, the first fit of each separately. A device or a library that fails leaves a warning,
/// and the others are measured. Simulated devices use a virtual clock unless they name another.
/// Errors: InvalidArgument, before anything is measured, for an unknown network, for an empty list and for a
///         string that names no device, for a command without "{K}"; as study::StudyLog;
///         kUnavailable for a command that fails, and when every device failed.
study::Report study_steps(const StudyStepsOptions& options);

}  // namespace cornu::inline v0::cli
