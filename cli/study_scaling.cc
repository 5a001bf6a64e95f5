#include "cli/study_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "cli/study/all_reduce.h"
#include "cli/study/bootstrap.h"
#include "cli/study/figures.h"
#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study/term_fit.h"
#include "cli/study_devices.h"
#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kStepsOfAnExecution = 50;
/// Share of a step for the backward pass, during which gradients can travel.
constexpr double kBackwardShare = 2.0 / 3;
constexpr double kGoodEfficiency = 0.8;
constexpr double kMostRows = 1e9;  // of a batch that is proposed: more means that rows cost next to nothing

/// Cost of a link and the source of the figures.
struct Link {
  study::AllReduceCost cost;
  std::string source;
};

Link link_of(const StudyScalingOptions& options) {
  if (!options.calls.empty()) {
    const std::vector<study::AllReduceCall> calls =
        study::parse_calls(io::read_text_file(options.calls), options.calls);
    const study::AllReduceCost cost = study::fit_all_reduce(calls);
    return {cost, fmt::format("{} measured calls in {}{}", calls.size(), options.calls,
                              cost.relative_error
                                  ? fmt::format(", error of the fit {:.0f} %", 100 * *cost.relative_error)
                                  : ", as many as costs")};
  }
  if (!(options.link_bytes_per_second > 0 && options.link_latency_seconds >= 0))
    invalid_argument(
        "[study] a link has a positive rate and a latency that is not negative; got {} byte/s, {} s",
        options.link_bytes_per_second, options.link_latency_seconds);
  return {
      {.message_seconds = options.link_latency_seconds, .byte_seconds = 1 / options.link_bytes_per_second},
      "assumed, as nothing else was named"};
}

/// A step of one replica: seconds = fixed + rows * per_row.
struct StepCost {
  std::int64_t batch_size = 0;
  double fixed = 0, per_row = 0;
  double largest_error = 0;  // relative, of the fit
  double gradient_bytes = 0;
  std::vector<std::int64_t> batches = {};
  std::vector<study::Repeats> repeats = {};  // seconds, for each batch
  /// The largest relative error at a batch that was left out of the fit; nothing for fewer than three.
  std::optional<double> held_out_error = {};

  double seconds(double rows) const { return fixed + rows * per_row; }
};

struct StepPrediction {
  double seconds = 0;
  double overlapped_seconds = 0;
};

StepPrediction predict(const StepCost& step, const study::AllReduceCost& link, double replicas, double rows) {
  const double compute = step.seconds(rows);
  const double exchange = replicas > 1 ? link.seconds(replicas, step.gradient_bytes) : 0;
  return {compute + exchange, std::max(compute, (1 - kBackwardShare) * compute + exchange)};
}

std::vector<std::int64_t> batches_of(std::int64_t batch_size) {
  std::vector<std::int64_t> batches;
  for (std::int64_t batch = batch_size; batch > 0 && batches.size() < 4; batch /= 2) batches.push_back(batch);
  return batches;
}

double gradient_bytes(keras::Model& model) {
  double bytes = 0;
  for (const Variable& variable : model.trainable_variables())
    bytes += static_cast<double>(variable.type().size_bytes());
  return bytes;
}

/// `seconds`: one for each batch.
StepCost fit_step(const std::vector<std::int64_t>& batches, std::span<const double> seconds,
                  const std::string& network) {
  std::vector<study::Observation> observations;
  observations.reserve(batches.size());
  for (std::size_t i = 0; i < batches.size(); ++i)
    observations.push_back({.terms = {1, static_cast<double>(batches[i])}, .value = seconds[i]});
  const std::optional<study::TermFit> fit = study::fit_terms(observations);
  if (!fit.has_value())
    invalid_argument("[study] {} has a batch of {}, too small to tell what a row costs", network, batches[0]);
  StepCost step{.batch_size = batches[0], .fixed = fit->factors[0], .per_row = fit->factors[1]};
  for (const study::Observation& each : observations)
    step.largest_error = std::max(step.largest_error, std::abs(fit->value(each.terms) / each.value - 1));
  return step;
}

