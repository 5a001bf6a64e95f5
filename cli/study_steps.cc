#include "cli/study_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/cost_forecast.h"
#include "cli/study/bootstrap.h"
#include "cli/study/figures.h"
#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study_devices.h"
#include "cli/timed_command.h"
#include "cornu/base/check.h"
#include "cornu/base/cpu_budget.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kShortestSeconds = 0.1;  // of a library's script whose first execution counts

/// One device, network and batch size.
struct Case {
  std::string device;
  std::string network;
  std::int64_t batch_size = 0;
  const PeerRequest* peer = nullptr;  // the library that trains it; null: Cornu

  /// With the library.
  std::string program() const { return peer == nullptr ? network : program_with(network, peer->library); }
  /// A command has no batch.
  std::string name() const {
    return batch_size == 0 ? network : fmt::format("{}, batch {}, on {}", program(), batch_size, device);
  }
  std::string key(std::int64_t k, const std::string& what) const {
    return fmt::format("{}/{}/{}/{}/{}", with_virtual_clock(device), program(), batch_size, k, what);
  }
};

/// A result of the study of 2020 at 500 steps an execution: 1,000 steps on a notebook's TPU.
struct DocumentFigure {
  const char* network;
  std::int64_t batch_size;
  double seconds;
  double share;  // of the time at one step
};
constexpr DocumentFigure kDocument[] = {{"cifar_2m", 32, 13.5, 0.912},
                                        {"cifar_10m", 32, 17.7, 0.842},
                                        {"cifar_2m", 256, 18.0, 0.837},
                                        {"cifar_10m", 256, 33.9, 0.941}};

/// Seconds of its 1,000 steps, and the share; null for what it does not tell.
std::pair<Json, Json> document_figures(const Case& of, std::int64_t k) {
  for (const DocumentFigure& figure : kDocument) {
    if (of.network != figure.network || of.batch_size != figure.batch_size) continue;
    if (k == 500) return {figure.seconds, 100 * figure.share};
    if (k == 1) return {figure.seconds / figure.share, 100.0};
  }
  return {nullptr, nullptr};
}

Workload workload_of(const Case& of) {
  const std::string known = fmt::format("{}_b{}", of.network, of.batch_size);
  for (const Workload& workload : workloads())
    if (workload.name == known) return workload;
  const std::string other = of.network + "_b32";
  for (const Workload& workload : workloads())
    if (workload.name == other) return with_batch_size(workload, of.batch_size);
  return with_batch_size(find_workload(of.network), of.batch_size);
}

/// Seconds of a fit by another library: its step by its script, for as many steps.
double time_peer(const Case& of, std::int64_t k, bool is_first, const StudyStepsOptions& options) {
  // The scripts have each workload with its own batch size.
  const std::string with_batch = fmt::format("{}_b{}", of.network, of.batch_size);
  const auto found = std::find_if(workloads().begin(), workloads().end(), [&](const Workload& workload) {
    return workload.name == with_batch ||
           (workload.name == of.network && workload.batch_size == of.batch_size);
  });
  if (found == workloads().end())
    fail(ErrorCode::kUnavailable, "[study] {}: its script of {} has no batch of {}", of.peer->library,
         of.network, of.batch_size);
  const PeerMeasurement measurement{
      .steps_per_execution = k,
      .threads = options.machine.threads > 0 ? options.machine.threads : affinity_num_cpus(),
      .seconds = is_first ? kShortestSeconds : options.peer_seconds,
      .limit_seconds = options.limit_seconds};
  const PeerTimes times = run_peer(*of.peer, found->name, measurement);
  const double seconds = 1e-3 * times.step_milliseconds * static_cast<double>(options.steps);
  return is_first ? times.first_seconds + seconds : seconds;
}

/// The command with K in place of "{K}".
std::vector<std::string> command_with(std::vector<std::string> command, std::int64_t k) {
  const std::string place = "{K}";
  for (std::string& word : command)
    for (std::size_t at = 0; (at = word.find(place, at)) != std::string::npos;)
      word.replace(at, place.size(), std::to_string(k));
  return command;
}

struct Measured {
  double first_seconds = 0;
  std::vector<double> seconds;
};
using MeasuredByK = std::map<std::int64_t, Measured>;

