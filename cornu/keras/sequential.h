#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/model.h"
#include "cornu/keras/network.h"

namespace cornu::keras {

/// The layer behind Sequential: its layers one after the other.
class SequentialNetwork : public Network {
 public:
  explicit SequentialNetwork(std::string name);

  /// Errors: InvalidArgument when the layer is empty, its name is taken, or an input layer is not the first.
  void add(std::shared_ptr<Layer> layer);
  /// Errors: FailedPrecondition when there is no layer.
  void pop();

  /// What the first layer gets (batch kUnknown); empty while unknown.
  const Dims& input_shape() const { return input_shape_; }

  Dims compute_output_shape(const Dims& input_shape) const override;
  std::vector<std::shared_ptr<Layer>> sublayers() const override { return layers_; }
  void set_trainable(bool trainable) override;

 protected:
  void build(const Dims& input_shape) override;
  void unbuild() override { input_shape_.clear(); }
  Tensor call(const Tensor& input, const CallContext& context) override;

 private:
  std::vector<std::shared_ptr<Layer>> layers_;
  Dims input_shape_;
};

/// A linear stack of layers.
///
///     Sequential model({layers::Dense({.units = 32, .activation = "relu"}), layers::Dense({.units = 3, .activation = "softmax"})});
///
/// Weights are made when the input shape is known: from layers::Input in front, from build(), or from the first data.
class Sequential : public Model {
 public:
  Sequential() : Sequential({}) {}
  Sequential(std::initializer_list<LayerHandle> layers, std::string name = {});
  explicit Sequential(const std::vector<LayerHandle>& layers, std::string name = {});

  /// After training, compile() with a new optimizer: the old one knows the old weights.
  void add(const LayerHandle& layer) {
    require_idle("add");
    network_->add(layer.shared());
    forget_programs();
  }
  void pop() {
    require_idle("pop");
    network_->pop();
    forget_programs();
  }

 private:
  explicit Sequential(std::shared_ptr<SequentialNetwork> network);
  std::shared_ptr<SequentialNetwork> network_;
};

}  // namespace cornu::keras
