#pragma once

#include <functional>
#include <string>

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::files {

/// Writes a model file that was prepared before. It holds the model's state at that time, sharing the values'
/// memory, which later training steps do not overwrite. The file is written atomically.
/// Threads: any, once. Errors: those of io::WholeFile.
using PreparedFile = std::function<void()>;

/// Model::save and Model::save_weights, without the writing. Empty in a process that does not save.
PreparedFile prepare_save(const Model& model, const std::string& path, const SaveOptions& options);
PreparedFile prepare_save_weights(const Model& model, const std::string& path,
                                  const SaveWeightsOptions& options);

}  // namespace cornu::inline v0::keras::files
