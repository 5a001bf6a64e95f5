#include "cornu/ops/lgamma/lgamma.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/digamma/digamma.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_coefficients.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace lgamma_folder {
namespace {

/// The builder and the shape of what is computed.
struct Maths {
  ir::Builder& b;
  ir::TensorType type;

  ir::Value number(double value) const { return full(b, type, value); }
  ir::Value less(ir::Value x, double value) const {
    return compare(b, x, number(value), ComparisonDirection::kLt);
  }
};

/// (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 + the series: x >= 8.
ir::Value by_stirling(const Maths& m, ir::Value x) {
  ir::Builder& b = m.b;
  const ir::Value inverse = divide(b, m.number(1), x);
  const ir::Value series = multiply(b, inverse, polynomial(b, multiply(b, inverse, inverse), kStirling));
  const ir::Value head = multiply(b, subtract(b, x, m.number(0.5)), subtract(b, log(b, x), m.number(1)));
  return add(b, head, add(b, series, m.number((std::log(2 * std::numbers::pi) - 1) / 2)));
}

/// x in [1.23, 1.6): from the least value on, which is not small.
ir::Value near_least_value(const Maths& m, ir::Value x) {
  ir::Builder& b = m.b;
  const ir::Value t = subtract(b, x, m.number(kDigammaRootHigh));
  const ir::Value above = multiply(b, multiply(b, t, t), polynomial(b, t, kLogGammaLeast64));
  return add(b, add(b, above, m.number(kLeastLogGammaLow)), m.number(kLeastLogGammaHigh));
}

/// x in (0, 8): steps of one towards [3/2, 5/2), whose factors are multiplied.
ir::Value by_steps(const Maths& m, ir::Value x) {
  ir::Builder& b = m.b;
  // Below 3/2 upwards: y is the distance from 2 after one step or two; a step leaves a factor below.
  const ir::Value is_low = m.less(x, 0.5), is_below = m.less(x, 1.5);
  const ir::Value low_distance = select(b, is_low, x, subtract(b, x, m.number(1)));
  const ir::Value below = select(b, is_low, multiply(b, x, add(b, x, m.number(1))), x);
  // From 5/2 downwards: x - 1, x - 2, ... as long as what is left is at least 3/2.
  ir::Value distance = subtract(b, x, m.number(2)), above = m.number(1);
  for (int step = 1; step <= 6; ++step) {
    const ir::Value takes = compare(b, x, m.number(step + 1.5), ComparisonDirection::kGe);
    above = select(b, takes, multiply(b, above, subtract(b, x, m.number(step))), above);
    distance = select(b, takes, subtract(b, x, m.number(step + 2)), distance);
  }
  const ir::Value y = select(b, is_below, low_distance, distance);
  const ir::Value shape = polynomial(b, y, kLogGammaNear64);
  const ir::Value logarithm = log(b, select(b, is_below, below, above));
  return add(b, multiply(b, y, shape), select(b, is_below, negate(b, logarithm), logarithm));
}

ir::Value log_gamma(ir::Builder& b, ir::Value x) {
  const Maths m{b, x.type()};
  const ir::Value is_negative = m.less(x, 0);
  const ir::Value z = select(b, is_negative, subtract(b, m.number(1), x), x);
  const ir::Value outside = select(b, m.less(z, 8), by_steps(m, z), by_stirling(m, z));
  const ir::Value is_near_least = and_(b, m.less(z, 1.6), not_(b, m.less(z, 1.23)));
  const ir::Value positive = select(b, is_near_least, near_least_value(m, z), outside);
  // gamma(x) gamma(1 - x) = pi / sin(pi x)
  const ir::Value sine_of_turn = abs(b, sine(b, fraction_of_turn(b, x)));
  const ir::Value reflected =
      subtract(b, subtract(b, m.number(std::log(std::numbers::pi)), log(b, sine_of_turn)), positive);
  const ir::Value infinity = m.number(std::numeric_limits<double>::infinity());
  const ir::Value is_infinite = compare(b, abs(b, x), infinity, ComparisonDirection::kEq);
  return select(b, is_infinite, infinity, select(b, is_negative, reflected, positive));
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  return {in_double_precision(builder, operands[0], log_gamma)};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {multiply(context.builder, context.result_gradients[0],
                   digamma(context.builder, context.op.operand(0)))};
}

const ir::OpDef kLogGamma = {.name = "cornu.lgamma",
                             .infer = infer_float_function,
                             .gradient = gradient,
                             .decompose = decompose,
                             .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLogGamma>(); }

}  // namespace lgamma_folder

ir::Value lgamma(ir::Builder& builder, ir::Value x) {
  return builder.create(lgamma_folder::kLogGamma, {x}).result();
}

}  // namespace cornu::inline v0::ops
