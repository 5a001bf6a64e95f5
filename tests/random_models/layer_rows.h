#pragma once

#include <span>

namespace cornu::inline v0::tests {

/// A class of layers that random models are made of.
struct LayerRow {
  const char* class_name;
  /// The ranks of its input, with the batch.
  int min_rank, max_rank;
  /// Options that are always given, as JSON: lists of values to choose from. "@recurrent", "@cell" and
  /// "@rows" are layers of these groups.
  const char* required = "{}";
  /// Further options, also in place of those that all layers share.
  const char* optional = "{}";
  /// The number of times that a call gets the input.
  int num_inputs = 1;
  bool takes_ids = false;
};

/// Layers of one input, or of the same input several times.
std::span<const LayerRow> layer_rows();
/// The layers that "@recurrent", "@cell" and "@rows" stand for.
std::span<const LayerRow> recurrent_rows();
std::span<const LayerRow> cell_rows();
/// For the rows of a sequence.
std::span<const LayerRow> inner_rows();

/// The values of options that many classes have, by key, as JSON: those of a class's configuration are drawn
/// from here.
const char* shared_options();

/// Optimizers with options, as a JSON list of class names and configurations.
const char* optimizers();

}  // namespace cornu::inline v0::tests
