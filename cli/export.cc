// The command `export`: writes the predictions of a model in a file as a program for other software.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cornu/base/printable.h"
#include "cornu/keras/export/export_model.h"
#include "cornu/keras/files/load_model.h"

namespace cornu::inline v0::cli {
namespace {

struct ExportCommand {
  std::string file, output;
  std::int64_t batch_size = 0;
  keras::ExportOptions options;
};

void run(ExportCommand& command) {
  check_keeps_input(command.file, command.output);
  if (command.batch_size > 0) command.options.batch_size = command.batch_size;
  const keras::Model model = keras::load_model(command.file, {.compile = false});
  keras::export_model(model, command.output, command.options);
  print_text(fmt::format("{}: the predictions of \"{}\", {} numbers in its weights\n",
                         printable(command.output), printable(model.name()), model.count_params()));
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("export", "Writes the predictions of a model as a StableHLO or ONNX program");
  const auto given = std::make_shared<ExportCommand>();
  command->add_option("file", given->file, "The .keras or .h5 file of the model")->required();
  command->add_option("output", given->output, "The file to write")->required();
  command
      ->add_option(
          "--format", given->options.format,
          "\"stablehlo\": a portable artifact in bytecode; \"onnx\"; without it the output's name decides")
      ->type_name("FORM")
      ->check(one_of({"stablehlo", "onnx"}));
  command
      ->add_option("--batch-size", given->batch_size,
                   "Rows of a prediction; without it 1 for StableHLO, any number for ONNX")
      ->check(whole_number(1));
  command->add_option("--opset", given->options.opset, "Version of ONNX's operators")
      ->check(whole_number_between(18, 22))
      ->capture_default_str();
  command->add_flag("--weights-as-arguments", given->options.weights_as_arguments,
                    "StableHLO: the weights are arguments after the inputs");
  command->callback([given] { run(*given); });
}

}  // namespace cornu::inline v0::cli
