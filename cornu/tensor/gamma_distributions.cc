#include <array>
#include <tuple>

#include "cornu/base/check.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/random.h"

/// Distributions by rejection: each round draws a number for each element, until all are accepted.
namespace cornu::inline v0::random {

using namespace ops::internal;

namespace {

constexpr double kMaxFewSuccesses = 200;   // more are less probable than the smallest uniform number
constexpr std::uint32_t kMaxRounds = 200;  // a round accepts three of four numbers at least

/// Uniform numbers of a round: seeds of different streams and counters of different rounds.
class Rounds {
 public:
  Rounds(const Dims& shape, DType dtype, const Seed::Drawn& seed, std::uint64_t stream)
      : shape_(shape),
        dtype_(dtype),
        counter_(ops::cast(seed.counter, DType::kU32)),
        seed_(splitmix64(seed.seed + stream)) {}

  static Tensor first() { return Tensor::zeros({}, DType::kU32); }
  static Tensor after(const Tensor& round) { return round + Tensor::of<std::uint32_t>({}, {1}); }
  static Tensor goes_on(const Tensor& round, const Tensor& accepted) {
    return ops::logical_and(ops::less(round, Tensor::of<std::uint32_t>({}, {kMaxRounds})),
                            ops::logical_not(ops::all(accepted)));
  }
  Tensor uniform(const Tensor& round, std::uint64_t which) const {
    return random::uniform(shape_, {.dtype = dtype_, .seed = seed(round, which)});
  }
  Tensor normal(const Tensor& round, std::uint64_t which) const {
    return random::normal(shape_, {.dtype = dtype_, .seed = seed(round, which)});
  }

 private:
  Seed seed(const Tensor& round, std::uint64_t which) const {
    return {splitmix64(seed_ + which), counter_ + round * Tensor::of<std::uint32_t>({}, {0x9E3779B9U})};
  }

  Dims shape_;
  DType dtype_;
  Tensor counter_;
  std::uint64_t seed_;
};

/// A parameter of a distribution for each number. Errors: InvalidArgument for another shape, and for a concrete
/// parameter of which `is_wrong` has elements.
template <typename IsWrong>
Tensor distribution_parameter(const char* op, const char* name, const char* rule, const Tensor& given,
                              const Dims& shape, DType dtype, IsWrong is_wrong) {
  for (const std::int64_t extent : shape)
    if (extent < 0)
      invalid_argument({.argument = "shape"}, "[{}] shape must not be negative; got shape = {}", op,
                       ir::shape_str(shape));
  if (broadcast_shapes(given.shape(), shape, op) != shape)
    invalid_argument({.argument = name}, "[{}] {} must broadcast to the shape {}; got shape {}", op, name,
                     ir::shape_str(shape), ir::shape_str(given.shape()));
  if (!given.is_symbolic() && ops::any(is_wrong(given)).template item<bool>())
    invalid_argument({.argument = name}, "[{}] {} must be {}", op, name, rule);
  return ops::broadcast_to(ops::stop_gradient(ops::cast(given, dtype)), shape);
}

Tensor positive_parameter(const char* op, const char* name, const Tensor& given, const Dims& shape,
                          DType dtype) {
  return distribution_parameter(op, name, "positive", given, shape, dtype,
                                [](const Tensor& x) { return ops::logical_not(ops::greater(x, 0)); });
}

void check_float_dtype(const char* op, DType dtype) {
  if (!ir::is_float(dtype))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be of floats; got dtype = {}", op,
                     ir::numpy_name(dtype));
}

/// Logarithms of gamma numbers (G. Marsaglia, W. W. Tsang, A simple method for generating gamma variables, 2000).
/// Those of alpha < 1 are those of alpha + 1 times a power of a uniform number.
Tensor log_gamma_numbers(const Tensor& alpha, const Seed::Drawn& seed, std::uint64_t stream) {
  const Rounds rounds(alpha.shape(), alpha.dtype(), seed, stream);
  const Tensor is_small = ops::less(alpha, 1);
  const Tensor d = ops::where(is_small, alpha + 1.0, alpha) - 1.0 / 3;
  const Tensor c = 1.0 / (ops::sqrt(d) * 3.0);
  const auto state =
      while_loop([](const Tensor& round, const Tensor&,
                    const Tensor& accepted) { return Rounds::goes_on(round, accepted); },
                 [&](const Tensor& round, const Tensor& log_v, const Tensor& accepted) {
                   const Tensor x = rounds.normal(round, 0), log_u = ops::log(1.0 - rounds.uniform(round, 1));
                   const Tensor root = c * x + 1.0, is_positive = ops::greater(root, 0);
                   const Tensor proposed = ops::log(ops::where(is_positive, root, 1)) * 3.0;
                   const Tensor bound = ops::square(x) * 0.5 + d * (1.0 - ops::exp(proposed) + proposed);
                   const Tensor accepts = ops::logical_and(is_positive, ops::less(log_u, bound));
                   return std::tuple(Rounds::after(round), ops::where(accepted, log_v, proposed),
                                     ops::logical_or(accepted, accepts));
                 },
                 std::tuple(Rounds::first(), ops::zeros_like(alpha), ops::zeros(alpha.shape(), DType::kI1)));
  const Tensor power = ops::log(1.0 - rounds.uniform(Rounds::first(), 2)) / alpha;
  return ops::log(d) + std::get<1>(state) + ops::where(is_small, power, 0);
}

/// A number of successes for n p < 10, by adding probabilities until their sum is beyond a uniform number.
Tensor few_successes(const Tensor& n, const Tensor& p, const Tensor& uniform) {
  const Tensor ratio = p / (1.0 - p), none = ops::exp(n * ops::log1p(-p));
  const auto state = while_loop(
      [&](const Tensor& k, const Tensor&, const Tensor& total, const Tensor&) {
        const Tensor goes_on = ops::logical_and(ops::greater_equal(uniform, total), ops::less(k, n));
        return ops::logical_and(ops::less(k, kMaxFewSuccesses), ops::any(goes_on));
      },
      [&](const Tensor& k, const Tensor& share, const Tensor& total, const Tensor& count) {
        const Tensor next = share * ratio * (n - k) / (k + 1.0);
        const Tensor is_beyond = ops::logical_and(ops::greater_equal(uniform, total), ops::less(k, n));
        return std::tuple(k + 1.0, next, total + next, count + ops::cast(is_beyond, n.dtype()));
      },
      std::tuple(ops::zeros({}, n.dtype()), none, none, ops::zeros_like(n)));
  return std::get<3>(state);
}

Tensor lgamma_of(const Tensor& x) {
  return unary("lgamma", x, [](ir::Builder& b, ir::Value v) { return ops::lgamma(b, v); });
}

/// A number of successes for n p >= 10 and p <= 1/2, by transformed rejection (W. Hoermann, The generation of
/// binomial random variates, 1993, algorithm BTRS).
Tensor many_successes(const Tensor& n, const Tensor& p, const Rounds& rounds) {
  const Tensor ratio = ops::log(p / (1.0 - p)), deviation = ops::sqrt(n * p * (1.0 - p));
  const Tensor b = deviation * 2.53 + 1.15, a = b * 0.0248 + p * 0.01 - 0.0873;
  const Tensor alpha = (5.1 / b + 2.83) * deviation, mode = ops::floor((n + 1.0) * p);
  const Tensor at_mode = lgamma_of(mode + 1.0) + lgamma_of(n - mode + 1.0);
  const auto state = while_loop(
      [](const Tensor& round, const Tensor&, const Tensor& accepted) {
        return Rounds::goes_on(round, accepted);
      },
      [&](const Tensor& round, const Tensor& count, const Tensor& accepted) {
        const Tensor u = rounds.uniform(round, 0) - 0.5, v = 1.0 - rounds.uniform(round, 1);
        const Tensor us = ops::maximum(0.5 - ops::abs(u), 1e-12);
        const Tensor k = ops::floor((a * 2.0 / us + b) * u + n * p + 0.5);
        const Tensor is_inside = ops::logical_and(ops::greater_equal(k, 0), ops::less_equal(k, n));
        const Tensor inside = ops::minimum(ops::maximum(k, 0), n);
        const Tensor bound =
            at_mode - lgamma_of(inside + 1.0) - lgamma_of(n - inside + 1.0) + (inside - mode) * ratio;
        const Tensor accepts = ops::less_equal(ops::log(v * alpha / (a / ops::square(us) + b)), bound);
        return std::tuple(Rounds::after(round), ops::where(accepted, count, inside),
                          ops::logical_or(accepted, ops::logical_and(is_inside, accepts)));
      },
      std::tuple(Rounds::first(), ops::zeros_like(n), ops::zeros(n.shape(), DType::kI1)));
  return std::get<1>(state);
}

}  // namespace

