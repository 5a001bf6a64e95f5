#include "cli/metric_training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "cli/child_process.h"
#include "cli/study/figures.h"
#include "cli/study/interruptions.h"
#include "cli/study/statistics.h"
#include "cli/timed_command.h"
#include "cornu/base/check.h"
#include "cornu/base/temporary_folder.h"

namespace cornu::inline v0::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackup = "{BACKUP}";
constexpr int kMostKills = 100;  // of one play
constexpr std::uint64_t kPlaySeed = 47;
constexpr int kSimulatedMeans = 1000;

/// A new name for a folder of backups, which is removed with this object.
class BackupFolder {
 public:
  std::vector<std::string> put_into(std::vector<std::string> command) const {
    const std::string folder = (parent_.path() / "backup").string();
    for (std::string& word : command)
      for (std::size_t at = 0; (at = word.find(kBackup, at)) != std::string::npos; at += folder.size())
        word.replace(at, std::string(kBackup).size(), folder);
    return command;
  }

 private:
  TemporaryFolder parent_{"cornu-backup-"};
};

/// A program's output as far as a metric is concerned.
class MetricReader {
 public:
  explicit MetricReader(const study::MetricTarget& target) : target_(target) {}

  /// False once the metric is reached.
  bool read(const std::string& line, double seconds) {
    ++num_lines_;
    for (std::string& name : study::metrics_in(line)) names_.insert(std::move(name));
    const std::optional<double> value = study::value_of_metric(line, target_.metric);
    if (!value.has_value()) return true;
    training_.line_seconds.push_back(seconds);
    if (!best_.has_value() || (target_.is_upper_bound ? *value < *best_ : *value > *best_)) best_ = value;
    if (!target_.is_reached_by(*value)) return true;
    training_.value = *value;
    training_.seconds = seconds;
    is_reached_ = true;
    return false;
  }

  bool is_reached() const { return is_reached_; }
  const MetricTraining& training() const { return training_; }

  /// Why the metric was not reached, of a program that ended by itself.
  std::string why_not() const {
    if (num_lines_ == 0) return "it printed nothing";
    if (best_.has_value())
      return fmt::format("the best of its {} values was {}", training_.line_seconds.size(), *best_);
    return names_.empty()
               ? fmt::format("none of its {} lines of output has a metric", num_lines_)
               : fmt::format("its output has no {}; it has {}", target_.metric, fmt::join(names_, ", "));
  }

 private:
  study::MetricTarget target_;
  MetricTraining training_;
  std::set<std::string> names_;
  std::optional<double> best_;
  std::size_t num_lines_ = 0;
  bool is_reached_ = false;
};

/// Runs the program until the metric is reached, it ends, or `limit_seconds` have passed.
ProcessEnd run_until(const std::vector<std::string>& command, MetricReader& reader, int num_cpus,
                     double limit_seconds) {
  std::vector<std::string> unbuffered = {"env", "PYTHONUNBUFFERED=1"};
  unbuffered.insert(unbuffered.end(), command.begin(), command.end());
  return run_process(unbuffered, {.num_cpus = num_cpus,
                                  .on_line = [&](const std::string& line,
                                                 double seconds) { return reader.read(line, seconds); },
                                  .errors = ErrorOutput::kJoined,
                                  .limit_seconds = limit_seconds});
}

[[noreturn]] void fail_unreached(const std::vector<std::string>& command, const study::MetricTarget& target,
                                 const std::string& why) {
  fail(ErrorCode::kUnavailable, "[study] \"{}\" never reached {}: {}", command[0], target.text(), why);
}

/// A training with backups at each line of output, as the closed form describes it.
struct TrainingTimes {
  double startup_seconds = 0;   // until the work begins
  double interval_seconds = 0;  // of the work between two lines
  study::InterruptedWork work;
};

TrainingTimes times_of(const MetricTraining& training, double interruptions) {
  std::vector<double> intervals;
  for (std::size_t i = 1; i < training.line_seconds.size(); ++i)
    intervals.push_back(training.line_seconds[i] - training.line_seconds[i - 1]);
  TrainingTimes times;
  if (intervals.empty()) {
    times.interval_seconds = training.seconds;
  } else {
    times.interval_seconds = std::max(1e-6, study::summarize(intervals).median);
    times.startup_seconds = std::max(0.0, training.line_seconds[0] - times.interval_seconds);
  }
  const double work = std::max(1e-6, training.seconds - times.startup_seconds);
  times.work = {.work_seconds = work,
                .checkpoint_interval_seconds = std::min(work, times.interval_seconds),
                .checkpoint_seconds = 0,
                .restart_seconds = times.startup_seconds,
                .interruptions_per_hour = 3600 * interruptions / work};
  return times;
}

}  // namespace

bool has_backups(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& word) { return word.find(kBackup) != std::string::npos; });
}

