#pragma once

#include <deque>
#include <string>

#include "cornu/io/hdf5.h"
#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/models/file_options.h"
#include "cornu/keras/optimizers/optimizer.h"

/// Keras's weights files: a group "vars" for each layer, with arrays "0", "1", ...
namespace cornu::inline v0::keras::files {

/// What a weights file says, with the values that it refers to.
struct WeightsContent {
  io::Hdf5Content content;
  std::deque<KeptArray> values;
};

/// `optimizer` null: without its state.
WeightsContent weights_content(const Layer& model, const Optimizer* optimizer);

/// Finds a model's weights in a file, and the optimizer's where `optimizer` is not null: it is built first if
/// the file has slots.
/// Errors: InvalidArgument that lists what does not fit, unless options.skip_mismatch: then that is said on
///         stderr and left out.
Assignments find_weights(const std::shared_ptr<const io::Hdf5File>& file, const Layer& model,
                         Optimizer* optimizer, const LoadWeightsOptions& options);

FoundArray found_array(const std::shared_ptr<const io::Hdf5File>& file, const io::Hdf5Dataset& dataset);

/// Throws InvalidArgument with the difference, or says it on stderr where mismatches are skipped.
void report(const Difference& difference, const std::string& file_name, const LoadWeightsOptions& options);

/// Pairs an optimizer's variables with what a file has for them, in its order; builds the optimizer for
/// `trainable` where the file has slots.
void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, Assignments& assignments, Difference& difference);

}  // namespace cornu::inline v0::keras::files
