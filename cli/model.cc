// The command `model`: works with a model in a file, of Cornu or of Keras.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/model_arrays.h"
#include "cli/model_training.h"
#include "cli/text/terminal.h"
#include "cornu/base/error.h"
#include "cornu/base/printable.h"
#include "cornu/io/zip.h"
#include "cornu/keras/files/load_model.h"
#include "cornu/keras/files/save_path.h"
#include "cornu/keras/models/model_to_dot.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::cli {
namespace {

using keras::Model;
using keras::Tensors;

struct ModelOptions {
  std::string file;
  std::string inputs, labels, output;
  std::int64_t batch_size = 32;
  bool no_shuffle = false;
  std::optional<std::uint64_t> seed;
  TrainingOptions training;
  CompileChanges compile;
  MachineOptions machine;
};
using Shared = std::shared_ptr<ModelOptions>;

Model load(const Shared& options) {
  use_device(options->machine);
  return keras::load_model(options->file, {.compile = false});
}

Model load_compiled(const Shared& options) {
  use_device(options->machine);
  Model model = keras::load_model(options->file, {.compile = true});
  compile_for(model, options->compile, options->file);
  return model;
}

Tensors inputs_of(const Shared& options, const Model& model) {
  return read_arrays(options->inputs, model.inputs(), ArrayRole::kInputs);
}
Tensors labels_of(const Shared& options, const Model& model) {
  return read_arrays(options->labels, model.outputs(), ArrayRole::kLabels);
}

/// "0.25", "nan", or the elements of a metric such as F1Score: "[0.5, 0.75]".
std::string shown_value(const keras::LogValue& value) {
  if (value.is_array()) return value.str();
  const double number = value;
  return std::isnan(number) ? "nan" : fmt::format("{:.6g}", number);  // fmt would print the sign of NaN
}

void print_logs(const keras::Logs& logs) {
  std::string line;
  for (const auto& [name, value] : logs)
    line += fmt::format("{}{}: {}", line.empty() ? "" : "  ", printable(name), shown_value(value));
  print_text(line + "\n");
}

void print_weights(const Model& model) {
  std::vector<std::vector<std::string>> rows;
  for (const Variable& variable : model.weights())
    rows.push_back({printable(variable.path()), std::string(ir::numpy_name(variable.dtype())),
                    ir::shape_str(variable.shape())});
  fmt::print("{}", table_text({"weight", "dtype", "shape"}, rows, text_width()));
  print_text(fmt::format("{} weights, {} numbers\n", model.weights().size(), model.count_params()));
}

/// Reads every member of a .keras file, also those that no model needs, so that all checksums are compared.
/// False for an .h5 file, which has no checksums.
bool check_members(const std::string& path) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  std::array<std::byte, 2> begin = {};
  if (bytes->size() >= begin.size()) bytes->read(0, begin);
  if (begin != std::array{std::byte{'P'}, std::byte{'K'}}) return false;
  const io::ZipFile zip(bytes, "a .keras", kCommandLineLimits);
  for (const std::string& member : zip.members()) (void)zip.open(member);
  return true;
}

void check(const Shared& options) {
  use_device(options->machine);
  // Reads the settings of compile() and the optimizer's state, too.
  const Model model = keras::load_model(options->file);
  const bool has_sums = check_members(options->file);
  print_text(fmt::format(
      "{}: {} \"{}\", {} layers, {} weights with {} numbers, {}: {}\n", printable(options->file),
      printable(model->class_name()), printable(model.name()), model.layers().size(), model.weights().size(),
      model.count_params(), model.compiled() ? "compiled" : "not compiled",
      has_sums ? "all of it can be read" : "the model can be read; .h5 files have no checksums"));
}

