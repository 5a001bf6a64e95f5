#include "cornu/ops/chlo_unary/chlo_unary.h"

#include <array>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/chlo_unary/bessel_coefficients.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex_functions.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace chlo_unary_folder {
namespace {

using ir::Builder;
using ir::Value;

/// The function of x, which is f32 or f64 (square: any number).
using Function = Value (*)(Builder& b, Value x);
/// The gradient of x, given the result y and its gradient g.
using Gradient = Value (*)(Builder& b, Value x, Value y, Value g);

struct Row {
  std::string_view name;
  Function function;
  Gradient gradient;
  DTypeSet types = kFloat;
  bool result_is_i1 = false;

  /// The name in CHLO, by which complex_function() finds it.
  constexpr std::string_view short_name() const { return name.substr(name.find('.') + 1); }
  constexpr bool is_of_complex_numbers() const {
    return short_name().starts_with('a') || short_name() == "sinh" || short_name() == "cosh";
  }
};

Value like(Builder& b, Value x, double value) { return full(b, x.type(), value); }

/// |x| with the sign of `sign`, of which a zero keeps its own: sign is 0 there.
Value with_sign_of(Builder& b, Value magnitude, Value x) {
  const Value zero = like(b, x, 0);
  const Value is_zero = compare(b, x, zero, ComparisonDirection::kEq);
  return select(b, is_zero, x, multiply(b, magnitude, sign(b, x)));
}

Value is_less(Builder& b, Value x, double bound) {
  return compare(b, x, like(b, x, bound), ComparisonDirection::kLt);
}

/// sqrt(1 - x^2), by factors that are exact near 1 and -1.
Value cathetus(Builder& b, Value x) {
  const Value one = like(b, x, 1);
  return sqrt(b, multiply(b, subtract(b, one, x), add(b, one, x)));
}

Value build_asin(Builder& b, Value x) { return atan2(b, x, cathetus(b, x)); }
Value build_acos(Builder& b, Value x) { return atan2(b, cathetus(b, x), x); }
Value build_atan(Builder& b, Value x) { return atan2(b, x, like(b, x, 1)); }

/// From here e^-x does not change e^x + e^-x.
constexpr double kFar = 20;

/// e^a / 2 for a > kFar, also where e^a is infinite. The shift is a number of few bits, so that a minus it is
/// exact, whose power is very near to an f32 and an f64.
Value half_of_large_power(Builder& b, Value a) {
  constexpr double kShift = 8.390625, kHalfOfItsPower = 2202.7851576975504;
  return multiply(b, exponential(b, subtract(b, a, like(b, a, kShift))), like(b, a, kHalfOfItsPower));
}

/// (e^a - 1 + (e^a - 1) / e^a) / 2: a sum of positive numbers.
Value build_sinh(Builder& b, Value x) {
  const Value a = abs(b, x), one = like(b, x, 1);
  const Value is_near = is_less(b, a, kFar);
  const Value e = exponential_minus_one(b, select(b, is_near, a, like(b, x, 0)));
  const Value near = multiply(b, add(b, e, divide(b, e, add(b, e, one))), like(b, x, 0.5));
  return with_sign_of(b, select(b, is_near, near, half_of_large_power(b, a)), x);
}

Value build_cosh(Builder& b, Value x) {
  const Value a = abs(b, x), half = like(b, x, 0.5);
  const Value is_near = is_less(b, a, kFar);
  const Value e = exponential(b, select(b, is_near, a, like(b, x, 0)));
  const Value near = add(b, multiply(b, e, half), divide(b, half, e));
  return select(b, is_near, near, half_of_large_power(b, a));
}

/// Beyond this the square of x does not change with 1 added, and does not overflow before.
double large(Value x) { return x.dtype() == ir::DType::kF64 ? 0x1p30 : 0x1p13; }

/// log(2 a) of large numbers.
Value log_of_twice(Builder& b, Value a) { return add(b, log(b, a), like(b, a, std::numbers::ln2)); }

/// log(1 + a + a^2 / (1 + sqrt(1 + a^2)))
Value build_asinh(Builder& b, Value x) {
  const Value a = abs(b, x), one = like(b, x, 1);
  const Value is_near = is_less(b, a, large(x));
  const Value small = select(b, is_near, a, one);
  const Value square = multiply(b, small, small);
  const Value tail = divide(b, square, add(b, one, sqrt(b, add(b, one, square))));
  const Value near = log_plus_one(b, add(b, small, tail));
  return with_sign_of(b, select(b, is_near, near, log_of_twice(b, a)), x);
}

/// log(1 + t + sqrt(t) sqrt(t + 2)) with t = x - 1; the first root is NaN below 1.
Value build_acosh(Builder& b, Value x) {
  const Value one = like(b, x, 1);
  const Value is_far = compare(b, x, like(b, x, large(x)), ComparisonDirection::kGe);
  const Value t = subtract(b, select(b, is_far, one, x), one);
  const Value root = multiply(b, sqrt(b, t), sqrt(b, add(b, t, like(b, x, 2))));
  const Value near = log_plus_one(b, add(b, t, root));
  return select(b, is_far, log_of_twice(b, x), near);
}

/// (log(1 + a) - log(1 - a)) / 2: both terms have one sign.
Value build_atanh(Builder& b, Value x) {
  const Value a = abs(b, x);
  const Value twice = subtract(b, log_plus_one(b, a), log_plus_one(b, negate(b, a)));
  return with_sign_of(b, multiply(b, twice, like(b, x, 0.5)), x);
}

/// The sum of Chebyshev polynomials of x / 2, the highest coefficient first.
Value chebyshev(Builder& b, Value x, std::span<const double> coefficients) {
  Value b0 = like(b, x, 0), b1 = b0, b2 = b0;
  for (const double coefficient : coefficients) {
    b2 = b1;
    b1 = b0;
    b0 = add(b, subtract(b, multiply(b, x, b1), b2), like(b, x, coefficient));
  }
  return multiply(b, subtract(b, b0, b2), like(b, x, 0.5));
}

struct BesselTables {
  std::span<const double> near, far;
};

/// The near sum for |x| <= 8, which `near_factor` multiplies unless it is empty; else the far sum by sqrt(|x|).
Value bessel(Builder& b, Value a, const BesselTables& tables, Value near_factor) {
  const Value two = like(b, a, 2);
  Value near = chebyshev(b, subtract(b, multiply(b, a, like(b, a, 0.5)), two), tables.near);
  if (near_factor) near = multiply(b, near, near_factor);
  const Value far =
      divide(b, chebyshev(b, subtract(b, divide(b, like(b, a, 32), a), two), tables.far), sqrt(b, a));
  return select(b, compare(b, a, like(b, a, 8), ComparisonDirection::kLe), near, far);
}

Value build_bessel_i1e(Builder& b, Value x) {
  const Value a = abs(b, x);
  const BesselTables tables = x.dtype() == ir::DType::kF64 ? BesselTables{kI1eNear64, kI1eFar64}
                                                           : BesselTables{kI1eNear32, kI1eFar32};
  return with_sign_of(b, bessel(b, a, tables, a), x);
}

/// e^-|x| I0(x)
Value bessel_i0e(Builder& b, Value x) {
  const BesselTables tables = x.dtype() == ir::DType::kF64 ? BesselTables{kI0eNear64, kI0eFar64}
                                                           : BesselTables{kI0eNear32, kI0eFar32};
  return bessel(b, abs(b, x), tables, Value());
}

/// I0e(x) - y (sign(x) + 1 / x), which is 1/2 at 0.
Value bessel_i1e_slope(Builder& b, Value x, Value y) {
  const double epsilon = x.dtype() == ir::DType::kF64 ? std::numeric_limits<double>::epsilon()
                                                      : std::numeric_limits<float>::epsilon();
  const Value is_tiny = compare(b, abs(b, x), like(b, x, epsilon), ComparisonDirection::kLe);
  const Value safe = select(b, is_tiny, like(b, x, 1), x);
  const Value factor = add(b, sign(b, safe), divide(b, like(b, x, 1), safe));
  return select(b, is_tiny, like(b, x, 0.5), subtract(b, bessel_i0e(b, safe), multiply(b, y, factor)));
}

Value infinity_like(Builder& b, Value x, double sign) {
  return like(b, x, sign * std::numeric_limits<double>::infinity());
}

Value equals(Builder& b, Value x, Value y) { return compare(b, x, y, ComparisonDirection::kEq); }

/// rsqrt of a product of two factors, times g.
Value by_root(Builder& b, Value g, Value x, Value y) { return multiply(b, g, rsqrt(b, multiply(b, x, y))); }

constexpr Gradient kNone = [](Builder&, Value, Value, Value) { return Value(); };

// name, function, gradient of x from x, y = f(x) and g = dL/dy
constexpr Row kRows[] = {
    {"cornu.square", [](Builder& b, Value x) { return multiply(b, x, x); },
     [](Builder& b, Value x, Value, Value g) { return multiply(b, g, multiply(b, x, like(b, x, 2))); },
     kNumber | kComplex},
    {"cornu.asin", build_asin,
     [](Builder& b, Value x, Value, Value g) {
       return by_root(b, g, subtract(b, like(b, x, 1), x), add(b, like(b, x, 1), x));
     }},
    {"cornu.acos", build_acos,
     [](Builder& b, Value x, Value, Value g) {
       return negate(b, by_root(b, g, subtract(b, like(b, x, 1), x), add(b, like(b, x, 1), x)));
     }},
    {"cornu.atan", build_atan,
     [](Builder& b, Value x, Value, Value g) {
       return divide(b, g, add(b, like(b, x, 1), multiply(b, x, x)));
     }},
    {"cornu.sinh", build_sinh,
     [](Builder& b, Value x, Value, Value g) { return multiply(b, g, cosh(b, x)); }},
    {"cornu.cosh", build_cosh,
     [](Builder& b, Value x, Value, Value g) { return multiply(b, g, sinh(b, x)); }},
    {"cornu.asinh", build_asinh,
     [](Builder& b, Value x, Value, Value g) {
       return multiply(b, g, rsqrt(b, add(b, multiply(b, x, x), like(b, x, 1))));
     }},
    {"cornu.acosh", build_acosh,
     [](Builder& b, Value x, Value, Value g) {
       return by_root(b, g, subtract(b, x, like(b, x, 1)), add(b, x, like(b, x, 1)));
     }},
    {"cornu.atanh", build_atanh,
     [](Builder& b, Value x, Value, Value g) {
       return divide(b, g, multiply(b, subtract(b, like(b, x, 1), x), add(b, like(b, x, 1), x)));
     }},
    {"cornu.bessel_i1e", build_bessel_i1e,
     [](Builder& b, Value x, Value y, Value g) {
       const Value wide = to_working_precision(b, x);
       const Value slope = bessel_i1e_slope(b, wide, to_working_precision(b, y));
       return multiply(b, g, from_working_precision(b, slope, x.dtype()));
     }},
    {"cornu.is_inf", [](Builder& b, Value x) { return equals(b, abs(b, x), infinity_like(b, x, 1)); }, kNone,
     kFloat, true},
    {"cornu.is_pos_inf", [](Builder& b, Value x) { return equals(b, x, infinity_like(b, x, 1)); }, kNone,
     kFloat, true},
    {"cornu.is_neg_inf", [](Builder& b, Value x) { return equals(b, x, infinity_like(b, x, -1)); }, kNone,
     kFloat, true},
};

template <std::size_t kRow>
struct Functions {
  static std::vector<ir::TensorType> infer(const ir::InferContext& context) {
    constexpr const Row& row = kRows[kRow];
    check_operands(context, 1);
    ir::TensorType type = context.type(0);
    if (row.is_of_complex_numbers())
      infer_float_or_complex_function(context);
    else if (row.types == kFloat)
      infer_float_function(context);
    else if (!contains(row.types, type.dtype))
      invalid_argument("the operand must be of {}; got {}", dtype_set_str(row.types), type.str());
    if (row.result_is_i1) type.dtype = ir::DType::kI1;
    return {type};
  }

