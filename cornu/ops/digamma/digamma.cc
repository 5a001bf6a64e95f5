#include "cornu/ops/digamma/digamma.h"

#include <limits>
#include <numbers>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_coefficients.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace digamma_folder {
namespace {

/// From this number on the series is exact.
constexpr int kSeriesFrom = 7;

ir::Value less(ir::Builder& b, ir::Value x, double value) {
  return compare(b, x, number(b, x, value), ComparisonDirection::kLt);
}

/// x >= 4: by the series, after steps of one upwards: digamma(x) = digamma(x + 1) - 1 / x.
ir::Value by_series(ir::Builder& b, ir::Value x) {
  ir::Value large = x, fractions = number(b, x, 0);
  for (int step = 4; step < kSeriesFrom; ++step) {
    const ir::Value takes = less(b, large, kSeriesFrom);
    fractions = add(b, fractions, select(b, takes, divide(b, number(b, x, 1), large), number(b, x, 0)));
    large = select(b, takes, add(b, large, number(b, x, 1)), large);
  }
  const ir::Value inverse = divide(b, number(b, x, 1), large), square = multiply(b, inverse, inverse);
  const ir::Value series = add(b, multiply(b, number(b, x, 0.5), inverse),
                               multiply(b, square, polynomial(b, square, kDigammaSeries)));
  return subtract(b, subtract(b, log(b, large), series), fractions);
}

/// x in (0, 4): a step of one upwards or up to two downwards to [1, 2.5), where the root is a factor. The value
/// there has the sign of the steps' fractions.
ir::Value by_root(ir::Builder& b, ir::Value x) {
  const ir::Value one = number(b, x, 1), zero = number(b, x, 0);
  const ir::Value is_small = less(b, x, 1), is_large = not_(b, less(b, x, 2.5)),
                  is_larger = not_(b, less(b, x, 3.5));
  const ir::Value below = subtract(b, x, one), two_below = subtract(b, x, number(b, x, 2));
  const ir::Value base =
      select(b, is_small, add(b, x, one), select(b, is_larger, two_below, select(b, is_large, below, x)));
  const ir::Value distance =
      subtract(b, subtract(b, base, number(b, x, kDigammaRootHigh)), number(b, x, kDigammaRootLow));
  const ir::Value shape = polynomial(b, subtract(b, base, number(b, x, 1.75)), kDigammaRoot64);
  const ir::Value step =
      select(b, is_large, divide(b, one, below), select(b, is_small, negate(b, divide(b, one, x)), zero));
  const ir::Value second = select(b, is_larger, divide(b, one, two_below), zero);
  return add(b, multiply(b, distance, shape), add(b, step, second));
}

ir::Value derivative_of_log_gamma(ir::Builder& b, ir::Value x) {
  const ir::Value is_negative = less(b, x, 0);
  const ir::Value z = select(b, is_negative, subtract(b, number(b, x, 1), x), x);
  const ir::Value positive = select(b, less(b, z, 4), by_root(b, z), by_series(b, z));
  // digamma(1 - x) - pi / tan(pi x)
  const ir::Value turn = fraction_of_turn(b, x);
  const ir::Value cotangent = divide(b, cosine(b, turn), sine(b, turn));
  const ir::Value reflected = subtract(b, positive, multiply(b, number(b, x, std::numbers::pi), cotangent));
  const ir::Value is_pole = and_(b, compare(b, x, number(b, x, 0), ComparisonDirection::kLe),
                                 compare(b, x, floor(b, x), ComparisonDirection::kEq));
  const ir::Value value = select(b, is_negative, reflected, positive);
  return select(b, is_pole, number(b, x, std::numeric_limits<double>::quiet_NaN()), value);
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
