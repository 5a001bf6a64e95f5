#pragma once

#include <span>
#include <string>

#include "cornu/keras/config/config.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/saving/old_config.h"
#include "cornu/keras/trainer/options.h"

/// The options of compile() as Keras's "compile_config".
namespace cornu::inline v0::keras::files {

/// Errors: Unimplemented, naming the entry, for losses and metrics that are functions or of user classes
///         without a configuration.
Config write_compile_config(const CompileOptions& options, const Optimizer& optimizer,
                            std::span<const std::string> output_names);
/// Reads the config of any version of Keras, for `model`. Errors: InvalidArgument naming the key.
CompileOptions read_compile_config(const Config& config, const saving::KerasVersion& version,
                                   const Model& model);

}  // namespace cornu::inline v0::keras::files
