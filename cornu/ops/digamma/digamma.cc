#include "cornu/ops/digamma/digamma.h"

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
namespace digamma_folder {
namespace {

/// From this number on the series is exact.
constexpr int kSeriesFrom = 10;

ir::Value derivative_of_log_gamma(ir::Builder& b, ir::Value x) {
  const auto number = [&](double value) { return full(b, x.type(), value); };
  const ir::Value is_negative = compare(b, x, number(0.5), ComparisonDirection::kLt);
  const ir::Value z = select(b, is_negative, subtract(b, number(1), x), x);
  // digamma(z) = digamma(z + 1) - 1 / z, until the argument is large enough.
  ir::Value large = z, fractions = number(0);
  for (int step = 0; step < kSeriesFrom; ++step) {
    const ir::Value takes = compare(b, large, number(kSeriesFrom), ComparisonDirection::kLt);
    fractions = add(b, fractions, select(b, takes, divide(b, number(1), large), number(0)));
    large = select(b, takes, add(b, large, number(1)), large);
  }
  const ir::Value inverse = divide(b, number(1), large), square = multiply(b, inverse, inverse);
  const ir::Value series =
      add(b, multiply(b, number(0.5), inverse), multiply(b, square, polynomial(b, square, kDigammaSeries)));
  const ir::Value positive = subtract(b, subtract(b, log(b, large), series), fractions);
  // digamma(1 - x) - pi / tan(pi x)
  const ir::Value turn = fraction_of_turn(b, x);
  const ir::Value cotangent = divide(b, cosine(b, turn), sine(b, turn));
  const ir::Value reflected = subtract(b, positive, multiply(b, number(std::numbers::pi), cotangent));
  const ir::Value is_pole = and_(b, compare(b, x, number(0), ComparisonDirection::kLe),
                                 compare(b, x, floor(b, x), ComparisonDirection::kEq));
  const ir::Value value = select(b, is_negative, reflected, positive);
  return select(b, is_pole, number(std::numeric_limits<double>::quiet_NaN()), value);
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  return {in_double_precision(builder, operands[0], derivative_of_log_gamma)};
}

const ir::OpDef kDigamma = {
    .name = "cornu.digamma", .infer = infer_float_function, .decompose = decompose, .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kDigamma>(); }

}  // namespace digamma_folder

ir::Value digamma(ir::Builder& builder, ir::Value x) {
  return builder.create(digamma_folder::kDigamma, {x}).result();
}

}  // namespace cornu::inline v0::ops
