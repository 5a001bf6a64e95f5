#include "cornu/keras/quantizers/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/quantizers/calibration_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace quantizers {
namespace {

/// A configuration over its options.
template <typename Options, typename ConfigHandle>
class CalibratedConfigOf : public CalibratedConfig {
 public:
  explicit CalibratedConfigOf(Options options) : options_(std::move(options)) {}
  std::optional<std::int64_t> block_size() const override { return options_.group_size; }
  std::int64_t weight_bits() const override { return options_.weight_bits; }
  const QuantizationLayerStructure& structure() const override {
    return options_.quantization_layer_structure;
  }
  Tensor windows() const override {
    return calibration_windows(options_.dataset, options_.tokenizer, options_.num_samples,
                               options_.sequence_length);
  }
  std::shared_ptr<QuantizationConfig> without_data() const override {
    Options options = options_;
    options.dataset = {};
    options.tokenizer = {};
    options.quantization_layer_structure = {};
    return ConfigHandle(options).shared();
  }

 protected:
  Options options_;
};

class GPTQConfigObject : public CalibratedConfigOf<GPTQConfigOptions, GPTQConfig> {
 public:
  using CalibratedConfigOf::CalibratedConfigOf;
  std::string class_name() const override { return "GPTQConfig"; }
  QuantizationMode mode() const override { return QuantizationMode::kGptq; }
  std::unique_ptr<KernelCalibration> calibration(std::int64_t rows) const override {
    return gptq_calibration(options_, rows);
  }
};

class AWQConfigObject : public CalibratedConfigOf<AWQConfigOptions, AWQConfig> {
 public:
  using CalibratedConfigOf::CalibratedConfigOf;
  std::string class_name() const override { return "AWQConfig"; }
  QuantizationMode mode() const override { return QuantizationMode::kAwq; }
  std::unique_ptr<KernelCalibration> calibration(std::int64_t rows) const override {
    return awq_calibration(options_, rows);
  }
};

void require_positive(const char* class_name, const char* argument, std::int64_t value) {
  if (value <= 0)
    invalid_argument({.argument = argument}, "[{}] {} must be positive; got {} = {}", class_name, argument,
                     argument, value);
}

void check_windows(const char* class_name, std::int64_t num_samples, std::int64_t sequence_length) {
  constexpr std::int64_t kMostTokens = std::numeric_limits<std::int32_t>::max();
  require_positive(class_name, "num_samples", num_samples);
  require_positive(class_name, "sequence_length", sequence_length);
  if ((CheckedSize(num_samples) * sequence_length).exceeds(kMostTokens))
    invalid_argument({.argument = "num_samples"},
                     "[{}] num_samples x sequence_length must be at most {}; got num_samples = {}, "
                     "sequence_length = {}",
                     class_name, kMostTokens, num_samples, sequence_length);
}

void check_group_size(const char* class_name, std::int64_t group_size) {
  if (group_size != -1) require_positive(class_name, "group_size", group_size);
}

void check_bits(const char* class_name, std::int64_t bits, bool is_known, const char* known) {
  if (!is_known)
    invalid_argument({.argument = "weight_bits"}, "[{}] weight_bits must be {}; got weight_bits = {}",
                     class_name, known, bits);
}

const GPTQConfigOptions& checked(const GPTQConfigOptions& options) {
  constexpr const char* kName = "gptq_config";
  const std::int64_t bits = options.weight_bits;
  check_bits(kName, bits, bits == 2 || bits == 3 || bits == 4 || bits == 8, "2, 3, 4 or 8");
  check_windows(kName, options.num_samples, options.sequence_length);
  check_group_size(kName, options.group_size);
  if (!(options.hessian_damping >= 0 && options.hessian_damping <= 1))
    invalid_argument({.argument = "hessian_damping"},
                     "[{}] hessian_damping must be in [0, 1]; got hessian_damping = {}", kName,
                     options.hessian_damping);
  return options;
}

const AWQConfigOptions& checked(const AWQConfigOptions& options) {
  constexpr const char* kName = "awq_config";
  check_bits(kName, options.weight_bits, options.weight_bits == 4, "4");
  check_windows(kName, options.num_samples, options.sequence_length);
  require_positive(kName, "num_grid_points", options.num_grid_points);
  check_group_size(kName, options.group_size);
  return options;
}

/// The token ids of all documents in a row.
std::vector<std::int32_t> tokens_of(const CalibrationDataset& dataset,
                                    const CalibrationTokenizer& tokenizer) {
  std::vector<std::int32_t> tokens;
  const auto append = [&](const Tensor& document) {
    const std::vector<std::int32_t> ids = ops::cast(document, DType::kI32).to_vector<std::int32_t>();
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  };
  for (const Tensor& document : dataset.documents()) append(document);
  if (!dataset.texts().empty() && !tokenizer.function())
    invalid_argument({.argument = "tokenizer"},
                     "[quantize] a dataset of texts needs a tokenizer, a function that returns token ids");
  for (const std::string& text : dataset.texts()) append(tokenizer.function()(text));
  if (tokens.empty())
    invalid_argument({.argument = "dataset"},
                     "[quantize] the configuration needs a dataset with at least one token");
  return tokens;
}

}  // namespace

