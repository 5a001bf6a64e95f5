#pragma once

#include <string>

#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct ModelToDotOptions {  // options/models.toml
  /// True: shows shapes.
  bool show_shapes = false;
  /// True: shows dtypes.
  bool show_dtype = false;
  /// True: shows the names of layers.
  bool show_layer_names = true;
  /// Direction: "TB" from top to bottom, "LR" from left to right.
  std::string rankdir = "TB";
  /// True: shows the layers of models inside the model.
  bool expand_nested = false;
  /// Dots per inch of the image.
  int dpi = 200;
  /// True: shows activation functions.
  bool show_layer_activations = false;
  /// True: shows which layers are trainable.
  bool show_trainable = false;
  /// Form of the edges, as Graphviz names it: "ortho", "curved", "polyline" and others.
  std::string splines = "ortho";
};

/// Describes the model in Graphviz's language: a box for each layer, an edge for each tensor. A model that is
/// neither functional nor Sequential is one box, as in Keras.
/// Errors: FailedPrecondition before the model is built; InvalidArgument for an unknown rankdir.
std::string model_to_dot(const Model& model, const ModelToDotOptions& options = {});

struct PlotModelOptions {  // options/models.toml
  /// Path of the image: .dot and .gv are written as text, others (.png, .svg, .pdf) by the program `dot` of
  /// Graphviz, which must be installed.
  std::string to_file = "model.png";
  /// True: shows shapes.
  bool show_shapes = false;
  /// True: shows dtypes.
  bool show_dtype = false;
  /// True: shows the names of layers.
  bool show_layer_names = false;
  /// Direction: "TB" from top to bottom, "LR" from left to right.
  std::string rankdir = "TB";
  /// True: shows the layers of models inside the model.
  bool expand_nested = false;
  /// Dots per inch of the image.
  int dpi = 200;
  /// True: shows activation functions.
  bool show_layer_activations = false;
  /// True: shows which layers are trainable.
  bool show_trainable = false;
  /// Form of the edges, as Graphviz names it: "ortho", "curved", "polyline" and others.
  std::string splines = "ortho";
};

/// Writes a picture of the model. Errors: those of model_to_dot; InvalidArgument for a file without an
/// extension; FailedPrecondition if the program `dot` is needed and missing; NotFound if the file cannot be
/// written.
void plot_model(const Model& model, const PlotModelOptions& options = {});

}  // namespace cornu::inline v0::keras