  static std::vector<Value> gradient(const ir::GradientContext& context) {
    const Value g = context.result_gradients[0];
    return {g ? kRows[kRow].gradient(context.builder, context.op.operand(0), context.op.result(), g)
              : Value()};
  }

  static std::vector<Value> decompose(Builder& builder, std::span<const Value> operands,
                                      const ir::Attributes&) {
    constexpr const Row& row = kRows[kRow];
    const Value x = operands[0];
    if (ir::is_complex(x.dtype()) && row.is_of_complex_numbers())
      return {complex_function_of(builder, row.short_name(), x)};
    if (row.result_is_i1 || row.types != kFloat) return {row.function(builder, x)};
    return {in_full_precision(builder, x, row.function)};
  }
};

constexpr auto kDefs = []<std::size_t... kRow>(std::index_sequence<kRow...>) {
  return std::array{ir::OpDef{.name = kRows[kRow].name,
                              .infer = &Functions<kRow>::infer,
                              .gradient = &Functions<kRow>::gradient,
                              .decompose = &Functions<kRow>::decompose,
                              .elementwise = true}...};
}(std::make_index_sequence<std::size(kRows)>());

constexpr auto kPointers = []<std::size_t... kRow>(std::index_sequence<kRow...>) {
  return std::array{&kDefs[kRow]...};
}(std::make_index_sequence<std::size(kRows)>());

/// The row of a name, looked up when compiling.
consteval std::size_t row_of(std::string_view name) {
  std::size_t row = 0;
  while (kRows[row].name != name) ++row;
  return row;
}

template <std::size_t kRow>
Value build(Builder& b, Value x) {
  return b.create(kDefs[kRow], {x}).result();
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return kPointers; }

}  // namespace chlo_unary_folder

namespace chlo = chlo_unary_folder;

ir::Value square(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.square")>(b, x); }
ir::Value asin(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.asin")>(b, x); }
ir::Value acos(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.acos")>(b, x); }
ir::Value atan(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.atan")>(b, x); }
ir::Value sinh(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.sinh")>(b, x); }
ir::Value cosh(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.cosh")>(b, x); }
ir::Value asinh(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.asinh")>(b, x); }
ir::Value acosh(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.acosh")>(b, x); }
ir::Value atanh(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.atanh")>(b, x); }
ir::Value bessel_i1e(ir::Builder& b, ir::Value x) {
  return chlo::build<chlo::row_of("cornu.bessel_i1e")>(b, x);
}
ir::Value is_inf(ir::Builder& b, ir::Value x) { return chlo::build<chlo::row_of("cornu.is_inf")>(b, x); }
ir::Value is_pos_inf(ir::Builder& b, ir::Value x) {
  return chlo::build<chlo::row_of("cornu.is_pos_inf")>(b, x);
}
ir::Value is_neg_inf(ir::Builder& b, ir::Value x) {
  return chlo::build<chlo::row_of("cornu.is_neg_inf")>(b, x);
}

}  // namespace cornu::inline v0::ops
