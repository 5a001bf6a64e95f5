#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/help_formatter.h"
#include "cli/text/report_text.h"
#include "cli/text/suggestion.h"
#include "cli/text/terminal.h"
#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/error.h"
#include "cornu/base/log.h"
#include "cornu/base/parse_number.h"
#include "cornu/base/printable.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;  // of a help text that goes to a file

std::optional<double> number_of(const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  return value.has_value() && std::isfinite(*value) ? value : std::nullopt;
}

/// Headings of the commands in the help; without it CLI11 writes "Subcommands".
void group_commands(CLI::App& app) {
  for (CLI::App* const command : app.get_subcommands({})) {
    command->group("Commands");
    group_commands(*command);
  }
}

}  // namespace

void add_machine_options(CLI::App& command, MachineOptions& options) {
  command
      .add_option("--threads", options.threads,
                  "Threads of the pool; 0: CORNU_NUM_THREADS, else what the machine allows")
      ->check(whole_number_between(0, 1024))
      ->capture_default_str();
  command
      .add_option(
          "--isa", options.isa,
          "Instruction set level: sse2, avx2 or avx512; without it CORNU_ISA, else the best of the CPU")
      ->type_name("LEVEL")
      ->check(one_of({"sse2", "avx2", "avx512"}));
}

void add_device_option(CLI::App& command, MachineOptions& options) {
  command
      .add_option("--device", options.device,
                  "Device to run on: cpu, pjrt:PLUGIN for a GPU or TPU, sim:PROFILE for a simulated one (see "
                  "`cornu devices`), grpc://HOST:PORT for a worker's")
      ->type_name("DEVICE")
      ->capture_default_str();
}

bool takes_threads(const std::string& device) {
  return !device.starts_with("grpc:") && device != "reference";
}

bool takes_isa(const std::string& device) { return device == "cpu" || device.starts_with("sim:"); }

void check_machine_options(const MachineOptions& options, std::span<const std::string> devices) {
  const auto refuse = [&](const char* option, const char* one, const char* several) {
    throw CLI::ValidationError(option, fmt::format("{} {}: leave it out", fmt::join(devices, ", "),
                                                   devices.size() == 1 ? one : several));
  };
  if (options.threads > 0 && std::ranges::none_of(devices, takes_threads))
    refuse("--threads", "has threads of its own", "have threads of their own");
  if (!options.isa.empty() && std::ranges::none_of(devices, takes_isa))
    refuse("--isa", "takes no instruction set", "take no instruction set");
}

std::shared_ptr<runtime::Client> use_device(const MachineOptions& options) {
  check_machine_options(options, {&options.device, 1});
  std::shared_ptr<runtime::Client> client = runtime::make_client(options.device, client_options(options));
  set_default_client(client);
  return client;
}

std::string with_virtual_clock(const std::string& device) {
  const bool takes_one = device.starts_with("sim:") && device.find(",clock=") == std::string::npos;
  return takes_one ? device + ",clock=virtual" : device;
}

std::string calls_table(const runtime::TransferStatistics& calls, const std::string& title,
                        const std::string& device, const runtime::Client& client) {
  const std::string table = calls.str();
  if (table.empty()) return "";
  return report_text(
      fmt::format("{} on {}{}:\n{}", title, device, client.is_simulated() ? ", simulated" : "", table),
      text_width());
}

