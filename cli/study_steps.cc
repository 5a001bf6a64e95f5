#include "cli/study_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/study/figures.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study_devices.h"
#include "cornu/base/check.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFewestRepeats = 3;  // that say how far they lie apart

/// One device, network and batch size.
struct Case {
  std::string device;
  std::string network;
  std::int64_t batch_size = 0;

  std::string name() const { return fmt::format("{}, batch {}, on {}", network, batch_size, device); }
  std::string key(std::int64_t k, const std::string& what) const {
    return fmt::format("{}/{}/{}/{}/{}", with_virtual_clock(device), network, batch_size, k, what);
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

/// One sentence about the fastest K and the reason, and a warning if the differences are noise.
struct Verdict {
  std::string text;
  std::string warning;
};

using SamplesByK = std::map<std::int64_t, study::Sample>;

/// In words: the gain of the fastest K over the smallest one. `level`: the others that differ from the
/// fastest only by noise, which are not all of the others.
std::string gain_of(const SamplesByK::value_type& fastest, const SamplesByK::value_type& smallest,
                    const std::vector<std::int64_t>& level, std::int64_t steps) {
  const auto& [fastest_k, at_fastest] = fastest;
  const auto& [smallest_k, at_smallest] = smallest;
  const std::string best = study::seconds_text(at_fastest.median);
  if (std::find(level.begin(), level.end(), smallest_k) != level.end())
    return fmt::format(
        "K = {} took the least time, {}, but its lead over K = {} is noise: no K wins, and the cost of a "
        "call does not show.",
        fastest_k, best, fmt::join(level, ", "));
  std::string text;
  if (fastest_k == smallest_k) {
    text = fmt::format("K = {} is the fastest with {}: more steps an execution do not pay here", smallest_k,
                       best);
  } else {
    text = fmt::format("K = {} is the fastest with {} in place of {} at K = {}", fastest_k, best,
                       study::seconds_text(at_smallest.median), smallest_k);
    const auto calls = [&](std::int64_t k) { return (steps + k - 1) / k; };
    const std::int64_t saved = calls(smallest_k) - calls(fastest_k);
    if (saved > 0)
      text += fmt::format(
          ", as a call costs about {} and {} calls replace {}",
          study::seconds_text((at_smallest.median - at_fastest.median) / static_cast<double>(saved)),
          calls(fastest_k), calls(smallest_k));
  }
  if (!level.empty())
    text += fmt::format("; within the noise K = {} {} as fast", fmt::join(level, ", "),
                        level.size() == 1 ? "is" : "are");
  return text + ".";
}

Verdict verdict_of(const Case& of, const StudyStepsOptions& options, const MeasuredByK& measured) {
  SamplesByK samples;
  for (const auto& [k, figures] : measured) samples[k] = study::summarize(figures.seconds);
  const auto fastest = std::min_element(samples.begin(), samples.end(), [](const auto& x, const auto& y) {
    return x.second.median < y.second.median;
  });
  const std::string step = study::seconds_text(fastest->second.median / static_cast<double>(options.steps));
  Verdict verdict;
  if (samples.size() == 1) {
    verdict.text =
        fmt::format("{}: one K, so there is nothing to compare; a step takes {}.", of.name(), step);
    return verdict;
  }
  if (options.repeats < kFewestRepeats) {
    verdict.warning =
        fmt::format("{}: too few repeats to tell differences from noise; take --repeats {} or more",
                    of.name(), kFewestRepeats);
    verdict.text = fmt::format("{}: K = {} took the least time, {}, which may be noise.", of.name(),
                               fastest->first, study::seconds_text(fastest->second.median));
    return verdict;
  }
  std::vector<std::int64_t> level;  // beside the fastest
  for (const auto& [k, sample] : samples)
    if (k != fastest->first && study::is_noise(sample, fastest->second)) level.push_back(k);
  if (level.size() + 1 == samples.size()) {
    verdict.warning = fmt::format(
        "{}: the differences between all K are within the noise; none of them is faster than another",
        of.name());
    verdict.text =
        fmt::format("{}: no K wins; a step takes {}, and the cost of a call does not show.", of.name(), step);
    return verdict;
  }
  verdict.text = fmt::format("{}: {}", of.name(), gain_of(*fastest, *samples.begin(), level, options.steps));
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
study::Plot& plot_of(study::Report& report, const std::string& device) {
  const std::string title = "Time of a step by steps per execution, " + device;
  for (study::Plot& plot : report.plots)
    if (plot.title == title) return plot;
  report.plots.push_back(
      {.title = title, .unit = "ms a step", .series = {}, .has_lines = true, .predicted_name = "simulated"});
  return report.plots.back();
}

void add_case(study::Report& report, const Case& of, const StudyStepsOptions& options, bool is_simulated,
              const MeasuredByK& measured) {
  const study::Sample smallest = study::summarize(measured.begin()->second.seconds);
  study::Series series{.name = fmt::format("{}, batch {}", of.network, of.batch_size), .marks = {}};
  const double per_step = 1e3 / static_cast<double>(options.steps);
  for (const auto& [k, figures] : measured) {
    const study::Sample sample = study::summarize(figures.seconds);
    const auto [document, share] = document_figures(of, k);
    const bool is_first = k == measured.begin()->first;
    const std::string against = is_first                            ? ""
                                : options.repeats < kFewestRepeats  ? "too few repeats"
                                : study::is_noise(sample, smallest) ? "noise"
                                : sample.median < smallest.median   ? "faster"
                                                                    : "slower";
    const Json of_smallest =
        smallest.median > 0 ? Json(100 * sample.median / smallest.median) : Json(nullptr);
    report.tables[0].add({of.device, is_simulated, of.network, of.batch_size, k, options.steps,
                          figures.first_seconds, sample.median, sample.low, sample.high,
                          sample.median * per_step, of_smallest, against, document, share});
    series.marks.push_back({fmt::format("K = {}", k), sample.median * per_step, sample.low * per_step,
                            sample.high * per_step, is_simulated});
  }
  plot_of(report, of.device).series.push_back(std::move(series));
  const Verdict verdict = verdict_of(of, options, measured);
  report.conclusions.push_back(verdict.text);
  if (!verdict.warning.empty()) report.warnings.push_back(verdict.warning);
}

Json header_of(const StudyStepsOptions& options) {
  std::vector<std::string> devices = options.devices;
  std::transform(devices.begin(), devices.end(), devices.begin(), &with_virtual_clock);
  return {{"kind", "steps"},
          {"version", CORNU_VERSION_STRING},
          {"networks", options.networks},
          {"batch_sizes", options.batch_sizes},
          {"steps_per_execution", options.steps_per_execution},
          {"steps", options.steps},
          {"repeats", options.repeats},
          {"devices", devices},
          {"threads", options.machine.threads},
          {"isa", options.machine.isa},
          {"machine", study::describe_machine()}};
}

std::vector<Case> cases_of(const StudyStepsOptions& options) {
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
          "{} steps a fit, {} repeats with all K in turn, medians with quartiles; the first fit, which "
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
  const std::size_t parts =
      options.steps_per_execution.size() * static_cast<std::size_t>(options.repeats + 1);
  study::StudyProgress progress(cases.size() * parts);
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& of = cases[i];
    progress.skip_to(i * parts);
    if (std::find(failed.begin(), failed.end(), of.device) != failed.end()) continue;
    try {
      const MeasuredByK measured = measure_case(of, options, devices, log, progress);
      add_case(report, of, options, devices.is_simulated(of.device), measured);
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report.warnings.push_back(
          fmt::format("{} failed, and is left out from there on: {}", of.name(), error.what()));
      // Another network may need less memory.
      if (error.code() != ErrorCode::kResourceExhausted) failed.push_back(of.device);
    }
  }
  if (report.tables[0].rows.empty())
    fail(ErrorCode::kUnavailable, "[study] nothing could be measured: {}", fmt::join(report.warnings, "; "));
  return report;
}

}  // namespace cornu::inline v0::cli
