#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/models/functional_graph.h"
#include "cornu/keras/network/network.h"

namespace cornu::inline v0::keras {

/// A functional model: any graph of layer calls without cycles, with several inputs and outputs, shared
/// layers and models inside.
///
///     keras::Input title({.shape = {100}, .name = "title"});
///     keras::Input body({.shape = {200}, .name = "body"});
///     KerasTensor joined = layers::concatenate({layers::Dense({.units = 8})(title),
///                                               layers::Dense({.units = 8})(body)});
///     keras::Model model({.inputs = {title, body}, .outputs = layers::Dense({.units = 1})(joined)});
///
/// Inputs may be tensors from the middle of another model, which then shares its layers.
/// Errors: InvalidArgument as FunctionalGraph::of.
struct FunctionalOptions {  // options/models.toml
  /// Input tensors, as Input returns them; required.
  KerasTensors inputs = {};
  /// Output tensors; required.
  KerasTensors outputs = {};
  /// Name of the model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
};

/// Names of all inputs and outputs in place of those of their layers: the keys of Keras's dictionaries. Empty:
/// those of the layers.
struct FunctionalNames {
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
};

/// The network of a functional Model.
class FunctionalNetwork : public Network {
 public:
  explicit FunctionalNetwork(const FunctionalOptions& options, FunctionalNames names = {});

  const FunctionalNames& given_names() const { return names_; }
  const FunctionalGraph& graph() const { return graph_; }
  std::vector<KerasTensor> inputs() const override { return graph_.inputs; }
  std::vector<KerasTensor> outputs() const override { return graph_.outputs; }
  std::vector<std::shared_ptr<Layer>> sublayers() const override { return graph_.layers; }
  /// With input layers, without operations such as `x + y`.
  std::vector<std::shared_ptr<Layer>> layers() const override;
  std::vector<std::string> input_names() const override;
  std::vector<std::string> output_names() const override;
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;
  bool has_type_rule() const override { return true; }  // the graph has the types
  Config get_config() const override;

 protected:
  void build_for(std::span<const Dims> input_shapes) override;
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override;

 private:
  FunctionalGraph graph_;
  FunctionalNames names_;
};

}  // namespace cornu::inline v0::keras
