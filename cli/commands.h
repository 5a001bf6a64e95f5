#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cornu/runtime/client.h"

/// The commands of `cornu`. Each adds itself to the app with its options and a callback that does the work.
namespace cornu::inline v0::cli {

/// Everything: name, version, commands.
void add_commands(CLI::App& app);

/// The default client's options with those of the command line on top; 0 threads and an empty `isa` say nothing.
runtime::ClientOptions client_options(int threads, const std::string& isa);

void add_devices(CLI::App& app);
void add_bench(CLI::App& app);
void add_explain(CLI::App& app);

}  // namespace cornu::inline v0::cli
