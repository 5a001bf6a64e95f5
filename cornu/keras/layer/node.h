#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// One call of a layer on tensors of a functional model; an input layer's node has no inputs.
struct Node {
  Node() = default;
  /// Destroys its inputs and their nodes one after the other: the stack does not grow with the depth of a
  /// graph.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::shared_ptr<Layer> layer;
  std::vector<KerasTensor> inputs;
  CallArguments arguments;
  std::vector<TensorType> types;   // of the outputs
  std::vector<std::string> names;  // of the outputs
  std::size_t index = 0;           // among the calls of the layer
};

/// Records a call with outputs of these types. `names` empty: automatic names.
std::vector<KerasTensor> add_node(const std::shared_ptr<Layer>& layer, std::vector<KerasTensor> inputs,
                                  CallArguments arguments, std::vector<TensorType> types,
                                  std::vector<std::string> names = {});

}  // namespace cornu::inline v0::keras
