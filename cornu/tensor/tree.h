#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/string_argument.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/value/tensor.h"

/// keras.tree: functions of nested structures of tensors.
///
/// A structure is a tensor, or a pair, tuple, array, vector, optional, map by string or plain struct (up to
/// eight public members, no base) of structures. Its leaves are its tensors, in order; a map is ordered by its
/// keys, as in Keras. Numbers, strings and variables inside are kept as they are.
namespace cornu::inline v0::tree {

namespace detail {

/// Throws InvalidArgument: `count` tensors do not fill a structure of `leaves`.
[[noreturn]] void fail_count(StringViewArgument caller, std::size_t leaves, std::size_t count);
/// Throws InvalidArgument if the leaves' paths differ, with the first difference.
void check_same_paths(StringViewArgument caller, const std::vector<std::string>& a,
                      const std::vector<std::string>& b);

/// Calls f(path, tensor) for each leaf. Parts of a path follow each other with "/" in between: positions,
/// keys of maps, numbers of members.
template <typename T, typename F>
void walk(T& structure, const StringArgument& path, F& f) {
  using Plain = std::remove_const_t<T>;
  const auto below = [&](const std::string& part) { return path.empty() ? part : path + "/" + part; };
  std::size_t position = 0;
  const auto next = [&](auto& element) { walk(element, below(std::to_string(position++)), f); };
  namespace structures = cornu::detail;
  if constexpr (std::is_same_v<Plain, Tensor>) {
    f(path, structure);
  } else if constexpr (structures::is_instance_of<Plain, std::map>) {
    for (auto& [key, element] : structure) walk(element, below(key), f);
  } else if constexpr (structures::is_instance_of<Plain, std::pair> ||
                       structures::is_instance_of<Plain, std::tuple>) {
    std::apply([&](auto&... elements) { (next(elements), ...); }, structure);
  } else if constexpr (structures::is_instance_of<Plain, std::optional>) {
    if (structure) next(*structure);
  } else if constexpr (std::is_same_v<Plain, std::vector<bool>>) {
    // Numbers.
  } else if constexpr (structures::is_container<Plain>) {
    for (auto& element : structure) next(element);
  } else if constexpr (std::is_same_v<Plain, Variable> || std::is_arithmetic_v<Plain> ||
                       std::is_enum_v<Plain> || structures::is_text<Plain> || std::is_empty_v<Plain>) {
    // No tensor.
  } else if constexpr (std::is_aggregate_v<Plain> && !std::is_array_v<Plain>) {
    structures::for_each_member(structure, next);
  } else {
    static_assert(structures::kNotALeaf<T>,
                  "this type cannot be part of a structure: use tensors, variables, numbers, strings, and "
                  "vectors, tuples, maps or plain structs of them");
  }
}

}  // namespace detail

/// True for a type of structures other than a single tensor.
template <typename T>
constexpr bool is_nested(const T&) {
  return !std::is_same_v<T, Tensor>;
}

/// The leaves with their paths: `{"encoder/0", tensor}`; the path of a single tensor is empty.
template <typename T>
std::vector<std::pair<std::string, Tensor>> flatten_with_path(const T& structure) {
  std::vector<std::pair<std::string, Tensor>> leaves;
  const auto add = [&](const std::string& path, const Tensor& leaf) { leaves.emplace_back(path, leaf); };
  detail::walk(structure, "", add);
  return leaves;
}

/// The leaves.
template <typename T>
std::vector<Tensor> flatten(const T& structure) {
  std::vector<Tensor> leaves;
  const auto add = [&](const std::string&, const Tensor& leaf) { leaves.push_back(leaf); };
  detail::walk(structure, "", add);
  return leaves;
}

/// A copy of `structure` with these leaves.
/// Errors: InvalidArgument unless there is one for each leaf.
template <typename T>
T pack_sequence_as(T structure, const std::vector<Tensor>& flat_sequence) {
  if (const std::size_t leaves = flatten(structure).size(); leaves != flat_sequence.size())
    detail::fail_count("pack_sequence_as", leaves, flat_sequence.size());
  std::size_t i = 0;
  const auto replace = [&](const std::string&, Tensor& leaf) { leaf = flat_sequence[i++]; };
  detail::walk(structure, "", replace);
  return structure;
}

/// Checks that two structures have leaves at the same paths, whatever their types are.
/// Errors: InvalidArgument with the first path that one of them does not have.
template <typename T, typename U>
void assert_same_paths(const T& a, const U& b) {
  const auto paths_of = [](const auto& structure) {
    std::vector<std::string> paths;
    const auto add = [&](const std::string& path, const Tensor&) { paths.push_back(path); };
    detail::walk(structure, "", add);
    return paths;
  };
  detail::check_same_paths("assert_same_paths", paths_of(a), paths_of(b));
}

/// Checks that two structures of one type have leaves at the same paths: vectors of the same lengths, maps of
/// the same keys.
/// Errors: those of assert_same_paths.
template <typename T>
void assert_same_structure(const T& a, const T& b) {
  assert_same_paths(a, b);
}

/// A copy of `structure` whose leaves are f(leaf), or f(leaf, ...) with the leaves of further structures at
/// the same paths.
/// Errors: those of assert_same_structure.
template <typename F, typename T, typename... Others>
T map_structure(F f, T structure, const Others&... others) {
  check_callable("map_structure", "f", f);
  (assert_same_paths(structure, others), ...);
  std::size_t i = 0;
  const auto further = std::tuple(flatten(others)...);
  const auto replace = [&](const std::string&, Tensor& leaf) {
    leaf = std::apply([&](const auto&... leaves) -> Tensor { return f(leaf, leaves[i]...); }, further);
    ++i;
  };
  detail::walk(structure, "", replace);
  return structure;
}

}  // namespace cornu::inline v0::tree
