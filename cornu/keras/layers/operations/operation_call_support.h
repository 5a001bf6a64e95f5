#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/operations/operation.h"

namespace cornu::inline v0::keras::layers {

class OperationCall;

/// A class of keras.ops in graphs of layers.
struct OperationRow {
  const char* class_name;
  const char* module;  // "numpy": keras.src.ops.numpy
  /// The parameters of Keras's call: "x1 x2"; "x weights?" for an optional one; "[xs]" for a list of tensors;
  /// "*x" for any number of positional arguments; "**" at the end for any further named ones.
  const char* parameters;
  std::vector<Tensor> (*function)(const OperationCall&);
  bool has_name = true;  // false: Keras writes the configuration without the operation's name
};

/// The arguments of an operation: those of its call, by position or by name, and those of its constructor.
///
/// A null argument differs from an absent one: `"axis": null` of Softmax means all axes, while without `axis`
/// it is the last. Each type defines the meaning of null (nullopt, an undefined Tensor, all axes for Axes,
/// false for a bool, as in Python) or refuses it.
class OperationCall {
 public:
  /// `tensors`: the tensors of `arguments`, with the call's inputs in their places. Lifetime: refers to all
  /// arguments.
  OperationCall(const OperationRow& row, const OperationArguments& arguments, const Config& options,
                const std::vector<Tensor>& tensors)
      : row_(row), arguments_(arguments), options_(options), tensors_(tensors) {}

  /// The parameter with this index. Errors: InvalidArgument if it is absent, null, or not a tensor.
  Tensor operator[](std::size_t parameter) const;
  /// The parameter of this name; undefined if it is absent or null.
  Tensor tensor(std::string_view name) const;
  /// The tensors of a list, or of all positions for a "*x" parameter.
  std::vector<Tensor> tensors(std::string_view name) const;

  /// An argument of the call or of the constructor; null if it is absent.
  const Config* find(std::string_view name) const;
  bool is_null(std::string_view name) const;
  /// The arguments of the call that are given by name.
  const Config& named() const { return arguments_.kwargs; }

  template <typename T>
  T get(const char* name, T missing) const {
    if (const Config* const value = find(name)) read(*value, name, missing);
    return missing;
  }
  /// Errors: InvalidArgument if it is absent or null.
  template <typename T>
  T get(const char* name) const {
    const Config& given = needed(name);
    if constexpr (std::is_default_constructible_v<T>) {
      T value{};
      read(given, name, value);
      return value;
    } else {
      T value(0);  // ops::IntOrInts
      read(given, name, value);
      return value;
    }
  }
  /// An argument without default that may be null. Errors: InvalidArgument if it is absent.
  template <typename T>
  T get_nullable(const char* name) const {
    if (is_null(name)) return {};
    return get<T>(name);
  }

  /// An options aggregate filled from the given arguments; other members keep their defaults.
  template <typename Options, typename Member, typename... Rest>
  Options options(const char* name, Member member, Rest... rest) const {
    Options result{};
    if constexpr (sizeof...(rest) > 0) result = options<Options>(rest...);
    if (const Config* const value = find(name)) read_member(*value, name, result, member);
    return result;
  }

  /// Marks a member of options that keeps its default for null: Keras's default is null, and the member's
  /// type has no value for it.
  template <typename Options, typename T>
  struct NullIsDefault {
    T Options::* member;
  };
  template <typename Options, typename T>
  static NullIsDefault<Options, T> null_is_default(T Options::* member) {
    return {member};
  }

 private:
  const Config& needed(const char* name) const;
  Tensor tensor_of(const Config& value, std::string_view name) const;
  template <typename T>
  void read(const Config& value, const char* name, T& result) const {
    saving::read_value(value, {row_.class_name, name}, result);
  }
  template <typename Options, typename T>
  void read_member(const Config& value, const char* name, Options& result, T Options::* member) const {
    read(value, name, result.*member);
  }
  template <typename Options, typename T>
  void read_member(const Config& value, const char* name, Options& result,
                   NullIsDefault<Options, T> nullable) const {
    if (!value.is_null()) read(value, name, result.*nullable.member);
  }
  void read(const Config& value, const char* name, bool& result) const;
  void read(const Config& value, const char* name, std::string_view& result) const;
  void read(const Config& value, const char* name, std::pair<std::int64_t, std::int64_t>& result) const;
  void read(const Config& value, const char* name, Tensor& result) const { result = tensor_of(value, name); }

  const OperationRow& row_;
  const OperationArguments& arguments_;
  const Config& options_;
  const std::vector<Tensor>& tensors_;
};

/// The rows of all classes, in no particular order.
std::vector<OperationRow> operation_rows();

}  // namespace cornu::inline v0::keras::layers
