#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::keras {

/// A value of JSON: what a layer, an optimizer or a model is described by. The same keys and values as
/// Keras's `get_config()`.
///
///     Config config = model.layers()[0].get_config();
///     config.set("units", 64);
///     std::string text = config.json();
///
/// Integers and floating-point numbers are kept apart, entries keep their order, infinity and NaN are values
/// as in Python's JSON.
/// Owns:   what it holds; copies are deep.
/// Errors: InvalidArgument with the expected and the actual type or key.
class Config {
 public:
  using List = std::vector<Config>;
  using Entry = std::pair<std::string, Config>;
  using Dict = std::vector<Entry>;
  enum class Kind { kNull, kBool, kInteger, kFloat, kString, kList, kDict };

  Config();
  Config(const Config&);
  Config(Config&&) noexcept;
  Config& operator=(const Config&);
  Config& operator=(Config&&) noexcept;
  ~Config();
  Config(std::nullptr_t) : Config() {}
  template <std::same_as<bool> T>
  Config(T value) : Config(of_bool(value)) {}
  template <typename T>
    requires(std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>)
  Config(T value) : Config(of_integer(value)) {}
  template <std::floating_point T>
  Config(T value) : Config(of_number(static_cast<double>(value))) {}
  Config(const char* value) : Config(std::string(value == nullptr ? "" : value)) {}
  Config(std::string value);
  Config(std::string_view value) : Config(std::string(value)) {}
  Config(List values);
  template <typename T>
    requires(!std::same_as<T, Config> && std::constructible_from<Config, const T&>)
  Config(const std::vector<T>& values) : Config(List(values.begin(), values.end())) {}

  static Config list(std::initializer_list<Config> values) { return {List(values)}; }
  /// Errors: InvalidArgument when a key occurs twice.
  static Config dict(std::initializer_list<Entry> entries = {});
  static Config dict(Dict entries);

  Kind kind() const;
  /// "a list", "an integer", ...: for error messages.
  const char* kind_name() const;
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_integer() const { return kind() == Kind::kInteger; }
  bool is_number() const { return is_integer() || kind() == Kind::kFloat; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_list() const { return kind() == Kind::kList; }
  bool is_dict() const { return kind() == Kind::kDict; }

  bool as_bool() const;
  /// Errors: also OutOfRange when the integer does not fit 64 bits with a sign.
  std::int64_t as_integer() const;
  /// Errors: also OutOfRange for a negative integer.
  std::uint64_t as_unsigned() const;
  /// The number, also of an integer.
  double as_number() const;
  const std::string& as_string() const;
  const List& as_list() const;
  const Dict& as_dict() const;

  /// The value of a dict's key; null when there is none, or this is no dict.
  const Config* find(StringViewArgument key) const;
  bool contains(StringViewArgument key) const { return find(key) != nullptr; }
  /// Errors: InvalidArgument with the nearest key when there is no such key.
  const Config& at(StringViewArgument key) const;
  const Config& at(std::size_t index) const;
  const Config& operator[](StringViewArgument key) const { return at(key); }
  /// Replaces the value of a key or appends it. Null becomes a dict.
  void set(StringViewArgument key, Config value);
  /// Takes a key out, if it is there.
  void erase(StringViewArgument key);
  /// Appends to a list. Null becomes a list.
  void append(Config value);
  /// The number of entries of a list or a dict.
  std::size_t size() const;
  std::vector<std::string> keys() const;

  /// Equal numbers are equal whether they are integers or not (but bools are no numbers); the order of keys
  /// does not count; NaN equals NaN.
  bool operator==(const Config& other) const;

  /// JSON as Python writes it: `{"units": 3, "rate": 0.5}`. With `indent` one entry a line, indented by
  /// `indent` columns a level.
  std::string json(int indent = 0) const;
  /// Errors: InvalidArgument with the position when the text is not JSON, a key occurs twice, or it is nested
  ///         more than 256 deep.
  static Config parse(StringViewArgument json);

 private:
  template <typename T>
  static Config of_integer(T value) {
    if (std::in_range<std::int64_t>(value)) return of_signed(static_cast<std::int64_t>(value));
    return of_unsigned(static_cast<std::uint64_t>(value));
  }
  static Config of_bool(bool value);
  static Config of_signed(std::int64_t value);
  static Config of_unsigned(std::uint64_t value);
  static Config of_number(double value);
  Config* find_mutable(std::string_view key);

  struct Value;  // a std::variant, which programs that include this header do not instantiate
  /// The value if it is a T, else null.
  template <typename T>
  T* get_if() const;

  std::unique_ptr<Value> value_;  // null for JSON's null
};

}  // namespace cornu::inline v0::keras
