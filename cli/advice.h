#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/report.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

struct AdviceOptions {
  std::string target = "iris_mlp";  // a workload, or a file of a compiled model
  std::vector<std::string> devices;
  std::int64_t batch_size = 0;           // 0: the workload's; of a file's model 32
  double num_rows = 1e6;                 // of the training that is planned: rows times epochs
  std::map<std::string, double> prices;  // of devices, an hour; 0: it costs nothing
  std::optional<double> budget;
  std::optional<double> deadline_seconds;
  bool checks = false;
  double seconds = 0.3;  // about, of each measurement
  MachineOptions machine;
  bool json = false;
};

/// Measures what a call, a step and a row cost on each device, says why one is slower than another, and which
/// to take with which batch and how many steps an execution; for each pair of devices from which batch, and
/// from which size of such a model, the second is the faster one. With `checks` the prediction is compared
/// with a run. A device that is not there, or fails, leaves a warning. Simulated devices go by a virtual
/// clock unless theirs is named.
/// Errors: InvalidArgument, before anything is measured, for an unknown workload, no devices, what is no
///         device's string, a budget without the prices, and a price of something else; FailedPrecondition
///         for a model that was saved before compile(); kUnavailable when no device could be measured;
///         kCancelled on Ctrl-C.
study::Report advise(const AdviceOptions& options);

}  // namespace cornu::inline v0::cli
