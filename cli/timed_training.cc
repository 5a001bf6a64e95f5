#include "cli/timed_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "cli/text/terminal.h"
#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {
namespace {

keras::Model compiled_model(const Workload& workload, const std::shared_ptr<runtime::Client>& client,
                            std::int64_t steps_per_execution) {
  set_default_client(client);
  set_random_seed(0);
  keras::Model model = workload.make_model();
  const keras::StepsPerExecution steps = steps_per_execution > 0
                                             ? keras::StepsPerExecution(steps_per_execution)
                                             : keras::StepsPerExecution("auto");
  if (workload.compile) {
    workload.compile(model, steps);
    return model;
  }
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = steps;
  model.compile(options);
  return model;
}

bool is_workload(const std::string& name) {
  const auto has_name = [&](const Workload& workload) { return workload.name == name; };
  return std::ranges::any_of(workloads(), has_name) || std::ranges::any_of(large_workloads(), has_name);
}

}  // namespace

TimedTraining::TimedTraining(const Workload& workload, std::shared_ptr<runtime::Client> client,
                             std::int64_t steps_per_execution)
    : workload_(workload),
      client_(std::move(client)),
      data_(make_data(workload)),
      model_(compiled_model(workload, client_, steps_per_execution)) {}

double TimedTraining::fit(std::int64_t steps) {
  set_default_client(client_);
  const double start = client_->now();
  model_.fit(data_.x, data_.y,
             {.batch_size = workload_.batch_size, .verbose = 0, .steps_per_epoch = steps, .repeat = true});
  return client_->now() - start;
}

runtime::CompileStats TimedTraining::stats() {
  set_default_client(client_);
  return model_.train_executable(data_.x, data_.y, {.batch_size = workload_.batch_size}).stats();
}

std::int64_t steps_for(TimedTraining& training, double seconds, std::int64_t multiple) {
  training.fit(multiple);
  const auto start = std::chrono::steady_clock::now();
  training.fit(multiple);
  const double real = seconds_since(start);
  const double each = std::max(real, 1e-7) / static_cast<double>(multiple);
  const auto steps = static_cast<std::int64_t>(std::min(60000.0, seconds / each));
  return std::max(multiple, steps / multiple * multiple);
}

double step_seconds(TimedTraining& training, double seconds, std::int64_t steps_per_execution,
                    std::int64_t repeats) {
  return step_seconds_of_fits(training, steps_of_fits(training, seconds, steps_per_execution, repeats),
                              repeats);
}

std::int64_t steps_of_fits(TimedTraining& training, double seconds, std::int64_t steps_per_execution,
                           std::int64_t repeats) {
  const int fits = training.client()->is_addressable() ? 1 : 3;
  return steps_for(training, seconds / static_cast<double>(repeats * fits), steps_per_execution);
}

double step_seconds_of_fits(TimedTraining& training, std::int64_t steps, std::int64_t repeats) {
  return step_cost_of_fits(training, steps, repeats).seconds;
}

namespace {

/// Seconds of a step in each repeat, and bytes of a step.
struct TimedRepeats {
  std::vector<double> seconds = {};
  double bytes = 0;
};

TimedRepeats time_repeats(TimedTraining& training, std::int64_t steps, std::int64_t repeats) {
  const bool is_here = training.client()->is_addressable();
  const auto fit = [&](std::int64_t num_steps) {
    const runtime::TransferStatistics before = training.client()->counts();
    const double seconds = training.fit(num_steps);
    const runtime::TransferStatistics calls = training.client()->counts().since(before);
    return TimedStep{seconds,
                     static_cast<double>(calls.writes.bytes + calls.reads.bytes + calls.executions.bytes)};
  };
  TimedRepeats found;
  for (std::int64_t i = 0; i < repeats; ++i) {
    // What an epoch costs besides falls out of the difference.
    const TimedStep less = is_here ? TimedStep{} : fit(steps), more = fit(is_here ? steps : 2 * steps);
    found.seconds.push_back(std::max(0.0, more.seconds - less.seconds) / static_cast<double>(steps));
    found.bytes = std::max(0.0, more.bytes - less.bytes) / static_cast<double>(steps);  // the same each time
  }
  return found;
}

}  // namespace

