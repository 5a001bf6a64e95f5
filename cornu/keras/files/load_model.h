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

/// A model from a file of Model::save or of Keras: ".keras" (version 3 of the format) or a whole-model ".h5".
///
///     keras::Model model = keras::load_model("model.keras");
///     model.fit(x, y);   // goes on where Python stopped
///
/// The file may come from anywhere: nothing in it is executed, no path or link is followed, only Cornu's own
/// classes and those of `custom_objects` are made, and memory is taken only for what the file really holds.
/// Errors: NotFound and DataLoss for the file; InvalidArgument that names file, member, class and key for
///         what is no model, a class that there is not and weights that do not fit (with the difference);
///         ResourceExhausted when the description asks for more memory than the file has weights for.
Model load_model(const StringArgument& path, const LoadModelOptions& options = {});

}  // namespace cornu::inline v0::keras