std::optional<double> held_out_error(const StepCost& step, std::span<const double> seconds,
                                     const std::string& network) {
  if (step.batches.size() < 3) return std::nullopt;
  double largest = 0;
  for (std::size_t left_out = 0; left_out < step.batches.size(); ++left_out) {
    std::vector<std::int64_t> batches = step.batches;
    std::vector<double> kept(seconds.begin(), seconds.end());
    batches.erase(batches.begin() + static_cast<std::ptrdiff_t>(left_out));
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(left_out));
    const StepCost fit = fit_step(batches, kept, network);
    largest = std::max(
        largest, std::abs(fit.seconds(static_cast<double>(step.batches[left_out])) / seconds[left_out] - 1));
  }
  return largest;
}

/// Efficiency of n replicas with a batch each.
double efficiency_of(const StepCost& step, const study::AllReduceCost& link, double replicas) {
  const auto batch = static_cast<double>(step.batch_size);
  return step.seconds(batch) / predict(step, link, replicas, batch).seconds;
}

/// 90 %: by the repeats and the error at batches that were left out of the fit. Nothing: not known.
std::optional<study::Interval> efficiency_interval(const StepCost& step, const study::AllReduceCost& link,
                                                   double replicas, const std::string& network) {
  if (!step.held_out_error.has_value()) return std::nullopt;
  const auto of_seconds = [&](std::span<const double> seconds, double factor) {
    StepCost drawn = fit_step(step.batches, seconds, network);
    drawn.fixed *= factor;
    drawn.per_row *= factor;
    drawn.gradient_bytes = step.gradient_bytes;
    return efficiency_of(drawn, link, replicas);
  };
  const double error = std::min(*step.held_out_error, 0.99);
  const auto low = study::bootstrap_interval(
      step.repeats, [&](std::span<const double> seconds) { return of_seconds(seconds, 1 - error); });
  const auto high = study::bootstrap_interval(
      step.repeats, [&](std::span<const double> seconds) { return of_seconds(seconds, 1 + error); });
  if (!low.has_value() || !high.has_value()) return std::nullopt;
  return study::Interval{low->low, high->high};
}

Json scaling_header(const StudyScalingOptions& options) {
  return {{"kind", "scaling"},
          {"version", CORNU_VERSION_STRING},
          {"device", with_virtual_clock(options.device)},
          {"seconds", options.seconds},
          {"repeats", options.repeats},
          {"threads", options.machine.threads},
          {"isa", options.machine.isa},
          {"machine", study::describe_machine()}};
}

std::vector<study::Table> make_tables() {
  return {{.title = "Measured: a step of one replica",
           .columns = {{"network", ""}, {"batch", ""}, {"step", "ms"}, {"fitted", "ms"}, {"gradients", "MB"}},
           .rows = {}},
          {.title = "Predicted: a step of many replicas",
           .columns = {{"network", ""},
                       {"replicas", ""},
                       {"all_reduce", "ms", true},
                       {"step_same_batch_each", "ms", true},
                       {"efficiency", "%", true},
                       {"efficiency_overlapped", "%", true},
                       {"step_same_batch_in_all", "ms", true},
                       {"speedup", "", true},
                       {"speedup_overlapped", "", true}},
           .rows = {}}};
}

/// Everything that one study gathers.
class ScalingStudy {
 public:
  ScalingStudy(const StudyScalingOptions& options, Link link)
      : options_(options),
        link_(std::move(link)),
        devices_({options.device}, options.machine),
        log_(options.output.log_path(), scaling_header(options), options.output.resumes) {
    report_.title = "Scaling over replicas";
    report_.tables = make_tables();
    report_.machine = study::describe_machine();
    report_.notes = {
        fmt::format("Steps of one replica are measured on {}, {} times each, at the network's batch and "
                    "smaller ones. Figures of more replicas are predicted: each adds up its gradients "
                    "with the others on a ring, at {:.3g} us a message and {:.3g} GB/s on a link ({}). "
                    "\"Overlapped\": gradients travel while the backward pass, two thirds of a step, still "
                    "runs; that is a bound. Waiting for the slowest replica is not in it.",
                    options.device, options.repeats, 1e6 * link_.cost.message_seconds,
                    1e-9 * link_.cost.bandwidth(), link_.source)};
    if (devices_.is_simulated(options.device))
      report_.notes.push_back(fmt::format("Figures of {} are simulated.", options.device));
  }

