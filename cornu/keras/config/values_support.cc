#include "cornu/keras/config/values_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/config/arrays_support.h"

namespace cornu::inline v0::keras::saving {

void wrong_type(const Place& place, const char* expected, const Config& got) {
  std::string text = got.json();
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  invalid_argument({.argument = std::string(place.key)}, "[from_config] {} of {} must be {}; got {}: {}",
                   place.key, place.class_name, expected, got.kind_name(), text);
}

void holds_code(const Place& place, const char* instead) {
  fail(ErrorCode::kUnimplemented, {.argument = std::string(place.key)},
       "[get_config] {} of {} is code, which cannot be written: {}", place.key, place.class_name, instead);
}

namespace {

/// Runs `read`; numbers outside the type's range are refused with the place.
template <typename Read>
auto in_range(const Config& config, const Place& place, const char* expected, const Read& read) {
  try {
    return read();
  } catch (const Error&) {
    wrong_type(place, expected, config);
  }
}

std::int64_t integer(const Config& config, const Place& place, const char* expected) {
  if (!config.is_integer()) wrong_type(place, expected, config);
  return in_range(config, place, expected, [&] { return config.as_integer(); });
}

Dims integers(const Config& config, const Place& place, const char* expected) {
  if (!config.is_list()) wrong_type(place, expected, config);
  Dims values;
  for (const Config& each : config.as_list()) {
    if (!each.is_integer()) wrong_type(place, expected, config);
    values.push_back(integer(each, place, expected));
  }
  return values;
}

/// The double with the fewest decimal digits that is read as the same f32.
double shortest(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

/// A number that a float may have become a double from, as short as that float.
double shortest_of_same(double value) {
  const auto narrow = static_cast<float>(value);
  return static_cast<double>(narrow) == value ? shortest(narrow) : value;
}

Config write_element(const Tensor& tensor, std::int64_t index) {
  if (tensor.dtype() == DType::kI64) return {tensor.data<std::int64_t>()[static_cast<std::size_t>(index)]};
  if (tensor.dtype() == DType::kU64) return {tensor.data<std::uint64_t>()[static_cast<std::size_t>(index)]};
  const double value = tensor.at(index);
  if (tensor.dtype() == DType::kI1) return {value != 0};
  if (ir::is_integer(tensor.dtype())) return {static_cast<std::int64_t>(value)};
  return {tensor.dtype() == DType::kF64 ? value : shortest(static_cast<float>(value))};
}

Config write_elements(const Tensor& tensor, std::span<const std::int64_t> shape, std::int64_t& next) {
  if (shape.empty()) return write_element(tensor, next++);
  Config list{Config::List()};
  for (std::int64_t i = 0; i < shape[0]; ++i) list.append(write_elements(tensor, shape.subspan(1), next));
  return list;
}

/// Keras's class of a quantized policy.
const char* quantized_class(const DTypePolicy& policy) {
  if (policy.quantization_mode() == QuantizationMode::kFloat8) return "QuantizedFloat8DTypePolicy";
  if (policy.quantization_mode() == QuantizationMode::kGptq) return "GPTQDTypePolicy";
  if (policy.quantization_mode() == QuantizationMode::kAwq) return "AWQDTypePolicy";
  return policy.block_size().has_value() ? "Int4DTypePolicy" : "QuantizedDTypePolicy";
}

/// The policy of Keras's object of a quantized one; nullopt for anything else. A source that is null is the
/// policy of new layers.
std::optional<DTypePolicy> quantized_policy(const Config& config) {
  const Config *class_name = config.find("class_name"), *inner = config.find("config");
  if (class_name == nullptr || inner == nullptr || !inner->is_dict()) return std::nullopt;
  constexpr const char* kClasses[] = {"QuantizedDTypePolicy", "Int4DTypePolicy", "QuantizedFloat8DTypePolicy",
                                      "GPTQDTypePolicy", "AWQDTypePolicy"};
  const bool is_known = std::any_of(std::begin(kClasses), std::end(kClasses),
                                    [&](const char* known) { return *class_name == Config(known); });
  const Config *mode = inner->find("mode"), *source = inner->find("source_name"),
               *length = inner->find("amax_history_length");
  if (!is_known || mode == nullptr || !mode->is_string()) return std::nullopt;
  if (source != nullptr && !source->is_null() && !source->is_string()) return std::nullopt;
  const std::string source_name =
      source == nullptr || source->is_null() ? dtype_policy().source().name() : source->as_string();
  const DTypePolicy policy(mode->as_string() + "_from_" + source_name);
  return length != nullptr && length->is_integer() ? policy.with_amax_history_length(length->as_integer())
                                                   : policy;
}

Config quantized_config(const DTypePolicy& policy) {
  Config inner = Config::dict({{"mode", policy.mode_text()}, {"source_name", policy.source().name()}});
  if (policy.quantization_mode() == QuantizationMode::kFloat8)
    inner.set("amax_history_length", policy.amax_history_length());
  return Config::dict({{"module", "keras.dtype_policies"},
                       {"class_name", quantized_class(policy)},
                       {"config", std::move(inner)},
                       {"registered_name", nullptr}});
}

/// The name of a policy that is given by its name or as Keras's object; null for anything else.
const std::string* policy_name(const Config& config) {
  const Config* name = &config;
  if (const Config* class_name = config.find("class_name");
      class_name != nullptr &&
      (*class_name == Config("DTypePolicy") || *class_name == Config("FloatDTypePolicy") ||
       *class_name == Config("Policy"))) {
    const Config* inner = config.find("config");
    name = inner == nullptr ? nullptr : inner->find("name");
  }
  return name == nullptr || !name->is_string() ? nullptr : &name->as_string();
}

}  // namespace

Config write_value(bool value, const Place&) { return {value}; }
Config write_value(int value, const Place&) { return {value}; }
Config write_value(std::int64_t value, const Place&) { return {value}; }
Config write_value(std::uint64_t value, const Place&) { return {value}; }
Config write_value(double value, const Place&) { return {value}; }
Config write_value(const std::string& value, const Place&) {
  return value.empty() ? Config() : Config(value);
}
Config write_value(DType value, const Place&) { return {ir::numpy_name(value)}; }
Config write_value(const DTypePolicy& value, const Place&) {
  if (value.quantization_mode() != QuantizationMode::kNone) return quantized_config(value);
  return Config::dict({{"module", "keras"},
                       {"class_name", "DTypePolicy"},
                       {"config", Config::dict({{"name", value.name()}})},
                       {"registered_name", nullptr}});
}
Config write_value(const ops::Axes& value, const Place&) {
  if (value.all()) return {};
  return value.given().size() == 1 ? Config(value.given()[0]) : Config(value.given());
}
Config write_value(const ops::IntOrInts& value, const Place&) {
  return value.is_list() ? Config(value.values()) : Config(value.values()[0]);
}
Config write_value(const ops::OptionalIntOrInts& value, const Place& place) {
  return value.has_value() ? write_value(*value, place) : Config();
}
Config write_value(const OptionalDims& value, const Place&) {
  if (!value.has_value()) return {};
  Config list{Config::List()};
  for (const std::int64_t extent : *value) list.append(extent == kUnknown ? Config() : Config(extent));
  return list;
}
Config write_value(const Dims& value, const Place&) { return {value}; }
Config write_value(const std::vector<double>& value, const Place&) {
  return value.empty() ? Config() : Config(value);
}
Config write_value(const std::vector<std::string>& value, const Place&) {
  return {Config::List(value.begin(), value.end())};
}
Config write_value(const Tensor& value, const Place& place) {
  if (!value.defined()) return {};
  if (value.is_symbolic()) holds_code(place, "it is a tensor of a trace; give numbers");
  if (value.is_weak() && ir::is_float(value.dtype()))
    return {shortest_of_same(value.strong_scalar(DType::kF64).item<double>())};  // as given, not as f32
  std::int64_t next = 0;
  return write_elements(value, value.shape(), next);
}
void read_value(const Config& config, const Place& place, bool& value) {
  if (!config.is_bool()) wrong_type(place, "true or false", config);
  value = config.as_bool();
}
void read_value(const Config& config, const Place& place, int& value) {
  const std::int64_t wide = integer(config, place, "an integer");
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    wrong_type(place, "an integer of 32 bits", config);
  value = static_cast<int>(wide);
}
void read_value(const Config& config, const Place& place, std::int64_t& value) {
  value = integer(config, place, "an integer");
}
void read_value(const Config& config, const Place& place, std::uint64_t& value) {
  const char* expected = "an integer that is not negative";
  if (!config.is_integer()) wrong_type(place, expected, config);
  value = in_range(config, place, expected, [&] { return config.as_unsigned(); });
}
void read_value(const Config& config, const Place& place, double& value) {
  if (!config.is_number()) wrong_type(place, "a number", config);
  value = config.as_number();
}
void read_value(const Config& config, const Place& place, std::string& value) {
  if (config.is_null() && value.empty()) return;  // an option that is left out
  if (!config.is_string()) wrong_type(place, "a string", config);
  value = config.as_string();
}
void read_value(const Config& config, const Place& place, DType& value) {
  constexpr const char* kExpected = "the name of a dtype, or a DTypePolicy with one";
  const std::string* const name = policy_name(config);
  const std::optional<DType> dtype = name == nullptr ? std::nullopt : ir::dtype_from_name(*name);
  if (!dtype.has_value()) wrong_type(place, kExpected, config);
  value = *dtype;
}
void read_value(const Config& config, const Place& place, DTypePolicy& value) {
  constexpr const char* kExpected =
      "the name of a dtype, \"mixed_float16\", \"mixed_bfloat16\", or a DTypePolicy with one";
  try {
    if (const std::optional<DTypePolicy> quantized = quantized_policy(config)) {
      value = *quantized;
      return;
    }
    const std::string* const name = policy_name(config);
    if (name == nullptr) wrong_type(place, kExpected, config);
    value = DTypePolicy(*name);
  } catch (const Error&) {
    wrong_type(place, kExpected, config);
  }
}
void read_value(const Config& config, const Place& place, ops::Axes& value) {
  constexpr const char* kExpected = "an axis, a list of axes or null";
  if (config.is_null()) {
    value = {};
  } else if (config.is_integer()) {
    value = integer(config, place, kExpected);
  } else {
    value = integers(config, place, kExpected);
  }
}
void read_value(const Config& config, const Place& place, ops::IntOrInts& value) {
  constexpr const char* kExpected = "an integer or a list of integers";
  if (config.is_integer()) {
    value = integer(config, place, kExpected);
  } else {
    value = integers(config, place, kExpected);
  }
}
void read_value(const Config& config, const Place& place, ops::OptionalIntOrInts& value) {
  value = {};
  if (config.is_null()) return;
  ops::IntOrInts inner = 0;
  read_value(config, place, inner);
  value = inner;
}
void read_value(const Config& config, const Place& place, OptionalDims& value) {
  constexpr const char* kExpected = "a list of extents (integers, null where one is open) or null";
  value = {};
  if (config.is_null()) return;
  if (!config.is_list()) wrong_type(place, kExpected, config);
  Dims extents;
  for (const Config& each : config.as_list()) {
    if (!each.is_null() && !each.is_integer()) wrong_type(place, kExpected, config);
    extents.push_back(each.is_null() ? kUnknown : integer(each, place, kExpected));
  }
  value = std::move(extents);
}
void read_value(const Config& config, const Place& place, Dims& value) {
  value = config.is_null() ? Dims() : integers(config, place, "a list of integers");
}
void read_value(const Config& config, const Place& place, std::vector<std::string>& value) {
  value.clear();
  if (config.is_null()) return;
  if (!config.is_list()) wrong_type(place, "a list of strings or null", config);
  for (const Config& each : config.as_list()) {
    if (!each.is_string()) wrong_type(place, "a list of strings or null", config);
    value.push_back(each.as_string());
  }
}
void read_value(const Config& config, const Place& place, std::vector<double>& value) {
  value.clear();
  const Config& given = unwrapped_array(config);
  if (given.is_null()) return;
  if (given.is_number()) {
    value.push_back(given.as_number());
    return;
  }
  if (!given.is_list()) wrong_type(place, "a number, a list of numbers or null", config);
  for (const Config& each : given.as_list()) {
    if (!each.is_number()) wrong_type(place, "a number, a list of numbers or null", config);
    value.push_back(each.as_number());
  }
}
}  // namespace cornu::inline v0::keras::saving