Tensor gamma(const Dims& shape, const Tensor& alpha, const GammaOptions& options) {
  check_float_dtype("gamma", options.dtype);
  const DType dtype = accumulation_dtype(options.dtype);
  const Tensor parameter = positive_parameter("gamma", "alpha", alpha, shape, dtype);
  return ops::cast(ops::exp(log_gamma_numbers(parameter, options.seed.draw(), 1)), options.dtype);
}

Tensor beta(const Dims& shape, const Tensor& alpha, const Tensor& beta, const GammaOptions& options) {
  check_float_dtype("beta", options.dtype);
  const DType dtype = accumulation_dtype(options.dtype);
  const Tensor first = positive_parameter("beta", "alpha", alpha, shape, dtype);
  const Tensor second = positive_parameter("beta", "beta", beta, shape, dtype);
  const Seed::Drawn seed = options.seed.draw();
  const Tensor difference = log_gamma_numbers(first, seed, 1) - log_gamma_numbers(second, seed, 2);
  return ops::cast(ops::sigmoid(difference), options.dtype);
}

// Computed in f64, in which factorials of large counts have enough digits. p > 1/2 counts failures instead.
Tensor binomial(const Dims& shape, const Tensor& counts, const Tensor& probabilities,
                const GammaOptions& options) {
  check_float_dtype("binomial", options.dtype);
  const Tensor n = ops::floor(
      distribution_parameter("binomial", "counts", "0 or more", counts, shape, DType::kF64,
                             [](const Tensor& x) { return ops::logical_not(ops::greater_equal(x, 0)); }));
  const Tensor given = distribution_parameter(
      "binomial", "probabilities", "in [0, 1]", probabilities, shape, DType::kF64, [](const Tensor& x) {
        return ops::logical_not(ops::logical_and(ops::greater_equal(x, 0), ops::less_equal(x, 1)));
      });
  const Tensor is_flipped = ops::greater(given, 0.5), p = ops::where(is_flipped, 1.0 - given, given);
  const Tensor is_many = ops::greater_equal(n * p, 10);
  const Rounds rounds(shape, DType::kF64, options.seed.draw(), 3);
  const Tensor few = few_successes(ops::where(is_many, 0, n), p, rounds.uniform(Rounds::first(), 2));
  // Elements with few successes take the parameters of a case that ends soon.
  const Tensor many = many_successes(ops::where(is_many, n, 40), ops::where(is_many, p, 0.5), rounds);
  const Tensor count = ops::where(is_many, many, few);
  return ops::cast(ops::where(is_flipped, n - count, count), options.dtype);
}

}  // namespace cornu::inline v0::random
