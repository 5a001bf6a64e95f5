#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/runtime/client.h"

/// The commands of `cornu`. Each adds itself to the app with its options and a callback that does the work.
namespace cornu::inline v0::cli {

/// Adds name, version and all commands.
void add_commands(CLI::App& app);
/// Parses arguments, which are without the program's name, and runs the command that they name. Everything
/// after "--" goes to the command unchanged; `--help` and `help COMMAND` show the help of the named command,
/// also if the arguments before its name are missing.
/// Errors: CLI::ValidationError for an option without a value after its "="; CLI::ArgumentMismatch for one
///         without a value; CLI::CallForHelp with a code
///         that is not 0 for no command; CLI::ParseError with the nearest option or command for an unknown
///         one, and with all missing arguments; those of the options and of the command.
void parse_arguments(CLI::App& app, std::vector<std::string> arguments);

/// Options of every command that runs programs; 0 threads and an empty `isa` leave the default.
struct MachineOptions {
  int threads = 0;
  std::string isa;
  std::string device = "cpu";  // a device of runtime::make_client
};
/// `--threads` and `--isa`. `options` must live as long as the command.
void add_machine_options(CLI::App& command, MachineOptions& options);

/// `--device`, for commands that can also use other devices than this CPU.
void add_device_option(CLI::App& command, MachineOptions& options);

/// True if a device of runtime::make_client uses the threads of `--threads`.
bool takes_threads(const std::string& device);
/// True if a device of runtime::make_client runs programs of the instruction set `--isa`.
bool takes_isa(const std::string& device);
/// Refuses threads and an instruction set that none of the devices takes.
/// Errors: CLI::ValidationError.
void check_machine_options(const MachineOptions& options, std::span<const std::string> devices);
/// Makes the client that the options ask for the default one, and returns it.
/// Errors: those of check_machine_options.
std::shared_ptr<runtime::Client> use_device(const MachineOptions& options);
/// A device's string with `clock=virtual` where it is a simulated one that names no clock: by the real clock
/// what this machine computes counts as well.
std::string with_virtual_clock(const std::string& device);
/// Calls of a client of `device` under a title, for people; empty where there were none.
std::string calls_table(const runtime::TransferStatistics& calls, const std::string& title,
                        const std::string& device, const runtime::Client& client);

/// For files that are named on a command line, which has no option that raises a limit. Readers compare the
/// sizes that a file claims with what it holds.
inline constexpr io::ReadLimits kCommandLineLimits{.max_size_bytes = std::int64_t{1} << 40};

/// Before a command reads `input` and writes `output`.
/// Errors: InvalidArgument if both are one file, which would be lost.
void check_keeps_input(const std::string& input, const std::string& output);

/// Conditions on an option's number.
CLI::Validator positive();
CLI::Validator not_negative();
CLI::Validator number_between(double least, double most);
CLI::Validator whole_number(std::int64_t least);
CLI::Validator whole_number_between(std::int64_t least, std::int64_t most);
/// The option's value is one of `names`; the message for another one has the nearest name.
CLI::Validator one_of(std::vector<std::string> names);

/// Prints a text for people in lines that fit the terminal.
void print_text(const std::string& text);
/// Prints a report with tables, such as Executable::explain() returns, in lines that fit the terminal.
void print_report(const std::string& report);
/// A message for the standard error: broken at words where it is a terminal.
std::string error_text(const std::string& text);
/// Prints an error, which ends the command, as a line "cornu: TEXT".
void print_error(const std::string& text);
/// Breaks the lines of later messages of the library like error_text().
void fit_log_to_terminal();

/// The default client's options with those of the command line on top.
runtime::ClientOptions client_options(const MachineOptions& machine);

void add_devices(CLI::App& app);
void add_bench(CLI::App& app);
void add_explain(CLI::App& app);
void add_compile(CLI::App& app);
void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_grad(CLI::App& app);
void add_worker(CLI::App& app);
void add_cache(CLI::App& app);
void add_model(CLI::App& app);
void add_export(CLI::App& app);
void add_study(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_advise(CLI::App& app);

}  // namespace cornu::inline v0::cli
