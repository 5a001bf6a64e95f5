#include "cornu/keras/layers/preprocessing/pipeline.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class PipelineLayer : public Layer {
 public:
  PipelineLayer(std::vector<LayerHandle> layers, const PipelineOptions& options)
      : Layer(layer_settings("Pipeline", options)), layers_(std::move(layers)) {
    for (const LayerHandle& layer : layers_)
      if (layer.shared() == nullptr) option_error("a layer is empty");
    track(layers_, "_pipeline_layers");
    set_autocast(false);
    set_supports_masking(true);
  }

  bool default_training() const override { return true; }
  bool has_type_rule() const override {
    return std::ranges::all_of(layers_, [](const LayerHandle& layer) { return layer->has_type_rule(); });
  }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    std::vector<TensorType> types(inputs.begin(), inputs.end());
    for (const LayerHandle& layer : layers_) types = layer->compute_output_types(types);
    return types;
  }
  /// The last layer's output carries its mask already.
  std::vector<Tensor> compute_mask(std::span<const Tensor>, std::span<const Tensor> outputs) const override {
    std::vector<Tensor> masks;
    for (const Tensor& output : outputs)
      masks.push_back(output.mask() == nullptr ? Tensor() : *output.mask());
    return masks;
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  void add_to_config(Config& fields) const override {
    Config layers{Config::List()};
    for (const LayerHandle& layer : layers_) layers.append(saving::serialize(*layer));
    fields.set("layers", std::move(layers));
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    std::vector<Tensor> values(inputs.begin(), inputs.end());
    for (const LayerHandle& layer : layers_) values = layer.call_many(values);
    return values;
  }

 private:
  std::vector<LayerHandle> layers_;
};

}  // namespace

Pipeline::Pipeline(std::vector<LayerHandle> layers, const PipelineOptions& options)
    : ImageHandle(std::make_shared<PipelineLayer>(std::move(layers), options)) {}

}  // namespace cornu::inline v0::keras::layers
