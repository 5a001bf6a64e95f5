#pragma once

#include <cstdint>

#include "cornu/keras/quantizers/calibration_data.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras::quantizers {

struct GPTQConfigOptions {  // options/quantizers.toml
  /// Texts or token ids that are like the model's inputs; not written to files.
  CalibrationDataset dataset = {};
  /// Function that returns the token ids of a text; for a dataset of texts.
  CalibrationTokenizer tokenizer = {};
  /// Bits of a weight: 2, 3, 4 or 8.
  std::int64_t weight_bits = 4;
  /// Number of calibration sequences.
  std::int64_t num_samples = 128;
  /// False: all columns share the scales.
  bool per_channel = true;
  /// Number of tokens of a calibration sequence.
  std::int64_t sequence_length = 512;
  /// Fraction of the Hessian's mean diagonal that is added to the diagonal; in [0, 1].
  double hessian_damping = 0.01;
  /// Number of rows of the kernel that share a scale and a zero point; -1: all rows.
  std::int64_t group_size = 128;
  /// True: the range of a group is symmetric around zero, so that all zero points are the middle value.
  bool symmetric = false;
  /// True: rows are quantized in the order of their activations, the largest first.
  bool activation_order = false;
  /// Layers to run on the calibration data, and those to quantize; not written to files.
  QuantizationLayerStructure quantization_layer_structure = {};
};
CORNU_FIELDS(GPTQConfigOptions, dataset, tokenizer, weight_bits, num_samples, per_channel, sequence_length,
             hessian_damping, group_size, symmetric, activation_order, quantization_layer_structure)

/// Weights of few bits by GPTQ: rows of a kernel are rounded one after the other, and each error is spread over
/// the rows that follow, by the inverse of the Hessian of the layer's inputs for calibration data.
///
///     model.quantize(quantizers::GPTQConfig(
///         {.dataset = token_ids,
///          .sequence_length = 64,
///          .quantization_layer_structure = {.pre_block_layers = {embedding}, .sequential_blocks = blocks}}));
///
/// Errors: InvalidArgument for a number outside its range.
class GPTQConfig : public QuantizationConfigHandle {
 public:
  explicit GPTQConfig(GPTQConfigOptions options);
};

struct AWQConfigOptions {  // options/quantizers.toml
  /// Texts or token ids that are like the model's inputs; not written to files.
  CalibrationDataset dataset = {};
  /// Function that returns the token ids of a text; for a dataset of texts.
  CalibrationTokenizer tokenizer = {};
  /// Bits of a weight: 4.
  std::int64_t weight_bits = 4;
  /// Number of calibration sequences.
  std::int64_t num_samples = 128;
  /// Number of tokens of a calibration sequence.
  std::int64_t sequence_length = 512;
  /// Number of rows of the kernel that share a scale and a zero point; -1: all rows.
  std::int64_t group_size = 128;
  /// Number of steps of the exponent of the activations between 0 and 1, of which the best is taken.
  std::int64_t num_grid_points = 20;
  /// Layers to run on the calibration data, and those to quantize; not written to files.
  QuantizationLayerStructure quantization_layer_structure = {};
};
CORNU_FIELDS(AWQConfigOptions, dataset, tokenizer, weight_bits, num_samples, sequence_length, group_size,
             num_grid_points, quantization_layer_structure)

/// Weights of four bits by AWQ: rows with large activations for calibration data are multiplied by a factor
/// before they are rounded, and divided by it afterwards.
///
/// Errors: InvalidArgument for a number outside its range.
class AWQConfig : public QuantizationConfigHandle {
 public:
  explicit AWQConfig(AWQConfigOptions options);
};

}  // namespace cornu::inline v0::keras::quantizers
