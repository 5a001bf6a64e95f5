#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/name_patterns_support.h"
#include "cornu/keras/layers/core/calibration_support.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/quantizers/calibration_support.h"
#include "cornu/keras/quantizers/quantizers.h"
#include "cornu/tensor/trace.h"

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

std::vector<Layer*> chosen_layers(Layer& network, const LayerFilter& filter) {
  const NamePatterns patterns("quantize", "filters", filter.patterns());
  std::vector<Layer*> chosen = LeafLayers(network).all();
  std::erase_if(chosen, [&](const Layer* layer) {
    if (filter.function()) return !filter.function()(*layer);
    return !patterns.empty() && !patterns.match_in(layer->name());
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

/// Runs the blocks of a model on calibration data and quantizes the layers inside, block after block, so that a
/// block is measured with the errors of those before.
class Calibration {
 public:
  Calibration(const quantizers::CalibratedConfig& config, const LayerFilter& filters)
      : config_(config), kept_config_(config.without_data()) {
    const quantizers::QuantizationLayerStructure& structure = config.structure();
    if (structure.sequential_blocks.empty())
      invalid_argument({.argument = "quantization_layer_structure"},
                       "[quantize] quantization_layer_structure needs at least one of sequential_blocks");
    for (const Handle<Layer>& block : structure.sequential_blocks) {
      Block made{.block = &*block};
      for (Layer* layer : chosen_layers(*block, filters))
        if (auto* inside = dynamic_cast<layers::CalibratedLayer*>(layer))
          made.layers.push_back({layer, inside});
      blocks_.push_back(std::move(made));
    }
    for (const Block& block : blocks_)
      for (const auto& [layer, inside] : block.layers) inside->check_may_calibrate(config);
  }

  /// The inputs of the first block. Runs the first one through all blocks, so that errors come before changes.
  void prepare() {
    const Tensor windows = config_.windows();
    const std::int64_t length = windows.shape()[1];
    for (std::int64_t i = 0; i < windows.shape()[0]; ++i) {
      Tensor sample = ops::slice(windows, {i, 0}, {1, length});
      for (const Handle<Layer>& layer : config_.structure().pre_block_layers) sample = (*layer)(sample);
      inputs_.push_back(as_batch(sample));
    }
    Tensor sample = inputs_.front();
    for (const Block& block : blocks_) sample = next_input((*block.block)(sample));
  }

  void quantize() {
    for (const Block& block : blocks_) {
      quantize_layers(block);
      if (&block == &blocks_.back()) break;
      for (Tensor& input : inputs_) input = next_input((*block.block)(input));
    }
  }

 private:
  struct Inside {
    Layer* layer;
    layers::CalibratedLayer* calibrated;
  };
  struct Block {
    Layer* block;
    std::vector<Inside> layers = {};
  };

  static Tensor as_batch(const Tensor& sample) {
    return sample.rank() == 2 ? ops::expand_dims(sample, 0) : sample;
  }
  /// Keras passes the first row of a block's output on.
  static Tensor next_input(const Tensor& output) {
    Dims extents = output.shape();
    extents[0] = 1;
    const Tensor first = ops::slice(output, Dims(extents.size(), 0), extents);
    return as_batch(ops::squeeze(first, {.axis = 0}));
  }

  void quantize_layers(const Block& block) {
    std::vector<std::unique_ptr<quantizers::KernelCalibration>> calibrations;
    std::vector<Tensor> kernels;
    for (const auto& [layer, inside] : block.layers) {
      kernels.push_back(inside->kernel_matrix());
      const std::int64_t rows = kernels.back().shape()[0];
      calibrations.push_back(config_.calibration(rows));
      inside->observe_inputs([&calibration = *calibrations.back(), rows](const Tensor& input) {
        calibration.add(ops::cast(ops::reshape(input, {-1, rows}), DType::kF32));
      });
    }
    const auto stop_observing = [&] {
      for (const auto& [layer, inside] : block.layers) inside->observe_inputs({});
    };
    try {
      for (const Tensor& input : inputs_) (*block.block)(input);
    } catch (...) {
      stop_observing();
      throw;
    }
    stop_observing();
    for (std::size_t i = 0; i < block.layers.size(); ++i)
      block.layers[i].calibrated->set_calibrated(kept_config_, calibrations[i]->quantize(kernels[i]));
  }

  const quantizers::CalibratedConfig& config_;
  std::shared_ptr<QuantizationConfig> kept_config_;
  std::vector<Block> blocks_;
  std::vector<Tensor> inputs_;
};

}  // namespace

void Model::quantize(const QuantizationConfigSpec& config, const QuantizeOptions& options) {
  const std::shared_ptr<QuantizationConfig> resolved = resolved_quantization(config);
  if (const auto* calibrated = dynamic_cast<const quantizers::CalibratedConfig*>(resolved.get())) {
    Calibration calibration(*calibrated, options.filters);
    change_layers("quantize", [&] {
      const EagerScope outside_of_traces;
      const cornu::detail::HostScope on_host;
      calibration.prepare();
      calibration.quantize();
      if (const OptimizerHandle used = optimizer()) used->forget_variables();  // some no longer exist
    });
    return;
  }
  const std::vector<Layer*> layers = chosen_layers(**this, options.filters);
  for (const Layer* layer : layers)
    if (!layer->weights().empty() || !layer->built()) check_may_quantize(*layer, *resolved);
  change_layers("quantize", [&] {
    for (Layer* layer : layers) quantize_or_warn(*layer, resolved);
    if (const OptimizerHandle used = optimizer()) used->forget_variables();  // some no longer exist
  });
}

}  // namespace cornu::inline v0::keras