  study::Report run() {
    std::size_t num_parts = 0;
    for (const std::string& network : options_.networks)
      num_parts += batches_of(find_workload(network).batch_size).size();
    study::StudyProgress progress(num_parts);
    for (const std::string& network : options_.networks) add(network, measure(network, progress));
    return std::move(report_);
  }

 private:
  StepCost measure(const std::string& network, study::StudyProgress& progress) {
    const Workload workload = find_workload(network);
    const std::vector<std::int64_t> batches = batches_of(workload.batch_size);
    std::vector<double> seconds;
    std::vector<study::Repeats> repeats;
    double bytes = 0;
    for (const std::int64_t batch : batches) {
      const std::string key = fmt::format("{}/{}", network, batch);
      progress.begin(fmt::format("{}, batch {}", network, batch), log_.has(key));
      const std::vector<double> found =
          log_.numbers(key, 0, [&] { return measure_step(with_batch_size(workload, batch)); });
      repeats.emplace_back(found.begin() + 1, found.end());
      if (repeats.back().empty())
        invalid_argument("[study] the log has no times of {}: measure without --resume", key);
      seconds.push_back(study::summarize(repeats.back()).median);
      bytes = found[0];
    }
    StepCost step = fit_step(batches, seconds, network);
    step.gradient_bytes = bytes;
    step.batches = batches;
    step.repeats = std::move(repeats);
    step.held_out_error = held_out_error(step, seconds, network);
    for (std::size_t i = 0; i < batches.size(); ++i)
      report_.tables[0].add({network, batches[i], 1e3 * seconds[i],
                             1e3 * step.seconds(static_cast<double>(batches[i])), 1e-6 * bytes});
    return step;
  }

  /// Bytes of gradients, and the seconds of each repeat. Errors: FailedPrecondition for no seconds, which may be noise: before
  /// the log keeps them, so that a resumed study measures again.
  std::vector<double> measure_step(const Workload& workload) {
    if (client_ == nullptr) client_ = devices_.make(options_.device);
    TimedTraining training(workload, client_, kStepsOfAnExecution);
    std::vector<double> found = {0};
    for (const double seconds :
         repeated_step_seconds(training, options_.seconds, kStepsOfAnExecution, options_.repeats))
      found.push_back(seconds);
    if (!(*std::min_element(found.begin() + 1, found.end()) > 0))
      fail(ErrorCode::kFailedPrecondition,
           "[study] a step of {} with a batch of {} took no time on {}: nothing can be fitted to it; take a "
           "device whose steps take time, or give --seconds more",
           workload.name, workload.batch_size, options_.device);
    found[0] = gradient_bytes(training.model());
    return found;
  }

  void add(const std::string& network, const StepCost& step) {
    const auto batch = static_cast<double>(step.batch_size);
    const double alone = step.seconds(batch);
    study::Series series{.name = network, .marks = {}};
    std::int64_t most = 0;
    for (const std::int64_t replicas : options_.replicas) {
      const auto n = static_cast<double>(replicas);
      const StepPrediction weak = predict(step, link_.cost, n, batch);
      const bool has_rows = replicas <= step.batch_size;
      const StepPrediction strong = predict(step, link_.cost, n, std::ceil(batch / n));
      const double efficiency = alone / weak.seconds;
      if (efficiency >= kGoodEfficiency) most = std::max(most, replicas);
      report_.tables[1].add({network, replicas, replicas > 1 ? Json(1e3 * (weak.seconds - alone)) : Json(0),
                             1e3 * weak.seconds, 100 * efficiency, 100 * alone / weak.overlapped_seconds,
                             has_rows ? Json(1e3 * strong.seconds) : Json(),
                             has_rows ? Json(alone / strong.seconds) : Json(),
                             has_rows ? Json(alone / strong.overlapped_seconds) : Json()});
      series.marks.push_back(
          {fmt::format("{}", replicas), 100 * efficiency, 100 * efficiency, 100 * efficiency, replicas > 1});
    }
    plot().series.push_back(std::move(series));
    report_.conclusions.push_back(conclusion(network, step, most));
  }

