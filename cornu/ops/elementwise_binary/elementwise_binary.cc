#include "cornu/ops/elementwise_binary/elementwise_binary.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex_reference.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/extrema.h"
#include "cornu/ops/op_rows.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace elementwise_binary_folder {
namespace {

using ir::Builder;
using ir::Value;

/// The operands' gradients, given the result and its gradient g.
struct GradientArguments {
  Builder& b;
  Value x, y, result, g;
};
using Gradients = std::vector<Value>;
using GradientRule = Gradients (*)(const GradientArguments&);

struct Row {
  std::string_view name;
  DTypeSet types;
  void (*kernel)(const ir::Op& op, const ir::Literal& x, const ir::Literal& y, ir::Literal& result);
  GradientRule gradient;
};

using complex_reference::Complex;

/// Computes in f64 and rounds.
template <typename F>
void run_complex_kernel(const ir::Literal& x, const ir::Literal& y, ir::Literal& result) {
  ir::visit_complex_dtype(x.type().dtype, [&]<typename T>() {
    const std::span<const T> lhs = x.data<T>(), rhs = y.data<T>();
    const std::span<T> out = result.mutable_data<T>();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<T>(F()(Complex(lhs[i]), Complex(rhs[i])));
  });
}

template <DTypeSet kTypes, typename F>
void run_kernel(const ir::Op& op, const ir::Literal& x, const ir::Literal& y, ir::Literal& result) {
  if constexpr ((kTypes & kComplex) != 0)
    if (ir::is_complex(x.type().dtype)) return run_complex_kernel<F>(x, y, result);
  visit_reference_dtype(op, x.type().dtype, [&]<typename T>() {
    if constexpr (contains_type<T>(kTypes)) {
      const std::span<const T> lhs = x.data<T>(), rhs = y.data<T>();
      const std::span<T> out = result.mutable_data<T>();
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = F()(lhs[i], rhs[i]);
    }
  });
}

template <DTypeSet kTypes, typename F>
constexpr Row row(std::string_view name, F, GradientRule gradient) {
  return {name, kTypes, &run_kernel<kTypes, F>, gradient};
}

/// Integers go through 64 unsigned bits, where overflow is defined; i1 gets `boolean`.
template <typename T, typename Float, typename Bits, typename Boolean>
T arithmetic(T x, T y, Float on_floats, Bits on_bits, Boolean on_booleans) {
  if constexpr (std::is_same_v<T, bool>) {
    return on_booleans(x, y);
  } else if constexpr (std::is_floating_point_v<T> || complex_reference::kIsComplex<T>) {
    return on_floats(x, y);
  } else {
    return static_cast<T>(on_bits(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
  }
}

constexpr auto kPlus = [](auto x, auto y) { return x + y; };
constexpr auto kMinus = [](auto x, auto y) { return x - y; };
constexpr auto kTimes = [](auto x, auto y) {
  if constexpr (complex_reference::kIsComplex<decltype(x)>) {
    return complex_reference::product(x, y);
  } else {
    return x * y;
  }
};
constexpr auto kOr = [](bool x, bool y) { return x || y; };
constexpr auto kAnd = [](bool x, bool y) { return x && y; };
constexpr auto kNever = [](bool, bool) { return false; };

template <typename T>
T quotient(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return x / y;
  } else {
    if (y == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
      if (y == T(-1))
        return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(x));  // INT_MIN / -1 would trap
    return static_cast<T>(x / y);
  }
}

Complex quotient(Complex x, Complex y) { return complex_reference::quotient(x, y); }

template <typename T>
T remainder_of(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(x, y);
  } else {
    if (y == 0) return x;
    if constexpr (std::is_signed_v<T>)
      if (y == T(-1)) return 0;
    return static_cast<T>(x % y);
  }
}

template <typename T>
T power_of(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(x, y);
  } else {
    if constexpr (std::is_signed_v<T>)
      if (y < 0) return x == 1 ? T(1) : x == T(-1) ? T(y % 2 == 0 ? 1 : -1) : T(0);
    std::uint64_t result = 1, factor = static_cast<std::uint64_t>(x);
    for (auto exponent = static_cast<std::uint64_t>(y); exponent != 0; exponent >>= 1, factor *= factor)
      if (exponent & 1) result *= factor;
    return static_cast<T>(result);
  }
}

template <typename T>
T angle_of(T y, T x) {
  return std::atan2(y, x);
}
Complex angle_of(Complex y, Complex x) { return complex_reference::angle(y, x); }

Complex power_of(Complex x, Complex y) { return complex_reference::power(x, y); }

