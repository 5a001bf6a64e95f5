#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layer/node.h"

namespace cornu::inline v0::keras {

/// The calls between a functional model's inputs and outputs, in the order in which Keras runs them, and
/// their layers, in the order in which Keras lists them (files and summaries use it).
struct FunctionalGraph {
  /// A call. Its inputs and outputs are indices of values; values 0, 1, ... are the model's inputs.
  struct Step {
    std::shared_ptr<const Node> node;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
  };

  /// The outputs of input layers; a tensor from the middle of another model gets an input layer here.
  std::vector<KerasTensor> inputs;
  std::vector<KerasTensor> outputs;
  std::vector<Step> steps;  // without the input layers
  std::vector<std::size_t> output_values;
  std::size_t num_values = 0;
  std::vector<std::shared_ptr<Layer>> layers;  // including input layers and operations
  /// The nodes by depth, the deepest first, including input layers: the names in a summary's "Connected to".
  std::vector<std::shared_ptr<const Node>> nodes;
  std::vector<int> depths;  // of the nodes; nodes that return the outputs have depth 0

  /// Errors: InvalidArgument, naming `model`, if inputs or outputs are missing or empty, an input occurs
  ///         twice, an output does not depend on the inputs, or two layers have one name.
  static FunctionalGraph of(const std::vector<KerasTensor>& inputs, const std::vector<KerasTensor>& outputs,
                            const std::string& model);
};

}  // namespace cornu::inline v0::keras
