#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/program_file.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::cli {
namespace {

struct RunOptions {
  std::string file, inputs, output;
  MachineOptions machine;
};

void run(const RunOptions& options) {
  check_keeps_input(options.inputs, options.output);
  check_keeps_input(options.file, options.output);
  const std::shared_ptr<runtime::Client> client = use_device(options.machine);
  const ProgramFile program(options.file, *client);
  const std::vector<ir::Literal> results = program.run(read_arguments(options.inputs, program.function()));
  if (!options.output.empty()) {
    write_results(options.output, results);
    return;
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    fmt::print("out{}: {}\n{}\n", i, results[i].type().str(), Tensor(results[i]).str());
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("run", "Runs a StableHLO program, text or bytecode, such as JAX writes");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("file", options->file, "The program")->required();
  command->add_option("--inputs", options->inputs, "Its arguments: in0, in1, ... of a NumPy archive (.npz)")
      ->type_name("FILE");
  command
      ->add_option("--output", options->output,
                   "A NumPy archive for the results out0, out1, ...; without it they are printed")
      ->type_name("FILE");
  add_machine_options(*command, options->machine);
  add_device_option(*command, options->machine);
  command->callback([options] { run(*options); });
}

}  // namespace cornu::inline v0::cli