void predict(const Shared& options) {
  keras::check_can_be_written(options->output, "predict");
  check_keeps_input(options->inputs, options->output);
  Model model = load(options);
  check_outputs(options->output, model.outputs().size());
  const Tensors outputs =
      model.predict_many(inputs_of(options, model), {.batch_size = options->batch_size, .verbose = 0});
  write_arrays(options->output, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    print_text(fmt::format("{}: {}\n",
                           outputs.is_named() ? printable(outputs.names()[i]) : fmt::format("arr_{}", i),
                           type_str(outputs[i].type())));
}

void evaluate(const Shared& options) {
  Model model = load_compiled(options);
  const Tensors inputs = inputs_of(options, model);
  print_logs(
      model.evaluate(inputs, labels_of(options, model), {.batch_size = options->batch_size, .verbose = 0}));
}

void train(const Shared& options) {
  TrainingOptions& training = options->training;
  if (options->seed.has_value()) set_random_seed(*options->seed);
  if (!training.save.empty())
    keras::check_save_path(training.save);  // before the training, which would be lost
  Model model = load_compiled(options);
  training.batch_size = options->batch_size;
  training.shuffle = !options->no_shuffle;
  const Tensors inputs = inputs_of(options, model);  // the first file is the first to be reported
  const int code = train_and_save(model, inputs, labels_of(options, model), training);
  if (code != 0) throw CLI::RuntimeError(code);  // the exit code of the program
}

CLI::App* add_action(CLI::App& command, const char* name, const char* description, const Shared& options,
                     void (*action)(const Shared&)) {
  CLI::App* const added = command.add_subcommand(name, description);
  added->callback([options, action] { action(options); });
  return added;
}

void add_data_options(CLI::App& action, const Shared& options, bool with_labels) {
  action
      .add_option("--inputs", options->inputs,
                  "An .npz file: arrays by input name, or in the file's order; or a .npy or .csv file of one")
      ->type_name("FILE")
      ->required();
  if (with_labels)
    action
        .add_option(
            "--labels", options->labels,
            "An .npz file: arrays by output name, or in the file's order; or a .npy or .csv file of one")
        ->type_name("FILE")
        ->required();
  action.add_option("--batch-size", options->batch_size, "Rows a step")
      ->check(whole_number(1))
      ->capture_default_str();
  add_machine_options(action, options->machine);
  add_device_option(action, options->machine);
}

void add_training_options(CLI::App& action, const Shared& options) {
  TrainingOptions& training = options->training;
  action.add_option("--epochs", training.epochs, "Passes over the data")
      ->check(whole_number(1))
      ->capture_default_str();
  action.add_option("--steps", training.steps, "Steps of an epoch; without it an epoch has all rows")
      ->check(whole_number(1));
  action.add_flag("--no-shuffle", options->no_shuffle, "Take the rows in their order");
  action
      .add_option(
          "--seed", options->seed,
          "Seed of shuffling and of layers such as Dropout: with one seed each run gives the same numbers")
      ->check(whole_number(0));
  action
      .add_option("--validation-split", training.validation_split,
                  "Share of the rows, from the end, for validation after each epoch: 0.2 for a fifth")
      ->check(number_between(0, 1));
  action
      .add_option("--learning-rate", training.learning_rate,
                  "Learning rate in place of the file's, for an optimizer without a schedule")
      ->check(positive());
  action
      .add_option(
          "--early-stopping", training.early_stopping,
          "End after N epochs without a lower val_loss (without --validation-split: loss), with the weights "
          "of the best epoch")
      ->check(whole_number(0));
  action
      .add_option("--backup", training.backup,
                  "A folder for a backup after each epoch and at Ctrl-C or SIGTERM; the same command goes on "
                  "from there")
      ->type_name("FOLDER");
  action
      .add_option(
          "--save", training.save,
          "File for the trained model: .keras or .h5; also written when Ctrl-C, SIGTERM or a loss that is "
          "not finite ends the training")
      ->type_name("FILE");
}

}  // namespace

void add_model(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "model", "Trains, evaluates, runs or describes a model in a .keras or .h5 file, of Cornu or of Keras");
  const auto options = std::make_shared<ModelOptions>();
  command->add_option("file", options->file, "The file of the model")->required();
  command->require_subcommand(1);
  add_action(*command, "summary", "Prints layers, output shapes and numbers of weights", options,
             [](const Shared& given) { load(given).summary(); });
  add_action(*command, "weights", "Lists the weights with their types and shapes", options,
             [](const Shared& given) { print_weights(load(given)); });
  add_action(*command, "check", "Reads the whole file and reports its content, or the first error", options,
             &check);
  CLI::App* const plot = add_action(
      *command, "plot", "Draws the layers with the program dot of Graphviz", options,
      [](const Shared& given) {
        keras::plot_model(load(given),
                          {.to_file = given->output, .show_shapes = true, .show_layer_names = true});
      });
  plot->add_option("--output", options->output, "The picture: .svg, .png, .pdf, or .dot for text")
      ->type_name("FILE")
      ->default_val("model.svg");
  CLI::App* const predicting = add_action(*command, "predict", "Computes the outputs", options, &predict);
  add_data_options(*predicting, options, false);
  predicting
      ->add_option("--output", options->output, "The .npz file for the outputs; .npy or .csv for one output")
      ->type_name("FILE")
      ->required();
  CLI::App* const evaluating =
      add_action(*command, "evaluate", "Computes loss and metrics", options, &evaluate);
  add_data_options(*evaluating, options, true);
  add_compile_options(*evaluating, options->compile, false);
  CLI::App* const training =
      add_action(*command, "train", "Trains, from where the file's training stopped", options, &train);
  add_data_options(*training, options, true);
  add_training_options(*training, options);
  add_compile_options(*training, options->compile, true);
}

}  // namespace cornu::inline v0::cli