/// The larger or the smaller of two numbers; complex ones are ordered by real, then by imaginary parts.
template <typename T>
T maximum_of(T x, T y) {
  return larger_of(x, y);
}
template <typename T>
T minimum_of(T x, T y) {
  return smaller_of(x, y);
}
Complex maximum_of(Complex x, Complex y) { return complex_reference::is_less(y, x) ? x : y; }
Complex minimum_of(Complex x, Complex y) { return complex_reference::is_less(x, y) ? x : y; }

enum class Shift { kLeft, kRightLogical, kRightArithmetic };

template <typename T>
T shifted(T x, T y, Shift shift) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr auto kWidth = static_cast<std::uint64_t>(std::numeric_limits<Unsigned>::digits);
  const auto bits = static_cast<std::uint64_t>(static_cast<Unsigned>(x));
  const auto amount = static_cast<std::uint64_t>(static_cast<Unsigned>(y));
  const bool fill = shift == Shift::kRightArithmetic && (bits >> (kWidth - 1)) != 0;
  if (amount >= kWidth) return fill ? static_cast<T>(~std::uint64_t{0}) : T(0);
  if (shift == Shift::kLeft) return static_cast<T>(bits << amount);
  const std::uint64_t ones = fill && amount > 0 ? ~std::uint64_t{0} << (kWidth - amount) : 0;
  return static_cast<T>((bits >> amount) | ones);
}

Value like(Builder& b, Value x, double value) { return full(b, x.type(), value); }

constexpr GradientRule kNonDifferentiable = [](const GradientArguments&) { return Gradients(2); };

/// g where x wins, half of it at a tie, 0 elsewhere.
Value share_of_winner(Builder& b, Value x, Value y, Value g, ComparisonDirection wins) {
  const Value half_at_tie =
      select(b, compare(b, x, y, ComparisonDirection::kEq), multiply(b, g, like(b, g, 0.5)), like(b, g, 0));
  return select(b, compare(b, x, y, wins), g, half_at_tie);
}

Gradients extremum_gradient(const GradientArguments& a, ComparisonDirection wins) {
  return {share_of_winner(a.b, a.x, a.y, a.g, wins), share_of_winner(a.b, a.y, a.x, a.g, wins)};
}

Gradients divide_gradient(const GradientArguments& a) {
  const Value x_gradient = divide(a.b, a.g, a.y);
  return {x_gradient, negate(a.b, multiply(a.b, x_gradient, a.result))};
}

/// y * x^(y-1) with 0 where y is 0 (x^-1 is infinite at x = 0), and log(x) * x^y with 0 where x is 0 (its
/// limit for y > 0).
Gradients power_gradient(const GradientArguments& a) {
  Builder& b = a.b;
  const Value zero = like(b, a.x, 0), one = like(b, a.x, 1);
  const Value y_is_zero = compare(b, a.y, zero, ComparisonDirection::kEq);
  const Value lower_power = power(b, a.x, select(b, y_is_zero, one, subtract(b, a.y, one)));
  const Value x_slope = select(b, y_is_zero, zero, multiply(b, a.y, lower_power));
  const Value x_is_zero = compare(b, a.x, zero, ComparisonDirection::kEq);
  const Value y_slope = multiply(b, log(b, select(b, x_is_zero, one, a.x)), a.result);
  return {multiply(b, a.g, x_slope), multiply(b, a.g, select(b, x_is_zero, zero, y_slope))};
}

Gradients remainder_gradient(const GradientArguments& a) {
  Builder& b = a.b;
  const Value quotient = divide(b, a.x, a.y);
  const Value truncated = multiply(b, sign(b, quotient), floor(b, abs(b, quotient)));
  return {a.g, negate(b, multiply(b, a.g, truncated))};
}

/// The angle of the point (y, x): lhs / (lhs^2 + rhs^2) is what turns it.
Gradients atan2_gradient(const GradientArguments& a) {
  Builder& b = a.b;
  const Value scaled = divide(b, a.g, add(b, multiply(b, a.x, a.x), multiply(b, a.y, a.y)));
  return {multiply(b, scaled, a.y), negate(b, multiply(b, scaled, a.x))};
}

