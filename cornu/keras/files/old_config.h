#pragma once

#include "cornu/keras/config/config.h"

/// Descriptions as older versions of Keras write them, in .h5 files and in their .keras files.
namespace cornu::inline v0::keras::files {

/// The model in the form of Keras 3: batch_input_shape becomes an InputLayer or batch_shape, calls that are
/// lists become args and kwargs, arguments that Keras 3 has given up and that say nothing are left out.
Config from_old_config(const Config& model);
/// "optimizer_config" becomes "optimizer". An optimizer's decay is left out, with a warning unless it is 0.
Config from_old_training_config(const Config& config);
Config to_old_training_config(const Config& compile_config);

}  // namespace cornu::inline v0::keras::files
