#include "cli/timed_command.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::cli {

double time_command(const std::vector<std::string>& command, int num_cpus, double limit_seconds) {
  if (num_cpus < 1) invalid_argument("[study] a command takes at least one processor; got {}", num_cpus);
  const ProcessEnd end = run_process(command, {.num_cpus = num_cpus, .limit_seconds = limit_seconds});
  if (end.reason == EndReason::kLimit)
    fail(ErrorCode::kUnavailable, "[study] \"{}\" did not end within {:g} s, and was ended: raise --limit",
         command[0], limit_seconds);
  require_success(command, end);
  return end.seconds;
}

void require_success(const std::vector<std::string>& command, const ProcessEnd& end) {
  if (end.signal != 0)
    fail(ErrorCode::kUnavailable, "[study] \"{}\" was ended by signal {}", command[0], end.signal);
  if (end.exit_code != 0)
    fail(ErrorCode::kUnavailable, "[study] \"{}\" ended with {}: a time of what failed says nothing",
         command[0], end.exit_code);
}

}  // namespace cornu::inline v0::cli
