#pragma once

#include <CLI/CLI.hpp>

/// The commands of `cornu`. Each adds itself to the app with its options and a callback that does the work.
namespace cornu::cli {

/// Everything: name, version, commands.
void add_commands(CLI::App& app);

void add_devices(CLI::App& app);
void add_bench(CLI::App& app);
void add_explain(CLI::App& app);

}  // namespace cornu::cli
