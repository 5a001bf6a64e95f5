#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/quantizers/calibration.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras::saving {
namespace {

/// Older files have no block_size: their kernels have one scale for each column.
ClassRow<QuantizationConfig> int4_row() {
  using Options = quantizers::Int4QuantizationConfigOptions;
  auto row =
      row_of<QuantizationConfig, quantizers::Int4QuantizationConfig, Options>("Int4QuantizationConfig");
  row.make = [](const Config& config, const ClassId& id) -> std::shared_ptr<QuantizationConfig> {
    auto options = read_fields<Options>(config, id);
    if (!config.contains("block_size")) options.block_size.reset();
    return quantizers::Int4QuantizationConfig(options).shared();
  };
  return row;
}

}  // namespace

template <>
std::span<const ClassRow<Quantizer>> class_rows<Quantizer>() {
  static const ClassRow<Quantizer> rows[] = {
      row_of<Quantizer, quantizers::AbsMaxQuantizer, quantizers::AbsMaxQuantizerOptions>("AbsMaxQuantizer"),
  };
  return rows;
}

template <>
std::span<const ClassRow<QuantizationConfig>> class_rows<QuantizationConfig>() {
  static const ClassRow<QuantizationConfig> rows[] = {
      row_of<QuantizationConfig, quantizers::Int8QuantizationConfig,
             quantizers::Int8QuantizationConfigOptions>("Int8QuantizationConfig"),
      int4_row(),
      row_of<QuantizationConfig, quantizers::Float8QuantizationConfig, NoFields>("Float8QuantizationConfig"),
      row_of<QuantizationConfig, quantizers::GPTQConfig, quantizers::GPTQConfigOptions>("GPTQConfig"),
      row_of<QuantizationConfig, quantizers::AWQConfig, quantizers::AWQConfigOptions>("AWQConfig"),
  };
  return rows;
}

}  // namespace cornu::inline v0::keras::saving
