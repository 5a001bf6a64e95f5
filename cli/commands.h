#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cornu/runtime/client.h"

/// The commands of `cornu`. Each adds itself to the app with its options and a callback that does the work.
namespace cornu::inline v0::cli {

/// Everything: name, version, commands.
void add_commands(CLI::App& app);

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

/// Makes the client that the options ask for the default one, and returns it.
std::shared_ptr<runtime::Client> use_device(const MachineOptions& options);
/// A device's string with `clock=virtual` where it is a simulated one that names no clock: by the real clock
/// what this machine computes counts as well.
std::string with_virtual_clock(const std::string& device);
/// Calls of a client of `device` under a title, for people; empty where there were none.
std::string calls_table(const runtime::CallCounts& calls, const std::string& title, const std::string& device,
                        const runtime::Client& client);

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
