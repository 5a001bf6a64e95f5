#pragma once

#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/custom_objects.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct LoadModelOptions {  // options/models.toml
  /// Functions and classes of the program that the file names; empty: none.
  CustomObjects custom_objects = {};
  /// True: also restores the arguments of compile() and the optimizer's state.
  bool compile = true;
};

/// Loads a model from a file written by Model::save or Keras: ".keras" (version 3 of the format) or a
/// whole-model ".h5".
///
///     keras::Model model = keras::load_model("model.keras");
///     model.fit(x, y);   // goes on where Python stopped
///
/// The file need not be trusted: nothing in it is executed, no path or link is followed, only Cornu's own
/// classes and those of `custom_objects` are made, and memory is allocated only for data that the file
/// contains.
/// Errors: NotFound and DataLoss for the file; InvalidArgument, naming file, member, class and key, for a
///         file that is not a model, an unknown class and weights that do not fit (with the difference);
///         ResourceExhausted if the description needs more memory than the file's weights account for.
Model load_model(const StringArgument& path, const LoadModelOptions& options = {});

}  // namespace cornu::inline v0::keras
