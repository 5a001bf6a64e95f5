#include "cornu/ops/erf_inv/erf_inv.h"

#include <limits>
#include <numbers>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_coefficients.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace erf_inv_folder {
namespace {

ir::Value inverse(ir::Builder& b, ir::Value x) {
  const bool is_f64 = x.dtype() == ir::DType::kF64;
  const auto number = [&](double value) { return full(b, x.type(), value); };
  // -log(1 - x^2), as the product of what is exact near 1 and near -1; NaN beyond them.
  const ir::Value w = negate(b, add(b, log_plus_one(b, x), log_plus_one(b, negate(b, x))));
  const ir::Value root = sqrt(b, w);
  const ir::Value centre_at = subtract(b, w, number(2.5)), tail_at = subtract(b, root, number(3));
  const ir::Value centre =
      is_f64 ? polynomial(b, centre_at, kErfInvCentre64) : polynomial(b, centre_at, kErfInvCentre32);
  ir::Value tail = is_f64 ? polynomial(b, tail_at, kErfInvTail64) : polynomial(b, tail_at, kErfInvTail32);
  if (is_f64) {
    const ir::Value far = polynomial(b, subtract(b, root, number(5)), kErfInvFarTail64);
    tail = select(b, compare(b, w, number(16), ComparisonDirection::kLt), tail, far);
  }
  const ir::Value shape = select(b, compare(b, w, number(5), ComparisonDirection::kLt), centre, tail);
  const ir::Value infinite = multiply(b, x, number(std::numeric_limits<double>::infinity()));
  return select(b, compare(b, abs(b, x), number(1), ComparisonDirection::kEq), infinite,
                multiply(b, x, shape));
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  return {in_full_precision(builder, operands[0], inverse)};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  const ir::Value y = context.op.result();
  const ir::Value slope =
      multiply(b, full(b, y.type(), 0.5 / std::numbers::inv_sqrtpi), exponential(b, multiply(b, y, y)));
  return {multiply(b, context.result_gradients[0], slope)};
}

const ir::OpDef kErfInv = {.name = "cornu.erf_inv",
                           .infer = infer_float_function,
                           .gradient = gradient,
                           .decompose = decompose,
                           .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kErfInv>(); }

}  // namespace erf_inv_folder

ir::Value erf_inv(ir::Builder& builder, ir::Value x) {
  return builder.create(erf_inv_folder::kErfInv, {x}).result();
}

}  // namespace cornu::inline v0::ops
