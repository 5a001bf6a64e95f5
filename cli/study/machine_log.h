#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/study/bootstrap.h"

namespace cornu::inline v0::study {

/// Format of the logs of `cornu study run`, in their first line.
inline constexpr int kMachineLogFormat = 1;

/// One program with one number of threads, or on one device, as a line of a log.
struct MachineLogEntry {
  std::string program;
  std::string isa;     // empty: of a command, or of a device
  std::string device;  // "cpu", or a device
  int threads = 0;     // 0: of a device
  bool is_simulated = false;
  double steps = 1;                             // of the whole training
  Repeats milliseconds;                         // of a step, or of the whole run of a command
  double wall_seconds = 0, steady_seconds = 0;  // both clocks, when the measurement began

  /// The name of the entry in the log.
  std::string name() const;
  /// Seconds of the whole training, for each repeat.
  Repeats training_seconds() const;
};
nlohmann::ordered_json to_json(const MachineLogEntry& entry);

/// The measurements of one machine.
struct MachineLog {
  std::string path;
  std::string host;
  nlohmann::ordered_json machine;
  std::vector<MachineLogEntry> entries;
  /// A last line that was cut off, and a clock that jumped.
  std::vector<std::string> warnings;
};

/// The first line of a log of `cornu study run`.
nlohmann::ordered_json machine_log_header(const std::string& host, const nlohmann::ordered_json& machine);

/// Reads a log of `cornu study run`. A last line that was cut off is left out, with a warning; a clock of the
/// machine that jumped while it measured gives a warning, and the times stay, which are by a steady clock.
/// Errors: those of reading; InvalidArgument for the log of another command, for a format that is not known,
///         and for a line that is none, with its number.
MachineLog read_machine_log(const std::string& path);

/// Reads and joins logs. A log that cannot be read leaves a warning. Of two logs of the same host and machine
/// the second one adds the measurements that the first lacks, with a warning; different machines with one host
/// name get numbers.
/// Errors: InvalidArgument for no path; kUnavailable, with all reasons, if no log can be read.
struct JoinedLogs {
  std::vector<MachineLog> logs;
  std::vector<std::string> warnings;
};
JoinedLogs join_machine_logs(const std::vector<std::string>& paths);

}  // namespace cornu::inline v0::study