std::vector<double> repeated_step_seconds(TimedTraining& training, double seconds,
                                          std::int64_t steps_per_execution, std::int64_t repeats) {
  return repeated_step_seconds_of_fits(
      training, steps_of_fits(training, seconds, steps_per_execution, repeats), repeats);
}

std::vector<double> repeated_step_seconds_of_fits(TimedTraining& training, std::int64_t steps,
                                                  std::int64_t repeats) {
  return time_repeats(training, steps, repeats).seconds;
}

TimedStep step_cost_of_fits(TimedTraining& training, std::int64_t steps, std::int64_t repeats) {
  auto [found, bytes] = time_repeats(training, steps, repeats);
  std::sort(found.begin(), found.end());
  return {training.client()->is_addressable() ? found.front() : found[found.size() / 2], bytes};
}

Workload with_batch_size(const Workload& workload, std::int64_t batch_size) {
  Workload changed = workload;
  changed.num_rows = std::max(workload.num_rows, 4 * batch_size) / batch_size * batch_size;
  changed.batch_size = batch_size;
  return changed;
}

std::string StudyOutput::log_path() const {
  if (prefix.empty()) return "";
  std::error_code ignored;
  if (std::filesystem::is_directory(prefix, ignored))
    invalid_argument(
        "[study] the output \"{}\" is a folder: give how the files' names begin, for example \"{}\"", prefix,
        (std::filesystem::path(prefix) / "study").string());
  return prefix + ".log";
}

namespace {

void add_output_option(CLI::App& command, StudyOutput& output, const std::string& of_log) {
  command
      .add_option(
          "--output", output.prefix,
          "Also write PREFIX.csv, .json, .html, an .svg for each plot and a .csv of its figures" + of_log)
      ->type_name("PREFIX");
}

}  // namespace

void add_output_options(CLI::App& command, StudyOutput& output) {
  add_output_option(command, output, "; PREFIX.log keeps each measurement");
  command.add_flag("--resume", output.resumes, "Continue with the measurements in PREFIX.log")
      ->needs("--output");
  command.add_flag("--json", output.json, "Print the report as JSON");
}

void add_report_options(CLI::App& command, StudyOutput& output) {
  add_output_option(command, output, "");
  command.add_flag("--json", output.json, "Print the report as JSON");
}

void add_deadline_option(CLI::App& command, std::optional<study::Deadline>& deadline) {
  command
      .add_option_function<std::string>(
          "--deadline",
          [&deadline](const std::string& text) {
            deadline = study::parse_deadline(text, std::time(nullptr));
          },
          "The time of the day before which the training must end, as in 8:00, or its longest duration: 90m, "
          "2.5h, 1d, or seconds")
      ->type_name("TIME");
}

void add_limit_option(CLI::App& command, double& limit_seconds) {
  command
      .add_option("--limit", limit_seconds,
                  "Seconds after which a run of another program is ended; without it there is no limit")
      ->check(positive());
}

void refuse_beside_command(const std::vector<std::string>& command, std::span<CLI::Option* const> options) {
  for (const CLI::Option* const option : options) {
    const std::string name = option->get_name();
    if (!command.empty() && option->count() > 0)
      throw CLI::ValidationError(name, "a command after -- is run whole and unchanged: leave it out");
    if ((name == "--workloads" || name == "--networks") && command.size() == 1 && is_workload(command[0]))
      throw CLI::ValidationError(
          command[0], fmt::format("a workload, and no program: write \"{} {}\"", name, command[0]));
  }
}

void put_out(const study::Report& report, const StudyOutput& output) {
  if (output.json) {
    fmt::print("{}\n", study::to_json(report).dump(1));
  } else {
    fmt::print("{}", study::to_text(report, text_width()));
  }
  if (output.prefix.empty()) return;
  const std::vector<std::string> files = study::write_files(report, output.prefix);
  if (!output.json) print_text(fmt::format("\nwrote {}\n", fmt::join(files, ", ")));
}

}  // namespace cornu::inline v0::cli
