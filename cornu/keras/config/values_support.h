#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/base/dtype_policy.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

class ActivationSpec;
class LearningRate;

namespace saving {

/// Writing and reading a field of options, by its type. Overloads for types of single layers are beside these
/// types; those of ActivationSpec and LearningRate are in saving/option_values.cc.
///
/// write_value errors: Unimplemented, naming the place, for what is code. read_value errors: InvalidArgument,
/// naming class and key, what is expected and what is there. Whether a value is in range is the constructors'
/// business.

/// Throws InvalidArgument `[from_config] units of Dense must be an integer; got a string: "three"`.
[[noreturn]] void wrong_type(const Place& place, const char* expected, const Config& got);
/// Throws Unimplemented: the place holds code, which cannot be written; `instead` is the advice in the
/// message.
[[noreturn]] void holds_code(const Place& place, const char* instead);

/// serialize of an object that an option holds: errors name the place too.
template <Family T>
Config serialize_at(const Place& place, const T& object) {
  try {
    return serialize(object);
  } catch (const Error& error) {
    throw error.with({.argument = std::string(place.key),
                      .notes = fmt::format("for {} of {}", place.key, place.class_name)});
  }
}

Config write_value(bool value, const Place& place);
Config write_value(int value, const Place& place);
Config write_value(std::int64_t value, const Place& place);
Config write_value(std::uint64_t value, const Place& place);
Config write_value(double value, const Place& place);
/// Empty: null.
Config write_value(const std::string& value, const Place& place);
Config write_value(DType value, const Place& place);
/// Keras's object: {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"}, ...}.
Config write_value(const DTypePolicy& value, const Place& place);
/// One axis is an integer, several are a list, all are null.
Config write_value(const ops::Axes& value, const Place& place);
Config write_value(const ops::IntOrInts& value, const Place& place);
Config write_value(const ops::OptionalIntOrInts& value, const Place& place);
/// Extents; kUnknown is null.
Config write_value(const OptionalDims& value, const Place& place);
Config write_value(const Dims& value, const Place& place);
Config write_value(const std::vector<double>& value, const Place& place);
/// A list of strings, also if it is empty.
Config write_value(const std::vector<std::string>& value, const Place& place);
/// Numbers, or lists of them; undefined: null.
Config write_value(const Tensor& value, const Place& place);
/// The name.
Config write_value(const ActivationSpec& value, const Place& place);
Config write_value(const LearningRate& value, const Place& place);

void read_value(const Config& config, const Place& place, bool& value);
void read_value(const Config& config, const Place& place, int& value);
void read_value(const Config& config, const Place& place, std::int64_t& value);
void read_value(const Config& config, const Place& place, std::uint64_t& value);
void read_value(const Config& config, const Place& place, double& value);
void read_value(const Config& config, const Place& place, std::string& value);
/// A name ("float32"), or Keras's policy of that name.
void read_value(const Config& config, const Place& place, DType& value);
/// The same; also names of mixed policies.
void read_value(const Config& config, const Place& place, DTypePolicy& value);
void read_value(const Config& config, const Place& place, ops::Axes& value);
void read_value(const Config& config, const Place& place, ops::IntOrInts& value);
void read_value(const Config& config, const Place& place, ops::OptionalIntOrInts& value);
void read_value(const Config& config, const Place& place, OptionalDims& value);
void read_value(const Config& config, const Place& place, Dims& value);
void read_value(const Config& config, const Place& place, std::vector<double>& value);
/// null: an empty list.
void read_value(const Config& config, const Place& place, std::vector<std::string>& value);
void read_value(const Config& config, const Place& place, Tensor& value);
void read_value(const Config& config, const Place& place, ActivationSpec& value);
void read_value(const Config& config, const Place& place, LearningRate& value);

template <typename T>
Config write_value(const std::optional<T>& value, const Place& place) {
  return value.has_value() ? write_value(*value, place) : Config();
}

template <typename T>
void read_value(const Config& config, const Place& place, std::optional<T>& value) {
  value.reset();
  if (config.is_null()) return;
  T inner{};
  read_value(config, place, inner);
  value = std::move(inner);
}

template <typename T>
Config write_value(const Spec<T>& value, const Place& place) {
  const std::shared_ptr<T> object = value.get();
  return object == nullptr ? Config() : serialize_at(place, *object);
}

/// null, a name, or a described object.
template <typename T>
void read_value(const Config& config, const Place& place, Spec<T>& value) {
  value = {};
  if (config.is_null()) return;
  if (config.is_string()) {
    value = T::from_name(config.as_string(), ArgumentName{place.class_name, place.key});
  } else {
    value = deserialize<T>(config, place);
  }
}

}  // namespace saving
}  // namespace cornu::inline v0::keras
