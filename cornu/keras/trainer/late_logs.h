#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {

/// Reads logs from their sources on the host into `result`, by name.
void read_log_sources(std::span<const LogSource> sources, Logs& result);

/// The logs at one moment, which may still be on their way from the device. Later executions do not change them.
/// Threads: one thread.
class LateLogs {
 public:
  /// `variables`: all that the sources read. Errors: those of VariableValues.
  LateLogs(std::vector<LogSource> sources, std::span<const Variable> variables)
      : sources_(std::move(sources)), values_(variables, {.hides_other_threads = true, .waits = false}) {}

  bool is_ready() const { return values_.is_ready(); }
  /// Waits. Errors: that of the execution that would have made them.
  Logs get() const;

 private:
  std::vector<LogSource> sources_;
  detail::VariableValues values_;
};

}  // namespace cornu::inline v0::keras
