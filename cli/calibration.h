#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

struct CalibrationOptions {
  MachineOptions machine;  // with the device
  /// Workloads that the rates are fitted to, and workloads that they are tried on.
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
/// Semantics: the profile's fields are
///            link_bytes_per_second: by the time that 16 MiB take longer than 4 KiB;
///            link_latency_seconds: the median transfer of 4 KiB, less what they take at that rate;
///            launch_seconds: what a call of the first workload costs beside its steps and that latency;
///            compile_seconds: the median of `workloads`;
///            and, fitted to the steps of `workloads`, less what their calls and rows take on the link,
///            step_seconds;
///            flops_per_second;
///            convolution_flops_per_second;
///            sequence_flops_per_second;
///            state_bytes_per_second.
///            Then steps of the simulated copy are compared with the device's, of `workloads` and `held_out`.
/// Errors:    InvalidArgument for unknown workloads, fewer than three of them, one that is held out too, and
///            fewer than two steps an execution;
///            FailedPrecondition when the steps of the workloads do not tell the rates apart, and when those
///            of one take no time on the device;
///            kUnavailable for a file that cannot be written;
///            those of the device.
study::Report calibrate(const CalibrationOptions& options);

}  // namespace cornu::inline v0::cli
