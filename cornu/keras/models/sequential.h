#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/models/model.h"
#include "cornu/keras/network/network.h"

namespace cornu::inline v0::keras {

struct SequentialOptions {  // options/models.toml
  /// Name of the model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
};

/// The network of a Sequential model: its layers are called one after the other.
class SequentialNetwork : public Network {
 public:
  explicit SequentialNetwork(SequentialOptions options);

  /// Adds all layers or none. Errors: InvalidArgument if a layer is empty or the model itself, its name is
  /// taken, it does not fit its predecessor, or an input layer is not the first.
  void add(const std::vector<std::shared_ptr<Layer>>& layers);
  /// Errors: FailedPrecondition if there is no layer.
  void pop();

  /// The shape of the first layer's input (batch kUnknown); empty if it is not known yet.
  const Dims& input_shape() const { return input_shape_; }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;
  bool has_type_rule() const override;
  Dims compute_output_shape(const Dims& input_shape) const override;
  std::vector<std::shared_ptr<Layer>> sublayers() const override { return layers_; }
  /// Without the input layer.
  std::vector<std::shared_ptr<Layer>> layers() const override;
  std::vector<KerasTensor> inputs() const override {
    return chain_.empty() ? chain_ : std::vector<KerasTensor>{chain_.front()};
  }
  std::vector<KerasTensor> outputs() const override {
    return chain_.empty() ? chain_ : std::vector<KerasTensor>{chain_.back()};
  }
  std::vector<std::string> output_names() const override;
  Config get_config() const override;

 protected:
  void build_for(std::span<const Dims> input_shapes) override;
  void unbuild() override;
  Tensor call(const Tensor& input, const CallContext& context) override;

 private:
  void check_new(const std::shared_ptr<Layer>& layer) const;
  std::size_t num_layers_after_input() const;
  void extend_chain();

  std::vector<std::shared_ptr<Layer>> layers_;
  std::vector<KerasTensor> chain_;  // once built: the input, then the output of each layer
  Dims input_shape_;
};

/// A linear stack of layers.
///
///     Sequential model({layers::Dense({.units = 32, .activation = "relu"}),
///                       layers::Dense({.units = 3, .activation = "softmax"})});
///
/// Weights are made when the input shape is known: from a leading layers::Input, from build(), or from the
/// first data.
class Sequential : public Model {
 public:
  Sequential() : Sequential(std::vector<LayerHandle>{}) {}
  Sequential(std::initializer_list<LayerHandle> layers, SequentialOptions options = {})
      : Sequential(std::vector(layers), std::move(options)) {}
  explicit Sequential(const std::vector<LayerHandle>& layers, SequentialOptions options = {});
  // A name as second argument, from before there were options; templates, so that {.name = "x"} selects only
  // the options.
  template <std::convertible_to<std::string> Name>
  Sequential(std::initializer_list<LayerHandle> layers, const Name& name)
      : Sequential(std::vector(layers), SequentialOptions{.name = name}) {}
  template <std::convertible_to<std::string> Name>
  Sequential(const std::vector<LayerHandle>& layers, const Name& name)
      : Sequential(layers, SequentialOptions{.name = name}) {}

  /// Changes the layers. After training, call compile() with a new optimizer: the old one has slots for the
  /// old weights.
  void add(const LayerHandle& layer) {
    change_layers("add", [&] { network_->add({layer.shared()}); });
  }
  void pop() {
    change_layers("pop", [&] { network_->pop(); });
  }

 private:
  explicit Sequential(std::shared_ptr<SequentialNetwork> network);
  Handle<SequentialNetwork> network_;
};

}  // namespace cornu::inline v0::keras
