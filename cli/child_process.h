#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cornu::inline v0::cli {

/// Destination of a program's standard error.
enum class ErrorOutput {
  kInherited,  // that of this process
  kJoined,     // on_line, together with the standard output
  kKept,       // ProcessEnd::errors
};

struct ProcessOptions {
  /// Processors of the program, the first ones of those that this process may use; the variables from which
  /// numeric libraries read their number of threads are set to the same number. 0: all, and no variable is
  /// set.
  int num_cpus = 0;
  /// Receives each complete line of the output and the seconds since the start; false ends the program.
  /// Without it the output goes to the standard error.
  std::function<bool(const std::string& line, double seconds)> on_line = {};
  ErrorOutput errors = ErrorOutput::kInherited;
  double limit_seconds = 0;    // after which the program is ended; 0: none
  double silence_seconds = 0;  // the same since the last line
};

/// The reason why a program ended.
enum class EndReason { kItself, kStopped, kLimit, kSilence };

struct ProcessEnd {
  EndReason reason = EndReason::kItself;
  double seconds = 0;
  int exit_code = 0;
  int signal = 0;                               // that ended it; 0: none
  double user_seconds = 0, system_seconds = 0;  // of its processors
  std::string errors = {};                      // the last 4 KiB, with ErrorOutput::kKept
};

/// Runs a program until it ends or is ended. With a limit or `on_line` it has a process group of its own,
/// which is ended by SIGKILL as a whole, and no standard input.
/// Threads:   any; one call for each program.
/// Errors:    InvalidArgument for no command, and for more processors than there are; NotFound for a program
///            that does not exist; kUnavailable, with the reason, for one that cannot be started.
ProcessEnd run_process(const std::vector<std::string>& command, const ProcessOptions& options);

/// The last line of a text that is not empty, for a sentence.
std::string last_line_of(const std::string& text);

}  // namespace cornu::inline v0::cli
