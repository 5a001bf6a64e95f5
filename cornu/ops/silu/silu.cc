#include "cornu/ops/silu/silu.h"

#include <cmath>
#include <numbers>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace silu_folder {
namespace {

/// The argument of the logistic function, with its derivative.
struct Argument {
  ir::Value value, derivative;
};
using ArgumentFn = Argument (*)(ir::Builder&, ir::Value x);

Argument itself(ir::Builder& b, ir::Value x) { return {x, number(b, x, 1)}; }

Argument cubic(ir::Builder& b, ir::Value x) {
  constexpr double kCube = 0.044715;
  const ir::Value factor = number(b, x, 2 * std::sqrt(2 / std::numbers::pi)), square = multiply(b, x, x);
  const ir::Value cube = multiply(b, multiply(b, square, x), number(b, x, kCube));
  const ir::Value slope = add(b, multiply(b, square, number(b, x, 3 * kCube)), number(b, x, 1));
  return {multiply(b, add(b, x, cube), factor), multiply(b, slope, factor)};
}

template <ArgumentFn kArgument>
std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands, const ir::Attributes&) {
  return {multiply(b, operands[0], logistic(b, kArgument(b, operands[0]).value))};
}

/// s (1 + x w' (1 - s)), s = logistic(w)
template <ArgumentFn kArgument>
std::vector<ir::Value> decompose_slope(ir::Builder& b, std::span<const ir::Value> operands,
                                       const ir::Attributes&) {
  const ir::Value x = operands[0], one = number(b, x, 1);
  const Argument argument = kArgument(b, x);
  const ir::Value share = logistic(b, argument.value);
  const ir::Value growth = multiply(b, x, argument.derivative);
  return {multiply(b, share, add(b, one, multiply(b, growth, subtract(b, one, share))))};
}

template <ArgumentFn kArgument>
const ir::OpDef kSlope = {.name = kArgument == &itself ? "cornu.silu_slope" : "cornu.gelu_tanh_slope",
                          .infer = infer_float_function,
                          .decompose = decompose_slope<kArgument>,
                          .elementwise = true};

template <ArgumentFn kArgument>
std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  const ir::Value slope = b.create(kSlope<kArgument>, {context.op.operand(0)}).result();
  return {multiply(b, context.result_gradients[0], slope)};
}

template <ArgumentFn kArgument>
const ir::OpDef kFunction = {.name = kArgument == &itself ? "cornu.silu" : "cornu.gelu_tanh",
                             .infer = infer_float_function,
                             .gradient = gradient<kArgument>,
                             .decompose = decompose<kArgument>,
                             .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  return ir::list_defs<kFunction<itself>, kSlope<itself>, kFunction<cubic>, kSlope<cubic>>();
}

}  // namespace silu_folder

ir::Value silu(ir::Builder& builder, ir::Value x) {
  return builder.create(silu_folder::kFunction<silu_folder::itself>, {x}).result();
}
ir::Value silu_slope(ir::Builder& builder, ir::Value x) {
  return builder.create(silu_folder::kSlope<silu_folder::itself>, {x}).result();
}
ir::Value gelu_tanh(ir::Builder& builder, ir::Value x) {
  return builder.create(silu_folder::kFunction<silu_folder::cubic>, {x}).result();
}
ir::Value gelu_tanh_slope(ir::Builder& builder, ir::Value x) {
  return builder.create(silu_folder::kSlope<silu_folder::cubic>, {x}).result();
}

}  // namespace cornu::inline v0::ops
