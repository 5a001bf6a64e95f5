#include <algorithm>
#include <regex>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras {
namespace {

/// The layers without inner layers, each once.
class LeafLayers {
 public:
  explicit LeafLayers(Layer& network) { add(network); }
  const std::vector<Layer*>& all() const { return all_; }

 private:
  void add(Layer& layer) {
    if (!seen_.insert(&layer).second) return;
    const std::vector<std::shared_ptr<Layer>> inside = layer.sublayers();
    if (inside.empty()) all_.push_back(&layer);
    for (const auto& each : inside) add(*each);
  }

  std::unordered_set<const Layer*> seen_;
  std::vector<Layer*> all_;
};

std::vector<std::regex> expressions_of(const LayerFilter& filter) {
  std::vector<std::regex> expressions;
  for (const std::string& pattern : filter.patterns()) {
    try {
      expressions.emplace_back(pattern);
    } catch (const std::regex_error& error) {
      invalid_argument({.argument = "filters"},
                       "[quantize] filters must be regular expressions: {}; got filters = \"{}\"",
                       error.what(), pattern);
    }
  }
  return expressions;
}

std::vector<Layer*> chosen_layers(Layer& network, const LayerFilter& filter) {
  const std::vector<std::regex> expressions = expressions_of(filter);
  std::vector<Layer*> chosen = LeafLayers(network).all();
  std::erase_if(chosen, [&](const Layer* layer) {
    if (filter.function()) return !filter.function()(*layer);
    return !expressions.empty() &&
           std::none_of(expressions.begin(), expressions.end(),
                        [&](const auto& each) { return std::regex_search(layer->name(), each); });
  });
  return chosen;
}

void check_may_quantize(const Layer& layer, const QuantizationConfig& config) {
  if (!layer.built())
    fail(ErrorCode::kFailedPrecondition, {.layer = layer.name()},
         "[quantize] the weights are made when the input shape is known: call build(), or the model on data, "
         "first");
  if (layer.quantization_mode() != QuantizationMode::kNone)
    fail(ErrorCode::kFailedPrecondition, {.layer = layer.name()},
         "[quantize] the layer is quantized already; its policy is \"{}\"", layer.dtype_policy().name());
  (void)layer.dtype_policy().quantized(config.mode());
}

/// Layers that have no quantized form stay; as in Keras, that is a warning.
void quantize_or_warn(Layer& layer, const std::shared_ptr<QuantizationConfig>& config) {
  try {
    layer.quantize(config);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnimplemented) throw;
    if (!layer.weights().empty()) log_warning("{}", printable(error.what()));
  }
}

}  // namespace

void Model::quantize(const QuantizationConfigSpec& config, const QuantizeOptions& options) {
  const std::shared_ptr<QuantizationConfig> resolved = resolved_quantization(config);
  const std::vector<Layer*> layers = chosen_layers(**this, options.filters);
  for (const Layer* layer : layers)
    if (!layer->weights().empty() || !layer->built()) check_may_quantize(*layer, *resolved);
  change_layers("quantize", [&] {
    for (Layer* layer : layers) quantize_or_warn(*layer, resolved);
    if (const OptimizerHandle used = optimizer()) used->forget_variables();  // some no longer exist
  });
}

}  // namespace cornu::inline v0::keras