MeasuredByK measure_case(const Case& of, const StudyStepsOptions& options, const StudyDevices& devices,
                         study::StudyLog& log, study::StudyProgress& progress) {
  std::map<std::int64_t, std::unique_ptr<TimedTraining>> trainings;
  std::shared_ptr<runtime::Client> client;
  const auto training = [&](std::int64_t k) -> TimedTraining& {
    if (client == nullptr) client = devices.make(of.device);
    std::unique_ptr<TimedTraining>& made = trainings[k];
    if (made == nullptr) made = std::make_unique<TimedTraining>(workload_of(of), client, k);
    return *made;
  };
  const auto timed = [&](std::int64_t k, const std::string& what) {
    const std::string key = of.key(k, what);
    progress.begin(fmt::format("{}, K = {}, {}", of.name(), k, what), log.has(key));
    return log.number(key, [&] {
      if (!options.command.empty()) {
        const int threads = options.machine.threads > 0 ? options.machine.threads : affinity_num_cpus();
        return time_command(command_with(options.command, k), threads, options.limit_seconds);
      }
      if (of.peer != nullptr) return time_peer(of, k, what == "first", options);
      // What a resumed study measures begins with a fit that compiles, too.
      if (what != "first" && trainings[k] == nullptr)
        training(k).fit(std::min<std::int64_t>(k, options.steps));
      return training(k).fit(options.steps);
    });
  };
  MeasuredByK measured;
  for (const std::int64_t k : options.steps_per_execution) measured[k].first_seconds = timed(k, "first");
  const std::size_t count = options.steps_per_execution.size();
  for (std::int64_t repeat = 0; repeat < options.repeats; ++repeat)
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t k = options.steps_per_execution[(i + static_cast<std::size_t>(repeat)) % count];
      measured[k].seconds.push_back(timed(k, fmt::format("repeat {}", repeat + 1)));
    }
  return measured;
}

/// One sentence about the fastest K and the reason, and a warning if there is no conclusion.
struct Verdict {
  std::string text;
  std::string warning;
};

/// "13.2 s (90 %: 13.0 s to 13.5 s)".
std::string median_text(const study::Repeats& repeats) {
  return study::seconds_text(study::summarize(repeats).median) +
         study::interval_text(study::median_interval(repeats), &study::seconds_text);
}

/// In words: the cost of a call by the difference of the two K; empty where the number of calls is the same.
std::string call_text(const MeasuredByK::value_type& fastest, const MeasuredByK::value_type& smallest,
                      std::int64_t steps) {
  const auto calls = [&](std::int64_t k) { return (steps + k - 1) / k; };
  const std::int64_t saved = calls(smallest.first) - calls(fastest.first);
  if (saved <= 0 || steps == 0) return "";
  const study::Repeats both[] = {smallest.second.seconds, fastest.second.seconds};
  const auto cost = [&](std::span<const double> medians) {
    return (medians[0] - medians[1]) / static_cast<double>(saved);
  };
  const double medians[] = {study::summarize(both[0]).median, study::summarize(both[1]).median};
  return fmt::format(", as a call costs about {}{} and {} calls replace {}",
                     study::seconds_text(cost(medians)),
                     study::interval_text(study::bootstrap_interval(both, cost), &study::seconds_text),
                     calls(fastest.first), calls(smallest.first));
}

/// The other K that the repeats do not tell from `least`, in ascending order.
std::vector<std::int64_t> level_with(const MeasuredByK::value_type& least, const MeasuredByK& measured) {
  std::vector<std::int64_t> level;
  for (const auto& [k, figures] : measured) {
    if (k == least.first) continue;
    const study::Repeats both[] = {least.second.seconds, figures.seconds};
    const std::optional<study::Leader> leader = study::find_leader(both);
    if (!leader.has_value() || leader->index != 0 || leader->share < study::kWinningShare) level.push_back(k);
  }
  return level;
}

