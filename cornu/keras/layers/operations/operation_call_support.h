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

/// What an operation is called with: the arguments of its call by position or by name, and what its class was
/// made with. An argument that is null counts as one that is not there.
class OperationCall {
 public:
  /// `tensors`: the arguments' with the inputs in their places. All are referred to.
  OperationCall(const OperationRow& row, const OperationArguments& arguments, const Config& options,
                const std::vector<Tensor>& tensors)
      : row_(row), arguments_(arguments), options_(options), tensors_(tensors) {}

  /// The parameter with this number. Errors: InvalidArgument when it is not there, or no tensor.
  Tensor operator[](std::size_t parameter) const;
  /// By name; undefined when it is not there.
  Tensor tensor(std::string_view name) const;
  /// Those of a list, or of all positions where the row says so.
  std::vector<Tensor> tensors(std::string_view name) const;

  /// An argument of the call or of the class; null when it is not there.
  const Config* find(std::string_view name) const;

  template <typename T>
  T get(const char* name, T missing) const {
    if (const Config* const value = find(name)) read(*value, name, missing);
    return missing;
  }
  /// Errors: InvalidArgument when it is not there.
  template <typename T>
  T get(const char* name) const {
    T value{};
    read(needed(name), name, value);
    return value;
  }

  /// An aggregate with the arguments that there are; the others keep their defaults.
  template <typename Options, typename Member, typename... Rest>
  Options options(const char* name, Member Options::* member, Rest... rest) const {
    Options result{};
    if constexpr (sizeof...(rest) > 0) result = options<Options>(rest...);
    if (const Config* const value = find(name)) read(*value, name, result.*member);
    return result;
  }

 private:
  const Config& needed(const char* name) const;
  Tensor tensor_of(const Config& value, std::string_view name) const;
  template <typename T>
  void read(const Config& value, const char* name, T& result) const {
    saving::read_value(value, {row_.class_name, name}, result);
  }
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
