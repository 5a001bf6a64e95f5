#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

/// A row in a table of objects that are made by name.
template <typename T>
struct NamedMaker {
  const char* name;
  std::shared_ptr<T> (*make)();
};

/// Makes an object with the default arguments of its handle class.
template <typename T, typename H>
std::shared_ptr<T> make_default() {
  return H().shared();
}

template <typename T>
std::vector<std::string> table_names(std::span<const NamedMaker<T>> table) {
  std::vector<std::string> names;
  for (const NamedMaker<T>& row : table) names.emplace_back(row.name);
  return names;
}

/// The object of the row with this name (see canonical_name), or null.
template <typename T>
std::shared_ptr<T> make_named(std::span<const NamedMaker<T>> table, std::string_view name) {
  const std::string wanted = canonical_name(name);
  for (const NamedMaker<T>& row : table)
    if (wanted == canonical_name(row.name)) return row.make();
  return nullptr;
}

}  // namespace cornu::inline v0::keras
