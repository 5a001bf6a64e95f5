#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/keras_tensor.h"

namespace cornu::inline v0::keras {

/// An argument of an operation in a graph: a tensor of the graph, or a number or tensor that is a constant.
class OperationArgument {
 public:
  /// A variant of a tensor of the graph, a constant, a Config, and several arguments.
  struct Value;

  OperationArgument(const KerasTensor& tensor);
  template <std::convertible_to<Tensor> T>
  OperationArgument(const T& constant) : value_(of_constant(constant)) {}
  // Copies only: an argument that was moved from is still one.
  OperationArgument(const OperationArgument&) = default;
  OperationArgument& operator=(const OperationArgument&) = default;
  ~OperationArgument() = default;

  /// An argument that is not a tensor: an index of GetItem, or null.
  static OperationArgument of(const Config& value);
  /// Several arguments in one position: the conditions of Select.
  static OperationArgument list(std::vector<OperationArgument> arguments);

  const Value& value() const { return *value_; }
  /// False for an omitted option, whose default is an undefined constant.
  bool defined() const;

 private:
  explicit OperationArgument(std::shared_ptr<const Value> value) : value_(std::move(value)) {}
  static std::shared_ptr<const Value> of_constant(const Tensor& constant);

  std::shared_ptr<const Value> value_;
};

/// Arguments of a call by name; an undefined tensor is null.
using NamedArguments = std::vector<std::pair<std::string, OperationArgument>>;

/// Adds an operation to the graph of a functional model, by the name of its class in Keras, with the options
/// of Keras's configuration:
///
///     KerasTensor average = keras::operation("Mean", {x}, Config::dict({{"axis", 1}, {"keepdims", true}}));
///
/// The functions of cornu::ops are shorter. Files contain operations under these names.
/// Errors: InvalidArgument, listing the known names, for an unknown class, for a wrong number of arguments,
///         and if no argument is a tensor of a graph.
KerasTensor operation(const StringArgument& class_name, const std::vector<OperationArgument>& arguments,
                      const Config& options = Config::dict(), const NamedArguments& named = {});
/// The same for operations with several results ("Split", "TopK").
std::vector<KerasTensor> operation_outputs(const StringArgument& class_name,
                                           const std::vector<OperationArgument>& arguments,
                                           const Config& options = Config::dict(),
                                           const NamedArguments& named = {});

// Comparisons and division with a remainder; == compares handles.
KerasTensor operator<(const KerasTensor& x, const OperationArgument& y);
KerasTensor operator<=(const KerasTensor& x, const OperationArgument& y);
KerasTensor operator>(const KerasTensor& x, const OperationArgument& y);
KerasTensor operator>=(const KerasTensor& x, const OperationArgument& y);
KerasTensor operator%(const KerasTensor& x, const OperationArgument& y);

}  // namespace cornu::inline v0::keras

#include "cornu/keras/layers/operations/tensor_functions.h"  // the functions of keras.ops
