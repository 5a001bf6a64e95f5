#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

/// Values made of tensors: arguments and results of `function` and control flow. A tensor, a variable, a
/// number, an enumeration, a string, an iterator of a data set, and pairs, tuples, arrays, vectors,
/// optionals, maps by string and plain structs (up to eight public members, no base) of these.
namespace cornu::inline v0::detail {

template <typename T, template <typename...> typename Template>
inline constexpr bool is_instance_of = false;
template <typename... Arguments, template <typename...> typename Template>
inline constexpr bool is_instance_of<Template<Arguments...>, Template> = true;

template <typename T>
inline constexpr bool is_std_array = false;
template <typename T, std::size_t kSize>
inline constexpr bool is_std_array<std::array<T, kSize>> = true;

template <typename T>
inline constexpr bool is_text =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> || std::is_same_v<T, const char*> ||
    std::is_same_v<T, char*> || (std::is_array_v<T> && std::is_same_v<std::remove_extent_t<T>, char>);

/// Initializes any member, to count them.
struct AnyMember {
  template <typename T>
  operator T() const;
};
template <typename T, typename... Members>
consteval std::size_t num_members() {
  if constexpr (sizeof...(Members) < 8 && requires { T{Members{}..., AnyMember{}}; }) {
    return num_members<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

/// Calls `f` for each member of a plain struct.
template <typename T, typename F>
void for_each_member(T& value, F&& f) {
  constexpr std::size_t kCount = num_members<std::remove_const_t<T>>();
  const auto each = [&](auto&... members) { (f(members), ...); };
  if constexpr (kCount == 1) {
    auto& [a] = value;
    each(a);
  } else if constexpr (kCount == 2) {
    auto& [a, b] = value;
    each(a, b);
  } else if constexpr (kCount == 3) {
    auto& [a, b, c] = value;
    each(a, b, c);
  } else if constexpr (kCount == 4) {
    auto& [a, b, c, d] = value;
    each(a, b, c, d);
  } else if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = value;
    each(a, b, c, d, e);
  } else if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, g] = value;
    each(a, b, c, d, e, g);
  } else if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, g, h] = value;
    each(a, b, c, d, e, g, h);
  } else if constexpr (kCount == 8) {
    auto& [a, b, c, d, e, g, h, i] = value;
    each(a, b, c, d, e, g, h, i);
  }
}

template <typename T>
inline constexpr bool kNotALeaf = false;

/// True for a container of elements, whose number is part of its structure if it is not fixed.
template <typename T>
inline constexpr bool is_container =
    is_instance_of<T, std::pair> || is_instance_of<T, std::tuple> || is_std_array<T> ||
    is_instance_of<T, std::vector> || is_instance_of<T, std::optional> || is_instance_of<T, std::map>;

template <typename Visitor, typename T>
void visit_leaves(Visitor& visitor, T& value);

/// The elements of a container, for visit_leaves.
template <typename Visitor, typename T>
void visit_elements(Visitor& visitor, T& value) {
  using Plain = std::remove_const_t<T>;
  if constexpr (is_instance_of<Plain, std::pair> || is_instance_of<Plain, std::tuple>) {
    std::apply([&](auto&... elements) { (visit_leaves(visitor, elements), ...); }, value);
  } else if constexpr (is_std_array<Plain>) {
    for (auto& element : value) visit_leaves(visitor, element);
  } else if constexpr (is_instance_of<Plain, std::optional>) {
    visitor.size(value.has_value() ? 1 : 0);
    if (value) visit_leaves(visitor, *value);
  } else if constexpr (is_instance_of<Plain, std::map>) {
    visitor.size(value.size());
    for (auto& [key, element] : value) {
      visitor.text(key);
      visit_leaves(visitor, element);
    }
  } else if constexpr (std::is_same_v<Plain, std::vector<bool>>) {
    visitor.size(value.size());
    for (const bool element : value) visitor.number(element);
  } else {
    visitor.size(value.size());
    for (auto& element : value) visit_leaves(visitor, element);
  }
}

/// Traverses `value` and calls the visitor for each leaf, in order: tensor(Tensor&), variable(Variable&),
/// number(T&), text(std::string_view), size(std::size_t) for containers without a fixed number of elements;
/// and source(ElementSource&) for iterators if the visitor has it.
template <typename Visitor, typename T>
void visit_leaves(Visitor& visitor, T& value) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, Tensor>) {
    visitor.tensor(value);
  } else if constexpr (std::is_same_v<Plain, Variable>) {
    visitor.variable(value);
  } else if constexpr (requires { value.element_source(); }) {
    if constexpr (requires { visitor.source(value.element_source()); })
      visitor.source(value.element_source());
  } else if constexpr (std::is_arithmetic_v<Plain> || std::is_enum_v<Plain>) {
    visitor.number(value);
  } else if constexpr (is_text<Plain>) {
    visitor.text(std::string_view(value));
  } else if constexpr (is_container<Plain>) {
    visit_elements(visitor, value);
  } else if constexpr (std::is_same_v<Plain, std::nullptr_t> || std::is_empty_v<Plain>) {
    // No leaves.
  } else if constexpr (std::is_aggregate_v<Plain> && !std::is_array_v<Plain>) {
    for_each_member(value, [&](auto& member) { visit_leaves(visitor, member); });
  } else {
    static_assert(kNotALeaf<T>,
                  "this type cannot be an argument or a result here: use tensors, variables, numbers, "
                  "strings, iterators of data sets, and vectors, tuples, maps "
                  "or plain structs of them; anything else is captured by reference in the lambda");
  }
}

/// The result of a callable that returns void.
struct Nothing {};

template <typename F, typename... Arguments>
auto call_or_nothing(F& f, Arguments&&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&, Arguments...>>) {
    f(std::forward<Arguments>(arguments)...);
    return Nothing{};
  } else {
    return f(std::forward<Arguments>(arguments)...);
  }
}

/// Collects the defined tensors of a structure.
struct TensorCollector {
  std::vector<Tensor>& tensors;
  void tensor(const Tensor& tensor) {
    if (tensor.defined()) tensors.push_back(tensor);
  }
  void variable(const Variable&) {}
  template <typename T>
  void number(const T&) {}
  void text(std::string_view) {}
  void size(std::size_t) {}
};

/// Replaces the defined tensors of a structure, in the same order.
struct TensorReplacer {
  const Tensor* next;
  void tensor(Tensor& tensor) {
    if (tensor.defined()) tensor = *next++;
  }
  void variable(const Variable&) {}
  template <typename T>
  void number(const T&) {}
  void text(std::string_view) {}
  void size(std::size_t) {}
};

template <typename T>
std::vector<Tensor> tensors_of(const T& structure) {
  std::vector<Tensor> tensors;
  TensorCollector collector{tensors};
  visit_leaves(collector, structure);
  return tensors;
}

/// Collects undefined tensors too.
struct AllTensorCollector : TensorCollector {
  void tensor(const Tensor& tensor) { tensors.push_back(tensor); }
};
template <typename T>
std::vector<Tensor> tensors_of_all(const T& structure) {
  std::vector<Tensor> tensors;
  AllTensorCollector collector{{tensors}};
  visit_leaves(collector, structure);
  return tensors;
}

/// A copy of `structure` with these tensors.
template <typename T>
T with_tensors(T structure, std::span<const Tensor> tensors) {
  TensorReplacer replacer{tensors.data()};
  visit_leaves(replacer, structure);
  return structure;
}

}  // namespace cornu::inline v0::detail
