#include "cli/commands.h"

#include <fmt/core.h>

#include <string>

#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {

runtime::ClientOptions client_options(int threads, const std::string& isa) {
  runtime::ClientOptions options = default_client_options();
  if (threads > 0) options.num_threads = threads;
  options.isa = isa;
  return options;
}

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "What there is to run on, and the instruction set in use");
  command->callback([] {
    const runtime::ClientOptions options = default_client_options();
    for (const runtime::BackendEntry& entry : runtime::backend_entries()) {
      fmt::print("{:<10} {}\n", entry.platform, entry.make(options)->description());
    }
  });
}

void add_commands(CLI::App& app) {
  app.description("Trains Keras models in C++");
  app.set_version_flag("--version", "cornu " CORNU_VERSION);
  app.require_subcommand(1);
  add_devices(app);
  add_bench(app);
  add_explain(app);
}

}  // namespace cornu::inline v0::cli
