// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#include "cornu/keras/layers/operations/tensor_functions.h"
#include "cornu/keras/layers/operations/graph_call_support.h"

namespace cornu::inline v0::ops {
using namespace graph;

keras::KerasTensor add(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Add", {x1, x2});
}
keras::KerasTensor add(const Tensor& x1, const keras::KerasTensor& x2) { return call("Add", {x1, x2}); }
keras::KerasTensor subtract(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Subtract", {x1, x2});
}
keras::KerasTensor subtract(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Subtract", {x1, x2});
}
keras::KerasTensor multiply(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Multiply", {x1, x2});
}
keras::KerasTensor multiply(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Multiply", {x1, x2});
}
keras::KerasTensor divide(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Divide", {x1, x2});
}
keras::KerasTensor divide(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Divide", {x1, x2});
}
keras::KerasTensor true_divide(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("TrueDivide", {x1, x2});
}
keras::KerasTensor true_divide(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("TrueDivide", {x1, x2});
}
keras::KerasTensor divide_no_nan(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("DivideNoNan", {x1, x2});
}
keras::KerasTensor divide_no_nan(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("DivideNoNan", {x1, x2});
}
keras::KerasTensor floor_divide(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("FloorDivide", {x1, x2});
}
keras::KerasTensor floor_divide(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("FloorDivide", {x1, x2});
}
keras::KerasTensor mod(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Mod", {x1, x2});
}
keras::KerasTensor mod(const Tensor& x1, const keras::KerasTensor& x2) { return call("Mod", {x1, x2}); }
keras::KerasTensor fmod(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Fmod", {x1, x2});
}
keras::KerasTensor fmod(const Tensor& x1, const keras::KerasTensor& x2) { return call("Fmod", {x1, x2}); }
keras::KerasTensor power(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Power", {x1, x2});
}
keras::KerasTensor power(const Tensor& x1, const keras::KerasTensor& x2) { return call("Power", {x1, x2}); }
keras::KerasTensor maximum(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Maximum", {x1, x2});
}
keras::KerasTensor maximum(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Maximum", {x1, x2});
}
keras::KerasTensor minimum(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Minimum", {x1, x2});
}
keras::KerasTensor minimum(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Minimum", {x1, x2});
}
keras::KerasTensor fmax(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Fmax", {x1, x2});
}
keras::KerasTensor fmax(const Tensor& x1, const keras::KerasTensor& x2) { return call("Fmax", {x1, x2}); }
keras::KerasTensor fmin(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Fmin", {x1, x2});
}
keras::KerasTensor fmin(const Tensor& x1, const keras::KerasTensor& x2) { return call("Fmin", {x1, x2}); }
keras::KerasTensor hypot(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Hypot", {x1, x2});
}
keras::KerasTensor hypot(const Tensor& x1, const keras::KerasTensor& x2) { return call("Hypot", {x1, x2}); }
keras::KerasTensor logaddexp(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Logaddexp", {x1, x2});
}
keras::KerasTensor logaddexp(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Logaddexp", {x1, x2});
}
keras::KerasTensor logaddexp2(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Logaddexp2", {x1, x2});
}
keras::KerasTensor logaddexp2(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Logaddexp2", {x1, x2});
}
keras::KerasTensor heaviside(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Heaviside", {x1, x2});
}
keras::KerasTensor heaviside(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Heaviside", {x1, x2});
}
keras::KerasTensor arctan2(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Arctan2", {x1, x2});
}
keras::KerasTensor arctan2(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Arctan2", {x1, x2});
}
keras::KerasTensor equal(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Equal", {x1, x2});
}
keras::KerasTensor equal(const Tensor& x1, const keras::KerasTensor& x2) { return call("Equal", {x1, x2}); }
keras::KerasTensor not_equal(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("NotEqual", {x1, x2});
}
keras::KerasTensor not_equal(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("NotEqual", {x1, x2});
}
keras::KerasTensor less(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Less", {x1, x2});
}
keras::KerasTensor less(const Tensor& x1, const keras::KerasTensor& x2) { return call("Less", {x1, x2}); }
keras::KerasTensor less_equal(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("LessEqual", {x1, x2});
}
keras::KerasTensor less_equal(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("LessEqual", {x1, x2});
}
keras::KerasTensor greater(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Greater", {x1, x2});
}
keras::KerasTensor greater(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Greater", {x1, x2});
}
keras::KerasTensor greater_equal(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("GreaterEqual", {x1, x2});
}
keras::KerasTensor greater_equal(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("GreaterEqual", {x1, x2});
}
keras::KerasTensor logical_and(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("LogicalAnd", {x1, x2});
}
keras::KerasTensor logical_and(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("LogicalAnd", {x1, x2});
}
keras::KerasTensor logical_or(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("LogicalOr", {x1, x2});
}
keras::KerasTensor logical_or(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("LogicalOr", {x1, x2});
}
keras::KerasTensor logical_xor(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("LogicalXor", {x1, x2});
}
keras::KerasTensor logical_xor(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("LogicalXor", {x1, x2});
}
keras::KerasTensor logical_not(const keras::KerasTensor& x) { return call("LogicalNot", {x}); }
keras::KerasTensor bitwise_and(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("BitwiseAnd", {x, y});
}
keras::KerasTensor bitwise_and(const Tensor& x, const keras::KerasTensor& y) {
  return call("BitwiseAnd", {x, y});
}
keras::KerasTensor bitwise_or(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("BitwiseOr", {x, y});
}
keras::KerasTensor bitwise_or(const Tensor& x, const keras::KerasTensor& y) {
  return call("BitwiseOr", {x, y});
}
keras::KerasTensor bitwise_xor(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("BitwiseXor", {x, y});
}
keras::KerasTensor bitwise_xor(const Tensor& x, const keras::KerasTensor& y) {
  return call("BitwiseXor", {x, y});
}
keras::KerasTensor bitwise_not(const keras::KerasTensor& x) { return call("BitwiseNot", {x}); }
keras::KerasTensor bitwise_invert(const keras::KerasTensor& x) { return call("BitwiseInvert", {x}); }
keras::KerasTensor bitwise_left_shift(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("BitwiseLeftShift", {x, y});
}
keras::KerasTensor bitwise_left_shift(const Tensor& x, const keras::KerasTensor& y) {
  return call("BitwiseLeftShift", {x, y});
}
keras::KerasTensor bitwise_right_shift(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("BitwiseRightShift", {x, y});
}
keras::KerasTensor bitwise_right_shift(const Tensor& x, const keras::KerasTensor& y) {
  return call("BitwiseRightShift", {x, y});
}
keras::KerasTensor left_shift(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("LeftShift", {x, y});
}
keras::KerasTensor left_shift(const Tensor& x, const keras::KerasTensor& y) {
  return call("LeftShift", {x, y});
}
keras::KerasTensor right_shift(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("RightShift", {x, y});
}
keras::KerasTensor right_shift(const Tensor& x, const keras::KerasTensor& y) {
  return call("RightShift", {x, y});
}
keras::KerasTensor negative(const keras::KerasTensor& x) { return call("Negative", {x}); }
keras::KerasTensor abs(const keras::KerasTensor& x) { return call("Absolute", {x}); }
keras::KerasTensor absolute(const keras::KerasTensor& x) { return call("Absolute", {x}); }
keras::KerasTensor fabs(const keras::KerasTensor& x) { return call("Fabs", {x}); }
keras::KerasTensor sign(const keras::KerasTensor& x) { return call("Sign", {x}); }
keras::KerasTensor signbit(const keras::KerasTensor& x) { return call("Signbit", {x}); }
keras::KerasTensor reciprocal(const keras::KerasTensor& x) { return call("Reciprocal", {x}); }
keras::KerasTensor square(const keras::KerasTensor& x) { return call("Square", {x}); }
keras::KerasTensor exp(const keras::KerasTensor& x) { return call("Exp", {x}); }
keras::KerasTensor exp2(const keras::KerasTensor& x) { return call("Exp2", {x}); }
keras::KerasTensor expm1(const keras::KerasTensor& x) { return call("Expm1", {x}); }
keras::KerasTensor log(const keras::KerasTensor& x) { return call("Log", {x}); }
keras::KerasTensor log1p(const keras::KerasTensor& x) { return call("Log1p", {x}); }
keras::KerasTensor log2(const keras::KerasTensor& x) { return call("Log2", {x}); }
keras::KerasTensor log10(const keras::KerasTensor& x) { return call("Log10", {x}); }
keras::KerasTensor sqrt(const keras::KerasTensor& x) { return call("Sqrt", {x}); }
keras::KerasTensor rsqrt(const keras::KerasTensor& x) { return call("Rsqrt", {x}); }
keras::KerasTensor cbrt(const keras::KerasTensor& x) { return call("Cbrt", {x}); }
keras::KerasTensor sin(const keras::KerasTensor& x) { return call("Sin", {x}); }
keras::KerasTensor cos(const keras::KerasTensor& x) { return call("Cos", {x}); }
keras::KerasTensor tan(const keras::KerasTensor& x) { return call("Tan", {x}); }
keras::KerasTensor arcsin(const keras::KerasTensor& x) { return call("Arcsin", {x}); }
keras::KerasTensor arccos(const keras::KerasTensor& x) { return call("Arccos", {x}); }
keras::KerasTensor arctan(const keras::KerasTensor& x) { return call("Arctan", {x}); }
keras::KerasTensor sinh(const keras::KerasTensor& x) { return call("Sinh", {x}); }
keras::KerasTensor cosh(const keras::KerasTensor& x) { return call("Cosh", {x}); }
keras::KerasTensor tanh(const keras::KerasTensor& x) { return call("Tanh", {x}); }
keras::KerasTensor arcsinh(const keras::KerasTensor& x) { return call("Arcsinh", {x}); }
keras::KerasTensor arccosh(const keras::KerasTensor& x) { return call("Arccosh", {x}); }
keras::KerasTensor arctanh(const keras::KerasTensor& x) { return call("Arctanh", {x}); }
keras::KerasTensor erf(const keras::KerasTensor& x) { return call("Erf", {x}); }
keras::KerasTensor erfc(const keras::KerasTensor& x) { return call("Erfc", {x}); }
keras::KerasTensor erfinv(const keras::KerasTensor& x) { return call("Erfinv", {x}); }
keras::KerasTensor sinc(const keras::KerasTensor& x) { return call("Sinc", {x}); }
keras::KerasTensor deg2rad(const keras::KerasTensor& x) { return call("Deg2rad", {x}); }
keras::KerasTensor rad2deg(const keras::KerasTensor& x) { return call("Rad2deg", {x}); }
keras::KerasTensor floor(const keras::KerasTensor& x) { return call("Floor", {x}); }
keras::KerasTensor ceil(const keras::KerasTensor& x) { return call("Ceil", {x}); }
keras::KerasTensor trunc(const keras::KerasTensor& x) { return call("Trunc", {x}); }
keras::KerasTensor isnan(const keras::KerasTensor& x) { return call("Isnan", {x}); }
keras::KerasTensor isinf(const keras::KerasTensor& x) { return call("Isinf", {x}); }
keras::KerasTensor isposinf(const keras::KerasTensor& x) { return call("Isposinf", {x}); }
keras::KerasTensor isneginf(const keras::KerasTensor& x) { return call("Isneginf", {x}); }
keras::KerasTensor isfinite(const keras::KerasTensor& x) { return call("Isfinite", {x}); }
keras::KerasTensor copy(const keras::KerasTensor& x) { return call("Copy", {x}); }
keras::KerasTensor stop_gradient(const keras::KerasTensor& variable) {
  return call("StopGradient", {variable});
}
keras::KerasTensor where(const keras::KerasTensor& condition, const keras::OperationArgument& x1, const
    keras::OperationArgument& x2) {
  return call("Where", {condition, x1, x2});
}
keras::KerasTensor size(const keras::KerasTensor& x) { return call("Size", {x}); }
keras::KerasTensor ndim(const keras::KerasTensor& x) { return call("Ndim", {x}); }
keras::KerasTensor ravel(const keras::KerasTensor& x) { return call("Ravel", {x}); }
keras::KerasTensor flipud(const keras::KerasTensor& x) { return call("Flipud", {x}); }
keras::KerasTensor fliplr(const keras::KerasTensor& x) { return call("Fliplr", {x}); }
keras::KerasTensor matmul(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Matmul", {x1, x2});
}
keras::KerasTensor matmul(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Matmul", {x1, x2});
}
keras::KerasTensor dot(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Dot", {x1, x2});
}
keras::KerasTensor dot(const Tensor& x1, const keras::KerasTensor& x2) { return call("Dot", {x1, x2}); }
keras::KerasTensor inner(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Inner", {x1, x2});
}
keras::KerasTensor inner(const Tensor& x1, const keras::KerasTensor& x2) { return call("Inner", {x1, x2}); }
keras::KerasTensor outer(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Outer", {x1, x2});
}
keras::KerasTensor outer(const Tensor& x1, const keras::KerasTensor& x2) { return call("Outer", {x1, x2}); }
keras::KerasTensor vdot(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Vdot", {x1, x2});
}
keras::KerasTensor vdot(const Tensor& x1, const keras::KerasTensor& x2) { return call("Vdot", {x1, x2}); }
keras::KerasTensor kron(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Kron", {x1, x2});
}
keras::KerasTensor kron(const Tensor& x1, const keras::KerasTensor& x2) { return call("Kron", {x1, x2}); }
keras::KerasTensor relu(const keras::KerasTensor& x) { return call("Relu", {x}); }
keras::KerasTensor relu6(const keras::KerasTensor& x) { return call("Relu6", {x}); }
keras::KerasTensor selu(const keras::KerasTensor& x) { return call("Selu", {x}); }
keras::KerasTensor sigmoid(const keras::KerasTensor& x) { return call("Sigmoid", {x}); }
keras::KerasTensor log_sigmoid(const keras::KerasTensor& x) { return call("LogSigmoid", {x}); }
keras::KerasTensor hard_sigmoid(const keras::KerasTensor& x) { return call("HardSigmoid", {x}); }
keras::KerasTensor sparse_sigmoid(const keras::KerasTensor& x) { return call("SparseSigmoid", {x}); }
keras::KerasTensor silu(const keras::KerasTensor& x) { return call("Silu", {x}); }
keras::KerasTensor swish(const keras::KerasTensor& x) { return call("Silu", {x}); }
keras::KerasTensor hard_silu(const keras::KerasTensor& x) { return call("HardSilu", {x}); }
keras::KerasTensor hard_swish(const keras::KerasTensor& x) { return call("HardSilu", {x}); }
keras::KerasTensor softplus(const keras::KerasTensor& x) { return call("Softplus", {x}); }
keras::KerasTensor softsign(const keras::KerasTensor& x) { return call("Softsign", {x}); }
keras::KerasTensor tanh_shrink(const keras::KerasTensor& x) { return call("TanhShrink", {x}); }
keras::KerasTensor hard_tanh(const keras::KerasTensor& x) { return call("HardTanh", {x}); }
keras::KerasTensor sparse_plus(const keras::KerasTensor& x) { return call("SparsePlus", {x}); }
keras::KerasTensor cdist(const keras::KerasTensor& x, const keras::OperationArgument& y) {
  return call("CDist", {x, y});
}
keras::KerasTensor cdist(const Tensor& x, const keras::KerasTensor& y) { return call("CDist", {x, y}); }
keras::KerasTensor corrcoef(const keras::KerasTensor& x) { return call("Corrcoef", {x}); }
keras::KerasTensor gcd(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Gcd", {x1, x2});
}
keras::KerasTensor gcd(const Tensor& x1, const keras::KerasTensor& x2) { return call("Gcd", {x1, x2}); }
keras::KerasTensor lcm(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Lcm", {x1, x2});
}
keras::KerasTensor lcm(const Tensor& x1, const keras::KerasTensor& x2) { return call("Lcm", {x1, x2}); }
keras::KerasTensor ldexp(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Ldexp", {x1, x2});
}
keras::KerasTensor ldexp(const Tensor& x1, const keras::KerasTensor& x2) { return call("Ldexp", {x1, x2}); }
keras::KerasTensor nextafter(const keras::KerasTensor& x1, const keras::OperationArgument& x2) {
  return call("Nextafter", {x1, x2});
}
keras::KerasTensor nextafter(const Tensor& x1, const keras::KerasTensor& x2) {
  return call("Nextafter", {x1, x2});
}
keras::KerasTensor i0(const keras::KerasTensor& x) { return call("I0", {x}); }
keras::KerasTensor view_as_complex(const keras::KerasTensor& x) { return call("ViewAsComplex", {x}); }
keras::KerasTensor polar(const keras::KerasTensor& abs_, const keras::OperationArgument& angle) {
  return call("Polar", {abs_, angle});
}
keras::KerasTensor polar(const Tensor& abs_, const keras::KerasTensor& angle) {
  return call("Polar", {abs_, angle});
}
keras::KerasTensor view_as_real(const keras::KerasTensor& x) { return call("ViewAsReal", {x}); }
keras::KerasTensor real(const keras::KerasTensor& x) { return call("Real", {x}); }
keras::KerasTensor imag(const keras::KerasTensor& x) { return call("Imag", {x}); }
keras::KerasTensor conjugate(const keras::KerasTensor& x) { return call("Conjugate", {x}); }
keras::KerasTensor conj(const keras::KerasTensor& x) { return call("Conjugate", {x}); }
keras::KerasTensor angle(const keras::KerasTensor& x) { return call("Angle", {x}); }
keras::KerasTensor isreal(const keras::KerasTensor& x) { return call("Isreal", {x}); }
std::vector<keras::KerasTensor> lu_factor(const keras::KerasTensor& x) { return call_many("LuFactor", {x}); }
keras::KerasTensor det(const keras::KerasTensor& x) { return call("Det", {x}); }
std::vector<keras::KerasTensor> slogdet(const keras::KerasTensor& x) { return call_many("Slogdet", {x}); }
keras::KerasTensor logdet(const keras::KerasTensor& x) { return call("Logdet", {x}); }
keras::KerasTensor inv(const keras::KerasTensor& x) { return call("Inv", {x}); }
keras::KerasTensor solve(const keras::KerasTensor& a, const keras::OperationArgument& b) {
  return call("Solve", {a, b});
}
keras::KerasTensor solve(const Tensor& a, const keras::KerasTensor& b) { return call("Solve", {a, b}); }
std::vector<keras::KerasTensor> eig(const keras::KerasTensor& x) { return call_many("Eig", {x}); }
std::vector<keras::KerasTensor> eigh(const keras::KerasTensor& x) { return call_many("Eigh", {x}); }

}  // namespace cornu::inline v0::ops
