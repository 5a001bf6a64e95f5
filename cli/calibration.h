#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

struct CalibrationOptions {
  MachineOptions machine;  // with the device
  /// What the rates are fitted to, and what they are tried on.
  std::vector<std::string> workloads = {"iris_mlp",      "mnist_mlp",     "cifar10_cnn",
                                        "cifar_10m_b32", "imdb_fasttext", "lstm_textgen"};
  std::vector<std::string> held_out = {"mnist_cnn", "imdb_bilstm", "cifar_2m_b32"};
  double seconds = 0.5;  // about, of each measurement
  std::int64_t repeats = 3;
  std::int64_t steps_per_execution = 50;  // of the calls that are compared with those of one step; at least 2
  std::string output = "profile.json";
  bool json = false;
};

/// Measures a device and writes a profile of it for `sim:`.
///
/// Semantics: link_bytes_per_second is the rate by which 16 MiB take longer than 4 KiB, link_latency_seconds the
///            median round trip of 4 KiB less what they take at that rate, launch_seconds what an execution of one
///            step of the smallest workload costs beside the step and a round trip. step_seconds, the rates of
///            products, of convolutions and of recurrent sequences and state_bytes_per_second are fitted to the
///            steps of `workloads`, less what their rows take on the link; compile_seconds is their median. Then
///            the simulated copy's steps of `held_out` are compared with the device's.
/// Errors:    InvalidArgument for unknown workloads, fewer than three of them, and fewer than two steps an
///            execution; FailedPrecondition when the steps of the workloads do not tell the rates apart; those of
///            the device; kUnavailable for a file that cannot be written.
study::Report calibrate(const CalibrationOptions& options);

}  // namespace cornu::inline v0::cli
