#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/child_process.h"
#include "cli/study/report.h"

namespace cornu::inline v0::cli {

/// Options of advice for any program.
struct CommandAdviceOptions {
  /// It is run whole; "{K}" in its arguments stands for a number of steps per execution, "{BATCH}" for a
  /// batch.
  std::vector<std::string> command;
  std::vector<std::int64_t> steps_per_execution = {1, 10, 50};
  std::vector<std::int64_t> batch_sizes = {32, 128};
  std::vector<int> threads = {};  // empty: 1, 2, 4, ... and all that there are
  std::int64_t repeats = 5;
  double limit_seconds = 0;  // of a run; 0: none
};

/// Measures whole runs of a program with each number of processors, K and batch in turn. Reports in five
/// sentences where the time of a run goes, how many processors pay, which K and batch to take, what that
/// saves, and how sure this is. A run that fails leaves a warning, and the others are measured.
/// Errors: InvalidArgument for more threads than processors; kUnavailable when nothing could be measured.
/// `run`: runs the program; tests give times of their own.
using RunProgram = std::function<ProcessEnd(const std::vector<std::string>&, const ProcessOptions&)>;
study::Report advise_command(const CommandAdviceOptions& options, const RunProgram& run = &run_process);

}  // namespace cornu::inline v0::cli
