#pragma once

#include <string>

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct ModelToDotOptions {
  bool show_shapes = false;
  bool show_dtype = false;
  bool show_layer_names = true;
  std::string rankdir = "TB";  // "LR": from left to right
  bool expand_nested = false;  // show the layers of models inside
  int dpi = 200;
  bool show_layer_activations = false;
  bool show_trainable = false;
  std::string splines = "ortho";
};

/// The model as text for Graphviz: a box a layer, an edge a tensor. A model that is neither functional nor
/// Sequential is one box, as in Keras.
/// Errors: FailedPrecondition before the model is built; InvalidArgument for an unknown rankdir.
std::string model_to_dot(const Model& model, const ModelToDotOptions& options = {});

struct PlotModelOptions {
  /// .dot and .gv are written as text; anything else (.png, .svg, .pdf) by the program `dot` of Graphviz,
  /// which must be installed.
  std::string to_file = "model.png";
  bool show_shapes = false;
  bool show_dtype = false;
  bool show_layer_names = false;
  std::string rankdir = "TB";
  bool expand_nested = false;
  int dpi = 200;
  bool show_layer_activations = false;
  bool show_trainable = false;
  std::string splines = "ortho";
};

/// Writes the picture of a model. Errors: as model_to_dot; InvalidArgument for a file without an extension;
/// FailedPrecondition when `dot` is wanted and missing; NotFound when the file cannot be written.
void plot_model(const Model& model, const PlotModelOptions& options = {});

}  // namespace cornu::inline v0::keras
