#pragma once

#include <string>
#include <vector>

#include "cli/study/report.h"
#include "cli/study_run.h"

namespace cornu::inline v0::cli {

/// Names of hosts: `text` is a list with commas, or a file in mpirun's format, with a host a line; the words
/// after a host ("slots=4") and comments after '#' are not used.
/// Errors: those of reading; InvalidArgument for no host, for one that is named twice, and for a name that
///         begins with '-'.
std::vector<std::string> read_hosts(const std::string& text);

/// The file of a host's measurements: "study.h1.log" for "study.log".
std::string log_of_host(const std::string& log, const std::string& host);

/// Measures on all hosts at the same time and joins their logs as study_merge does.
///
/// Semantics: each host gets a copy of this program in a temporary folder, or runs `options.hosts.program`.
///            It runs `study run` and sends each measurement as soon as it has it; a file for each host keeps
///            them. A host that cannot be reached, ends early or is silent for longer than the limit gives a
///            warning.
/// Errors:    InvalidArgument as read_hosts and study_run; kUnavailable, with all reasons, if no host
///            measured anything.
study::Report study_run_on_hosts(const StudyRunOptions& options);

}  // namespace cornu::inline v0::cli
