#pragma once

#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/operations/operations.h"

/// Shared by the sources with the overloads for KerasTensor; not part of the interface.
namespace cornu::inline v0::ops::graph {

using keras::Config;
using keras::KerasTensor;
using keras::KerasTensors;
using keras::NamedArguments;
using keras::OperationArgument;
using Arguments = std::vector<OperationArgument>;

/// Converts an option to its form in a configuration.
template <typename T>
Config value(const T& option) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    const std::string_view text(option);
    return text.empty() ? Config() : Config(text);
  } else if constexpr (requires { option.has_value(); }) {
    return option.has_value() ? value(*option) : Config();
  } else {
    return keras::saving::write_value(option, {"operation", "options"});
  }
}
inline Config value(const Config& option) { return option; }
inline Config value(const std::pair<std::int64_t, std::int64_t>& option) {
  return Config::list({option.first, option.second});
}

/// An option with its name in Keras.
struct Field : Config::Entry {
  template <typename T>
  Field(const char* name, const T& option) : Config::Entry(name, value(option)) {}
};
using Fields = std::initializer_list<Field>;

inline std::vector<KerasTensor> call_many(const char* class_name, const Arguments& arguments,
                                          Fields fields = {}, const NamedArguments& named = {}) {
  return keras::operation_outputs(class_name, arguments,
                                  Config::dict(Config::Dict(fields.begin(), fields.end())), named);
}
inline KerasTensor call(const char* class_name, const Arguments& arguments, Fields fields = {},
                        const NamedArguments& named = {}) {
  return call_many(class_name, arguments, fields, named).at(0);
}

inline Arguments all_of(const KerasTensors& tensors) { return {tensors.begin(), tensors.end()}; }

}  // namespace cornu::inline v0::ops::graph
