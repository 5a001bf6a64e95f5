#include "cli/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/term_fit.h"
#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kSmallElements = 1 << 10;  // fewer may wait in a client until something else is sent
constexpr std::int64_t kLargeElements = 4 << 20;
constexpr int kTransfers = 20;
/// The least share of a step for its work, after the cost of the call: less would be noise, to which relative
/// errors would give a large weight.
constexpr double kLeastShare = 0.05;
constexpr double kMostRate = 1e24;  // of a profile: costs nothing

struct Link {
  double latency_seconds = 0;
  double bytes_per_second = kMostRate;
};

/// Median seconds of a write and a read of `num_elements` floats.
std::pair<double, double> time_transfers(runtime::Client& client, std::int64_t num_elements) {
  const std::unique_ptr<runtime::Buffer> buffer = client.allocate({ir::DType::kF32, {num_elements}});
  std::vector<float> host(static_cast<std::size_t>(num_elements), 1.0F);
  const runtime::Write write{buffer.get(), host.data()};
  const runtime::Read read{buffer.get(), host.data()};
  std::vector<double> writes, reads;
  for (int i = 0; i <= kTransfers; ++i) {
    const double start = client.now();
    client.write({&write, 1});
    const double between = client.now();
    client.read({&read, 1});
    const double end = client.now();
    if (i == 0) continue;  // pages and connections are new
    writes.push_back(between - start);
    reads.push_back(end - between);
  }
  return {study::summarize(writes).median, study::summarize(reads).median};
}

Link measure_link(runtime::Client& client) {
  const auto [small_write, small_read] = time_transfers(client, kSmallElements);
  const auto [large_write, large_read] = time_transfers(client, kLargeElements);
  const double small = (small_write + small_read) / 2, longer = (large_write + large_read) / 2 - small;
  Link link;
  if (longer > 0)
    link.bytes_per_second = std::min(kMostRate, 4.0 * (kLargeElements - kSmallElements) / longer);
  link.latency_seconds = std::max(0.0, small - 4.0 * kSmallElements / link.bytes_per_second);
  return link;
}

/// A workload's step on a client.
struct Step {
  TimedStep cost;
  double compile_seconds = 0;
  std::int64_t steps_of_fit = 0;  // which decides whether rows are sent with each step or kept there
};

/// Terms of a step's time, each with a factor that is fitted.
enum Term { kStep, kProducts, kConvolutions, kSequences, kState };

std::vector<double> terms_of(const runtime::CompileStats& work) {
  return {1, work.flops - work.convolution_flops - work.sequence_flops, work.convolution_flops,
          work.sequence_flops, 2 * static_cast<double>(work.state_bytes)};
}

/// A workload on the device.
struct Measurement {
  runtime::CompileStats work;  // as the CPU engine counts it: other backends may not say
  Step step;
};

bool have_term(const std::vector<Measurement>& measurements, Term term) {
  return std::any_of(measurements.begin(), measurements.end(),
                     [&](const Measurement& each) { return terms_of(each.work)[term] > 0; });
}

Step measure_step(const std::string& workload, const std::shared_ptr<runtime::Client>& client,
                  const CalibrationOptions& options, std::int64_t k) {
  TimedTraining training(find_workload(workload), client, k);
  const double first = training.fit(k), second = training.fit(k);
  const std::int64_t steps = steps_of_fits(training, options.seconds, k, options.repeats);
  return {.cost = step_cost_of_fits(training, steps, options.repeats),
          .compile_seconds = std::max(0.0, first - second),
          .steps_of_fit = steps};
}

runtime::CompileStats work_of(const std::string& workload) {
  TimedTraining training(find_workload(workload), runtime::make_client("cpu", client_options({})), 1);
  training.fit(1);
  return training.stats();
}

/// Times by the clock of a client without the disk cache: programs are compiled.
std::shared_ptr<runtime::Client> make_uncached_client(const std::string& device,
                                                      const MachineOptions& machine) {
  runtime::ClientOptions options = client_options(machine);
  options.cache_folder = "off";
  return runtime::make_client(device, options);
}

/// Writes a rate of a profile; what costs nothing has the largest.
double rate_of(double seconds_each) {
  return seconds_each > 0 ? std::min(kMostRate, 1 / seconds_each) : kMostRate;
}

