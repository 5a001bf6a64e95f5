#include "cli/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/nearest_names.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

/// Nothing for what is no finite number, or has something behind it.
std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// CLI11 would take the next argument for the value.
void refuse_empty_values(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw CLI::ValidationError(argument.substr(0, argument.size() - 1),
                                 "there is no value behind the \"=\"");
  }
}

/// What is wrong with the words of a command that takes another one: that word, and what may have been meant.
/// Empty where no word is left over.
std::string why_no_command(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  const std::vector<std::string> words = command->remaining();
  if (command->get_require_subcommand_min() == 0 || words.empty() || words.front().starts_with("-"))
    return "";
  std::vector<std::string> known;
  for (const CLI::App* const each : command->get_subcommands(nullptr)) known.push_back(each->get_name());
  std::string proposal = name_proposal(words.front(), known);
  for (const CLI::Option* const option : command->get_options(nullptr))
    if (option->get_positional() && option->count() > 0)
      if (const std::string value = option->results().front();
          std::find(known.begin(), known.end(), value) != known.end())
        proposal = fmt::format("write \"{} {} {}\"", name, words.front(), value);
  return fmt::format("{} has no command \"{}\"; {}", name, words.front(), proposal);
}

}  // namespace

void parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  refuse_empty_values(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::RequiredError&) {
    const std::string why = why_no_command(app);
    if (why.empty()) throw;
    throw CLI::RequiredError(why, CLI::ExitCodes::RequiredError);
  }
}

void add_machine_options(CLI::App& command, MachineOptions& options) {
  command
      .add_option("--threads", options.threads,
                  "Threads of the pool; 0: CORNU_NUM_THREADS, else what the machine allows")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      .add_option("--isa", options.isa,
                  "Instruction set level: sse2, avx2 or avx512; without it CORNU_ISA, else the best there is")
      ->check(CLI::IsMember({"sse2", "avx2", "avx512"}));
}

void add_device_option(CLI::App& command, MachineOptions& options) {
  command
      .add_option("--device", options.device,
                  "Where it runs: cpu, pjrt:PLUGIN for a GPU or TPU, sim:PROFILE for a simulated device (see "
                  "`cornu devices`), grpc://HOST:PORT for a worker's")
      ->capture_default_str();
}

bool takes_threads(const std::string& device) {
  return !device.starts_with("grpc:") && device != "reference";
}

bool takes_isa(const std::string& device) { return device == "cpu" || device.starts_with("sim:"); }

std::shared_ptr<runtime::Client> use_device(const MachineOptions& options) {
  if (options.threads > 0 && !takes_threads(options.device))
    throw CLI::ValidationError("--threads", options.device + " has threads of its own: leave it out");
  if (!options.isa.empty() && !takes_isa(options.device))
    throw CLI::ValidationError("--isa", options.device + " takes no instruction set: leave it out");
  std::shared_ptr<runtime::Client> client = runtime::make_client(options.device, client_options(options));
  set_default_client(client);
  return client;
}

std::string with_virtual_clock(const std::string& device) {
  const bool takes_one = device.starts_with("sim:") && device.find(",clock=") == std::string::npos;
  return takes_one ? device + ",clock=virtual" : device;
}

std::string calls_table(const runtime::CallCounts& calls, const std::string& title, const std::string& device,
                        const runtime::Client& client) {
  const std::string table = calls.str();
  if (table.empty()) return "";
  return fmt::format("{} on {}{}:\n{}", title, device, client.is_simulated() ? ", simulated" : "", table);
}

CLI::Validator positive() {
  return {[](const std::string& text) {
            const std::optional<double> value = number_of(text);
            return value.has_value() && *value > 0 ? "" : "must be a positive number; got " + text;
          },
          "POSITIVE"};
}

CLI::Validator not_negative() {
  return {[](const std::string& text) {
            const std::optional<double> value = number_of(text);
            return value.has_value() && *value >= 0 ? "" : "must be a number from 0 on; got " + text;
          },
          "NONNEGATIVE"};
}

runtime::ClientOptions client_options(const MachineOptions& machine) {
  runtime::ClientOptions options = default_client_options();
  if (machine.threads > 0) options.num_threads = machine.threads;
  options.isa = machine.isa;
  return options;
}

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "devices", "What there is to run on, the instruction set in use and those that the CPU has");
  const auto machine = std::make_shared<MachineOptions>();
  add_machine_options(*command, *machine);
  command->callback([machine] {
    const runtime::ClientOptions options = client_options(*machine);
    for (const runtime::BackendEntry& entry : runtime::backend_entries()) {
      if (*entry.argument == '\0')
        fmt::print("{:<24} {}\n", entry.name, entry.make("", options)->description());
      for (const runtime::KnownArgument& known : entry.known_arguments())
        fmt::print("{:<24} {}\n", fmt::format("{}:{}", entry.name, known.argument), known.description);
    }
  });
}

void add_commands(CLI::App& app) {
  app.description("Trains Keras models in C++");
  app.set_version_flag("--version", "cornu " CORNU_VERSION_STRING);
  app.require_subcommand(1);
  add_devices(app);
  add_bench(app);
  add_explain(app);
  add_compile(app);
  add_run(app);
  add_worker(app);
  add_cache(app);
  add_model(app);
  add_study(app);
  add_calibrate(app);
  add_advise(app);
}

}  // namespace cornu::inline v0::cli
