#include "cornu/ops/elementwise_unary/elementwise_unary.h"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/complex_reference.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/op_rows.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace elementwise_unary_folder {
namespace {

using ir::Builder;
using ir::Value;

/// The gradient of operand x, given result y and its gradient g.
using Gradient = Value (*)(Builder& b, Value x, Value y, Value g);

struct Row {
  std::string_view name;
  void (*kernel)(const ir::Op& op, const ir::Literal& x, ir::Literal& y);
  Gradient gradient;
  DTypeSet types;
  bool result_is_i1;
};

using complex_reference::Complex;
using complex_reference::kIsComplex;

/// Computes in f64 and rounds; |x| is real.
template <typename F>
void run_complex_kernel(const ir::Literal& x, ir::Literal& y) {
  ir::visit_complex_dtype(x.type().dtype, [&]<typename T>() {
    constexpr bool kIsReal = std::is_same_v<std::invoke_result_t<F, Complex>, double>;
    using Result = std::conditional_t<kIsReal, typename T::value_type, T>;
    const std::span<const T> in = x.data<T>();
    const std::span<Result> out = y.mutable_data<Result>();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<Result>(F()(Complex(in[i])));
  });
}

template <DTypeSet kTypes, typename F>
void run_kernel(const ir::Op& op, const ir::Literal& x, ir::Literal& y) {
  if constexpr ((kTypes & kComplex) != 0)
    if (ir::is_complex(x.type().dtype)) return run_complex_kernel<F>(x, y);
  visit_reference_dtype(op, x.type().dtype, [&]<typename T>() {
    if constexpr (contains_type<T>(kTypes)) {
      using Result = std::invoke_result_t<F, T>;
      const std::span<const T> in = x.data<T>();
      const std::span<Result> out = y.mutable_data<Result>();
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = F()(in[i]);
    }
  });
}

template <DTypeSet kTypes, typename F>
constexpr Row row(std::string_view name, F, Gradient gradient, bool result_is_i1 = false) {
  return {name, &run_kernel<kTypes, F>, gradient, kTypes, result_is_i1};
}

Value like(Builder& b, Value x, double value) { return full(b, x.type(), value); }

/// Integers go through 64 unsigned bits, where overflow is defined.
template <typename T>
T wrapping_negate(T x) {
  if constexpr (std::is_floating_point_v<T> || kIsComplex<T>) {
    return -x;
  } else {
    return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(x));
  }
}

template <typename T>
T absolute(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(x);
  } else {
    return x < 0 ? wrapping_negate(x) : x;
  }
}

template <typename T>
T sign_of(T x) {
  if (!(x < T(0)) && !(x > T(0))) return x;  // zeros keep their sign, NaN stays
  return x < T(0) ? T(-1) : T(1);
}

double absolute(Complex x) { return std::abs(x); }
Complex sign_of(Complex x) { return complex_reference::sign(x); }

/// The standard library's function of a real number, or ours of a complex one.
template <typename T, typename Real, typename OfComplex>
T real_or_complex(T x, Real real, OfComplex of_complex) {
  if constexpr (kIsComplex<T>) {
    return of_complex(x);
  } else {
    return real(x);
  }
}

template <typename T>
T complement(T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return !x;
  } else {
    return static_cast<T>(~static_cast<std::uint64_t>(x));
  }
}

/// The number of bits that are set, or of zeros before the first that is set.
template <typename T>
T set_bits(T x) {
  return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
}
template <typename T>
T leading_zeros(T x) {
  return static_cast<T>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(x)));
}

constexpr Gradient kNonDifferentiable = [](Builder&, Value, Value, Value) { return Value(); };
/// The gradient of step functions: the slope is 0, at the jumps too, as in JAX.
constexpr Gradient kZeroGradient = [](Builder& b, Value x, Value, Value) { return like(b, x, 0); };

/// g conj(x) / |x|, in JAX's convention; 0 at 0.
Value complex_abs_gradient(Builder& b, Value x, Value y, Value g) {
  const Value is_zero = compare(b, y, like(b, y, 0), ComparisonDirection::kEq);
  const Value scale = divide(b, g, select(b, is_zero, like(b, y, 1), y));
  return complex(b, multiply(b, scale, real(b, x)), negate(b, multiply(b, scale, imag(b, x))));
}