[[noreturn]] void refuse_to_write(const std::string& path) {
  const int error = errno;
  fail(ErrorCode::kUnavailable, "[calibrate] cannot write \"{}\": {}{}", path, std::strerror(error),
       write_hint(path, error));
}

void write_profile(const std::string& path, const Json& profile) {
  const std::string text = profile.dump(2) + "\n";
  std::ofstream file(path, std::ios::trunc);
  file << text << std::flush;
  if (!file) refuse_to_write(path);
}

/// Before anything is measured. Leaves what is there.
void require_writable(const std::string& path) {
  std::error_code ignored;
  const bool was_there = std::filesystem::exists(path, ignored);
  if (!std::ofstream(path, std::ios::app).good()) refuse_to_write(path);
  if (!was_there) std::filesystem::remove(path, ignored);
}

std::string path_of(const std::string& output) {
  return output.find('/') != std::string::npos || output.ends_with(".json") ? output : "./" + output;
}

Json make_profile(runtime::Client& client, const CalibrationOptions& options, const Link& link, double launch,
                  const study::TermFit& fit, const std::vector<Measurement>& measurements) {
  std::vector<double> compile_seconds;
  compile_seconds.reserve(measurements.size());
  for (const Measurement& each : measurements) compile_seconds.push_back(each.step.compile_seconds);
  const runtime::DeviceInfo& device = client.devices()[0];
  Json profile = {
      {"description", fmt::format("{}, measured by cornu calibrate", options.machine.device)},
      {"sources", fmt::format("All measured on {} ({}), Cornu {}; the rates are fitted to {}.",
                              study::describe_machine()["processor"].get<std::string>(), client.description(),
                              CORNU_VERSION_STRING, fmt::join(options.workloads, ", "))},
      {"device_type", device.type},
      {"device_kind", device.kind},
      {"link_latency_seconds", link.latency_seconds},
      {"link_bytes_per_second", link.bytes_per_second},
      {"launch_seconds", launch},
      {"step_seconds", fit.factors[kStep]},
      {"flops_per_second", rate_of(fit.factors[kProducts])},
      {"compile_seconds", study::summarize(compile_seconds).median}};
  if (client.distant() != nullptr) profile["rows"] = "kept";
  // Of what no workload has nothing is known: the rate of products stands for it.
  if (have_term(measurements, kConvolutions))
    profile["convolution_flops_per_second"] = rate_of(fit.factors[kConvolutions]);
  if (have_term(measurements, kSequences))
    profile["sequence_flops_per_second"] = rate_of(fit.factors[kSequences]);
  if (fit.factors[kState] > 0) profile["state_bytes_per_second"] = rate_of(fit.factors[kState]);
  return profile;
}

study::Table held_out_table() {
  return {.title = "Steps of the device and of its simulated copy",
          .columns = {{"workload", ""},
                      {"part", ""},
                      {"gflop", "1e9"},
                      {"state", "MB"},
                      {"travels", "kB"},
                      {"measured", "ms"},
                      {"simulated", "ms", true},
                      {"off_by", "%", true}},
          .rows = {}};
}

/// Everything that one calibration gathers.
class Calibration {
 public:
  explicit Calibration(const CalibrationOptions& options)
      : options_(options),
        path_(path_of(options.output)),
        client_(make_uncached_client(options.machine.device, options.machine)),
        progress_(2 + 2 * (options.workloads.size() + options.held_out.size())) {}

  study::Report run() {
    progress_.begin("transfers", false);
    const Link link = measure_link(*client_);
    for (const std::string& name : options_.workloads) measure(name);
    const double call = measure_call();
    const double launch = std::max(0.0, call - link.latency_seconds);
    const Json profile = make_profile(*client_, options_, link, launch, fit_rates(call, link), measured_);
    write_profile(path_, profile);
    report_.title = fmt::format("Calibration of {}", options_.machine.device);
    report_.tables = {held_out_table()};
    report_.machine = study::describe_machine();
    report_.notes = {fmt::format("Wrote {0}: use it as --device sim:{0}.", path_), profile.dump(2)};
    try_copy();
    return std::move(report_);
  }