// name, dtypes, function, gradients of x and y
constexpr Row kRows[] = {
    row<kAny | kComplex>(
        "add", [](auto x, auto y) { return arithmetic(x, y, kPlus, kPlus, kOr); },
        [](const GradientArguments& a) -> Gradients { return {a.g, a.g}; }),
    row<kNumber | kComplex>(
        "subtract", [](auto x, auto y) { return arithmetic(x, y, kMinus, kMinus, kNever); },
        [](const GradientArguments& a) -> Gradients { return {a.g, negate(a.b, a.g)}; }),
    row<kAny | kComplex>(
        "multiply", [](auto x, auto y) { return arithmetic(x, y, kTimes, kTimes, kAnd); },
        [](const GradientArguments& a) -> Gradients {
          return {multiply(a.b, a.g, a.y), multiply(a.b, a.g, a.x)};
        }),
    row<kNumber | kComplex>(
        "divide", [](auto x, auto y) { return quotient(x, y); }, &divide_gradient),
    row<kAny | kComplex>(
        "maximum", [](auto x, auto y) { return maximum_of(x, y); },
        [](const GradientArguments& a) { return extremum_gradient(a, ComparisonDirection::kGt); }),
    row<kAny | kComplex>(
        "minimum", [](auto x, auto y) { return minimum_of(x, y); },
        [](const GradientArguments& a) { return extremum_gradient(a, ComparisonDirection::kLt); }),
    row<kNumber | kComplex>(
        "power", [](auto x, auto y) { return power_of(x, y); }, &power_gradient),
    row<kNumber>(
        "remainder", [](auto x, auto y) { return remainder_of(x, y); }, &remainder_gradient),
    row<kFloat | kComplex>(
        "atan2", [](auto y, auto x) { return angle_of(y, x); }, &atan2_gradient),
    row<kBits>(
        "and", [](auto x, auto y) -> decltype(x) { return x & y; }, kNonDifferentiable),
    row<kBits>(
        "or", [](auto x, auto y) -> decltype(x) { return x | y; }, kNonDifferentiable),
    row<kBits>(
        "xor", [](auto x, auto y) -> decltype(x) { return x ^ y; }, kNonDifferentiable),
    row<kInteger>(
        "shift_left", [](auto x, auto y) { return shifted(x, y, Shift::kLeft); }, kNonDifferentiable),
    row<kInteger>(
        "shift_right_logical", [](auto x, auto y) { return shifted(x, y, Shift::kRightLogical); },
        kNonDifferentiable),
    row<kInteger>(
        "shift_right_arithmetic", [](auto x, auto y) { return shifted(x, y, Shift::kRightArithmetic); },
        kNonDifferentiable),
};

template <std::size_t kRow>
struct Functions {
  static std::vector<ir::TensorType> infer(const ir::InferContext& context) {
    constexpr const Row& row = kRows[kRow];
    check_operands(context, 2);
    const ir::TensorType &x = context.type(0), &y = context.type(1);
    if (x != y) invalid_argument("(C1) lhs and rhs must have one type; got {} and {}", x.str(), y.str());
    if (!contains(row.types, x.dtype))
      invalid_argument("(I1) lhs must be of {}; got {}", dtype_set_str(row.types), x.str());
    return {x};
  }

  static std::vector<Value> gradient(const ir::GradientContext& context) {
    const Value g = context.result_gradients[0];
    const ir::Op& op = context.op;
    return g ? kRows[kRow].gradient({context.builder, op.operand(0), op.operand(1), op.result(), g})
             : Gradients(2);
  }

  static std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
    ir::Literal result(context.op.result().type());
    kRows[kRow].kernel(context.op, context.operands[0], context.operands[1], result);
    return {result};
  }
};

using Rows = OpRows<kRows, Functions>;

Value build(Builder& b, Rows::Name name, Value x, Value y) {
  return b.create(Rows::find(name), {x, y}).result();
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return Rows::all(); }

}  // namespace elementwise_binary_folder

namespace binary = elementwise_binary_folder;

ir::Value add(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "add", x, y); }
ir::Value subtract(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "subtract", x, y); }
ir::Value multiply(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "multiply", x, y); }
ir::Value divide(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "divide", x, y); }
ir::Value maximum(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "maximum", x, y); }
ir::Value minimum(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "minimum", x, y); }
ir::Value power(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "power", x, y); }
ir::Value remainder(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "remainder", x, y); }
ir::Value atan2(ir::Builder& b, ir::Value y, ir::Value x) { return binary::build(b, "atan2", y, x); }
ir::Value and_(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "and", x, y); }
ir::Value or_(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "or", x, y); }
ir::Value xor_(ir::Builder& b, ir::Value x, ir::Value y) { return binary::build(b, "xor", x, y); }
ir::Value shift_left(ir::Builder& b, ir::Value x, ir::Value y) {
  return binary::build(b, "shift_left", x, y);
}
ir::Value shift_right_logical(ir::Builder& b, ir::Value x, ir::Value y) {
  return binary::build(b, "shift_right_logical", x, y);
}
ir::Value shift_right_arithmetic(ir::Builder& b, ir::Value x, ir::Value y) {
  return binary::build(b, "shift_right_arithmetic", x, y);
}

}  // namespace cornu::inline v0::ops