void check_keeps_input(const std::string& input, const std::string& output) {
  std::error_code ignored;  // where one of them does not exist
  if (std::filesystem::equivalent(input, output, ignored))
    invalid_argument("{} is read by this command and would be replaced by its output: write another file",
                     output);
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

CLI::Validator number_between(double least, double most) {
  return {[least, most](const std::string& text) {
            const std::optional<double> value = number_of(text);
            return value.has_value() && *value >= least && *value <= most
                       ? ""
                       : fmt::format("must be a number from {} to {}; got {}", least, most, text);
          },
          fmt::format("FLOAT in [{} - {}]", least, most)};
}

CLI::Validator whole_number(std::int64_t least) {
  return {[least](const std::string& text) {
            const auto value = parse_number<std::int64_t>(text);
            return value.has_value() && *value >= least
                       ? ""
                       : fmt::format("must be a whole number from {} on; got {}", least, text);
          },
          ""};
}

CLI::Validator whole_number_between(std::int64_t least, std::int64_t most) {
  return {[least, most](const std::string& text) {
            const auto value = parse_number<std::int64_t>(text);
            return value.has_value() && *value >= least && *value <= most
                       ? ""
                       : fmt::format("must be a whole number from {} to {}; got {}", least, most, text);
          },
          fmt::format("INT in [{} - {}]", least, most)};
}

CLI::Validator one_of(std::vector<std::string> names) {
  return {[names = std::move(names)](const std::string& text) -> std::string {
            if (std::find(names.begin(), names.end(), text) != names.end()) return "";
            const std::string known = fmt::format("must be one of: {}", fmt::join(names, ", "));
            const std::string hint = suggestion(text, names, "");
            return fmt::format("{}; got {}{}{}", known, text, hint.empty() ? "" : "; ", hint);
          },
          ""};
}

void print_text(const std::string& text) { fmt::print("{}", paragraph(text, text_width())); }

void print_report(const std::string& report) { fmt::print("{}", report_text(report, text_width())); }

std::string error_text(const std::string& text) {
  const std::optional<std::size_t> width = error_width();
  return width.has_value() ? wrapped(text, *width, 2, 0) : text;
}

void print_error(const std::string& text) {
  std::fputs((error_text("cornu: " + printable_lines(text)) + "\n").c_str(), stderr);
}

void fit_log_to_terminal() {
  if (!error_width().has_value()) return;
  LogSink plain;
  try {
    plain = stderr_log_sink(environment::log_level().value_or(LogSeverity::kInfo));
  } catch (const Error&) {
    return;  // the default sink reports the variable
  }
  set_log_sink([plain](const LogMessage& message) {
    const LogMessage begin{message.severity, message.component, ""};
    const std::size_t width = error_width().value_or(std::string::npos);
    plain({message.severity, message.component, wrapped(message.text, width, 2, width_of(begin.str()))});
  });
}

runtime::ClientOptions client_options(const MachineOptions& machine) {
  runtime::ClientOptions options = default_client_options();
  if (machine.threads > 0) options.num_threads = machine.threads;
  options.isa = machine.isa;
  return options;
}

void add_devices(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("devices", "Lists the devices to run on, and the instruction sets of this CPU");
  const auto machine = std::make_shared<MachineOptions>();
  add_machine_options(*command, *machine);
  command->callback([machine] {
    const runtime::ClientOptions options = client_options(*machine);
    std::vector<ListEntry> devices;
    for (const runtime::BackendEntry& entry : runtime::backend_entries()) {
      if (*entry.argument == '\0') devices.push_back({entry.name, entry.make("", options)->description()});
      for (const runtime::KnownArgument& known : entry.known_arguments())
        devices.push_back({fmt::format("{}:{}", entry.name, known.argument), known.description});
    }
    fmt::print("{}", list_text(devices, text_width(), 0));
  });
}

void add_commands(CLI::App& app) {
  // Before the commands, which copy the formatter.
  app.formatter(std::make_shared<HelpFormatter>(text_width().value_or(kDefaultColumns)));
  app.description("Trains Keras models in C++");
  app.footer("COMMAND --help describes a command.");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", "cornu " CORNU_VERSION_STRING, "Print the version and exit");
  app.require_subcommand(1);
  add_model(app);
  add_export(app);
  add_bench(app);
  add_devices(app);
  add_advise(app);
  add_study(app);
  add_calibrate(app);
  add_explain(app);
  add_compile(app);
  add_run(app);
  add_check(app);
  add_grad(app);
  add_worker(app);
  add_cache(app);
  group_commands(app);
}

}  // namespace cornu::inline v0::cli