 private:
  void measure(const std::string& name) {
    progress_.begin(name, false);
    const Step step = measure_step(name, client_, options_, options_.steps_per_execution);
    if (!(step.cost.seconds > 0))
      fail(ErrorCode::kFailedPrecondition,
           "[calibrate] a step of {} took no time on {}: no rates can be fitted to it; take a device whose "
           "steps take time, or give --seconds more",
           name, options_.machine.device);
    measured_.push_back({work_of(name), step});
  }

  /// Seconds that a call costs beside its steps. A call of one step is a round trip, the launch and the step;
  /// of many, the share of a step is that over their number.
  double measure_call() {
    progress_.begin("single steps", false);
    const double single = measure_step(options_.workloads[0], client_, options_, 1).cost.seconds;
    return std::max(0.0, (single - measured_[0].step.cost.seconds) * many() / (many() - 1));
  }

  study::TermFit fit_rates(double call, const Link& link) const {
    std::vector<study::Observation> observations;
    for (const auto& [work, step] : measured_) {
      const auto& [seconds, bytes] = step.cost;
      const double travel = call / many() + bytes / link.bytes_per_second;
      observations.push_back(
          {.terms = terms_of(work), .value = std::max(kLeastShare * seconds, seconds - travel)});
    }
    std::optional<study::TermFit> fit = study::fit_terms(observations);
    if (!fit.has_value())
      fail(ErrorCode::kFailedPrecondition,
           "[calibrate] the steps of {} do not tell the rates apart: take others",
           fmt::join(options_.workloads, ", "));
    return *fit;
  }

  /// The simulated copy beside the device: on what it was fitted to, and on what it was not.
  void try_copy() {
    const std::size_t num_fitted = measured_.size();
    for (const std::string& name : options_.held_out) measure(name);
    double worst = 0;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const bool is_fitted = i < num_fitted;
      const std::string& name = is_fitted ? options_.workloads[i] : options_.held_out[i - num_fitted];
      const auto& [work, step] = measured_[i];
      progress_.begin(name + ", simulated", false);
      TimedTraining copy(find_workload(name),
                         runtime::make_client("sim:" + path_ + ",clock=virtual", client_options({})),
                         options_.steps_per_execution);
      copy.fit(options_.steps_per_execution);  // compiles
      const double simulated = step_seconds_of_fits(copy, step.steps_of_fit, 1);
      const double off = 100 * (simulated / step.cost.seconds - 1);
      if (!is_fitted) worst = std::max(worst, std::abs(off));
      report_.tables[0].add({name, is_fitted ? "fitted" : "held out", work.flops * 1e-9,
                             static_cast<double>(work.state_bytes) * 1e-6, 1e-3 * step.cost.bytes,
                             1e3 * step.cost.seconds, 1e3 * simulated, off});
    }
    if (!options_.held_out.empty())
      report_.conclusions.push_back(fmt::format(
          "The simulated copy is off by {:.0f} % at most on workloads that it was not fitted to.", worst));
  }

  double many() const { return static_cast<double>(options_.steps_per_execution); }

  const CalibrationOptions& options_;
  std::string path_;
  std::shared_ptr<runtime::Client> client_;
  study::StudyProgress progress_;
  std::vector<Measurement> measured_;
  study::Report report_;
};

}  // namespace

study::Report calibrate(const CalibrationOptions& options) {
  for (const auto* const names : {&options.workloads, &options.held_out})
    for (const std::string& name : *names) find_workload(name);
  if (options.workloads.size() < 3)
    invalid_argument("[calibrate] the rates take at least three workloads; got {}", options.workloads.size());
  if (options.steps_per_execution < 2)
    invalid_argument(
        "[calibrate] a call is told from its steps by calls of two or more; steps_per_execution is {}",
        options.steps_per_execution);
  for (const std::string& name : options.held_out)
    if (std::find(options.workloads.begin(), options.workloads.end(), name) != options.workloads.end())
      invalid_argument(
          "[calibrate] {} cannot be held out: the rates are fitted to it, so it would not show how well they "
          "predict; leave it out of one of the two lists",
          name);
  require_writable(path_of(options.output));
  return Calibration(options).run();
}

}  // namespace cornu::inline v0::cli
