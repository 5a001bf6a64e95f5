#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study_cost.h"
#include "cli/study_run.h"
#include "cli/study_scaling.h"
#include "cli/study_steps.h"

namespace cornu::inline v0::cli {
namespace {

/// `seconds` and `repeats` must live as long as the command. Returns the option of `seconds`.
CLI::Option* add_measurement_options(CLI::App& command, double& seconds, std::int64_t& repeats) {
  CLI::Option* const option =
      command.add_option("--seconds", seconds, "About how long each measurement takes")
          ->check(positive())
          ->capture_default_str();
  command.add_option("--repeats", repeats, "Number of repeats of each measurement")
      ->check(whole_number(1))
      ->capture_default_str();
  return option;
}

/// Options of a study of workloads, or of any program after "--", on this machine. `options` must live as long
/// as the command.
template <typename Options>
struct ProgramOptions {
  ProgramOptions(CLI::App& command, Options& options) {
    of_workloads[0] =
        command.add_option("--workloads", options.workloads, "Training steps of `cornu bench list`")
            ->type_name("NAME")
            ->delimiter(',')
            ->capture_default_str();
    command
        .add_option("--threads", options.threads,
                    "Numbers of threads to measure; without it 1, 2, 4, ... and all")
        ->delimiter(',')
        ->check(whole_number_between(1, 1024));
    of_workloads[1] =
        command
            .add_option("--isa", options.isas,
                        "Instruction set levels: sse2, avx2, avx512; without it sse2 and the best of the CPU")
            ->delimiter(',')
            ->type_name("LEVEL")
            ->check(one_of({"sse2", "avx2", "avx512"}));
    command
        .add_option("--device", options.devices,
                    "Devices to measure besides the CPU; may be given several times")
        ->type_name("DEVICE");
    of_workloads[2] = add_measurement_options(command, options.seconds, options.repeats);
    command.add_option("command", options.command, "Another program with its arguments, after --");
  }

  std::array<CLI::Option*, 3> of_workloads = {};
};

/// Refuses options of workloads beside a command.
void refuse_beside_command(const std::vector<std::string>& command, std::span<CLI::Option* const> options) {
  for (const CLI::Option* const option : options)
    if (!command.empty() && option->count() > 0)
      throw CLI::ValidationError(option->get_name(),
                                 "a command after -- is run whole and unchanged: leave it out");
}

void add_price_options(CLI::App& command, std::vector<std::string>& prices,
                       std::vector<std::string>& machines, InterruptionOptions& interruptions) {
  command
      .add_option("--prices", prices,
                  "Price lists: names of lists that come with Cornu (aws, azure, gcp, gcp-2017-07), or files "
                  "(docs/guide/cloud-cost.md)")
      ->type_name("LIST")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--machines", machines, "Machines of the price lists; without it all of them")
      ->type_name("NAME")
      ->delimiter(',');
  command
      .add_option("--checkpoint-interval", interruptions.checkpoint_interval_seconds,
                  "Seconds between checkpoints")
      ->check(positive())
      ->capture_default_str();
  command
      .add_option("--checkpoint-seconds", interruptions.checkpoint_seconds, "Seconds that a checkpoint takes")
      ->check(not_negative())
      ->capture_default_str();
  command
      .add_option("--restart-seconds", interruptions.restart_seconds, "Seconds until the next machine works")
      ->check(not_negative())
      ->capture_default_str();
}

void add_steps(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "steps", "Measures the time of a fit by steps per execution, for networks, batch sizes and devices");
  const auto options = std::make_shared<StudyStepsOptions>();
  command
      ->add_option("--networks", options->networks,
                   "cifar_2m, cifar_10m, or training steps of `cornu bench list`")
      ->type_name("NAME")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--batches", options->batch_sizes, "Batch sizes")
      ->delimiter(',')
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--steps-per-execution", options->steps_per_execution, "The numbers K to compare")
      ->delimiter(',')
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Steps of each fit")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--repeats", options->repeats, "Fits of each K after the first")
      ->check(whole_number(1))
      ->capture_default_str();
  command
      ->add_option("--device", options->devices,
                   "Devices, as of `cornu bench --device`; may be given several times")
      ->type_name("DEVICE")
      ->capture_default_str();
  CLI::Option* const of_networks[] = {command->get_option("--networks"), command->get_option("--batches"),
                                      command->get_option("--device"), command->get_option("--steps")};
  command->add_option("command", options->command,
                      "Another program with its arguments, after --; {K} in them is replaced by each K");
  add_machine_options(*command, options->machine);
  add_output_options(*command, options->output);
  command->callback([options, of_workloads = std::to_array(of_networks)] {
    refuse_beside_command(options->command, of_workloads);
    put_out(study_steps(*options), options->output);
  });
}

