#include "cornu/keras/quantizers/quantizers.h"

#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/quantizers/quantizers_support.h"

namespace cornu::inline v0::keras {
namespace {

using quantizers::AbsMaxQuantizerOptions;
using quantizers::Int4QuantizationConfigOptions;
using quantizers::Int8QuantizationConfigOptions;

class AbsMaxQuantizerObject : public Quantizer {
 public:
  explicit AbsMaxQuantizerObject(const AbsMaxQuantizerOptions& options) : options_(options) {
    quantizers::check_value_range("abs_max_quantizer", options.value_range, options.output_dtype);
  }
  std::string class_name() const override { return "AbsMaxQuantizer"; }
  DType output_dtype() const override { return options_.output_dtype; }
  ValueRange value_range() const override { return options_.value_range; }
  quantizers::QuantizedTensor operator()(const Tensor& x,
                                         const std::optional<ops::Axes>& axis) const override {
    ops::Axes axes = -1;
    if (options_.axis.has_value()) axes = options_.axis->values();
    return quantizers::abs_max_quantize(x, {.axis = axis.value_or(axes),
                                            .value_range = options_.value_range,
                                            .dtype = options_.output_dtype,
                                            .epsilon = options_.epsilon});
  }

 private:
  AbsMaxQuantizerOptions options_;
};

void check_weight_dtype(const char* class_name, const std::shared_ptr<Quantizer>& quantizer) {
  if (quantizer != nullptr && quantizer->output_dtype() != DType::kI8)
    invalid_argument({.argument = "weight_quantizer"},
                     "[{}] the output_dtype of weight_quantizer must be int8; got {}", class_name,
                     ir::numpy_name(quantizer->output_dtype()));
}

/// The options of a configuration, checked.
struct ConfigParts {
  const char* class_name;
  QuantizationMode mode;
  std::shared_ptr<Quantizer> weight_quantizer = nullptr;
  std::shared_ptr<Quantizer> activation_quantizer = nullptr;
  std::optional<std::int64_t> block_size = std::nullopt;
};

class ConfigObject : public QuantizationConfig {
 public:
  explicit ConfigObject(ConfigParts parts) : parts_(std::move(parts)) {}
  std::string class_name() const override { return parts_.class_name; }
  QuantizationMode mode() const override { return parts_.mode; }
  std::shared_ptr<Quantizer> weight_quantizer() const override { return parts_.weight_quantizer; }
  std::shared_ptr<Quantizer> activation_quantizer() const override { return parts_.activation_quantizer; }
  std::optional<std::int64_t> block_size() const override { return parts_.block_size; }