  study::Plot& plot() {
    if (report_.plots.empty())
      report_.plots.push_back({.title = "Efficiency by replicas, with one batch each",
                               .unit = "%",
                               .series = {},
                               .has_lines = true,
                               .reference = 100 * kGoodEfficiency,
                               .reference_name = "80 %",
                               .may_be_logarithmic = false});
    return report_.plots[0];
  }

  /// One sentence about the largest number of replicas.
  std::string conclusion(const std::string& network, const StepCost& step, std::int64_t most) const {
    const auto batch = static_cast<double>(step.batch_size);
    const std::int64_t largest = *std::max_element(options_.replicas.begin(), options_.replicas.end());
    const auto n = static_cast<double>(largest);
    const double alone = step.seconds(batch);
    const double exchange = n > 1 ? link_.cost.seconds(n, step.gradient_bytes) : 0;
    const std::optional<study::Interval> interval = efficiency_interval(step, link_.cost, n, network);
    const auto percent = [](double share) { return study::number_text(100 * share) + " %"; };
    const std::string reached =
        percent(efficiency_of(step, link_.cost, n)) + study::interval_text(interval, percent);
    const std::string why = fmt::format(
        "adding up {} of gradients takes {} beside a step of {}{}", study::bytes_text(step.gradient_bytes),
        study::seconds_text(exchange), study::seconds_text(alone),
        study::interval_text(study::median_interval(step.repeats[0]), &study::seconds_text));
    const std::string basis =
        step.held_out_error.has_value()
            ? fmt::format("(predicted; the fit is off by at most {:.0f} % at a batch that was left out)",
                          100 * *step.held_out_error)
            : std::string("(predicted; the error of the fit is not known with fewer than three batches)");
    if (interval.has_value() && interval->low < kGoodEfficiency && interval->high > kGoodEfficiency)
      return fmt::format(
          "{}: {} replicas reach {} efficiency, as {}; whether that is above 80 % is no conclusion: "
          "run on a quiet machine or with --repeats 20 {}.",
          network, largest, reached, why, basis);
    if (most >= largest)
      return fmt::format("{}: efficiency stays above 80 % up to {} replicas, which reach {}, where {} {}.",
                         network, largest, reached, why, basis);
    std::string text =
        most > 1 ? fmt::format("{}: efficiency is above 80 % up to {} replicas and {} at {}, where {}",
                               network, most, reached, largest, why)
                 : fmt::format("{}: no number of replicas reaches 80 % efficiency; {} reach {}, as {}",
                               network, largest, reached, why);
    // Rows whose step takes four times as long as the exchange.
    const double wanted = exchange * kGoodEfficiency / (1 - kGoodEfficiency);
    const double rows = std::ceil((wanted - step.fixed) / step.per_row);
    if (step.per_row > 0 && rows < kMostRows)
      text += fmt::format("; batches of {} rows in place of {} would keep 80 %", study::count_text(rows),
                          step.batch_size);
    return fmt::format("{} {}.", text, basis);
  }

  const StudyScalingOptions& options_;
  Link link_;
  StudyDevices devices_;
  study::StudyLog log_;
  std::shared_ptr<runtime::Client> client_;
  study::Report report_;
};

}  // namespace

study::Report study_scaling(const StudyScalingOptions& options) {
  if (options.networks.empty() || options.replicas.empty())
    invalid_argument("[study] scaling takes at least one network and one number of replicas");
  for (const std::int64_t replicas : options.replicas)
    if (replicas < 1) invalid_argument("[study] a number of replicas is positive; got {}", replicas);
  for (const std::string& network : options.networks) find_workload(network);  // before anything is measured
  return ScalingStudy(options, link_of(options)).run();
}

}  // namespace cornu::inline v0::cli
