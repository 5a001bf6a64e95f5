#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/keras/quantizers/calibration.h"

/// Code shared by GPTQ, AWQ, the layers and Model::quantize; not part of the interface.
namespace cornu::inline v0::keras::quantizers {

/// The weights of a kernel of [rows, columns] that GPTQ or AWQ quantized.
struct CalibratedValues {
  Tensor kernel;  // u8 [columns, rows]; of four bits [ceil(columns / 2), rows], the even column in the lower
                  // half
  Tensor scale;   // f32 [columns, groups]
  Tensor zero_point;  // u8 [columns, groups]
  Tensor row_scale;   // f32 [rows]: the factor of the rows before rounding; AWQ only
  Tensor group_of;    // f32 [rows]; the integer part is the number of the row's group
};

/// Measures the inputs of a kernel and quantizes it by them.
class KernelCalibration {
 public:
  KernelCalibration() = default;
  virtual ~KernelCalibration() = default;
  KernelCalibration(const KernelCalibration&) = delete;
  KernelCalibration& operator=(const KernelCalibration&) = delete;

  /// Adds inputs of f32, [any, rows].
  virtual void add(const Tensor& inputs) = 0;
  /// Quantizes a kernel of f32, [rows, columns].
  virtual CalibratedValues quantize(const Tensor& kernel) const = 0;
};

/// A configuration of GPTQ or AWQ.
class CalibratedConfig : public QuantizationConfig {
 public:
  virtual std::unique_ptr<KernelCalibration> calibration(std::int64_t rows) const = 0;
  virtual const QuantizationLayerStructure& structure() const = 0;
  /// The calibration sequences, i32 [num_samples, sequence_length].
  /// Errors: InvalidArgument for a dataset that is empty, and for texts without a tokenizer.
  virtual Tensor windows() const = 0;
  /// The same configuration without the dataset and the layers, for the layers to keep.
  virtual std::shared_ptr<QuantizationConfig> without_data() const = 0;
};

/// Windows of the documents' tokens in a row, which are repeated if they are too few; the first at the first
/// token, the others at equal distances. (Keras's first window begins at a token that Python's hash of a text
/// chooses, another one in each process.)
Tensor calibration_windows(const CalibrationDataset& dataset, const CalibrationTokenizer& tokenizer,
                           std::int64_t num_samples, std::int64_t sequence_length);

/// The integers of a range of weights: q = round(w / scale + zero), w = scale * (q - zero).
struct IntegerGrid {
  float scale = 1;
  float zero = 0;
  float largest = 15;

  /// `bits` of weights from `lowest` to `highest`.
  static IntegerGrid of(float lowest, float highest, std::int64_t bits, bool symmetric);
  float quantize(float weight) const;
  float dequantize(float integer) const { return scale * (integer - zero); }
};

/// The elements of a matrix of f32, transposed.
std::vector<float> transposed_floats(const Tensor& matrix);
/// Integers [columns, rows] as a tensor; of four bits packed in pairs of columns.
Tensor packed_columns(const std::vector<std::uint8_t>& integers, std::int64_t columns, std::int64_t rows,
                      std::int64_t bits);

std::unique_ptr<KernelCalibration> gptq_calibration(const GPTQConfigOptions& options, std::int64_t rows);
std::unique_ptr<KernelCalibration> awq_calibration(const AWQConfigOptions& options, std::int64_t rows);

}  // namespace cornu::inline v0::keras::quantizers
