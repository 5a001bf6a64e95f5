#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/study/bootstrap.h"
#include "cli/study/metric_target.h"

namespace cornu::inline v0::cli {

/// A program's training until a metric is reached. "{BACKUP}" in the command's arguments is the name of a
/// folder for its backups, which does not exist when a training begins.
struct MetricTraining {
  double seconds = 0;                     // from the program's start until the metric was reached
  std::vector<double> line_seconds = {};  // of the lines with the metric
  double value = 0;                       // of the metric
  study::Repeats repeats = {};            // `seconds` of all repeats of the training; empty: not repeated
};

/// True if an argument has "{BACKUP}".
bool has_backups(const std::vector<std::string>& command);

/// Runs a program on `num_cpus` processors until its output has the metric at its target, and ends it then.
/// `limit_seconds`: the program is ended after them; 0: never.
/// Errors: those of run_process; kUnavailable if the metric is never reached, if the output has no such
///         metric or nothing at all, and for a program that fails or exceeds the limit.
MetricTraining train_to_metric(const std::vector<std::string>& command, const study::MetricTarget& target,
                               int num_cpus, double limit_seconds);

/// Interruptions that are played on a training with backups.
struct PlayOptions {
  std::int64_t plays = 3;    // trainings; 0: none
  double interruptions = 2;  // expected in the time of one undisturbed training
};

/// Trainings that were killed at random times and restarted until they reached the metric.
struct PlayedTrainings {
  study::Repeats seconds;  // of each play, from its first start
  int num_kills = 0;       // in all of them
};
/// Errors: as train_to_metric; kUnavailable for a play that is killed 100 times, as it never ends.
PlayedTrainings play_interruptions(const std::vector<std::string>& command, const study::MetricTarget& target,
                                   int num_cpus, double limit_seconds, const MetricTraining& undisturbed,
                                   const PlayOptions& options);

/// One sentence: the mean of the plays beside the closed form (study::expected_seconds) for backups at each
/// line of output, with the interval of means of as many simulated trainings, wider by the spread of the
/// undisturbed trainings, and if they agree.
std::string compare_with_closed_form(const std::string& what, const MetricTraining& undisturbed,
                                     const PlayedTrainings& played, const PlayOptions& options);

}  // namespace cornu::inline v0::cli
