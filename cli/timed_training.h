#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/deadline.h"
#include "cli/study/report.h"
#include "cli/workloads.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::cli {

/// A workload's training on one client, to be timed by that client's clock. It makes the client the default
/// one whenever it runs.
/// Threads: one thread.
class TimedTraining {
 public:
  /// `steps_per_execution` of 0: "auto".
  TimedTraining(const Workload& workload, std::shared_ptr<runtime::Client> client,
                std::int64_t steps_per_execution);

  /// Seconds of a fit of `steps` steps in one epoch.
  double fit(std::int64_t steps);
  /// Statistics of the compiled training step, after the first fit.
  runtime::CompileStats stats();
  const std::shared_ptr<runtime::Client>& client() const { return client_; }
  keras::Model& model() { return model_; }

 private:
  Workload workload_;
  std::shared_ptr<runtime::Client> client_;
  WorkloadData data_;
  keras::Model model_;
};

/// Steps of a fit that takes this machine about `seconds`, a multiple of `multiple`;
/// runs the training twice to find out.
std::int64_t steps_for(TimedTraining& training, double seconds, std::int64_t multiple);

/// Seconds of a step, measured for about `seconds` of this machine's time, without what an epoch costs: on
/// this machine the least of the repeats (what else runs here only adds), elsewhere the median of differences
/// between fits of 2 n and n steps.
double step_seconds(TimedTraining& training, double seconds, std::int64_t steps_per_execution,
                    std::int64_t repeats);
/// The same of each repeat, for statistics of their own.
std::vector<double> repeated_step_seconds(TimedTraining& training, double seconds,
                                          std::int64_t steps_per_execution, std::int64_t repeats);
/// That of each repeat from fits of `steps` steps.
std::vector<double> repeated_step_seconds_of_fits(TimedTraining& training, std::int64_t steps,
                                                  std::int64_t repeats);
/// The same from fits of `steps` steps. Rows are sent to a device or kept there depending on that number, so
/// compared trainings must use the same one.
double step_seconds_of_fits(TimedTraining& training, std::int64_t steps, std::int64_t repeats);
struct TimedStep {
  double seconds = 0;
  double bytes = 0;  // between host and device, both ways; 0 where they share their memory
};
/// The same, with what travels in the fits that are timed.
TimedStep step_cost_of_fits(TimedTraining& training, std::int64_t steps, std::int64_t repeats);
/// The number of steps that step_seconds takes.
std::int64_t steps_of_fits(TimedTraining& training, double seconds, std::int64_t steps_per_execution,
                           std::int64_t repeats);

/// A workload with another batch size.
Workload with_batch_size(const Workload& workload, std::int64_t batch_size);

/// Output options of all studies.
struct StudyOutput {
  std::string prefix;
  bool resumes = false;
  bool json = false;

  /// PREFIX.log; empty without a prefix. Errors: InvalidArgument for a prefix that is a folder, in which the
  /// files would have no names of their own.
  std::string log_path() const;
};
void add_output_options(CLI::App& command, StudyOutput& output);
/// Those of a study that measures nothing, and so keeps no log.
void add_report_options(CLI::App& command, StudyOutput& output);
/// `--deadline`, as study::parse_deadline reads it. `deadline` must live as long as the command.
void add_deadline_option(CLI::App& command, std::optional<study::Deadline>& deadline);
/// `--limit` of runs of another program. `limit_seconds` must live as long as the command.
void add_limit_option(CLI::App& command, double& limit_seconds);
/// Refuses options of workloads or models beside another program, and a workload in its place.
/// Errors: CLI::ValidationError for an option that was given, if `command` is not empty; for a command that
///         is the name of a workload, with the option that takes it.
void refuse_beside_command(const std::vector<std::string>& command, std::span<CLI::Option* const> options);
/// Prints a report, and writes its files where they were asked for.
void put_out(const study::Report& report, const StudyOutput& output);

}  // namespace cornu::inline v0::cli
