#pragma once

#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras::files {

/// Converts a compile_config to the older format, for .h5 files.
Config to_old_training_config(const Config& compile_config);

}  // namespace cornu::inline v0::keras::files