MetricTraining train_to_metric(const std::vector<std::string>& command, const study::MetricTarget& target,
                               int num_cpus, double limit_seconds) {
  if (command.empty()) invalid_argument("[study] there is no command to run");
  const BackupFolder folder;
  MetricReader reader(target);
  const ProcessEnd end = run_until(folder.put_into(command), reader, num_cpus, limit_seconds);
  if (reader.is_reached()) return reader.training();
  if (end.reason == EndReason::kLimit)
    fail_unreached(
        command, target,
        fmt::format("it was ended after {:g} s (--limit), and {}", limit_seconds, reader.why_not()));
  if (end.exit_code == 127) fail(ErrorCode::kNotFound, "[study] there is no program \"{}\"", command[0]);
  if (end.exit_code != 0 || end.signal != 0)
    fail_unreached(command, target,
                   end.signal != 0 ? fmt::format("it was ended by signal {}", end.signal)
                                   : fmt::format("it ended with {}", end.exit_code));
  fail_unreached(command, target, reader.why_not());
}

PlayedTrainings play_interruptions(const std::vector<std::string>& command, const study::MetricTarget& target,
                                   int num_cpus, double limit_seconds, const MetricTraining& undisturbed,
                                   const PlayOptions& options) {
  const TrainingTimes times = times_of(undisturbed, options.interruptions);
  std::mt19937_64 random(kPlaySeed);
  std::exponential_distribution<double> life(times.work.interruptions_per_hour / 3600);
  PlayedTrainings played;
  for (std::int64_t play = 0; play < options.plays; ++play) {
    const BackupFolder folder;
    const std::vector<std::string> used = folder.put_into(command);
    double passed = 0;
    for (int kills = 0;; ++kills) {
      if (kills == kMostKills)
        fail_unreached(command, target,
                       fmt::format("it was killed {} times in a play of interruptions and did not go on from "
                                   "its backups",
                                   kMostKills));
      MetricReader reader(target);
      const double until = times.startup_seconds + life(random);
      const bool is_limited = limit_seconds > 0 && limit_seconds < until;
      const ProcessEnd end = run_until(used, reader, num_cpus, is_limited ? limit_seconds : until);
      if (reader.is_reached()) {
        played.seconds.push_back(passed + reader.training().seconds);
        break;
      }
      passed += end.seconds;
      if (end.reason == EndReason::kLimit && is_limited)
        fail_unreached(
            command, target,
            fmt::format("it did not end within {:g} s (--limit) after an interruption", limit_seconds));
      if (end.reason == EndReason::kItself)
        fail_unreached(command, target,
                       fmt::format("restarted after {} interruptions it ended, and {}", kills,
                                   end.exit_code != 0 ? fmt::format("its exit code is {}", end.exit_code)
                                                      : reader.why_not()));
      ++played.num_kills;
    }
  }
  return played;
}

std::string compare_with_closed_form(const std::string& what, const MetricTraining& undisturbed,
                                     const PlayedTrainings& played, const PlayOptions& options) {
  if (played.num_kills == 0)
    return fmt::format(
        "{}: no interruption fell into the {} trainings that were played: raise --plays or --interruptions.",
        what, played.seconds.size());
  const TrainingTimes times = times_of(undisturbed, options.interruptions);
  const double mean = std::accumulate(played.seconds.begin(), played.seconds.end(), 0.0) /
                      static_cast<double>(played.seconds.size());
  std::string text = fmt::format(
      "{}: {} trainings that were killed {} time{} and went on from their backups took {} on average "
      "(measured)",
      what, played.seconds.size(), played.num_kills, played.num_kills == 1 ? "" : "s",
      study::seconds_text(mean));
  if (const std::string why = study::why_it_never_ends(times.work); !why.empty())
    return fmt::format("{}; the closed form has no figure: {}.", text, why);
  // Means of as many simulated trainings.
  const int count = std::max<int>(2, static_cast<int>(played.seconds.size()));
  std::vector<double> means;
  for (int i = 0; i < kSimulatedMeans; ++i)
    means.push_back(
        times.startup_seconds +
        study::simulate_seconds(times.work, count, kPlaySeed + static_cast<std::uint64_t>(i)).mean);
  std::sort(means.begin(), means.end());
  study::Interval interval{means[means.size() / 20], means[means.size() - 1 - means.size() / 20]};
  if (!undisturbed.repeats.empty()) {
    const auto [least, most] = std::minmax_element(undisturbed.repeats.begin(), undisturbed.repeats.end());
    interval.low *= *least / undisturbed.seconds;
    interval.high *= *most / undisturbed.seconds;
  }
  const bool agrees = mean >= interval.low && mean <= interval.high;
  return fmt::format(
      "{}; the closed form expects {}{} with {:g} interruptions in {} of work and a backup each {}: they {}.",
      text, study::seconds_text(times.startup_seconds + study::expected_seconds(times.work)),
      study::interval_text(interval, &study::seconds_text), options.interruptions,
      study::seconds_text(times.work.work_seconds), study::seconds_text(times.interval_seconds),
      agrees ? "agree"
      : mean > interval.high
          ? "do not agree, as more work was repeated than that since the last line of output"
          : "do not agree, as less work was repeated than that since the last line of output");
}

}  // namespace cornu::inline v0::cli
