#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layer/node.h"

namespace cornu::inline v0::keras {

/// The calls between a functional model's inputs and outputs, in the order in which Keras runs them, and
/// their layers in the order in which Keras lists them (files and summaries follow it).
struct FunctionalGraph {
  /// A call; its inputs and outputs are numbers of values. Values 0, 1, ... are the model's inputs.
  struct Step {
    std::shared_ptr<const Node> node;
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> outputs;
  };

  /// Each is of an input layer; a tensor from the middle of another model has an input layer of its own here.
  std::vector<KerasTensor> inputs;
  std::vector<KerasTensor> outputs;
  std::vector<Step> steps;  // without the input layers
  std::vector<std::size_t> output_values;
  std::size_t num_values = 0;
  std::vector<std::shared_ptr<Layer>> layers;  // input layers and operations included
  /// The nodes by depth, the deepest first, input layers included: what a summary's "Connected to" may name.
  std::vector<std::shared_ptr<const Node>> nodes;
  std::vector<int> depths;  // of the nodes; what gives the outputs has 0

  /// Errors: InvalidArgument that names `model` when inputs or outputs are missing or empty, an input occurs
  /// twice, an output does not follow from the inputs, or two layers have one name.
  static FunctionalGraph of(const std::vector<KerasTensor>& inputs, const std::vector<KerasTensor>& outputs,
                            const std::string& model);
};

}  // namespace cornu::inline v0::keras
