#include "cli/advise_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

#include "cli/child_process.h"
#include "cli/study/bootstrap.h"
#include "cli/study/figures.h"
#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study_devices.h"
#include "cli/study_measurements.h"
#include "cli/timed_command.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStepsWord = "{K}";
constexpr const char* kBatchWord = "{BATCH}";

bool has_word(const std::vector<std::string>& command, const std::string& word) {
  return std::any_of(command.begin(), command.end(),
                     [&](const std::string& argument) { return argument.find(word) != std::string::npos; });
}

void replace_word(std::vector<std::string>& command, const std::string& word, std::int64_t value) {
  for (std::string& argument : command)
    for (std::size_t at = 0; (at = argument.find(word, at)) != std::string::npos;)
      argument.replace(at, word.size(), std::to_string(value));
}

/// One way to run the program, measured.
struct CommandRun {
  int threads = 1;
  std::int64_t k = 0, batch = 0;  // 0: the arguments have none
  study::Repeats seconds, user, system;

  double median() const { return study::summarize(seconds).median; }
  /// Seconds in which the processors did not work for the program.
  double waiting() const {
    const double busy = (study::summarize(user).median + study::summarize(system).median) / threads;
    return std::max(0.0, median() - busy);
  }
  /// "2 processors, K = 10, batch 128".
  std::string name() const {
    std::string text = fmt::format("{} processor{}", threads, threads == 1 ? "" : "s");
    if (k > 0) text += fmt::format(", K = {}", k);
    if (batch > 0) text += fmt::format(", batch {}", batch);
    return text;
  }
  std::string time_text() const {
    return study::seconds_text(median()) +
           study::interval_text(study::median_interval(seconds), &study::seconds_text);
  }
};

bool is_faster(const CommandRun& x, const CommandRun& y) { return x.median() < y.median(); }

/// True if the repeats tell in 95 % of draws that `x` takes less time.
bool wins(const CommandRun& x, const CommandRun& y) {
  const study::Repeats both[] = {x.seconds, y.seconds};
  const std::optional<study::Leader> leader = study::find_leader(both);
  return leader.has_value() && leader->index == 0 && leader->share >= study::kWinningShare;
}

class CommandAdvice {
 public:
  CommandAdvice(const CommandAdviceOptions& options, const RunProgram& run) : options_(options), run_(run) {
    const std::vector<std::int64_t> none = {0};
    for (const int threads : threads_to_measure(options.threads))
      for (const std::int64_t k : has_word(options.command, kStepsWord) ? options.steps_per_execution : none)
        for (const std::int64_t batch : has_word(options.command, kBatchWord) ? options.batch_sizes : none)
          runs_.push_back(
              {.threads = threads, .k = k, .batch = batch, .seconds = {}, .user = {}, .system = {}});
  }

  study::Report run() {
    report_.title = fmt::format("Advice for {}", options_.command[0]);
    report_.machine = study::describe_machine();
    report_.notes = {fmt::format(
        "Each row is {} whole runs of the program, all rows in turn. Computing and system are the "
        "processors' time in the program and in the kernel; they wait for the rest: for input, for "
        "a device, or for each other.",
        options_.repeats)};
    measure();
    add_table();
    explain_time();
    explain_processors();
    explain_arguments();
    explain_saving();
    explain_certainty();
    return std::move(report_);
  }

 private:
  void measure() {
    study::StudyProgress progress(runs_.size() * static_cast<std::size_t>(options_.repeats));
    for (std::int64_t repeat = 0; repeat < options_.repeats; ++repeat)
      for (CommandRun& each : runs_) {
        progress.begin(each.name(), false);
        if (repeat > 0 && each.seconds.empty()) continue;  // it failed
        measure_once(each);
      }
    std::erase_if(runs_, [](const CommandRun& each) { return each.seconds.empty(); });
    if (runs_.empty())
      fail(ErrorCode::kUnavailable, "[advise] nothing could be measured: {}",
           fmt::join(report_.warnings, "; "));
  }

  void measure_once(CommandRun& of) {
    std::vector<std::string> command = options_.command;
    replace_word(command, kStepsWord, of.k);
    replace_word(command, kBatchWord, of.batch);
    try {
      const ProcessEnd end = run_(command, {.num_cpus = of.threads, .limit_seconds = options_.limit_seconds});
      if (end.reason == EndReason::kLimit)
        fail(ErrorCode::kUnavailable, "[advise] it did not end within {:g} s, and was ended: raise --limit",
             options_.limit_seconds);
      require_success(command, end);
      of.seconds.push_back(end.seconds);
      of.user.push_back(end.user_seconds);
      of.system.push_back(end.system_seconds);
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report_.warnings.push_back(fmt::format("a run with {} is left out: {}", of.name(), error.what()));
    }
  }

  void add_table() {
    study::Table table{.title = "Where the time of a run goes",
                       .columns = {{"processors", ""},
                                   {"steps_per_execution", ""},
                                   {"batch", ""},
                                   {"run", "s"},
                                   {"low", "s"},
                                   {"high", "s"},
                                   {"computing", "%"},
                                   {"system", "%"},
                                   {"waiting", "%"}},
                       .rows = {}};
    for (const CommandRun& each : runs_) {
      const auto interval = study::median_interval(each.seconds);
      const double whole = each.median() * each.threads;
      const auto share = [&](double seconds) {
        return whole > 0 ? Json(std::min(100.0, 100 * seconds / whole)) : Json(nullptr);
      };
      table.add({each.threads, each.k > 0 ? Json(each.k) : Json(nullptr),
                 each.batch > 0 ? Json(each.batch) : Json(nullptr), each.median(),
                 interval.has_value() ? Json(interval->low) : Json(nullptr),
                 interval.has_value() ? Json(interval->high) : Json(nullptr),
                 share(study::summarize(each.user).median), share(study::summarize(each.system).median),
                 share(each.waiting() * each.threads)});
    }
    report_.tables.push_back(std::move(table));
  }

