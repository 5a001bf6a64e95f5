#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/study/study_log.h"
#include "cli/study_cost.h"
#include "cli/study_hosts.h"
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

/// `peers` must live as long as the command.
CLI::Option* add_peers_option(CLI::App& command, std::vector<PeerRequest>& peers) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--with",
          [&peers](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) peers.push_back(parse_peer(text));
          },
          fmt::format("Other libraries to measure beside Cornu: {}; each with its Python, which is python3 "
                      "without it",
                      fmt::join(peer_names(), ", ")))
      ->type_name("LIBRARY[=PYTHON]")
      ->delimiter(',');
}

/// Options of a study of workloads, or of any program after "--", on this machine. `options` must live as
/// long as the command.
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
    of_workloads[3] = add_peers_option(command, options.peers);
    add_limit_option(command, options.limit_seconds);
    command.add_option("command", options.command, "Another program with its arguments, after --");
  }

  std::array<CLI::Option*, 4> of_workloads = {};
};

/// `rental` must live as long as the command.
void add_rental_options(CLI::App& command, RentalOptions& rental) {
  InterruptionOptions& interruptions = rental.interruptions;
  command
      .add_option("--prices", rental.prices,
                  "Price lists: names of lists that come with Cornu (aws, azure, gcp, gcp-2017-07), or files "
                  "(docs/guide/cloud-cost.md)")
      ->type_name("LIST")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--machines", rental.machines, "Machines of the price lists; without it all of them")
      ->type_name("NAME")
      ->delimiter(',');
  command
      .add_option("--budget", rental.limits.budget,
                  "The most that the training may cost, in the currency of the price list")
      ->check(positive());
  add_deadline_option(command, rental.limits.deadline);
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
  add_limit_option(*command, options->limit_seconds);
  CLI::Option* const peers = add_peers_option(*command, options->peers);
  command
      ->add_option("--seconds", options->peer_seconds,
                   "About how long each measurement of another library takes")
      ->check(positive())
      ->capture_default_str();
  CLI::Option* const of_networks[] = {peers, command->get_option("--networks"),
                                      command->get_option("--batches"), command->get_option("--device"),
                                      command->get_option("--steps")};
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
  CLI::Option* const to =
      command
          ->add_option_function<std::string>(
              "--to", [options](const std::string& text) { options->to = study::parse_metric_target(text); },
              "Measure the program after -- until its output has this metric, as in val_accuracy=0.98")
          ->type_name("METRIC=VALUE");
  command
      ->add_option(
          "--plays", options->play.plays,
          "Trainings with interruptions that are played; their backups are in the folder {BACKUP} of "
          "the program's arguments")
      ->check(whole_number(0))
      ->needs(to)
      ->capture_default_str();
  command
      ->add_option("--interruptions", options->play.interruptions,
                   "Interruptions that are expected in a training that is played")
      ->check(positive())
      ->needs(to)
      ->capture_default_str();
  add_rental_options(*command, options->rental);
  add_output_options(*command, options->output);
  command->callback([options, of_workloads = program.of_workloads] {
    refuse_beside_command(options->command, of_workloads);
    put_out(study_cost(*options), options->output);
  });
}

/// `options` must live as long as the command.
void add_host_options(CLI::App& command, StudyRunOptions& options) {
  HostOptions& hosts = options.hosts;
  CLI::Option* const named =
      command
          .add_option(
              "--hosts", hosts.hosts,
              "Measure on these machines by ssh, all at the same time, and join their logs: names with "
              "commas, or a file in mpirun's format")
          ->type_name("HOSTS|FILE")
          ->excludes(command.get_option("--host"))
          ->excludes(command.get_option("--instance-type"));
  command.add_option("--ssh", hosts.ssh, "The ssh program with its options")
      ->type_name("COMMAND")
      ->needs(named)
      ->capture_default_str();
  command
      .add_option("--program", hosts.program,
                  "Cornu's program on the hosts; without it a copy of this one is sent")
      ->type_name("FILE")
      ->needs(named);
  command
      .add_option("--silence", hosts.silence_seconds,
                  "Seconds after which a host that sends no measurement is left out")
      ->check(positive())
      ->needs(named)
      ->capture_default_str();
  add_report_options(command, options.output);
  command.get_option("--output")->needs(named);
}

void add_run_on_machine(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "run",
      "Measures workloads, or any program after --, on this machine, and writes one log for `study merge`");
  const auto options = std::make_shared<StudyRunOptions>();
  const ProgramOptions<StudyRunOptions> program(*command, *options);
  CLI::Option* const log = command
                               ->add_option("--log", options->log,
                                            "The file of the measurements; -: the standard output, and the "
                                            "standard input for --resume")
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
  add_host_options(*command, *options);
  command->callback([options, of_workloads = program.of_workloads] {
    refuse_beside_command(options->command, of_workloads);
    if (!options->hosts.hosts.empty()) {
      put_out(study_run_on_hosts(*options), options->output);
      return;
    }
    const study::Report report = study_run(*options);
    if (options->log != study::kStandardOutput) {
      put_out(report, options->output);
      return;
    }
    for (const std::string& warning : report.warnings) print_error(warning);
  });
}

void add_merge(CLI::App& study) {
  CLI::App* command = study.add_subcommand(
      "merge", "Joins logs of `study run` of several machines into one table, plots and a page, with prices");
  const auto options = std::make_shared<StudyMergeOptions>();
  command->add_option("logs", options->logs, "Logs of `study run`")->type_name("FILE")->required();
  add_rental_options(*command, options->rental);
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
