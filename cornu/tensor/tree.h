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

/// Throws InvalidArgument: the structures differ at `path`.
[[noreturn]] void fail_up_to(StringViewArgument path, StringViewArgument why);

/// Calls f(path, leaf) for each leaf, which is a `Leaf`. Parts of a path follow each other with "/" in between: positions,
/// keys of maps, numbers of members.
template <typename Leaf = Tensor, typename T, typename F>
void walk(T& structure, const StringArgument& path, F& f) {
  using Plain = std::remove_const_t<T>;
  const auto below = [&](const std::string& part) { return path.empty() ? part : path + "/" + part; };
  std::size_t position = 0;
  const auto next = [&](auto& element) { walk<Leaf>(element, below(std::to_string(position++)), f); };
  namespace structures = cornu::detail;
  if constexpr (std::is_same_v<Plain, Leaf>) {
    f(path, structure);
  } else if constexpr (structures::is_instance_of<Plain, std::map>) {
    for (auto& [key, element] : structure) walk<Leaf>(element, below(key), f);
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

/// Replaces each tensor of `shallow` by f(parts...), where the parts are those of `structures` at its place.
template <typename T, typename F, typename... Structures>
void replace_up_to(T& shallow, const StringArgument& path, F& f, const Structures&... structures) {
  const auto below = [&](const std::string& part) { return path.empty() ? part : path + "/" + part; };
  namespace known = cornu::detail;
  if constexpr (std::is_same_v<T, Tensor>) {
    shallow = f(structures...);
  } else if constexpr (known::is_instance_of<T, std::map>) {
    for (auto& [key, element] : shallow) {
      if ((!structures.contains(key) || ...)) fail_up_to(below(key), "a structure has no such key");
      replace_up_to(element, below(key), f, structures.at(key)...);
    }
  } else if constexpr (known::is_instance_of<T, std::pair> || known::is_instance_of<T, std::tuple>) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      const auto replace = [&]<std::size_t kAt>() {
        replace_up_to(std::get<kAt>(shallow), below(std::to_string(kAt)), f, std::get<kAt>(structures)...);
      };
      (replace.template operator()<kIndex>(), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    static_assert(known::is_container<T>,
                  "the first structure must be made of tensors, vectors, pairs, tuples and maps");
    if (((structures.size() != shallow.size()) || ...)) fail_up_to(path, "the structures have other lengths");
    for (std::size_t i = 0; i < shallow.size(); ++i)
      replace_up_to(shallow[i], below(std::to_string(i)), f, structures[i]...);
  }
}

/// traverse() for a part of a structure.
template <typename F, typename T>
void traverse_part(F& f, T& structure, bool top_down) {
  const auto replace = [&] {
    if constexpr (std::is_invocable_r_v<std::optional<T>, F&, const T&>) {
      if (std::optional<T> replacement = f(std::as_const(structure))) {
        structure = *std::move(replacement);
        return true;
      }
    }
    return false;
  };
  if (top_down && replace()) return;
  const auto next = [&](auto& element) { traverse_part(f, element, top_down); };
  namespace known = cornu::detail;
  if constexpr (known::is_instance_of<T, std::map>) {
    for (auto& [key, element] : structure) next(element);
  } else if constexpr (known::is_instance_of<T, std::pair> || known::is_instance_of<T, std::tuple>) {
    std::apply([&](auto&... elements) { (next(elements), ...); }, structure);
  } else if constexpr (known::is_instance_of<T, std::optional>) {
    if (structure) next(*structure);
  } else if constexpr (known::is_container<T> && !std::is_same_v<T, std::vector<bool>>) {
    for (auto& element : structure) next(element);
  }
  if (!top_down) replace();
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

/// A copy of a structure whose leaves are shapes, with f(shape) in place of each shape.
///
///     tree::map_shape_structure([](const Dims& shape) { return with_batch(shape); }, shapes);
template <typename F, typename T>
T map_shape_structure(F f, T structure) {
  check_callable("map_shape_structure", "f", f);
  const auto replace = [&](const std::string&, Dims& shape) { shape = f(std::as_const(shape)); };
  detail::walk<Dims>(structure, "", replace);
  return structure;
}

/// A copy of `shallow` with f(parts...) in place of each tensor, where the parts are those of `structures` at
/// the same path: tensors, or whole structures. The tensors of `shallow` do not count.
/// Errors: InvalidArgument with the path if a structure lacks a key, or has another length.
template <typename T, typename F, typename... Structures>
T map_structure_up_to(T shallow, F f, const Structures&... structures) {
  check_callable("map_structure_up_to", "f", f);
  detail::replace_up_to(shallow, "", f, structures...);
  return shallow;
}

/// A copy of `structure` in which f(part) replaces parts: f takes parts of one or several types, each as a
/// constant reference, and returns an optional of the part's type. Without a value the part stays, and with
/// top_down its own parts are next; with a value they are not visited. With top_down = false parts are visited
/// after their own parts. An undefined Tensor removes a tensor (Keras's MAP_TO_NONE).
template <typename F, typename T>
T traverse(F f, T structure, bool top_down = true) {
  check_callable("traverse", "f", f);
  detail::traverse_part(f, structure, top_down);
  return structure;
}

}  // namespace cornu::inline v0::tree
