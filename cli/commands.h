#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/runtime/client.h"

/// The commands of `cornu`. Each adds itself to the app with its options and a callback that does the work.
namespace cornu::inline v0::cli {

/// Everything: name, version, commands.
void add_commands(CLI::App& app);
/// Parses arguments, which are without the program's name, and runs the command that they name. Everything
/// after "--" goes to the command as it is; `--help` is that of the command that is named, also where the
/// arguments before its name are missing.
/// Errors: CLI::ValidationError for an option without a value behind its "="; CLI::ParseError that names the
///         nearest option or command for one that there is not; those of the options and of the command.
void parse_arguments(CLI::App& app, std::vector<std::string> arguments);

/// What every command that runs programs takes; 0 threads and an empty `isa` say nothing.
struct MachineOptions {
  int threads = 0;
  std::string isa;
  std::string device = "cpu";  // as runtime::make_client takes it
};
/// `--threads` and `--isa`. `options` must live as long as the command.
void add_machine_options(CLI::App& command, MachineOptions& options);

/// `--device`, for commands that can run elsewhere than on this CPU.
void add_device_option(CLI::App& command, MachineOptions& options);

/// Whether a device, as runtime::make_client takes it, has the threads of `--threads`, or programs of
/// `--isa`.
bool takes_threads(const std::string& device);
bool takes_isa(const std::string& device);
/// Makes the client that the options ask for the default one, and returns it.
/// Errors: CLI::ValidationError for threads or an instruction set that the device does not take.
std::shared_ptr<runtime::Client> use_device(const MachineOptions& options);
/// A device's string with `clock=virtual` where it is a simulated one that names no clock: by the real clock
/// what this machine computes counts as well.
std::string with_virtual_clock(const std::string& device);
/// Calls of a client of `device` under a title, for people; empty where there were none.
std::string calls_table(const runtime::CallCounts& calls, const std::string& title, const std::string& device,
                        const runtime::Client& client);

/// For files that are named on a command line, which has no option that raises a limit. Readers compare the
/// sizes that a file claims with what it holds.
inline constexpr io::ReadLimits kCommandLineLimits{.max_size_bytes = std::int64_t{1} << 40};

/// What an option's number must be.
CLI::Validator positive();
CLI::Validator not_negative();

/// The default client's options with those of the command line on top.
runtime::ClientOptions client_options(const MachineOptions& machine);

void add_devices(CLI::App& app);
void add_bench(CLI::App& app);
void add_explain(CLI::App& app);
void add_compile(CLI::App& app);
void add_run(CLI::App& app);
void add_worker(CLI::App& app);
void add_cache(CLI::App& app);
void add_model(CLI::App& app);
void add_study(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_advise(CLI::App& app);

}  // namespace cornu::inline v0::cli