  /// The run as a user starts it: with all processors, the smallest K and batch.
  const CommandRun& usual() const {
    return *std::max_element(runs_.begin(), runs_.end(), [](const CommandRun& x, const CommandRun& y) {
      return std::tuple(x.threads, -x.k, -x.batch) < std::tuple(y.threads, -y.k, -y.batch);
    });
  }
  const CommandRun& fastest() const { return *std::min_element(runs_.begin(), runs_.end(), &is_faster); }

  void explain_time() {
    const CommandRun& of = usual();
    const double whole = std::max(1e-12, of.median() * of.threads);
    report_.conclusions.push_back(fmt::format(
        "A run with {} takes {}: the processors compute in {:.0f} % of it, work in the kernel in {:.0f} %, "
        "and "
        "wait for input, a device or each other in {:.0f} %.",
        of.name(), of.time_text(), std::min(100.0, 100 * study::summarize(of.user).median / whole),
        std::min(100.0, 100 * study::summarize(of.system).median / whole),
        100 * of.waiting() / std::max(1e-12, of.median())));
  }

  /// The fastest run with each number of processors.
  void explain_processors() {
    std::vector<const CommandRun*> best;
    for (const CommandRun& each : runs_) {
      if (best.empty() || best.back()->threads != each.threads)
        best.push_back(&each);
      else if (is_faster(each, *best.back()))
        best.back() = &each;
    }
    if (best.size() == 1) {
      report_.conclusions.push_back(
          fmt::format("Only {} processor{} measured, so there is nothing to compare.", best[0]->threads,
                      best[0]->threads == 1 ? " was" : "s were"));
      return;
    }
    const CommandRun* const least = *std::min_element(
        best.begin(), best.end(), [](const auto* x, const auto* y) { return is_faster(*x, *y); });
    // Of several that the repeats do not tell apart the smallest number is enough.
    const CommandRun* enough = least;
    for (const CommandRun* const each : best)
      if (each->threads < enough->threads && !wins(*least, *each)) enough = each;
    report_.conclusions.push_back(
        enough == best.front()
            ? fmt::format("More processors than {} do not pay: {} takes {}, {} takes {}.", enough->threads,
                          enough->name(), enough->time_text(), best.back()->name(), best.back()->time_text())
            : fmt::format("{} processors pay: {} takes {}, {} takes {}.", enough->threads, enough->name(),
                          enough->time_text(), best.front()->name(), best.front()->time_text()));
  }

  void explain_arguments() {
    if (fastest().k == 0 && fastest().batch == 0) {
      report_.conclusions.push_back(
          "The arguments have no {K} and no {BATCH}, which stand for the steps per execution and the batch, "
          "so "
          "these were not compared.");
      return;
    }
    std::string text = fmt::format("The least time has the run with {}", fastest().name());
    std::vector<std::string> level;
    for (const CommandRun& each : runs_)
      if (&each != &fastest() && each.threads == fastest().threads && !wins(fastest(), each))
        level.push_back(each.name());
    text += level.empty() ? "" : fmt::format("; the repeats do not tell it from {}", fmt::join(level, "; "));
    report_.conclusions.push_back(
        text + (fastest().batch > 0 ? ". A larger batch trains another model: compare its accuracy." : "."));
  }

  void explain_saving() {
    const CommandRun &from = usual(), &to = fastest();
    if (&from == &to || !wins(to, from)) {
      report_.conclusions.push_back(
          fmt::format("Nothing is known to be faster than the run with {}.", from.name()));
      return;
    }
    const study::Repeats both[] = {from.seconds, to.seconds};
    const auto saved = [](std::span<const double> medians) { return 100 * (1 - medians[1] / medians[0]); };
    const double medians[] = {from.median(), to.median()};
    const auto percent = [](double share) { return fmt::format("{:.0f} %", share); };
    report_.conclusions.push_back(
        fmt::format("The run with {} saves {}{} of the time of the run with {} (measured).", to.name(),
                    percent(saved(medians)),
                    study::interval_text(study::bootstrap_interval(both, saved), percent), from.name()));
  }

  void explain_certainty() {
    std::vector<study::Repeats> all;
    for (const CommandRun& each : runs_) all.push_back(each.seconds);
    std::string text = fmt::format("The {} repeats of a run differ by up to {:.0f} %", options_.repeats,
                                   100 * study::spread_of(all));
    if (options_.repeats < static_cast<std::int64_t>(study::kFewestRepeats))
      text += fmt::format("; fewer than {} repeats tell no interval", study::kFewestRepeats);
    report_.conclusions.push_back(
        text +
        "; a number of processors, a K or a batch is preferred only where 95 % of draws of the repeats "
        "agree.");
  }

  const CommandAdviceOptions& options_;
  const RunProgram& run_;
  std::vector<CommandRun> runs_;  // by threads, then K, then batch
  study::Report report_;
};

}  // namespace

study::Report advise_command(const CommandAdviceOptions& options, const RunProgram& run) {
  if (options.command.empty()) invalid_argument("[advise] there is no command to run");
  require_processors(options.threads);
  return CommandAdvice(options, run).run();
}

}  // namespace cornu::inline v0::cli