 private:
  ConfigParts parts_;
};

std::shared_ptr<QuantizationConfig> int8_config(const Int8QuantizationConfigOptions& options) {
  ConfigParts parts{.class_name = "Int8QuantizationConfig",
                    .mode = QuantizationMode::kInt8,
                    .weight_quantizer = options.weight_quantizer.get(),
                    .activation_quantizer = options.activation_quantizer.get()};
  check_weight_dtype("int8_quantization_config", parts.weight_quantizer);
  return std::make_shared<ConfigObject>(std::move(parts));
}

std::shared_ptr<QuantizationConfig> int4_config(const Int4QuantizationConfigOptions& options) {
  constexpr const char* kName = "int4_quantization_config";
  const std::int64_t block_size = options.block_size.value_or(-1);
  ConfigParts parts{.class_name = "Int4QuantizationConfig",
                    .mode = QuantizationMode::kInt4,
                    .weight_quantizer = options.weight_quantizer.get(),
                    .activation_quantizer = options.activation_quantizer.get()};
  if (block_size != -1 && block_size <= 0)
    invalid_argument({.argument = "block_size"},
                     "[{}] block_size must be positive or -1; got block_size = {}", kName, block_size);
  if (block_size > 0) {
    parts.block_size = block_size;
    if (parts.weight_quantizer != nullptr || parts.activation_quantizer != nullptr)
      invalid_argument({.argument = "block_size"},
                       "[{}] quantizers need block_size = -1, one scale for each column; got block_size = {}",
                       kName, block_size);
  }
  check_weight_dtype(kName, parts.weight_quantizer);
  if (parts.weight_quantizer != nullptr) {
    const ValueRange range = parts.weight_quantizer->value_range();
    if (range != ValueRange{-8, 7})
      invalid_argument({.argument = "weight_quantizer"},
                       "[{}] the value_range of weight_quantizer must be {{-8, 7}}; got {{{}, {}}}", kName,
                       range.lowest, range.highest);
  }
  return std::make_shared<ConfigObject>(std::move(parts));
}

constexpr std::array<NamedMaker<Quantizer>, 1> kQuantizers = {{
    {"abs_max_quantizer", &make_default<Quantizer, quantizers::AbsMaxQuantizer>},
}};

constexpr std::array<NamedMaker<QuantizationConfig>, 3> kConfigs = {{
    {"int8", &make_default<QuantizationConfig, quantizers::Int8QuantizationConfig>},
    {"int4", &make_default<QuantizationConfig, quantizers::Int4QuantizationConfig>},
    {"float8", &make_default<QuantizationConfig, quantizers::Float8QuantizationConfig>},
}};

}  // namespace

Config Quantizer::get_config() const {
  return described_config("keras.quantizers", kHandleKind, class_name());
}

std::shared_ptr<Quantizer> Quantizer::from_name(const StringArgument& name, const ArgumentName& argument) {
  if (std::shared_ptr<Quantizer> quantizer = make_named<Quantizer>(kQuantizers, name)) return quantizer;
  unknown_name(argument, name, table_names<Quantizer>(kQuantizers));
}

Config QuantizationConfig::get_config() const {
  return described_config("keras.quantizers", kHandleKind, class_name());
}

std::shared_ptr<QuantizationConfig> QuantizationConfig::from_name(const StringArgument& name,
                                                                  const ArgumentName& argument) {
  if (std::shared_ptr<QuantizationConfig> config = make_named<QuantizationConfig>(kConfigs, name))
    return config;
  const std::string& text = name;
  if (text == "gptq" || text == "awq")
    invalid_argument(
        {.argument = "config"},
        "[quantize] \"{}\" needs calibration data: pass quantizers::{}Config with a dataset and a "
        "quantization_layer_structure",
        text, text == "gptq" ? "GPTQ" : "AWQ");
  unknown_name(argument, name, table_names<QuantizationConfig>(kConfigs));
}

std::shared_ptr<QuantizationConfig> resolved_quantization(const QuantizationConfigSpec& config) {
  if (!config.is_set())
    invalid_argument({.argument = "config"},
                     "[quantize] pass a mode, \"int8\", \"int4\" or \"float8\", or a configuration");
  return config.get({"quantize", "mode"});
}

namespace saving {

Config write_value(const ValueRange& value, const Place&) {
  return Config::list({value.lowest, value.highest});
}

void read_value(const Config& config, const Place& place, ValueRange& value) {
  Dims bounds;
  if (config.is_list() && config.size() == 2) read_value(config, place, bounds);
  if (bounds.size() != 2) wrong_type(place, "a list of two integers", config);
  value = {bounds[0], bounds[1]};
}

}  // namespace saving

namespace quantizers {

AbsMaxQuantizer::AbsMaxQuantizer(AbsMaxQuantizerOptions options)
    : QuantizerHandle(std::make_shared<AbsMaxQuantizerObject>(options)) {
  if (options.axis.has_value()) options.axis = ops::IntOrInts(options.axis->values());  // Keras writes a list
  saving::describe(*this, "AbsMaxQuantizer", options);
}

Int8QuantizationConfig::Int8QuantizationConfig(Int8QuantizationConfigOptions options)
    : QuantizationConfigHandle(int8_config(options)) {
  saving::describe(*this, "Int8QuantizationConfig", options);
}

Int4QuantizationConfig::Int4QuantizationConfig(Int4QuantizationConfigOptions options)
    : QuantizationConfigHandle(int4_config(options)) {
  saving::describe(*this, "Int4QuantizationConfig", options);
}

Float8QuantizationConfig::Float8QuantizationConfig()
    : QuantizationConfigHandle(std::make_shared<ConfigObject>(
          ConfigParts{.class_name = "Float8QuantizationConfig", .mode = QuantizationMode::kFloat8})) {
  saving::describe(*this, "Float8QuantizationConfig", saving::NoFields());
}

}  // namespace quantizers
}  // namespace cornu::inline v0::keras
