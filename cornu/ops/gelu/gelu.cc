#include "cornu/ops/gelu/gelu.h"

#include <numbers>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/erf/erf.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_coefficients.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace gelu_folder {
namespace {

ir::Value times(ir::Builder& b, ir::Value x, double factor) { return multiply(b, x, number(b, x, factor)); }

/// A normal distribution at -|x|: the share below it, and a multiple of its density.
struct LowerTail {
  ir::Value size;   // |x|, or the size from which on the share is 0 in this format
  ir::Value share;  // below -size
  ir::Value bell;   // exp(-size^2 / 2)
};

/// share / bell for f32, with one division: a polynomial in (size - c) / (size + c) over 1 + size.
ir::Value mills_ratio(ir::Builder& b, ir::Value size) {
  const ir::Value centre = number(b, size, kNormalTailCentre32);
  const ir::Value p = add(b, size, centre), q = add(b, size, number(b, size, 1));
  const ir::Value inverse = divide(b, number(b, size, 1), multiply(b, p, q));
  const ir::Value t = multiply(b, subtract(b, size, centre), multiply(b, q, inverse));
  return multiply(b, polynomial(b, t, kNormalTail32), multiply(b, p, inverse));
}

/// `x` is f32 or f64.
LowerTail lower_tail(ir::Builder& b, ir::Value x) {
  const bool is_f64 = x.dtype() == ir::DType::kF64;
  LowerTail tail;
  tail.size = minimum(b, abs(b, x), number(b, x, is_f64 ? 40 : kNormalTailLimit32));
  tail.bell = exponential(b, multiply(b, tail.size, times(b, tail.size, -0.5)));
  tail.share = is_f64 ? times(b, erfc(b, times(b, tail.size, std::numbers::sqrt2 / 2)), 0.5)
                      : multiply(b, mills_ratio(b, tail.size), tail.bell);
  return tail;
}

/// y where x is negative, 1 - y elsewhere.
ir::Value mirrored(ir::Builder& b, ir::Value x, ir::Value y) {
  const ir::Value is_negative = compare(b, x, number(b, x, 0), ComparisonDirection::kLt);
  return select(b, is_negative, y, subtract(b, number(b, x, 1), y));
}

constexpr double kPeak = std::numbers::inv_sqrtpi / std::numbers::sqrt2;  // of the density

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  return {in_full_precision(builder, operands[0], [](ir::Builder& b, ir::Value x) {
    return multiply(b, x, mirrored(b, x, lower_tail(b, x).share));
  })};
}

std::vector<ir::Value> decompose_slope(ir::Builder& builder, std::span<const ir::Value> operands,
                                       const ir::Attributes&) {
  return {in_full_precision(builder, operands[0], [](ir::Builder& b, ir::Value x) {
    const LowerTail tail = lower_tail(b, x);
    const ir::Value density = multiply(b, times(b, tail.size, kPeak), tail.bell);
    return mirrored(b, x, subtract(b, tail.share, density));
  })};
}

/// The second derivative, which is even: (2 - x^2) times the density.
std::vector<ir::Value> slope_gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value curvature =
      in_full_precision(builder, context.op.operand(0), [](ir::Builder& b, ir::Value x) {
        const LowerTail tail = lower_tail(b, x);
        const ir::Value two_less = subtract(b, number(b, x, 2), multiply(b, tail.size, tail.size));
        return multiply(b, times(b, tail.bell, kPeak), two_less);
      });
  return {multiply(builder, context.result_gradients[0], curvature)};
}

const ir::OpDef kSlope = {.name = "cornu.gelu_slope",
                          .infer = infer_float_function,
                          .gradient = slope_gradient,
                          .decompose = decompose_slope,
                          .elementwise = true};

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  return {multiply(b, context.result_gradients[0], gelu_slope(b, context.op.operand(0)))};
}

const ir::OpDef kGelu = {.name = "cornu.gelu",
                         .infer = infer_float_function,
                         .gradient = gradient,
                         .decompose = decompose,
                         .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kGelu, kSlope>(); }

}  // namespace gelu_folder

ir::Value gelu(ir::Builder& builder, ir::Value x) { return builder.create(gelu_folder::kGelu, {x}).result(); }
ir::Value gelu_slope(ir::Builder& builder, ir::Value x) {
  return builder.create(gelu_folder::kSlope, {x}).result();
}

}  // namespace cornu::inline v0::ops
