#include "cornu/ops/sinh/sinh.h"

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex_functions.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace sinh_folder {
namespace {

/// e^|x| / 2 and e^-|x| / 2, by e^(|x| / 2), which does not overflow before they do.
struct HalfPowers {
  HalfPowers(ir::Builder& b, ir::Value x) {
    const ir::Value half = full(b, x.type(), 0.5);
    const ir::Value root = exponential(b, multiply(b, abs(b, x), half));
    rising = multiply(b, multiply(b, root, half), root);
    falling = divide(b, divide(b, half, root), root);
  }
  ir::Value rising, falling;
};

/// By e^x - 1 near 0, where e^x - e^-x cancels.
std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands, const ir::Attributes&) {
  const ir::Value x = operands[0], one = full(b, x.type(), 1);
  if (ir::is_complex(x.dtype())) return {complex_function_of(b, "sinh", x)};
  const ir::Value is_near = compare(b, abs(b, x), one, ComparisonDirection::kLt);
  const ir::Value e = exponential_minus_one(b, select(b, is_near, x, full(b, x.type(), 0)));
  const ir::Value near = multiply(b, add(b, e, divide(b, e, add(b, e, one))), full(b, x.type(), 0.5));
  const HalfPowers powers(b, x);
  const ir::Value far = multiply(b, sign(b, x), subtract(b, powers.rising, powers.falling));
  return {select(b, is_near, near, far)};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  const ir::Value x = context.op.operand(0);
  if (ir::is_complex(x.dtype()))
    return {multiply(b, context.result_gradients[0], complex_function_of(b, "cosh", x))};
  const HalfPowers powers(b, x);
  return {multiply(b, context.result_gradients[0], add(b, powers.rising, powers.falling))};
}

const ir::OpDef kSinh = {.name = "cornu.sinh",
                         .infer = infer_float_or_complex_function,
                         .gradient = gradient,
                         .decompose = decompose,
                         .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSinh>(); }

}  // namespace sinh_folder

ir::Value sinh(ir::Builder& builder, ir::Value x) { return builder.create(sinh_folder::kSinh, {x}).result(); }

}  // namespace cornu::inline v0::ops
