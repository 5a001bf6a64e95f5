#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/operations/operation.h"

namespace cornu::inline v0::keras::layers {

class OperationCall;

/// A class of keras.ops that graphs of layers hold.
struct OperationRow {
  const char* class_name;
  const char* module;  // "numpy": keras.src.ops.numpy
  /// Of Keras's call: "x1 x2"; "x weights?" where it may be left out; "[xs]" for a list of tensors;
  /// "*x" for any number of positions.
  const char* parameters;
  std::vector<Tensor> (*function)(const OperationCall&);
};

/// Marks a member of options that keeps its default for null: Keras's default is null there, and the member's
/// type has no value for it.
template <typename Options, typename T>
struct NullIsDefault {
  T Options::* member;
};
template <typename Options, typename T>
NullIsDefault<Options, T> null_is_default(T Options::* member) {
  return {member};
}

/// The arguments of an operation: those of its call, by position or by name, and those that its class was
/// made with.
///
/// An argument that is null is not an argument that is absent: `"axis": null` of Softmax means all axes, while
/// without an axis it is the last. A type reads null as its own (a std::optional and an undefined Tensor as
/// none, Axes as all axes, a bool as false, as Python does) or refuses it.
class OperationCall {
 public:
  /// `tensors`: the arguments' with the inputs in their places. All are referred to.
  OperationCall(const OperationRow& row, const OperationArguments& arguments, const Config& options,
                const std::vector<Tensor>& tensors)
      : row_(row), arguments_(arguments), options_(options), tensors_(tensors) {}

  /// The parameter with this number. Errors: InvalidArgument when it is absent, null, or no tensor.
  Tensor operator[](std::size_t parameter) const;
  /// By name; undefined when it is absent or null.
  Tensor tensor(std::string_view name) const;
  /// Those of a list, or of all positions where the row says so.
  std::vector<Tensor> tensors(std::string_view name) const;

  /// An argument of the call or of the class; a null pointer when it is absent.
  const Config* find(std::string_view name) const;
  bool is_null(std::string_view name) const;

  template <typename T>
  T get(const char* name, T missing) const {
    if (const Config* const value = find(name)) read(*value, name, missing);
    return missing;
  }
  /// Errors: InvalidArgument when it is absent or null.
  template <typename T>
  T get(const char* name) const {
    T value{};
    read(needed(name), name, value);
    return value;
  }
  /// An argument without default that may be null. Errors: InvalidArgument when it is absent.
  template <typename T>
  T get_nullable(const char* name) const {
    if (is_null(name)) return {};
    return get<T>(name);
  }

  /// An aggregate with the arguments that there are; the others keep their defaults.
  template <typename Options, typename Member, typename... Rest>
  Options options(const char* name, Member member, Rest... rest) const {
    Options result{};
    if constexpr (sizeof...(rest) > 0) result = options<Options>(rest...);
    if (const Config* const value = find(name)) read_member(*value, name, result, member);
    return result;
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

/// All of them, whatever the order of the parts.
std::vector<OperationRow> operation_rows();

// The parts, by what they are in the guide.
std::vector<OperationRow> elementwise_operations();
std::vector<OperationRow> reducing_operations();
std::vector<OperationRow> shaping_operations();
std::vector<OperationRow> indexing_operations();
std::vector<OperationRow> network_operations();

// What rows of several parts are made of.
template <Tensor (*kFunction)(const Tensor&)>
std::vector<Tensor> of_one(const OperationCall& c) {
  return {kFunction(c[0])};
}
template <Tensor (*kFunction)(const Tensor&, const Tensor&)>
std::vector<Tensor> of_two(const OperationCall& c) {
  return {kFunction(c[0], c[1])};
}
inline constexpr const char* kCoreModule = "core";
inline constexpr const char* kLinalgModule = "linalg";
inline constexpr const char* kMathModule = "math";
inline constexpr const char* kNnModule = "nn";
inline constexpr const char* kNumpyModule = "numpy";

}  // namespace cornu::inline v0::keras::layers
