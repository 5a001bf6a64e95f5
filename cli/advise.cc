#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "cli/advice.h"
#include "cli/commands.h"
#include "cli/program_file.h"
#include "cli/study_devices.h"

namespace cornu::inline v0::cli {
namespace {

/// DEVICE=AN_HOUR; a device may have '=' in it.
std::pair<std::string, double> parse_price(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  double price = -1;
  const char* const end = text.data() + text.size();
  const char* read_to = nullptr;
  if (equals != std::string::npos) read_to = std::from_chars(text.data() + equals + 1, end, price).ptr;
  if (read_to != end || !(price >= 0) || !std::isfinite(price) || equals == 0)
    throw CLI::ValidationError(
        "--price", fmt::format("takes DEVICE=PRICE_AN_HOUR, a number from 0 on as in cpu=0.4; got {}", text));
  return {text.substr(0, equals), price};
}

/// Refuses words that are no device: a list of devices takes the words after it, a workload too.
void refuse_what_is_no_device(const std::vector<std::string>& devices) {
  const std::vector<runtime::BackendEntry>& entries = runtime::backend_entries();
  for (const std::string& device : devices)
    if (device.find(':') == std::string::npos &&
        std::none_of(entries.begin(), entries.end(),
                     [&](const runtime::BackendEntry& entry) { return device == entry.name; }))
      throw CLI::ValidationError(
          "--devices", device + " is no device; write a workload or a model's file before --devices");
}

}  // namespace

void add_advise(CLI::App& app) {
  CLI::App* command = app.add_subcommand("advise",
                                         "Explains why a device is slower than another, and recommends one "
                                         "with a batch and steps_per_execution");
  const auto options = std::make_shared<AdviceOptions>();
  const auto prices = std::make_shared<std::vector<std::string>>();
  const CLI::Option* const target =
      command
          ->add_option("target", options->target,
                       "A training step of `cornu bench list`, or the file of a model")
          ->capture_default_str();
  command
      ->add_option("--devices", options->devices,
                   "Devices, as of `cornu bench --device`; without it this CPU and the devices of plug-ins")
      ->type_name("DEVICE");
  command->add_option("--batch", options->batch_size, "Rows of a batch; without it the workload's")
      ->check(whole_number(1));
  command->add_option("--rows", options->num_rows, "Rows of the planned training, in all epochs together")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--price", *prices, "Price of an hour; may be given several times")
      ->type_name("DEVICE=PRICE")
      ->allow_extra_args(false);
  command->add_option("--budget", options->budget, "The most that the training may cost")->check(positive());
  command->add_option("--deadline", options->deadline_seconds, "The most seconds that it may take")
      ->check(positive());
  command->add_flag("--check", options->checks, "Compare the predictions with runs");
  command->add_option("--seconds", options->seconds, "About how long each measurement takes")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--repeats", options->repeats, "Number of repeats of each measurement")
      ->check(whole_number(1))
      ->capture_default_str();
  add_compile_options(*command, options->compile, true);
  add_machine_options(*command, options->machine);
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->callback([options, prices, target] {
    if (!options->compile.empty() && !names_file(options->target))
      throw CLI::ValidationError("--optimizer, --loss, --metrics",
                                 "they are for a model's file: leave them out for a workload");
    if (target->count() == 0) refuse_what_is_no_device(options->devices);
    for (const std::string& price : *prices)
      if (const auto parsed = parse_price(price); !options->prices.insert(parsed).second)
        throw CLI::ValidationError("--price", parsed.first + " has two prices");
    if (options->devices.empty()) options->devices = devices_here();
    put_out(advise(*options), {.json = options->json});
  });
}

}  // namespace cornu::inline v0::cli