void add_cost(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "cost",
      "Predicts time and cost of a training on rented machines, for workloads or for any program after --");
  const auto options = std::make_shared<StudyCostOptions>();
  const ProgramOptions<StudyCostOptions> program(*command, *options);
  add_price_options(*command, options->prices, options->machines, options->interruptions);
  add_output_options(*command, options->output);
  command->callback([options, of_workloads = program.of_workloads] {
    refuse_beside_command(options->command, of_workloads);
    put_out(study_cost(*options), options->output);
  });
}

void add_run_on_machine(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "run",
      "Measures workloads, or any program after --, on this machine, and writes one log for `study merge`");
  const auto options = std::make_shared<StudyRunOptions>();
  const ProgramOptions<StudyRunOptions> program(*command, *options);
  CLI::Option* const log = command->add_option("--log", options->log, "The file of the measurements")
                               ->type_name("FILE")
                               ->required();
  command->add_flag("--resume", options->resumes, "Continue with the measurements in the log")->needs(log);
  command
      ->add_option("--name", options->command_name, "Name of the program after --, which logs have in common")
      ->type_name("NAME");
  command->add_option("--host", options->host, "Name of this machine; without it the host's")
      ->type_name("NAME");
  command
      ->add_option(
          "--instance-type", options->instance_type,
          "The cloud's name of this machine type, as price lists have it; without it from the firmware")
      ->type_name("NAME");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print the report as JSON");
  command->callback([options, as_json, of_workloads = program.of_workloads] {
    refuse_beside_command(options->command, of_workloads);
    put_out(study_run(*options), {.json = *as_json});
  });
}

void add_merge(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "merge", "Joins logs of `study run` of several machines into one table, plots and a page, with prices");
  const auto options = std::make_shared<StudyMergeOptions>();
  command->add_option("logs", options->logs, "Logs of `study run`")->type_name("FILE")->required();
  add_price_options(*command, options->prices, options->machines, options->interruptions);
  add_report_options(*command, options->output);
  command->callback([options] { put_out(study_merge(*options), options->output); });
}

void add_scaling(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "scaling",
      "Predicts the efficiency of up to 1,024 replicas from measured steps and a cost of all-reduce");
  const auto options = std::make_shared<StudyScalingOptions>();
  command->add_option("--networks", options->networks, "Training steps of `cornu bench list`")
      ->type_name("NAME")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--replicas", options->replicas, "Numbers of replicas")
      ->delimiter(',')
      ->check(whole_number_between(1, 1 << 20))
      ->capture_default_str();
  command->add_option("--device", options->device, "Device of each replica, as of `cornu bench --device`")
      ->type_name("DEVICE")
      ->capture_default_str();
  CLI::Option* const calls = command->add_option(
      "--calls", options->calls,
      "A file of measured all-reduces (docs/guide/distribution.md) to fit the link's rates to");
  calls->type_name("FILE");
  command
      ->add_option("--link-bandwidth", options->link_bytes_per_second,
                   "In place of --calls: bytes per second of a replica's link")
      ->check(positive())
      ->excludes(calls)
      ->capture_default_str();
  command->add_option("--link-latency", options->link_latency_seconds, "Seconds of a message on that link")
      ->check(not_negative())
      ->excludes(calls)
      ->capture_default_str();
  add_measurement_options(*command, options->seconds, options->repeats);
  add_machine_options(*command, options->machine);
  add_output_options(*command, options->output);
  command->callback([options] { put_out(study_scaling(*options), options->output); });
}

}  // namespace

void add_study(CLI::App& app) {
  CLI::App* command = app.add_subcommand("study", "Studies time and cost, with tables, plots and a web page");
  command->require_subcommand(1);
  add_steps(*command);
  add_cost(*command);
  add_scaling(*command);
  add_run_on_machine(*command);
  add_merge(*command);
}

}  // namespace cornu::inline v0::cli
