#include "cornu/ops/erf/erf.h"

#include <numbers>

#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_coefficients.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace erf_folder {
namespace {

/// exp(-x^2), exact to the last digits for large x: x^2 is taken as a square without rounding and a small
/// rest, at most 0.11, whose power minus 1 is a few terms of its series.
ir::Value exp_of_minus_square(ir::Builder& b, ir::Value x) {
  constexpr double kSeries[] = {1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120};
  const bool is_f64 = x.dtype() == ir::DType::kF64;
  const ir::TensorType bits{is_f64 ? ir::DType::kU64 : ir::DType::kU32, x.dims()};
  const ir::Value mask = full(b, bits, is_f64 ? 0xfffffffff8000000p0 : 0xfffff000p0);
  const ir::Value high = bitcast_convert(b, and_(b, bitcast_convert(b, x, bits.dtype), mask), x.dtype());
  const ir::Value rest = multiply(b, subtract(b, high, x), add(b, high, x));
  const ir::Value growth = multiply(b, rest, polynomial(b, rest, kSeries));
  const ir::Value power = exponential(b, negate(b, multiply(b, high, high)));
  return add(b, power, multiply(b, power, growth));
}

enum class TailUse { kResult, kDifference };

/// erfc(x) for x >= 1/2. Of a difference from 1 the last digits of the power do not count.
ir::Value tail(ir::Builder& b, ir::Value x, TailUse use) {
  const bool is_f64 = x.dtype() == ir::DType::kF64;
  const double centre = is_f64 ? kErfcCentre64 : kErfcCentre32;
  // Beyond this erfc is zero, and the polynomial is not asked.
  const ir::Value a = minimum(b, x, number(b, x, is_f64 ? 28 : 10.5));
  const ir::Value t = divide(b, subtract(b, a, number(b, a, centre)), add(b, a, number(b, a, centre)));
  const ir::Value shape = is_f64 ? polynomial(b, t, kErfcTail64) : polynomial(b, t, kErfcTail32);
  const ir::Value scale = add(b, number(b, a, 1), add(b, a, a));
  const ir::Value power =
      use == TailUse::kResult ? exp_of_minus_square(b, a) : exponential(b, negate(b, multiply(b, a, a)));
  return divide(b, multiply(b, power, shape), scale);
}

struct Parts {
  ir::Value is_near, near, tail, is_negative;
};

/// erf(x) near 0, erfc(|x|) elsewhere.
Parts parts(ir::Builder& b, ir::Value x, TailUse use) {
  const ir::Value size = abs(b, x), square = multiply(b, x, x);
  const ir::Value shape =
      x.dtype() == ir::DType::kF64 ? polynomial(b, square, kErfNear64) : polynomial(b, square, kErfNear32);
  return {.is_near = compare(b, size, number(b, x, 0.5), ComparisonDirection::kLt),
          .near = multiply(b, x, shape),
          .tail = tail(b, size, use),
          .is_negative = compare(b, x, number(b, x, 0), ComparisonDirection::kLt)};
}

std::vector<ir::Value> decompose_erf(ir::Builder& builder, std::span<const ir::Value> operands,
                                     const ir::Attributes&) {
  return {in_full_precision(builder, operands[0], [](ir::Builder& b, ir::Value x) {
    const Parts p = parts(b, x, TailUse::kDifference);
    const ir::Value far = subtract(b, number(b, x, 1), p.tail);
    return select(b, p.is_near, p.near, select(b, p.is_negative, negate(b, far), far));
  })};
}

std::vector<ir::Value> decompose_erfc(ir::Builder& builder, std::span<const ir::Value> operands,
                                      const ir::Attributes&) {
  return {in_full_precision(builder, operands[0], [](ir::Builder& b, ir::Value x) {
    const Parts p = parts(b, x, TailUse::kResult);
    const ir::Value far = select(b, p.is_negative, subtract(b, number(b, x, 2), p.tail), p.tail);
    return select(b, p.is_near, subtract(b, number(b, x, 1), p.near), far);
  })};
}

ir::Value slope(const ir::GradientContext& context, double factor) {
  ir::Builder& b = context.builder;
  const ir::Value x = context.op.operand(0);
  const ir::Value bell = exponential(b, negate(b, multiply(b, x, x)));
  return multiply(b, context.result_gradients[0], multiply(b, number(b, x, factor), bell));
}

constexpr double kPeak = 2 * std::numbers::inv_sqrtpi;

const ir::OpDef kErf = {.name = "cornu.erf",
                        .infer = infer_float_function,
                        .gradient = [](const ir::GradientContext& c) { return std::vector{slope(c, kPeak)}; },
                        .decompose = decompose_erf,
                        .elementwise = true};
const ir::OpDef kErfc = {
    .name = "cornu.erfc",
    .infer = infer_float_function,
    .gradient = [](const ir::GradientContext& c) { return std::vector{slope(c, -kPeak)}; },
    .decompose = decompose_erfc,
    .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kErf, kErfc>(); }

}  // namespace erf_folder

ir::Value erf(ir::Builder& builder, ir::Value x) { return builder.create(erf_folder::kErf, {x}).result(); }
ir::Value erfc(ir::Builder& builder, ir::Value x) { return builder.create(erf_folder::kErfc, {x}).result(); }

}  // namespace cornu::inline v0::ops
