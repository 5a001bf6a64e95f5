#pragma once

#include <string>
#include <vector>

namespace cornu::inline v0::cli {

/// Seconds that a program runs on `num_cpus` of the processors that this process may use. The variables from
/// which numeric libraries read their number of threads are set to the same number. The program's output goes
/// to the standard error.
/// Errors: InvalidArgument for no command, and for more processors than there are; NotFound for a program
///         that is not there; kUnavailable, with the reason, its exit code or signal, for one that cannot be
///         started or fails.
double time_command(const std::vector<std::string>& command, int num_cpus);

}  // namespace cornu::inline v0::cli