// name, dtypes, function, gradient of x from x, y = f(x) and g = dL/dy
constexpr Row kRows[] = {
    row<kSigned | kFloat | kComplex>("abs", [](auto x) { return absolute(x); },
                          [](Builder& b, Value x, Value y, Value g) {
                            if (ir::is_complex(x.dtype())) return complex_abs_gradient(b, x, y, g);
                            return select(b, compare(b, x, like(b, x, 0), ComparisonDirection::kGe), g, negate(b, g));
                          }),
    row<kNumber | kComplex>("negate", [](auto x) { return wrapping_negate(x); },
                 [](Builder& b, Value, Value, Value g) { return negate(b, g); }),
    row<kSigned | kFloat | kComplex>("sign", [](auto x) { return sign_of(x); }, kZeroGradient),
    row<kFloat | kComplex>("exponential", [](auto x) { return std::exp(x); },
                [](Builder& b, Value, Value y, Value g) { return multiply(b, g, y); }),
    row<kFloat | kComplex>("exponential_minus_one", [](auto x) { return real_or_complex(x, [](auto v) { return std::expm1(v); }, complex_reference::expm1); },
                [](Builder& b, Value, Value y, Value g) { return multiply(b, g, add(b, y, like(b, y, 1))); }),
    row<kFloat | kComplex>("log", [](auto x) { return std::log(x); },
                [](Builder& b, Value x, Value, Value g) { return divide(b, g, x); }),
    row<kFloat | kComplex>("log_plus_one", [](auto x) { return real_or_complex(x, [](auto v) { return std::log1p(v); }, complex_reference::log1p); },
                [](Builder& b, Value x, Value, Value g) { return divide(b, g, add(b, x, like(b, x, 1))); }),
    row<kFloat | kComplex>("logistic", [](auto x) { return decltype(x)(1) / (decltype(x)(1) + std::exp(-x)); },
                [](Builder& b, Value, Value y, Value g) { return multiply(b, g, multiply(b, y, subtract(b, like(b, y, 1), y))); }),
    row<kFloat | kComplex>("sqrt", [](auto x) { return std::sqrt(x); },
                [](Builder& b, Value, Value y, Value g) { return divide(b, multiply(b, g, like(b, y, 0.5)), y); }),
    row<kFloat | kComplex>("rsqrt", [](auto x) { return real_or_complex(x, [](auto v) { return 1 / std::sqrt(v); }, complex_reference::reciprocal_root); },
                [](Builder& b, Value x, Value y, Value g) { return multiply(b, g, multiply(b, like(b, x, -0.5), divide(b, y, x))); }),
    row<kFloat | kComplex>("tanh", [](auto x) { return std::tanh(x); },
                [](Builder& b, Value, Value y, Value g) { return multiply(b, g, subtract(b, like(b, y, 1), multiply(b, y, y))); }),
    row<kFloat | kComplex>("sine", [](auto x) { return std::sin(x); },
                [](Builder& b, Value x, Value, Value g) { return multiply(b, g, cosine(b, x)); }),
    row<kFloat | kComplex>("cosine", [](auto x) { return std::cos(x); },
                [](Builder& b, Value x, Value, Value g) { return negate(b, multiply(b, g, sine(b, x))); }),
    row<kFloat | kComplex>("tan", [](auto x) { return std::tan(x); },
                [](Builder& b, Value, Value y, Value g) { return multiply(b, g, add(b, like(b, y, 1), multiply(b, y, y))); }),
    row<kFloat | kComplex>("cbrt", [](auto x) { return real_or_complex(x, [](auto v) { return std::cbrt(v); }, complex_reference::cube_root); },
                [](Builder& b, Value, Value y, Value g) { return divide(b, g, multiply(b, like(b, y, 3), multiply(b, y, y))); }),
    row<kFloat>("floor", [](auto x) { return std::floor(x); }, kZeroGradient),
    row<kFloat>("ceil", [](auto x) { return std::ceil(x); }, kZeroGradient),
    row<kFloat>("round_nearest_even", [](auto x) { return std::nearbyint(x); }, kZeroGradient),
    row<kFloat>("round_nearest_afz", [](auto x) { return std::round(x); }, kZeroGradient),
    row<kFloat>("is_finite", [](auto x) { return std::isfinite(x); }, kNonDifferentiable, true),
    row<kBits>("not", [](auto x) { return complement(x); }, kNonDifferentiable),
    row<kInteger>("popcnt", [](auto x) { return set_bits(x); }, kNonDifferentiable),
    row<kInteger>("count_leading_zeros", [](auto x) { return leading_zeros(x); }, kNonDifferentiable),
};

