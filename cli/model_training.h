#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::cli {

struct TrainingOptions {
  std::int64_t batch_size = 32;
  std::int64_t epochs = 1;
  std::optional<std::int64_t> steps = {};  // of an epoch
  bool shuffle = true;
  double validation_split = 0;
  std::optional<double> learning_rate = {};
  std::optional<std::int64_t> early_stopping = {};  // epochs without an improvement; then the best weights
  std::string backup = {};                          // a folder; empty: none
  std::string save = {};                            // a .keras or .h5 file; empty: nothing is kept
};

/// Optimizer, loss and metrics by Keras's names; what is not given stays as the file has it.
struct CompileChanges {
  std::string optimizer = {};
  std::vector<std::string> loss = {};     // of each output, or one for all
  std::vector<std::string> metrics = {};  // for all outputs
  bool empty() const { return optimizer.empty() && loss.empty() && metrics.empty(); }
};
void add_compile_options(CLI::App& command, CompileChanges& changes, bool with_optimizer);

/// Compiles the model of `file` with the changes; leaves a compiled one alone without any.
/// Errors: FailedPrecondition, with the options that are missing, for a model that was saved before
///         compile(); those of Model::compile.
void compile_for(keras::Model& model, const CompileChanges& changes, const std::string& file);

/// Trains a compiled model and saves it, also where the first Ctrl-C or SIGTERM ends the run. Before a step
/// whose loss or gradient is not finite the run ends, too, and the weights of the step before are saved.
/// `first`: callbacks before all others.
/// Returns the exit code: 0, or 128 and the signal that ended the run.
/// Errors: as Model::fit and Model::save; DataLoss, after the model was saved, for values that are not
///         finite; FailedPrecondition for a learning rate where the optimizer has a schedule.
int train_and_save(keras::Model& model, const keras::Tensors& x, const keras::Tensors& y,
                   const TrainingOptions& options, std::vector<keras::callbacks::CallbackEntry> first = {});

}  // namespace cornu::inline v0::cli
