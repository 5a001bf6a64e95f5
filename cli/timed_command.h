#pragma once

#include <string>
#include <vector>

#include "cli/child_process.h"

namespace cornu::inline v0::cli {

/// Seconds that a program runs on `num_cpus` of the processors that this process may use
/// (ProcessOptions::num_cpus). The program's output goes to the standard error. `limit_seconds`: the program
/// is ended after them; 0: never.
/// Errors: as run_process; kUnavailable, with the exit code, the signal or the limit, for one that fails.
double time_command(const std::vector<std::string>& command, int num_cpus, double limit_seconds = 0);

/// Errors: kUnavailable, with the exit code or the signal, for a program that failed.
void require_success(const std::vector<std::string>& command, const ProcessEnd& end);

}  // namespace cornu::inline v0::cli