template <std::size_t kRow>
struct Functions {
  static std::vector<ir::TensorType> infer(const ir::InferContext& context) {
    constexpr const Row& row = kRows[kRow];
    check_operands(context, 1);
    ir::TensorType type = context.type(0);
    if (!contains(row.types, type.dtype))
      invalid_argument("(I1) operand must be of {}; got {}", dtype_set_str(row.types), type.str());
    if (row.result_is_i1) type.dtype = ir::DType::kI1;
    if (row.name == "abs") type.dtype = ir::real_dtype(type.dtype);
    return {type};
  }

  static std::vector<Value> gradient(const ir::GradientContext& context) {
    const Value g = context.result_gradients[0];
    return {g ? kRows[kRow].gradient(context.builder, context.op.operand(0), context.op.result(), g)
              : Value()};
  }

  static std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
    ir::Literal result(context.op.result().type());
    kRows[kRow].kernel(context.op, context.operands[0], result);
    return {result};
  }
};

using Rows = OpRows<kRows, Functions>;

Value build(Builder& b, Rows::Name name, Value x) { return b.create(Rows::find(name), {x}).result(); }

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return Rows::all(); }

}  // namespace elementwise_unary_folder

namespace unary = elementwise_unary_folder;

ir::Value abs(ir::Builder& b, ir::Value x) { return unary::build(b, "abs", x); }
ir::Value negate(ir::Builder& b, ir::Value x) { return unary::build(b, "negate", x); }
ir::Value sign(ir::Builder& b, ir::Value x) { return unary::build(b, "sign", x); }
ir::Value exponential(ir::Builder& b, ir::Value x) { return unary::build(b, "exponential", x); }
ir::Value exponential_minus_one(ir::Builder& b, ir::Value x) {
  return unary::build(b, "exponential_minus_one", x);
}
ir::Value log(ir::Builder& b, ir::Value x) { return unary::build(b, "log", x); }
ir::Value log_plus_one(ir::Builder& b, ir::Value x) { return unary::build(b, "log_plus_one", x); }
ir::Value logistic(ir::Builder& b, ir::Value x) { return unary::build(b, "logistic", x); }
ir::Value sqrt(ir::Builder& b, ir::Value x) { return unary::build(b, "sqrt", x); }
ir::Value rsqrt(ir::Builder& b, ir::Value x) { return unary::build(b, "rsqrt", x); }
ir::Value tanh(ir::Builder& b, ir::Value x) { return unary::build(b, "tanh", x); }
ir::Value sine(ir::Builder& b, ir::Value x) { return unary::build(b, "sine", x); }
ir::Value cosine(ir::Builder& b, ir::Value x) { return unary::build(b, "cosine", x); }
ir::Value tan(ir::Builder& b, ir::Value x) { return unary::build(b, "tan", x); }
ir::Value cbrt(ir::Builder& b, ir::Value x) { return unary::build(b, "cbrt", x); }
ir::Value floor(ir::Builder& b, ir::Value x) { return unary::build(b, "floor", x); }
ir::Value ceil(ir::Builder& b, ir::Value x) { return unary::build(b, "ceil", x); }
ir::Value round_nearest_even(ir::Builder& b, ir::Value x) { return unary::build(b, "round_nearest_even", x); }
ir::Value round_nearest_afz(ir::Builder& b, ir::Value x) { return unary::build(b, "round_nearest_afz", x); }
ir::Value is_finite(ir::Builder& b, ir::Value x) { return unary::build(b, "is_finite", x); }
ir::Value not_(ir::Builder& b, ir::Value x) { return unary::build(b, "not", x); }
ir::Value popcnt(ir::Builder& b, ir::Value x) { return unary::build(b, "popcnt", x); }
ir::Value count_leading_zeros(ir::Builder& b, ir::Value x) {
  return unary::build(b, "count_leading_zeros", x);
}

}  // namespace cornu::inline v0::ops