Tensor calibration_windows(const CalibrationDataset& dataset, const CalibrationTokenizer& tokenizer,
                           std::int64_t num_samples, std::int64_t sequence_length) {
  const std::vector<std::int32_t> tokens = tokens_of(dataset, tokenizer);
  const auto available = static_cast<std::int64_t>(tokens.size());
  const std::int64_t required = num_samples * sequence_length;
  const std::int64_t length = (required + available - 1) / available * available;  // with repetitions
  const std::int64_t num_starts = std::max(available, length) - sequence_length + 1;
  const std::int64_t stride = std::max<std::int64_t>(1, num_starts / num_samples);
  std::vector<std::int32_t> windows;
  windows.reserve(static_cast<std::size_t>(required));
  for (std::int64_t sample = 0; sample < num_samples; ++sample) {
    const std::int64_t start = sample * stride % num_starts;
    for (std::int64_t i = 0; i < sequence_length; ++i)
      windows.push_back(tokens[static_cast<std::size_t>((start + i) % available)]);
  }
  return Tensor::adopt({num_samples, sequence_length}, std::move(windows));
}

IntegerGrid IntegerGrid::of(float lowest, float highest, std::int64_t bits, bool symmetric) {
  if (symmetric) {
    highest = std::max(std::abs(lowest), highest);
    if (lowest < 0) lowest = -highest;
  }
  if (lowest == highest) {
    lowest -= 1;
    highest += 1;
  }
  IntegerGrid grid;
  grid.largest = static_cast<float>((1 << bits) - 1);
  grid.scale = (highest - lowest) / grid.largest;
  if (grid.scale <= 0) grid.scale = 1e-8F;
  grid.zero = symmetric ? (grid.largest + 1) / 2 : std::nearbyint(-lowest / grid.scale);
  grid.zero = std::clamp(grid.zero, 0.0F, static_cast<float>(std::numeric_limits<std::uint8_t>::max()));
  return grid;
}

float IntegerGrid::quantize(float weight) const {
  return std::clamp(std::nearbyint(weight / scale + zero), 0.0F, largest);
}

std::vector<float> transposed_floats(const Tensor& matrix) {
  return ops::transpose(ops::cast(matrix, DType::kF32)).to_vector<float>();
}

Tensor packed_columns(const std::vector<std::uint8_t>& integers, std::int64_t columns, std::int64_t rows,
                      std::int64_t bits) {
  const Tensor whole = Tensor::from<std::uint8_t>({columns, rows}, integers);
  return bits == 4 ? pack_int4(whole, {.axis = 0, .dtype = DType::kU8}).packed : whole;
}

GPTQConfig::GPTQConfig(GPTQConfigOptions options)
    : QuantizationConfigHandle(std::make_shared<GPTQConfigObject>(checked(options))) {
  saving::describe(*this, "GPTQConfig", options);
}

AWQConfig::AWQConfig(AWQConfigOptions options)
    : QuantizationConfigHandle(std::make_shared<AWQConfigObject>(checked(options))) {
  saving::describe(*this, "AWQConfig", options);
}

}  // namespace quantizers

namespace saving {
namespace {

void require_null(const Config& config, const Place& place) {
  if (!config.is_null()) wrong_type(place, "null: files have no calibration data", config);
}

}  // namespace

Config write_value(const quantizers::CalibrationDataset&, const Place&) { return {}; }
void read_value(const Config& config, const Place& place, quantizers::CalibrationDataset& value) {
  require_null(config, place);
  value = {};
}
Config write_value(const quantizers::CalibrationTokenizer&, const Place&) { return {}; }
void read_value(const Config& config, const Place& place, quantizers::CalibrationTokenizer& value) {
  require_null(config, place);
  value = {};
}
Config write_value(const quantizers::QuantizationLayerStructure&, const Place&) { return {}; }
void read_value(const Config& config, const Place& place, quantizers::QuantizationLayerStructure& value) {
  require_null(config, place);
  value = {};
}

}  // namespace saving
}  // namespace cornu::inline v0::keras
