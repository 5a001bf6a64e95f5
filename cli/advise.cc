#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/advice.h"
#include "cli/advise_command.h"
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

/// Devices that are there and simulated ones are not compared by mistake.
void refuse_simulated(const std::vector<std::string>& devices) {
  for (const std::string& device : devices)
    if (device.starts_with("sim:"))
      throw CLI::ValidationError("--devices",
                                 fmt::format("{0} is simulated: compare it by --with {0}", device));
}

/// True if the words are a program with its arguments.
bool is_program(const std::vector<std::string>& words) {
  if (words.empty()) return false;
  if (words.size() > 1)
    return std::none_of(workloads().begin(), workloads().end(),
                        [&](const Workload& workload) { return workload.name == words[0]; });
  return (words[0].find('/') != std::string::npos && access(words[0].c_str(), X_OK) == 0 &&
          std::filesystem::is_regular_file(words[0]) && !words[0].ends_with(".keras"));
}

/// Prices, a budget and a deadline. The arguments must live as long as the command.
void add_limits(CLI::App& command, AdviceOptions& options, std::vector<std::string>& prices) {
  command.add_option("--price", prices, "Price of an hour; may be given several times")
      ->type_name("DEVICE=PRICE")
      ->allow_extra_args(false);
  command.add_option("--budget", options.budget, "The most that the training may cost")->check(positive());
  add_deadline_option(command, options.deadline);
}

/// The devices to compare. The arguments must live as long as the command.
void add_compared_devices(CLI::App& command, std::vector<std::string>& devices,
                          std::vector<std::string>& simulated) {
  command
      .add_option("--devices", devices,
                  "Devices, as of `cornu bench --device`; without it this CPU and the devices of plug-ins")
      ->type_name("DEVICE");
  command.add_option("--with", simulated, "Simulated devices to compare besides; may be given several times")
      ->type_name("sim:PROFILE")
      ->allow_extra_args(false);
}

}  // namespace

void add_advise(CLI::App& app) {
  CLI::App* command = app.add_subcommand("advise",
                                         "Explains why a device is slower than another, and recommends one "
                                         "with a batch and steps_per_execution");
  const auto options = std::make_shared<AdviceOptions>();
  const auto prices = std::make_shared<std::vector<std::string>>();
  // One word is a workload or a model; a program has a path or arguments.
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto of_command = std::make_shared<CommandAdviceOptions>();
  const CLI::Option* const target = command->add_option(
      "target", *words,
      "A training step of `cornu bench list`, or the file of a model, " + options->target +
          " without it; or another program with its arguments, after --, in which {K} and {BATCH} stand for "
          "steps per execution and batch");
  add_limit_option(*command, of_command->limit_seconds);
  const auto simulated = std::make_shared<std::vector<std::string>>();
  add_compared_devices(*command, options->devices, *simulated);
  command->add_option("--batch", options->batch_size, "Rows of a batch; without it the workload's")
      ->check(whole_number(1));
  command->add_option("--rows", options->num_rows, "Rows of the planned training, in all epochs together")
      ->check(whole_number(1))
      ->capture_default_str();
  add_limits(*command, *options, *prices);
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
  const std::array<CLI::Option*, 8> of_models = {
      command->get_option("--devices"),  command->get_option("--with"),  command->get_option("--batch"),
      command->get_option("--rows"),     command->get_option("--price"), command->get_option("--budget"),
      command->get_option("--deadline"), command->get_option("--check")};
  command->callback([=] {
    if (is_program(*words)) {
      refuse_beside_command(*words, of_models);
      of_command->command = *words;
      of_command->repeats = options->repeats;
      if (options->machine.threads > 0) of_command->threads = {options->machine.threads};
      put_out(advise_command(*of_command), {.json = options->json});
      return;
    }
    if (words->size() > 1)
      throw CLI::ValidationError("target", "takes one workload or model; got " + (*words)[1] + " besides");
    if (!words->empty()) options->target = words->front();
    if (!options->compile.empty() && !names_file(options->target))
      throw CLI::ValidationError("--optimizer, --loss, --metrics",
                                 "they are for a model's file: leave them out for a workload");
    if (target->count() == 0) refuse_what_is_no_device(options->devices);
    refuse_simulated(options->devices);
    for (const std::string& price : *prices)
      if (const auto parsed = parse_price(price); !options->prices.insert(parsed).second)
        throw CLI::ValidationError("--price", parsed.first + " has two prices");
    if (options->devices.empty()) options->devices = devices_here();
    options->devices.insert(options->devices.end(), simulated->begin(), simulated->end());
    put_out(advise(*options), {.json = options->json});
  });
}

}  // namespace cornu::inline v0::cli
