#include "cli/study_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <set>

#include "cli/study/machine_facts.h"
#include "cli/study/machine_log.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study/study_log.h"
#include "cli/study_devices.h"
#include "cli/study_measurements.h"
#include "cli/workloads.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

template <typename Clock>
double seconds_of_clock() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Json machine_of(const StudyRunOptions& options) {
  Json machine = study::describe_machine();
  if (!options.instance_type.empty()) machine["instance_type"] = options.instance_type;
  return machine;
}

/// Everything that one run measures.
class MachineRun {
 public:
  explicit MachineRun(const StudyRunOptions& options)
      : options_(options),
        devices_(options.devices, {}),
        log_(
            options.log,
            study::machine_log_header(options.host.empty() ? host_name() : options.host, machine_of(options)),
            options.resumes) {
    report_.title = "Measurements of one machine";
    report_.machine = machine_of(options);
    report_.notes = {fmt::format(
        "Written to {}: join it with the logs of other machines by `cornu study merge`.", options.log)};
    report_.tables = {{.title = "Measured on this machine",
                       .columns = {{"program", ""},
                                   {"instruction_set", ""},
                                   {"device", ""},
                                   {"threads", ""},
                                   {options.command.empty() ? "step" : "run", "ms"},
                                   {"low", "ms"},
                                   {"high", "ms"}},
                       .rows = {}}};
  }

  study::Report run() {
    const bool is_command = !options_.command.empty();
    const std::vector<int> threads = threads_to_measure(options_.threads);
    const std::vector<std::string> isas =
        is_command ? std::vector<std::string>{""} : isas_to_measure(options_.isas);
    const std::vector<std::string> names = !is_command ? options_.workloads
                                           : options_.command_name.empty()
                                               ? std::vector<std::string>{options_.command[0]}
                                               : std::vector<std::string>{options_.command_name};
    study::StudyProgress progress(
        names.size() * ((isas.size() + options_.peers.size()) * threads.size() + options_.devices.size()));
    for (const std::string& name : names) {
      for (const std::string& isa : isas)
        for (const int n : threads)
          add({.program = name, .isa = isa, .device = "cpu", .threads = n}, nullptr, progress);
      for (const PeerRequest& peer : options_.peers)
        for (const int n : threads)
          add({.program = program_with(name, peer.library), .isa = "", .device = "cpu", .threads = n}, &peer,
              progress);
      for (const std::string& device : options_.devices)
        add({.program = name, .isa = "", .device = device, .is_simulated = devices_.is_simulated(device)},
            nullptr, progress);
    }
    if (report_.tables[0].rows.empty())
      fail(ErrorCode::kUnavailable, "[study] nothing could be measured: {}",
           fmt::join(report_.warnings, "; "));
    return std::move(report_);
  }

 private:
  std::vector<double> measure(const study::MachineLogEntry& entry, const PeerRequest* peer) const {
    if (!options_.command.empty())
      return measure_command(options_.command, entry.threads, options_.repeats, options_.limit_seconds);
    if (peer != nullptr)
      return measure_peer(
          *peer, training_of(entry.program),
          {.threads = entry.threads, .seconds = options_.seconds, .limit_seconds = options_.limit_seconds},
          options_.repeats);
    const MachineOptions machine{.threads = entry.threads, .isa = entry.isa};
    return measure_steps(entry.program,
                         entry.device == "cpu" ? runtime::make_client("cpu", client_options(machine))
                                               : devices_.make(entry.device),
                         options_.seconds, options_.repeats);
  }

  /// `peer`: the library that runs the workload; null: Cornu, or the command.
  void add(study::MachineLogEntry entry, const PeerRequest* peer, study::StudyProgress& progress) {
    entry.steps = options_.command.empty() ? steps_of_training(training_of(entry.program)) : 1;
    progress.begin(entry.name(), log_.has(entry.name()));
    if (lost_.contains(entry.device)) return;
    try {
      const Json value = log_.get(entry.name(), [&] {
        entry.wall_seconds = seconds_of_clock<std::chrono::system_clock>();
        entry.steady_seconds = seconds_of_clock<std::chrono::steady_clock>();
        entry.milliseconds = measure(entry, peer);
        return study::to_json(entry);
      });
      entry.milliseconds = value.at("milliseconds").get<std::vector<double>>();
    } catch (const Error& error) {
      const bool is_device = entry.device != "cpu";
      const bool is_other_program = peer != nullptr || !options_.command.empty();
      if (!(is_device || is_other_program) || !is_of_device(error)) throw;
      report_.warnings.push_back(fmt::format(
          "{} {} is left out: {}", entry.program,
          is_device ? "on " + entry.device
                    : fmt::format("with {} thread{}", entry.threads, entry.threads == 1 ? "" : "s"),
          error.what()));
      if (is_device && error.code() != ErrorCode::kResourceExhausted) lost_.insert(entry.device);
      return;
    }
    const study::Sample sample = study::summarize(entry.milliseconds);
    const auto interval = study::median_interval(entry.milliseconds);
    const auto bound = [&](double study::Interval::* member) {
      return interval.has_value() ? Json((*interval).*member) : Json(nullptr);
    };
    report_.tables[0].add({entry.program, entry.isa,
                           entry.is_simulated ? entry.device + " (simulated)" : entry.device, entry.threads,
                           sample.median, bound(&study::Interval::low), bound(&study::Interval::high)});
  }

  const StudyRunOptions& options_;
  StudyDevices devices_;
  study::StudyLog log_;
  std::set<std::string> lost_;  // devices
  study::Report report_;
};

}  // namespace

void require_consistent(const StudyRunOptions& options) {
  if (options.log.empty()) invalid_argument("[study] run writes a log: name its file with --log");
  if (!options.command.empty() && !options.peers.empty())
    invalid_argument("[study] --with adds other libraries to workloads: leave it out beside a command");
  if (!options.command.empty() && !options.devices.empty())
    invalid_argument("[study] a command runs on processors only: leave --device out");
  if (options.command.empty())
    for (const std::string& workload : options.workloads) find_workload(workload);
}

study::Report study_run(const StudyRunOptions& options) {
  require_consistent(options);
  require_processors(options.threads);
  return MachineRun(options).run();
}

}  // namespace cornu::inline v0::cli
