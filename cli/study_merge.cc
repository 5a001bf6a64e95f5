#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "cli/study/figures.h"
#include "cli/study/machine_log.h"
#include "cli/study/statistics.h"
#include "cli/study_run.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A program with an instruction set, of one host or several.
using ProgramKey = std::pair<std::string, std::string>;

std::vector<study::Table> merge_tables() {
  return {{.title = "Machines",
           .columns = {{"host", ""},
                       {"type", ""},
                       {"processor", ""},
                       {"architecture", ""},
                       {"processors", ""},
                       {"instruction_sets", ""},
                       {"memory", "GiB"},
                       {"log", ""}},
           .rows = {}},
          {.title = "The whole training on each host: measured, predicted and simulated apart",
           .columns = {{"program", ""},
                       {"instruction_set", ""},
                       {"host", ""},
                       {"device", ""},
                       {"threads", ""},
                       {"measured", "s"},
                       {"predicted", "s", true},
                       {"simulated", "s"},
                       {"low", "s"},
                       {"high", "s"},
                       {"basis", ""}},
           .rows = {}}};
}

/// The best measured number of threads of a program on a host.
struct Best {
  std::string host;
  int threads = 0;
  study::Repeats seconds;
};

/// Everything that one merge gathers.
class Merge {
 public:
  Merge(const StudyMergeOptions& options, study::JoinedLogs joined)
      : rental_(options.rental), logs_(std::move(joined.logs)) {
    report_.title = "Several machines";
    report_.warnings = std::move(joined.warnings);
    report_.notes = {
        fmt::format("{} machines. Measured times are those of the logs; predicted ones follow from the law "
                    "with the least error "
                    "on numbers of threads that were left out of its fit; simulated ones are of sim: "
                    "devices.",
                    logs_.size())};
    report_.tables = merge_tables();
    for (const study::MachineLog& log : logs_) add_machine(log);
    forecast_.emplace(
        rental_,
        [this](const MeasuredProgram& program, const study::PricedMachine& machine) {
          return predict_device(program.name, machine.device);
        },
        report_);
  }

  study::Report run() {
    std::map<ProgramKey, std::vector<MeasuredProgram>> programs;
    std::vector<ProgramKey> order;  // of the logs
    std::set<int> threads;
    for (const study::MachineLog& log : logs_)
      for (const study::MachineLogEntry& entry : log.entries) {
        if (entry.device != "cpu") {
          add_device_row(log, entry);
          continue;
        }
        threads.insert(entry.threads);
        const ProgramKey key{entry.program, entry.isa};
        if (!programs.contains(key)) order.push_back(key);
        add_timing(programs[key], log, entry);
      }
    for (const ProgramKey& key : order) {
      for (const MeasuredProgram& program : programs[key]) add_rows(program, threads);
      add_plot(programs[key], threads);
      conclude(programs[key]);
      forecast_->add(programs[key]);
    }
    forecast_->end();
    return std::move(report_);
  }

 private:
  void add_machine(const study::MachineLog& log) {
    const auto of = [&](const char* name) {
      return log.machine.contains(name) ? log.machine[name] : Json(nullptr);
    };
    report_.tables[0].add({log.host, of("instance_type"), of("processor"), of("architecture"),
                           of("processors"), of("instruction_sets"), of("memory_gib"), log.path});
  }

  static void add_timing(std::vector<MeasuredProgram>& programs, const study::MachineLog& log,
                         const study::MachineLogEntry& entry) {
    auto found = std::find_if(programs.begin(), programs.end(),
                              [&](const MeasuredProgram& each) { return each.host == log.host; });
    if (found == programs.end()) {
      MeasuredProgram program;
      program.name = entry.program;
      program.isa = entry.isa;
      program.host = log.host;
      program.machine = study::measured_machine(log.machine);
      programs.push_back(std::move(program));
      found = std::prev(programs.end());
    }
    found->threads.push_back(entry.threads);
    found->seconds.push_back(entry.training_seconds());
  }

  void add_device_row(const study::MachineLog& log, const study::MachineLogEntry& entry) {
    const study::Repeats seconds = entry.training_seconds();
    const double median = study::summarize(seconds).median;
    const auto interval = study::median_interval(seconds);
    report_.tables[1].add({entry.program, entry.isa, log.host, entry.device, nullptr,
                           entry.is_simulated ? Json(nullptr) : Json(median), nullptr,
                           entry.is_simulated ? Json(median) : Json(nullptr),
                           interval.has_value() ? Json(interval->low) : Json(nullptr),
                           interval.has_value() ? Json(interval->high) : Json(nullptr),
                           entry.is_simulated ? "profile" : "log"});
    devices_[{entry.program, entry.device}] = {seconds, entry.is_simulated};
  }

  /// A measured time, or a predicted one, of a number of threads on the program's own host.
  static Prediction at_threads(const MeasuredProgram& program, int threads) {
    study::PricedMachine same;
    same.vcpus = threads;
    same.is_like_measured = true;
    return predict_processors(program, same);
  }

