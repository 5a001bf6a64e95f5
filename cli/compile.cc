#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/program_file.h"
#include "cli/workloads.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {
namespace {

struct CompileCommand {
  std::string program;
  std::string target;
  std::string precision = "highest";
  std::string stage;
  std::int64_t steps_per_execution = 1;
};

void print_stage(const runtime::Executable& executable, const std::string& stage) {
  if (stage.empty()) return print_report(executable.explain());
  fmt::print("{}", executable.dump(stage));
}

void compile(const CompileCommand& command) {
  if (const std::size_t comma = command.target.find(','); comma != std::string::npos)
    throw CLI::ValidationError(
        "--target", fmt::format("takes a chip and its slice; the part after the comma, \"{}\", belongs to "
                                "--steps-per-execution or --precision",
                                command.target.substr(comma + 1)));
  // What is wrong with it is said before a plug-in is looked for.
  const bool is_file = names_file(command.program);
  if (is_file) (void)read_program(command.program);
  const Workload* const workload = is_file ? nullptr : &find_workload(command.program);
  const std::string spec = fmt::format("pjrt:target={},steps={},precision={}", command.target,
                                       command.steps_per_execution, command.precision);
  const std::shared_ptr<runtime::Client> client = runtime::make_client(spec);
  if (is_file) return print_stage(ProgramFile(command.program, *client).executable(), command.stage);
  const WorkloadData data = make_data(*workload);  // on this machine: the target runs nothing
  set_default_client(client);
  keras::Model model = workload->make_model();
  keras::CompileOptions options = workload->compile_options();
  options.steps_per_execution = command.steps_per_execution;
  model.compile(options);
  print_stage(model.train_executable(data.x, data.y, {.batch_size = workload->batch_size}), command.stage);
}

}  // namespace

void add_compile(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "compile", "Compiles a workload's training step, or a StableHLO program, for a chip that is not here");
  const auto options = std::make_shared<CompileCommand>();
  command
      ->add_option("program", options->program,
                   "A training step of `cornu bench list`, or a file of StableHLO, text or bytecode")
      ->required();
  command
      ->add_option(
          "--target", options->target,
          "h200, h100, a100, or a TPU and its slice: v4:2x2x1, v5e:2x2, v5p:2x2x1, v6e:1x1, tpu7x:2x2x1; its "
          "plug-in must be installed (see `cornu devices`)")
      ->type_name("CHIP")
      ->required();
  command
      ->add_option("--precision", options->precision,
                   "Precision of f32 in dots and convolutions: highest, high, default, bf16, tf32")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--steps-per-execution", options->steps_per_execution,
                   "Steps that run without returning to the host")
      ->check(whole_number(1))
      ->capture_default_str();
  command
      ->add_option("--stage", options->stage,
                   "Print the program at a stage in place of the report: loop, stablehlo")
      ->type_name("STAGE");
  command->callback([options] { compile(*options); });
}

}  // namespace cornu::inline v0::cli