/// `steps`: of a fit; 0 for a command.
Verdict verdict_of(const Case& of, std::int64_t steps, const MeasuredByK& measured) {
  std::vector<study::Repeats> repeats;
  for (const auto& [k, figures] : measured) repeats.push_back(figures.seconds);
  const auto median = [](const study::Repeats& of_k) { return study::summarize(of_k).median; };
  const auto least = std::min_element(measured.begin(), measured.end(), [&](const auto& x, const auto& y) {
    return median(x.second.seconds) < median(y.second.seconds);
  });
  const auto& smallest = *measured.begin();
  Verdict verdict;
  if (measured.size() == 1) {
    verdict.text = fmt::format("{}: one K, so there is nothing to compare; {} take{} {}.", of.name(),
                               steps == 0 ? "a run" : fmt::format("{} steps", steps), steps == 0 ? "s" : "",
                               median_text(least->second.seconds));
    return verdict;
  }
  if (!study::find_leader(repeats).has_value()) {
    verdict.warning =
        fmt::format("{}: too few repeats to tell differences from noise; take --repeats {} or more",
                    of.name(), study::kFewestRepeats);
    verdict.text = fmt::format("{}: K = {} took the least time, {}, which may be noise: no conclusion.",
                               of.name(), least->first, study::seconds_text(median(least->second.seconds)));
    return verdict;
  }
  const std::vector<std::int64_t> level = level_with(*least, measured);
  if (!level.empty() && (least->first == smallest.first || level.front() == smallest.first)) {
    const std::string why = study::no_conclusion(repeats);
    verdict.warning = fmt::format("{}: {}", of.name(), why);
    verdict.text = fmt::format("{}: no K wins, {} of K = {} is the least median; {}.", of.name(),
                               median_text(least->second.seconds), least->first, why);
    return verdict;
  }
  if (least->first == smallest.first) {
    verdict.text = fmt::format("{}: K = {} is the fastest with {}: more steps an execution do not pay here.",
                               of.name(), least->first, median_text(least->second.seconds));
    return verdict;
  }
  // Of several that are level the smallest is enough.
  const std::int64_t enough = level.empty() ? least->first : std::min(least->first, level.front());
  const auto& winner = *measured.find(enough);
  verdict.text =
      fmt::format("{}: K = {} is {} with {} in place of {} at K = {}{}", of.name(), enough,
                  level.empty() ? "the fastest" : "enough", median_text(winner.second.seconds),
                  median_text(smallest.second.seconds), smallest.first, call_text(winner, smallest, steps));
  if (!level.empty()) {
    std::vector<std::int64_t> others;
    for (const auto& [k, figures] : measured)
      if (k != enough && (k == least->first || std::find(level.begin(), level.end(), k) != level.end()))
        others.push_back(k);
    verdict.text += fmt::format("; the repeats tell no difference from K = {}", fmt::join(others, ", "));
  }
  verdict.text += ".";
  return verdict;
}

study::Table make_table() {
  return {.title = "Time of a fit by steps per execution",
          .columns = {{"device", ""},
                      {"simulated", ""},
                      {"network", ""},
                      {"batch", ""},
                      {"steps_per_execution", ""},
                      {"steps", ""},
                      {"first_fit", "s"},
                      {"median", "s"},
                      {"low_quartile", "s"},
                      {"high_quartile", "s"},
                      {"step", "ms"},
                      {"share_of_smallest", "%"},
                      {"against_smallest", ""},
                      {"document", "s"},
                      {"document_share", "%"}},
          .rows = {}};
}

/// One a device: their times may be far apart.
study::Plot& plot_of(study::Report& report, const std::string& device, bool is_command) {
  const std::string title =
      fmt::format("Time of a {} by steps per execution, {}", is_command ? "run" : "step", device);
  for (study::Plot& plot : report.plots)
    if (plot.title == title) return plot;
  report.plots.push_back({.title = title,
                          .unit = is_command ? "ms a run" : "ms a step",
                          .series = {},
                          .has_lines = true,
                          .predicted_name = "simulated"});
  return report.plots.back();
}

void add_case(study::Report& report, const Case& of, const StudyStepsOptions& options, bool is_simulated,
              const MeasuredByK& measured) {
  const study::Sample smallest = study::summarize(measured.begin()->second.seconds);
  const bool is_command = !options.command.empty();
  study::Series series{
      .name = is_command ? of.network : fmt::format("{}, batch {}", of.program(), of.batch_size),
      .marks = {}};
  const double per_step = 1e3 / static_cast<double>(is_command ? 1 : options.steps);
  const auto of_network = [&](Json value) { return is_command ? Json(nullptr) : std::move(value); };
  for (const auto& [k, figures] : measured) {
    const study::Sample sample = study::summarize(figures.seconds);
    const auto [document, share] = of.peer == nullptr ? document_figures(of, k) : std::pair<Json, Json>();
    const bool is_first = k == measured.begin()->first;
    const std::string against = is_first                                         ? ""
                                : figures.seconds.size() < study::kFewestRepeats ? "too few repeats"
                                : study::is_noise(sample, smallest)              ? "noise"
                                : sample.median < smallest.median                ? "faster"
                                                                                 : "slower";
    const Json of_smallest =
        smallest.median > 0 ? Json(100 * sample.median / smallest.median) : Json(nullptr);
    report.tables[0].add({of.device, is_simulated, of.program(), of_network(of.batch_size), k,
                          of_network(options.steps), figures.first_seconds, sample.median, sample.low,
                          sample.high, of_network(sample.median * per_step), of_smallest, against, document,
                          share});
    const study::Interval interval =
        study::median_interval(figures.seconds).value_or(study::Interval{sample.low, sample.high});
    series.marks.push_back({fmt::format("K = {}", k), sample.median * per_step,
                            std::max(0.0, interval.low) * per_step, interval.high * per_step, is_simulated});
  }
  plot_of(report, of.device, is_command).series.push_back(std::move(series));
  const Verdict verdict = verdict_of(of, is_command ? 0 : options.steps, measured);
  report.conclusions.push_back(verdict.text);
  if (!verdict.warning.empty()) report.warnings.push_back(verdict.warning);
}

