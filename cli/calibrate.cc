#include <fmt/format.h>

#include <memory>

#include "cli/calibration.h"
#include "cli/commands.h"

namespace cornu::inline v0::cli {

void add_calibrate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measures a device, writes a profile of it for sim:, and reports how well it predicts");
  const auto options = std::make_shared<CalibrationOptions>();
  add_machine_options(*command, options->machine);
  add_device_option(*command, options->machine);
  command
      ->add_option("--workloads", options->workloads,
                   "Training steps that the rates are fitted to, the smallest first")
      ->type_name("NAME")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--held-out", options->held_out, "Training steps that the simulated copy is tried on")
      ->type_name("NAME")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "About how long each measurement takes")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--steps-per-execution", options->steps_per_execution,
                   "Steps of the calls that are compared with calls of one step")
      ->check(whole_number_between(2, 1 << 20))
      ->capture_default_str();
  command->add_option("--output", options->output, "The file of the profile")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->callback([options] { put_out(calibrate(*options), {.json = options->json}); });
}

}  // namespace cornu::inline v0::cli
