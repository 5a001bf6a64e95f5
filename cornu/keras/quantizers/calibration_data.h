#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

class Layer;

namespace quantizers {

/// Texts or token ids by which GPTQ and AWQ measure the activations of a model.
class CalibrationDataset {
 public:
  CalibrationDataset() = default;
  /// Token ids of any shape, read in order.
  CalibrationDataset(Tensor tokens) : documents_{std::move(tokens)} {}
  CalibrationDataset(std::vector<Tensor> documents) : documents_(std::move(documents)) {}
  CalibrationDataset(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  CalibrationDataset(std::initializer_list<StringArgument> texts) : texts_(texts.begin(), texts.end()) {}

  /// Token ids, one tensor a document; empty for texts.
  const std::vector<Tensor>& documents() const { return documents_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<Tensor> documents_;
  std::vector<std::string> texts_;
};

/// A function that returns the token ids of a text.
class CalibrationTokenizer {
 public:
  CalibrationTokenizer() = default;
  template <typename F>
    requires std::is_invocable_r_v<Tensor, F, const std::string&>
  CalibrationTokenizer(F function) : function_(std::move(function)) {}

  const std::function<Tensor(const std::string&)>& function() const { return function_; }

 private:
  std::function<Tensor(const std::string&)> function_;
};

/// The parts of a model that GPTQ and AWQ run one after the other.
struct QuantizationLayerStructure {
  /// Layers that turn token ids, [1, sequence_length], into the input of the first block, such as an Embedding.
  std::vector<Handle<Layer>> pre_block_layers = {};
  /// Layers of which each takes the output of the one before. The Dense and EinsumDense layers inside are
  /// quantized.
  std::vector<Handle<Layer>> sequential_blocks = {};
};

}  // namespace quantizers

namespace saving {

/// Null: calibration is over when a model is written. Errors: read_value refuses anything else.
Config write_value(const quantizers::CalibrationDataset& value, const Place& place);
void read_value(const Config& config, const Place& place, quantizers::CalibrationDataset& value);
Config write_value(const quantizers::CalibrationTokenizer& value, const Place& place);
void read_value(const Config& config, const Place& place, quantizers::CalibrationTokenizer& value);
Config write_value(const quantizers::QuantizationLayerStructure& value, const Place& place);
void read_value(const Config& config, const Place& place, quantizers::QuantizationLayerStructure& value);

}  // namespace saving
}  // namespace cornu::inline v0::keras
