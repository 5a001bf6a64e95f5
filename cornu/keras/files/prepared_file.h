#pragma once

#include <functional>
#include <string>

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::files {

/// A file of a model that is ready to be written: it holds what the model is at that time,
/// and shares the values' memory, which a later training step leaves alone. Calling it writes the file, which
/// is there whole or not at all.
/// Threads: any, once. Errors: those of io::WholeFile.
using PreparedFile = std::function<void()>;

/// Model::save and Model::save_weights, but for the writing. Empty on a process that does not save.
PreparedFile prepare_save(const Model& model, const std::string& path, const SaveOptions& options);
PreparedFile prepare_save_weights(const Model& model, const std::string& path,
                                  const SaveWeightsOptions& options);

}  // namespace cornu::inline v0::keras::files
