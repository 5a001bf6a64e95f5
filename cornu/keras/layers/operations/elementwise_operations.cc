#include "cornu/keras/layers/operations/operation_call_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

template <Tensor (*kFunction)(const Tensor&, const Tensor&, const ops::IsCloseOptions&)>
Tensors close(const Call& c) {
  using O = ops::IsCloseOptions;
  return {
      kFunction(c[0], c[1], c.options<O>("rtol", &O::rtol, "atol", &O::atol, "equal_nan", &O::equal_nan))};
}

/// The target dtype of a cast; null means Keras's floatx.
DType target_dtype(const Call& c) {
  return c.get_nullable<std::optional<DType>>("dtype").value_or(DType::kF32);
}

}  // namespace

std::vector<OperationRow> elementwise_operations() {
  return {
      {"Add", kNumpyModule, "x1 x2", &of_two<&ops::add>},
      {"Subtract", kNumpyModule, "x1 x2", &of_two<&ops::subtract>},
      {"Multiply", kNumpyModule, "x1 x2", &of_two<&ops::multiply>},
      {"Divide", kNumpyModule, "x1 x2", &of_two<&ops::divide>},
      {"TrueDivide", kNumpyModule, "x1 x2", &of_two<&ops::true_divide>},
      {"DivideNoNan", kNumpyModule, "x1 x2", &of_two<&ops::divide_no_nan>},
      {"FloorDivide", kNumpyModule, "x1 x2", &of_two<&ops::floor_divide>},
      {"Mod", kNumpyModule, "x1 x2", &of_two<&ops::mod>},
      {"Fmod", kNumpyModule, "x1 x2", &of_two<&ops::fmod>},
      {"Power", kNumpyModule, "x1 x2", &of_two<&ops::power>},
      {"Maximum", kNumpyModule, "x1 x2", &of_two<&ops::maximum>},
      {"Minimum", kNumpyModule, "x1 x2", &of_two<&ops::minimum>},
      {"Fmax", kNumpyModule, "x1 x2", &of_two<&ops::fmax>},
      {"Fmin", kNumpyModule, "x1 x2", &of_two<&ops::fmin>},
      {"Hypot", kNumpyModule, "x1 x2", &of_two<&ops::hypot>},
      {"Logaddexp", kNumpyModule, "x1 x2", &of_two<&ops::logaddexp>},
      {"Logaddexp2", kNumpyModule, "x1 x2", &of_two<&ops::logaddexp2>},
      {"Heaviside", kNumpyModule, "x1 x2", &of_two<&ops::heaviside>},
      {"Arctan2", kNumpyModule, "x1 x2", &of_two<&ops::arctan2>},
      {"Equal", kNumpyModule, "x1 x2", &of_two<&ops::equal>},
      {"NotEqual", kNumpyModule, "x1 x2", &of_two<&ops::not_equal>},
      {"Less", kNumpyModule, "x1 x2", &of_two<&ops::less>},
      {"LessEqual", kNumpyModule, "x1 x2", &of_two<&ops::less_equal>},
      {"Greater", kNumpyModule, "x1 x2", &of_two<&ops::greater>},
      {"GreaterEqual", kNumpyModule, "x1 x2", &of_two<&ops::greater_equal>},
      {"LogicalAnd", kNumpyModule, "x1 x2", &of_two<&ops::logical_and>},
      {"LogicalOr", kNumpyModule, "x1 x2", &of_two<&ops::logical_or>},
      {"LogicalXor", kNumpyModule, "x1 x2", &of_two<&ops::logical_xor>},
      {"BitwiseAnd", kNumpyModule, "x y", &of_two<&ops::bitwise_and>},
      {"BitwiseOr", kNumpyModule, "x y", &of_two<&ops::bitwise_or>},
      {"BitwiseXor", kNumpyModule, "x y", &of_two<&ops::bitwise_xor>},
      {"BitwiseLeftShift", kNumpyModule, "x y", &of_two<&ops::bitwise_left_shift>},
      {"BitwiseRightShift", kNumpyModule, "x y", &of_two<&ops::bitwise_right_shift>},
      {"LeftShift", kNumpyModule, "x y", &of_two<&ops::left_shift>},
      {"RightShift", kNumpyModule, "x y", &of_two<&ops::right_shift>},
      {"LogicalNot", kNumpyModule, "x", &of_one<&ops::logical_not>},
      {"BitwiseNot", kNumpyModule, "x", &of_one<&ops::bitwise_not>},
      {"BitwiseInvert", kNumpyModule, "x", &of_one<&ops::bitwise_invert>},
      {"Negative", kNumpyModule, "x", &of_one<&ops::negative>},
      {"Absolute", kNumpyModule, "x", &of_one<&ops::absolute>},
      {"Fabs", kNumpyModule, "x", &of_one<&ops::fabs>},
      {"Sign", kNumpyModule, "x", &of_one<&ops::sign>},
      {"Signbit", kNumpyModule, "x", &of_one<&ops::signbit>},
      {"Reciprocal", kNumpyModule, "x", &of_one<&ops::reciprocal>},
      {"Square", kNumpyModule, "x", &of_one<&ops::square>},
      {"Exp", kNumpyModule, "x", &of_one<&ops::exp>},
      {"Exp2", kNumpyModule, "x", &of_one<&ops::exp2>},
      {"Expm1", kNumpyModule, "x", &of_one<&ops::expm1>},
      {"Log", kNumpyModule, "x", &of_one<&ops::log>},
      {"Log1p", kNumpyModule, "x", &of_one<&ops::log1p>},
      {"Log2", kNumpyModule, "x", &of_one<&ops::log2>},
      {"Log10", kNumpyModule, "x", &of_one<&ops::log10>},
      {"Sqrt", kNumpyModule, "x", &of_one<&ops::sqrt>},
      {"Cbrt", kNumpyModule, "x", &of_one<&ops::cbrt>},
      {"Sin", kNumpyModule, "x", &of_one<&ops::sin>},
      {"Cos", kNumpyModule, "x", &of_one<&ops::cos>},
      {"Tan", kNumpyModule, "x", &of_one<&ops::tan>},
      {"Arcsin", kNumpyModule, "x", &of_one<&ops::arcsin>},
      {"Arccos", kNumpyModule, "x", &of_one<&ops::arccos>},
      {"Arctan", kNumpyModule, "x", &of_one<&ops::arctan>},
      {"Sinh", kNumpyModule, "x", &of_one<&ops::sinh>},
      {"Cosh", kNumpyModule, "x", &of_one<&ops::cosh>},
      {"Tanh", kNumpyModule, "x", &of_one<&ops::tanh>},
      {"Arcsinh", kNumpyModule, "x", &of_one<&ops::arcsinh>},
      {"Arccosh", kNumpyModule, "x", &of_one<&ops::arccosh>},
      {"Arctanh", kNumpyModule, "x", &of_one<&ops::arctanh>},
      {"Sinc", kNumpyModule, "x", &of_one<&ops::sinc>},
      {"Deg2rad", kNumpyModule, "x", &of_one<&ops::deg2rad>},
      {"Rad2deg", kNumpyModule, "x", &of_one<&ops::rad2deg>},
      {"Floor", kNumpyModule, "x", &of_one<&ops::floor>},
      {"Ceil", kNumpyModule, "x", &of_one<&ops::ceil>},
      {"Trunc", kNumpyModule, "x", &of_one<&ops::trunc>},
      {"Isnan", kNumpyModule, "x", &of_one<&ops::isnan>},
      {"Isinf", kNumpyModule, "x", &of_one<&ops::isinf>},
      {"Isposinf", kNumpyModule, "x", &of_one<&ops::isposinf>},
      {"Isneginf", kNumpyModule, "x", &of_one<&ops::isneginf>},
      {"Isfinite", kNumpyModule, "x", &of_one<&ops::isfinite>},
      {"Copy", kNumpyModule, "x", &of_one<&ops::copy>},
      {"Rsqrt", kMathModule, "x", &of_one<&ops::rsqrt>},
      {"Erf", kMathModule, "x", &of_one<&ops::erf>},
      {"Erfc", kMathModule, "x", &of_one<&ops::erfc>},
      {"Erfinv", kMathModule, "x", &of_one<&ops::erfinv>},
      {"Isclose", kNumpyModule, "x1 x2 rtol? atol?", &close<&ops::isclose>},
      {"AllClose", kNumpyModule, "x1 x2", &close<&ops::allclose>},
      {"Round", kNumpyModule, "x",
       [](const Call& c) { return Tensors{ops::round(c[0], c.get<std::int64_t>("decimals", 0))}; }},
      {"NanToNum", kNumpyModule, "x",
       [](const Call& c) {
         using O = ops::NanToNumOptions;
         return Tensors{
             ops::nan_to_num(c[0], c.options<O>("nan", &O::nan, "posinf", &O::posinf, "neginf", &O::neginf))};
       }},
      {"Clip", kNumpyModule, "x",
       [](const Call& c) {
         const auto x_min = c.get_nullable<std::optional<double>>("x_min");
         const auto x_max = c.get_nullable<std::optional<double>>("x_max");
         if (x_min.has_value() && x_max.has_value()) return Tensors{ops::clip(c[0], *x_min, *x_max)};
         if (x_min.has_value()) return Tensors{ops::maximum(c[0], c.tensor("x_min"))};
         return Tensors{x_max.has_value() ? ops::minimum(c[0], c.tensor("x_max")) : c[0]};
       }},
      {"Cast", kCoreModule, "x", [](const Call& c) { return Tensors{ops::cast(c[0], target_dtype(c))}; }},
      {"SaturateCast", kCoreModule, "x",
       [](const Call& c) { return Tensors{ops::saturate_cast(c[0], target_dtype(c))}; }},
      {"ConvertToTensor", kCoreModule, "x",
       [](const Call& c) {
         return Tensors{ops::cast(c[0], c.get("dtype", std::optional<DType>()).value_or(c[0].dtype()))};
       }},
      {"StopGradient", kCoreModule, "variable", &of_one<&ops::stop_gradient>},
      {"Where", kNumpyModule, "condition x1 x2",
       [](const Call& c) { return Tensors{ops::where(c[0], c[1], c[2])}; }},
      {"Select", kNumpyModule, "condlist choicelist default?",
       [](const Call& c) {
         return Tensors{ops::select(c.tensors("condlist"), c.tensors("choicelist"),
                                    c.get<Tensor>("default", Tensor(0)))};
       }},
  };
}

}  // namespace cornu::inline v0::keras::layers
