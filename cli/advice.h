#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/model_training.h"
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
  std::optional<study::Deadline> deadline = {};
  bool checks = false;
  double seconds = 0.3;         // about, of each measurement
  std::int64_t repeats = 5;     // of each measurement
  CompileChanges compile = {};  // of a file's model
  MachineOptions machine;
  bool json = false;
};

/// Measures the cost of a call, a step and a row on each device. Reports in five sentences (the second one a
/// sentence for each device beside the fastest) where the time of a step goes, which device wins from which
/// batch on, which device, batch and number of steps per execution to take, what that saves, and how sure
/// this is; in a table for each pair of devices the batch and the size of such a model from which the second
/// device is faster. With `checks` the
/// prediction is compared with a run. A device that is absent or fails leaves a warning. Simulated devices
/// use a virtual clock unless they name another.
/// Errors: InvalidArgument, before anything is measured, for an unknown workload, no devices, what is no
///         device's string, a budget without the prices, and a price of something else; FailedPrecondition
///         for a model that was saved before compile() without `compile`; kUnavailable when no device could
///         be measured; kCancelled on Ctrl-C.
study::Report advise(const AdviceOptions& options);

}  // namespace cornu::inline v0::cli
