#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/study_cost.h"
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
  add_machine_options(*command, options->machine);
  add_output_options(*command, options->output);
  command->callback([options] { put_out(study_steps(*options), options->output); });
}

void add_cost(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "cost",
      "Predicts time and cost of a training on rented machines, for workloads or for any program after --");
  const auto options = std::make_shared<StudyCostOptions>();
  CLI::Option* const workloads =
      command->add_option("--workloads", options->workloads, "Training steps of `cornu bench list`")
          ->type_name("NAME")
          ->delimiter(',')
          ->capture_default_str();
  command
      ->add_option("--threads", options->threads,
                   "Numbers of threads to measure; without it 1, 2, 4, ... and all")
      ->delimiter(',')
      ->check(whole_number_between(1, 1024));
  CLI::Option* const isa =
      command
          ->add_option("--isa", options->isas,
                       "Instruction set levels: sse2, avx2, avx512; without it sse2 and the best of the CPU")
          ->delimiter(',')
          ->type_name("LEVEL")
          ->check(one_of({"sse2", "avx2", "avx512"}));
  command
      ->add_option("--device", options->devices,
                   "Devices to measure besides the CPU; may be given several times")
      ->type_name("DEVICE");
  CLI::Option* const seconds = add_measurement_options(*command, options->seconds, options->repeats);
  command
      ->add_option("--prices", options->prices,
                   "A price list (docs/guide/cloud-cost.md); without it that of 2017")
      ->type_name("FILE");
  command->add_option("--machines", options->machines, "Machines of the price list; without it all of them")
      ->type_name("NAME")
      ->delimiter(',');
  command
      ->add_option("--checkpoint-interval", options->checkpoint_interval_seconds,
                   "Seconds between checkpoints")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--checkpoint-seconds", options->checkpoint_seconds, "Seconds that a checkpoint takes")
      ->check(not_negative())
      ->capture_default_str();
  command->add_option("--restart-seconds", options->restart_seconds, "Seconds until the next machine works")
      ->check(not_negative())
      ->capture_default_str();
  command->add_option("command", options->command, "Another program with its arguments, after --");
  add_output_options(*command, options->output);
  command->callback([options, of_workloads = std::array{workloads, isa, seconds}] {
    for (const CLI::Option* const option : of_workloads)
      if (!options->command.empty() && option->count() > 0)
        throw CLI::ValidationError(option->get_name(),
                                   "a command after -- is run whole and unchanged: leave it out");
    put_out(study_cost(*options), options->output);
  });
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
}

}  // namespace cornu::inline v0::cli