Json header_of(const StudyStepsOptions& options) {
  std::vector<std::string> devices = options.devices;
  std::transform(devices.begin(), devices.end(), devices.begin(), &with_virtual_clock);
  return {{"kind", "steps"},
          {"version", CORNU_VERSION_STRING},
          {"command", options.command},
          {"networks", options.networks},
          {"batch_sizes", options.batch_sizes},
          {"steps_per_execution", options.steps_per_execution},
          {"steps", options.steps},
          {"repeats", options.repeats},
          {"seconds_of_libraries", options.peers.empty() ? Json(nullptr) : Json(options.peer_seconds)},
          {"devices", devices},
          {"threads", options.machine.threads},
          {"isa", options.machine.isa},
          {"machine", study::describe_machine()}};
}

std::vector<Case> cases_of(const StudyStepsOptions& options) {
  if (!options.command.empty()) {
    if (std::none_of(options.command.begin(), options.command.end(),
                     [](const std::string& word) { return word.find("{K}") != std::string::npos; }))
      invalid_argument(
          "[study] no argument of \"{}\" has {{K}}, which stands for the number of steps an execution: every "
          "run "
          "would be the same",
          options.command[0]);
    if (options.steps_per_execution.empty()) invalid_argument("[study] steps takes at least one K");
    if (!options.peers.empty())
      invalid_argument("[study] --with adds other libraries to networks: leave it out beside a command");
    return {{"cpu", options.command[0], 0}};
  }
  if (options.networks.empty() || options.batch_sizes.empty() || options.steps_per_execution.empty() ||
      options.devices.empty())
    invalid_argument("[study] steps takes at least one network, batch size, K and device");
  std::vector<Case> cases;
  for (const std::string& device : options.devices)
    for (const std::string& network : options.networks)
      for (const std::int64_t batch_size : options.batch_sizes) {
        cases.push_back({device, network, batch_size});
        workload_of(cases.back());  // refuses what is not known before anything is measured
      }
  for (const PeerRequest& peer : options.peers)
    for (const std::string& network : options.networks)
      for (const std::int64_t batch_size : options.batch_sizes)
        cases.push_back({"cpu", network, batch_size, &peer});
  return cases;
}

}  // namespace

study::Report study_steps(const StudyStepsOptions& options) {
  const std::vector<Case> cases = cases_of(options);
  const StudyDevices devices(options.devices, options.machine);
  study::StudyLog log(options.output.log_path(), header_of(options), options.output.resumes);
  study::Report report{
      .title = "Steps per execution",
      .notes = {fmt::format(
          "{} steps a fit, {} repeats with all K in turn, medians with quartiles in the table and 90 % "
          "intervals in sentences and plots; the first fit, which "
          "compiles, is separate. \"document\": 1,000 steps on a notebook's TPU with TensorFlow 2.3 in the "
          "study of 2020 (its networks have 2,187,434 and 10,165,578 parameters).",
          options.steps, options.repeats)},
      .tables = {make_table()},
      .machine = study::describe_machine()};
  if (std::any_of(options.devices.begin(), options.devices.end(),
                  [&](const std::string& device) { return devices.is_simulated(device); }))
    report.notes.push_back(
        "Times of simulated devices are drawn in a light color; sim: devices use a virtual clock unless they "
        "name another.");
  if (!options.peers.empty())
    report.notes.push_back(
        "Times of other libraries are the median step of their scripts times the number of steps.");
  const std::size_t parts =
      options.steps_per_execution.size() * static_cast<std::size_t>(options.repeats + 1);
  study::StudyProgress progress(cases.size() * parts);
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& of = cases[i];
    progress.skip_to(i * parts);
    const std::string runner = of.peer == nullptr ? of.device : of.peer->library;
    if (std::find(failed.begin(), failed.end(), runner) != failed.end()) continue;
    try {
      const MeasuredByK measured = measure_case(of, options, devices, log, progress);
      add_case(report, of, options, of.peer == nullptr && devices.is_simulated(of.device), measured);
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report.warnings.push_back(
          fmt::format("{} failed, and is left out from there on: {}", of.name(), error.what()));
      // Another network may need less memory.
      if (error.code() != ErrorCode::kResourceExhausted) failed.push_back(runner);
    }
  }
  if (report.tables[0].rows.empty())
    fail(ErrorCode::kUnavailable, "[study] nothing could be measured: {}", fmt::join(report.warnings, "; "));
  return report;
}

}  // namespace cornu::inline v0::cli
