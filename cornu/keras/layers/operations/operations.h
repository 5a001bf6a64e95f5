#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/keras_tensor.h"

namespace cornu::inline v0::keras {

/// An argument of an operation in a graph: a tensor of the graph, or a number or tensor that is a constant.
class OperationArgument {
 public:
  using Value = std::variant<KerasTensor, Tensor, Config, std::vector<OperationArgument>>;

  OperationArgument(const KerasTensor& tensor) : value_(tensor) {}
  template <std::convertible_to<Tensor> T>
  OperationArgument(const T& constant) : value_(std::in_place_type<Tensor>, constant) {}

  /// An argument that is not a tensor: an index of GetItem, or null.
  static OperationArgument of(Config value) { return OperationArgument(Value(std::move(value))); }
  /// Several arguments in one position: the conditions of Select.
  static OperationArgument list(std::vector<OperationArgument> arguments) {
    return OperationArgument(Value(std::move(arguments)));
  }

  const Value& value() const { return value_; }
  /// False for an omitted option, whose default is an undefined constant.
  bool defined() const {
    const Tensor* const constant = std::get_if<Tensor>(&value_);
    return constant == nullptr || constant->defined();
  }

 private:
  explicit OperationArgument(Value value) : value_(std::move(value)) {}

  Value value_;
};

/// Arguments of a call by name; an undefined tensor is null.
using NamedArguments = std::vector<std::pair<std::string, OperationArgument>>;

/// Adds an operation to the graph of a functional model, by the name of its class in Keras, with the options
/// of Keras's configuration:
///
///     KerasTensor average = keras::operation("Mean", {x}, Config::dict({{"axis", 1}, {"keepdims", true}}));
///
/// The functions below are shorter. Files contain operations under these names.
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

/// keras.ops on tensors of functional models; each adds the operation of its name to the graph.
namespace cornu::inline v0::ops {

#define CORNU_UNARY(function, name) \
  inline keras::KerasTensor function(const keras::KerasTensor& x) { return keras::operation(name, {x}); }
#define CORNU_BINARY(function, name)                                                                   \
  inline keras::KerasTensor function(const keras::KerasTensor& x, const keras::OperationArgument& y) { \
    return keras::operation(name, {x, y});                                                             \
  }                                                                                                    \
  inline keras::KerasTensor function(const Tensor& x, const keras::KerasTensor& y) {                   \
    return keras::operation(name, {x, y});                                                             \
  }
CORNU_BINARY(add, "Add")
CORNU_BINARY(subtract, "Subtract")
CORNU_BINARY(multiply, "Multiply")
CORNU_BINARY(divide, "Divide")
CORNU_BINARY(divide_no_nan, "DivideNoNan")
CORNU_BINARY(floor_divide, "FloorDivide")
CORNU_BINARY(mod, "Mod")
CORNU_BINARY(power, "Power")
CORNU_BINARY(maximum, "Maximum")
CORNU_BINARY(minimum, "Minimum")
CORNU_BINARY(arctan2, "Arctan2")
CORNU_BINARY(equal, "Equal")
CORNU_BINARY(not_equal, "NotEqual")
CORNU_BINARY(less, "Less")
CORNU_BINARY(less_equal, "LessEqual")
CORNU_BINARY(greater, "Greater")
CORNU_BINARY(greater_equal, "GreaterEqual")
CORNU_BINARY(logical_and, "LogicalAnd")
CORNU_BINARY(logical_or, "LogicalOr")
CORNU_BINARY(logical_xor, "LogicalXor")
CORNU_BINARY(matmul, "Matmul")
CORNU_BINARY(true_divide, "TrueDivide")
CORNU_BINARY(fmod, "Fmod")
CORNU_BINARY(fmax, "Fmax")
CORNU_BINARY(fmin, "Fmin")
CORNU_BINARY(hypot, "Hypot")
CORNU_BINARY(logaddexp, "Logaddexp")
CORNU_BINARY(logaddexp2, "Logaddexp2")
CORNU_BINARY(heaviside, "Heaviside")
CORNU_BINARY(bitwise_and, "BitwiseAnd")
CORNU_BINARY(bitwise_or, "BitwiseOr")
CORNU_BINARY(bitwise_xor, "BitwiseXor")
CORNU_BINARY(bitwise_left_shift, "BitwiseLeftShift")
CORNU_BINARY(bitwise_right_shift, "BitwiseRightShift")
CORNU_BINARY(left_shift, "LeftShift")
CORNU_BINARY(right_shift, "RightShift")
CORNU_BINARY(dot, "Dot")
CORNU_BINARY(inner, "Inner")
CORNU_BINARY(outer, "Outer")
CORNU_BINARY(vdot, "Vdot")
CORNU_BINARY(kron, "Kron")
CORNU_UNARY(logical_not, "LogicalNot")
CORNU_UNARY(negative, "Negative")
CORNU_UNARY(absolute, "Absolute")
CORNU_UNARY(sign, "Sign")
CORNU_UNARY(square, "Square")
CORNU_UNARY(sqrt, "Sqrt")
CORNU_UNARY(rsqrt, "Rsqrt")
CORNU_UNARY(reciprocal, "Reciprocal")
CORNU_UNARY(exp, "Exp")
CORNU_UNARY(expm1, "Expm1")
CORNU_UNARY(log, "Log")
CORNU_UNARY(log1p, "Log1p")
CORNU_UNARY(log2, "Log2")
CORNU_UNARY(log10, "Log10")
CORNU_UNARY(sin, "Sin")
CORNU_UNARY(cos, "Cos")
CORNU_UNARY(tan, "Tan")
CORNU_UNARY(arcsin, "Arcsin")
CORNU_UNARY(arccos, "Arccos")
CORNU_UNARY(arctan, "Arctan")
CORNU_UNARY(sinh, "Sinh")
CORNU_UNARY(cosh, "Cosh")
CORNU_UNARY(tanh, "Tanh")
CORNU_UNARY(floor, "Floor")
CORNU_UNARY(ceil, "Ceil")
CORNU_UNARY(trunc, "Trunc")
CORNU_UNARY(isnan, "Isnan")
CORNU_UNARY(isfinite, "Isfinite")
CORNU_UNARY(ravel, "Ravel")
CORNU_UNARY(erf, "Erf")
CORNU_UNARY(relu, "Relu")
CORNU_UNARY(relu6, "Relu6")
CORNU_UNARY(sigmoid, "Sigmoid")
CORNU_UNARY(softplus, "Softplus")
CORNU_UNARY(softsign, "Softsign")
CORNU_UNARY(silu, "Silu")
CORNU_UNARY(log_sigmoid, "LogSigmoid")
CORNU_UNARY(hard_sigmoid, "HardSigmoid")
CORNU_UNARY(hard_silu, "HardSilu")
CORNU_UNARY(selu, "Selu")
CORNU_UNARY(stop_gradient, "StopGradient")
CORNU_UNARY(abs, "Absolute")
CORNU_UNARY(fabs, "Fabs")
CORNU_UNARY(signbit, "Signbit")
CORNU_UNARY(exp2, "Exp2")
CORNU_UNARY(cbrt, "Cbrt")
CORNU_UNARY(arcsinh, "Arcsinh")
CORNU_UNARY(arccosh, "Arccosh")
CORNU_UNARY(arctanh, "Arctanh")
CORNU_UNARY(sinc, "Sinc")
CORNU_UNARY(deg2rad, "Deg2rad")
CORNU_UNARY(rad2deg, "Rad2deg")
CORNU_UNARY(erfc, "Erfc")
CORNU_UNARY(erfinv, "Erfinv")
CORNU_UNARY(isinf, "Isinf")
CORNU_UNARY(isposinf, "Isposinf")
CORNU_UNARY(isneginf, "Isneginf")
CORNU_UNARY(copy, "Copy")
CORNU_UNARY(bitwise_not, "BitwiseNot")
CORNU_UNARY(bitwise_invert, "BitwiseInvert")
CORNU_UNARY(flipud, "Flipud")
CORNU_UNARY(fliplr, "Fliplr")
CORNU_UNARY(swish, "Silu")
CORNU_UNARY(hard_swish, "HardSilu")
CORNU_UNARY(sparse_sigmoid, "SparseSigmoid")
CORNU_UNARY(tanh_shrink, "TanhShrink")
CORNU_UNARY(hard_tanh, "HardTanh")
CORNU_UNARY(sparse_plus, "SparsePlus")
// i32 scalars that include the batch; shape() returns only the extents that are known.
CORNU_UNARY(size, "Size")
CORNU_UNARY(ndim, "Ndim")
#undef CORNU_UNARY
#undef CORNU_BINARY

}  // namespace cornu::inline v0::ops
