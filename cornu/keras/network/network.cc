#include "cornu/keras/network/network.h"

#include <algorithm>
#include <utility>

#include "cornu/keras/layer/traced_types.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {

namespace {

thread_local bool is_op_by_op = false;

/// Trains a layer that is not a network. The layer is called on its own, so that its weights have the names
/// that they would have outside of this network.
class LayerNetwork : public Network {
 public:
  explicit LayerNetwork(std::shared_ptr<Layer> layer)
      : Network(layer->class_name(), layer->name()), layer_(std::move(layer)) {}

  std::vector<std::shared_ptr<Layer>> sublayers() const override { return {layer_}; }
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    return default_train_step(*layer_, tools, data);
  }
  StepLogs test_step(StepTools& tools, const StepData& data) override {
    return default_test_step(*layer_, tools, data);
  }
  Tensors predict_step(const StepData& data) override { return default_predict_step(*layer_, data); }

 private:
  std::shared_ptr<Layer> layer_;
};

}  // namespace

OpByOpScope::OpByOpScope() : before_(std::exchange(is_op_by_op, true)) {}
OpByOpScope::~OpByOpScope() { is_op_by_op = before_; }

std::shared_ptr<Network> Layer::as_network() { return std::make_shared<LayerNetwork>(shared_from_this()); }

void Network::build_for(std::span<const Dims>) {
  types_of_build_.clear();
  output_types_.reset();
  if (is_op_by_op) return;
  types_of_build_ = trace_call(with_open_extents(build_types(), kFirstTracedExtent));
}

bool Network::are_of_build(std::span<const TensorType> inputs) const {
  const std::span<const TensorType> of_build = build_types();
  return std::equal(inputs.begin(), inputs.end(), of_build.begin(), of_build.end(),
                    [&](const TensorType& x, const TensorType& y) { return cast_type(x) == cast_type(y); });
}

std::vector<TensorType> Network::trace_types(std::span<const TensorType> inputs) {
  if (types_of_build_.empty() || !are_of_build(inputs)) return Layer::trace_types(inputs);
  if (!output_types_.has_value()) {
    bool is_first = true;
    output_types_ = traced_types(build_types(), [&](std::span<const TensorType> closed) {
      return std::exchange(is_first, false) ? types_of_build_ : trace_call(closed);
    });
  }
  return *output_types_;
}

namespace {

Tensor loss_of(Layer& layer, StepTools& tools, const StepData& data, const Tensors& y_pred) {
  Network* const network = layer.network_or_null();
  return network == nullptr ? tools.compute_loss(data, y_pred) : network->compute_loss(tools, data, y_pred);
}

StepLogs metrics_of(Layer& layer, StepTools& tools, const StepData& data, const Tensors& y_pred,
                    const Tensor& loss) {
  Network* const network = layer.network_or_null();
  return network == nullptr ? tools.compute_metrics(data, y_pred, loss)
                            : network->compute_metrics(tools, data, y_pred, loss);
}

}  // namespace

StepLogs default_train_step(Layer& layer, StepTools& tools, const StepData& data) {
  const Tensors y_pred(layer.call_many(data.x, {.training = true, .rows = data.rows}));
  const Tensor loss = loss_of(layer, tools, data, y_pred);
  const std::span<const Variable> variables = tools.trainable_variables();
  if (!variables.empty()) tools.apply(gradient(tools.optimizer().scale_loss(loss), variables), variables);
  return metrics_of(layer, tools, data, y_pred, loss);
}

StepLogs default_test_step(Layer& layer, StepTools& tools, const StepData& data) {
  const Tensors y_pred(layer.call_many(data.x, {.training = false, .rows = data.rows}));
  const Tensor loss = loss_of(layer, tools, data, y_pred);
  return metrics_of(layer, tools, data, y_pred, loss);
}

Tensors default_predict_step(Layer& layer, const StepData& data) {
  return layer.call_many(data.x, {.training = false, .rows = data.rows});
}

Tensor Network::compute_loss(StepTools& tools, const StepData& data, const Tensors& y_pred) {
  return tools.compute_loss(data, y_pred);
}
StepLogs Network::compute_metrics(StepTools& tools, const StepData& data, const Tensors& y_pred,
                                  const Tensor& loss) {
  return tools.compute_metrics(data, y_pred, loss);
}

StepLogs Network::train_step(StepTools& tools, const StepData& data) {
  return default_train_step(*this, tools, data);
}
StepLogs Network::test_step(StepTools& tools, const StepData& data) {
  return default_test_step(*this, tools, data);
}
Tensors Network::predict_step(const StepData& data) { return default_predict_step(*this, data); }

}  // namespace cornu::inline v0::keras
