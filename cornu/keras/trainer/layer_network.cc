#include "cornu/keras/trainer/layer_network.h"

namespace cornu::inline v0::keras {
namespace {

/// Trains a layer that is no network. The layer is called for itself, so that its weights are named as if nothing were around it.
class LayerNetwork : public Network {
 public:
  explicit LayerNetwork(std::shared_ptr<Layer> layer) : Network(layer->class_name(), layer->name()), layer_(std::move(layer)) {}

  std::vector<std::shared_ptr<Layer>> sublayers() const override { return {layer_}; }
  StepLogs train_step(StepTools& tools, const StepData& data) override { return default_train_step(*layer_, tools, data); }
  StepLogs test_step(StepTools& tools, const StepData& data) override { return default_test_step(*layer_, tools, data); }
  Tensors predict_step(const StepData& data) override { return default_predict_step(*layer_, data); }

 private:
  std::shared_ptr<Layer> layer_;
};

}  // namespace

std::shared_ptr<Network> network_of(const std::shared_ptr<Layer>& layer) {
  if (layer == nullptr) return nullptr;
  if (auto network = std::dynamic_pointer_cast<Network>(layer)) return network;
  return std::make_shared<LayerNetwork>(layer);
}

}  // namespace cornu::inline v0::keras
