#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/ir/literal.h"

namespace cornu::inline v0::ir {

/// The value of an attribute. Names and meanings are those of the StableHLO specification. DType is for
/// attributes that are types; integer lists are `array<i64: ...>`.
using Attribute =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, Literal, DType>;

/// The attributes of an op, sorted by name.
class Attributes {
 public:
  Attributes() = default;
  Attributes(std::initializer_list<std::pair<std::string, Attribute>> entries);

  /// Null if absent.
  const Attribute* find(std::string_view name) const;
  void set(std::string name, Attribute value);

  /// The attribute as T. Errors: InvalidArgument if it is absent or of another type.
  template <typename T>
  const T& get(std::string_view name) const {
    const Attribute* attribute = find(name);
    if (attribute == nullptr || !std::holds_alternative<T>(*attribute)) missing(name);
    return std::get<T>(*attribute);
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  bool operator==(const Attributes&) const = default;

 private:
  [[noreturn]] static void missing(std::string_view name);
  std::vector<std::pair<std::string, Attribute>> entries_;
};

}  // namespace cornu::inline v0::ir
