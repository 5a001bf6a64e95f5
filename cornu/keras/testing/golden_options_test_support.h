#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cornu/ir/dtype.h"
#include "cornu/ir/type.h"
#include "cornu/keras/base/names.h"
#include "cornu/tensor/ops.h"

/// Options of classes from configurations in golden files.
namespace cornu::inline v0::keras::testing {

inline void set_option(bool& option, const nlohmann::json& value) { option = value.get<bool>(); }
inline void set_option(std::int64_t& option, const nlohmann::json& value) {
  option = value.get<std::int64_t>();
}
inline void set_option(double& option, const nlohmann::json& value) { option = value.get<double>(); }
inline void set_option(std::string& option, const nlohmann::json& value) {
  option = value.is_null() ? "none" : value.get<std::string>();
}
inline void set_option(Dims& option, const nlohmann::json& value) { option = value.get<Dims>(); }
inline void set_option(ops::Axes& option, const nlohmann::json& value) {
  option = value.is_array() ? ops::Axes(value.get<std::vector<std::int64_t>>())
                            : ops::Axes(value.get<std::int64_t>());
}
template <typename T>
void set_option(std::optional<T>& option, const nlohmann::json& value) {
  if constexpr (std::is_same_v<T, DType>) option = ir::dtype_from_name(value.get<std::string>());
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
    set_option(option.emplace(), value);
}
/// Lists of numbers; options of other types are not in the golden files.
template <typename T>
void set_option(T& option, const nlohmann::json& value) {
  if constexpr (std::is_assignable_v<T&, std::vector<double>>)
    option = value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()};
}

/// The options that a configuration sets; a test fails if it has a name that is no option.
template <typename Options>
Options golden_options(const nlohmann::json& config) {
  Options options;
  std::size_t num_set = 0;
  visit_fields(options, [&](const char* name, auto& option) {
    const auto given = config.find(name);
    if (given == config.end()) return;
    set_option(option, *given);
    ++num_set;
  });
  EXPECT_EQ(num_set, config.size()) << config.dump();
  return options;
}

}  // namespace cornu::inline v0::keras::testing
