#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/tensor/ops.h"

/// For ops_golden_test only: one call of a keras.ops function from tests/goldens/ops.json.
namespace cornu::inline v0::ops_golden {

using Tensors = std::vector<Tensor>;

class Call {
 public:
  Call(const nlohmann::json& args, Tensors inputs) : args_(&args), inputs_(std::move(inputs)) {}

  const Tensor& operator[](std::size_t i) const { return inputs_.at(i); }
  const Tensors& inputs() const { return inputs_; }
  /// The tensors of a list.
  const Tensors& tensors(const char*) const { return inputs_; }
  bool has(const char* name) const { return args_->contains(name) && !args_->at(name).is_null(); }

  template <typename T>
  T get(const char* name) const {
    const nlohmann::json& value = args_->at(name);
    if constexpr (std::is_same_v<T, DType>) {
      return *ir::dtype_from_name(value.get<std::string>());
    } else if constexpr (std::is_same_v<T, ops::Axes>) {
      return list_or_number<T, Dims, std::int64_t>(value);
    } else if constexpr (std::is_same_v<T, ops::IntOrInts> || std::is_same_v<T, ops::OptionalIntOrInts>) {
      return list_or_number<ops::IntOrInts, Dims, std::int64_t>(value);
    } else if constexpr (std::is_same_v<T, ops::Quantiles>) {
      return list_or_number<T, std::vector<double>, double>(value);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return value.get_ref<const std::string&>();
    } else if constexpr (std::is_same_v<T, const char*>) {
      return value.get_ref<const std::string&>().c_str();
    } else if constexpr (std::is_same_v<T, ops::NormOrder>) {
      if (value.is_string() && value != "inf" && value != "-inf")
        return {value.get_ref<const std::string&>().c_str()};
      return {get<double>(name)};
    } else if constexpr (std::is_same_v<T, Tensor>) {
      return value.is_number_integer() ? Tensor(value.get<std::int64_t>()) : Tensor(value.get<double>());
    } else if constexpr (std::is_same_v<T, double>) {
      if (value.is_string()) return value == "inf" ? HUGE_VAL : -HUGE_VAL;
      return value.get<double>();
    } else if constexpr (std::is_same_v<T, std::pair<std::int64_t, std::int64_t>>) {
      return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
    } else {
      return value.get<T>();
    }
  }

  /// Makes an options aggregate from the call's arguments; the other fields keep their defaults.
  template <typename Options, typename Member, typename... Rest>
  Options options(const char* name, Member Options::* member, Rest... rest) const {
    Options result{};
    if constexpr (sizeof...(rest) > 0) result = options<Options>(rest...);
    if (has(name)) assign(name, result.*member);
    return result;
  }

  /// No call of the golden file has null for such a member.
  template <typename Options, typename T>
  static T Options::* null_is_default(T Options::* member) {
    return member;
  }

 private:
  template <typename T, typename List, typename Number>
  static T list_or_number(const nlohmann::json& value) {
    return value.is_array() ? T(value.get<List>()) : T(value.get<Number>());
  }
  template <typename T>
  void assign(const char* name, T& member) const {
    member = get<T>(name);
  }
  template <typename T>
  void assign(const char* name, std::optional<T>& member) const {
    member = get<T>(name);
  }

  const nlohmann::json* args_;
  Tensors inputs_;
};

struct Row {
  const char* name;
  Tensors (*call)(const Call&);
};

/// All functions with calls in the golden file. Numbers (shape, size, ndim) are returned as tensors.
std::vector<Row> rows();

}  // namespace cornu::inline v0::ops_golden
