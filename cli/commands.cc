#include "cli/commands.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "cli/help_formatter.h"
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

}  // namespace

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
  app.formatter(std::make_shared<HelpFormatter>(terminal_columns()));  // before the commands, which take it
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