  static bool is_measured(const MeasuredProgram& program, int threads) {
    return std::find(program.threads.begin(), program.threads.end(), threads) != program.threads.end();
  }

  void add_rows(const MeasuredProgram& program, const std::set<int>& threads) {
    for (const int n : threads) {
      const Prediction found = at_threads(program, n);
      if (!found.seconds.has_value()) continue;
      const bool measured = is_measured(program, n);
      report_.tables[1].add({program.name, program.isa, program.host, "cpu", n,
                             measured ? Json(*found.seconds) : Json(nullptr),
                             measured ? Json(nullptr) : Json(*found.seconds), nullptr,
                             found.interval.has_value() ? Json(found.interval->low) : Json(nullptr),
                             found.interval.has_value() ? Json(found.interval->high) : Json(nullptr),
                             measured ? std::string("log") : found.basis.substr(0, found.basis.find(';'))});
    }
  }

  void add_plot(const std::vector<MeasuredProgram>& programs, const std::set<int>& threads) {
    study::Plot plot{.title = fmt::format("{}{}: the whole training by threads", programs[0].name,
                                          programs[0].isa.empty() ? "" : ", " + programs[0].isa),
                     .unit = "s",
                     .series = {},
                     .has_lines = true};
    for (const MeasuredProgram& program : programs) {
      study::Series series{.name = program.host, .marks = {}};
      for (const int n : threads) {
        const Prediction found = at_threads(program, n);
        if (!found.seconds.has_value()) continue;
        study::Mark mark{.label = fmt::format("{} threads", n),
                         .value = *found.seconds,
                         .is_predicted = !is_measured(program, n)};
        if (found.interval.has_value() && std::isfinite(found.interval->high)) {
          mark.low = std::max(0.0, found.interval->low);
          mark.high = found.interval->high;
        }
        series.marks.push_back(std::move(mark));
      }
      if (!series.marks.empty()) plot.series.push_back(std::move(series));
    }
    if (!plot.series.empty()) report_.plots.push_back(std::move(plot));
  }

  /// One sentence: the host with the least measured time, with intervals.
  void conclude(const std::vector<MeasuredProgram>& programs) {
    std::vector<Best> best;
    for (const MeasuredProgram& program : programs) {
      Best least{.host = program.host, .threads = 0, .seconds = {}};
      for (std::size_t i = 0; i < program.threads.size(); ++i)
        if (least.seconds.empty() ||
            study::summarize(program.seconds[i]).median < study::summarize(least.seconds).median) {
          least.threads = program.threads[i];
          least.seconds = program.seconds[i];
        }
      best.push_back(std::move(least));
    }
    std::stable_sort(best.begin(), best.end(), [](const Best& x, const Best& y) {
      return study::summarize(x.seconds).median < study::summarize(y.seconds).median;
    });
    const auto text = [](const Best& of) {
      return fmt::format("{} with {} thread{} takes {}{}", of.host, of.threads, of.threads == 1 ? "" : "s",
                         study::seconds_text(study::summarize(of.seconds).median),
                         study::interval_text(study::median_interval(of.seconds), &study::seconds_text));
    };
    const std::string what =
        programs[0].isa.empty() ? programs[0].name : fmt::format("{}, {}", programs[0].name, programs[0].isa);
    std::string sentence = fmt::format("{}: {} (measured)", what, text(best[0]));
    if (best.size() > 1) {
      sentence += fmt::format(", {}", text(best[1]));
      std::vector<study::Repeats> repeats;
      for (const Best& each : best) repeats.push_back(each.seconds);
      const std::optional<study::Leader> leader = study::find_leader(repeats);
      const bool is_winner =
          leader.has_value() && leader->index == 0 && leader->share >= study::kWinningShare;
      sentence += is_winner            ? fmt::format(": {} is the fastest of {}", best[0].host, best.size())
                  : leader.has_value() ? "; " + study::no_conclusion(repeats)
                                       : std::string("; too few repeats, no conclusion");
    }
    report_.conclusions.push_back(sentence + ".");
  }

  Prediction predict_device(const std::string& program, const std::string& device) const {
    const auto found = devices_.find({program, device});
    if (found == devices_.end()) return {.basis = fmt::format("not known: no log has {}", device)};
    const auto& [seconds, is_simulated] = found->second;
    Prediction prediction{.seconds = study::summarize(seconds).median};
    prediction.basis = is_simulated ? "profile, peak rates" : "measured, see the log";
    prediction.interval = is_simulated ? std::optional(study::Interval{*prediction.seconds, INFINITY})
                                       : study::median_interval(seconds);
    return prediction;
  }

  RentalMachines rental_;
  std::vector<study::MachineLog> logs_;
  std::map<std::pair<std::string, std::string>, std::pair<study::Repeats, bool>>
      devices_;  // and if simulated
  study::Report report_;
  std::optional<CostForecast> forecast_;
};

}  // namespace

study::Report study_merge(const StudyMergeOptions& options) {
  return Merge(options, study::join_machine_logs(options.logs)).run();
}

}  // namespace cornu::inline v0::cli
