#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/replica_part.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::random {

using namespace ops::internal;

Seed::Drawn Seed::draw() const {
  if (generator_ != nullptr) return {generator_->seed(), generator_->next()};
  if (seed_) return {*seed_, counter_.defined() ? counter_ : Tensor::zeros({}, DType::kU32)};
  const auto generator = default_seed_generator();
  return {generator->seed(), generator->next()};
}

namespace {

/// Runs a random op of (key0, key1, counter). The keys are operands, so that a new seed does not need a new
/// program.
template <typename Build>
Tensor drawn(const char* name, const TensorType& asked, const Seed::Drawn& seed, Build build) {
  const auto word = [](std::uint64_t value) {
    return Tensor::of<std::uint32_t>({}, {static_cast<std::uint32_t>(value)});
  };
  if (seed.counter.rank() != 0 || !ir::is_integer(seed.counter.dtype()))
    invalid_argument("[random] the counter must be an integer scalar; got {}", type_str(seed.counter.type()));
  const std::array inputs = {word(seed.seed), word(seed.seed >> 32), ops::cast(seed.counter, DType::kU32)};
  return ops::internal::part_of_replica(asked.dims, [&](const Dims& dims) {
    const TensorType type{asked.dtype, dims};
    return run_op(OpKey(name, type.dtype, type.dims), inputs,
                  [&](ir::Builder& b, Values v) { return build(b, v[0], v[1], v[2], type); });
  });
}

Tensor drawn_bits(const Dims& shape, const Seed::Drawn& seed) {
  return drawn("random_bits", {DType::kU32, shape}, seed,
               [&](ir::Builder& b, ir::Value key0, ir::Value key1, ir::Value counter,
                   const TensorType& type) { return ops::random_bits(b, key0, key1, counter, type.dims); });
}

/// Uniform numbers in [0, 1), f32 or f64.
Tensor drawn_uniform(const Dims& shape, DType dtype, const Seed::Drawn& seed) {
  return drawn("random_uniform", {dtype, shape}, seed,
               [&](ir::Builder& b, ir::Value key0, ir::Value key1, ir::Value counter,
                   const TensorType& type) { return ops::random_uniform(b, key0, key1, counter, type); });
}

/// 64 random bits, ui64. The second 32-bit word uses another key.
Tensor drawn_words(const Dims& shape, const Seed::Drawn& seed) {
  const Tensor high = drawn_bits(shape, seed), low = drawn_bits(shape, {splitmix64(seed.seed), seed.counter});
  return ops::bitwise_or(ops::bitwise_left_shift(ops::cast(high, DType::kU64), 32),
                         ops::cast(low, DType::kU64));
}

void check_shape(const char* op, const Dims& shape) {
  for (const std::int64_t extent : shape)
    if (extent < 0)
      invalid_argument({.argument = "shape"}, "[{}] shape must not be negative; got shape = {}", op,
                       ir::shape_str(shape));
}

void check_float(const char* op, DType dtype) {
  if (!ir::is_float(dtype))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be of floats; got dtype = {}", op,
                     ir::numpy_name(dtype));
}

/// Rejects an interval with numbers that the dtype cannot represent.
void check_interval(std::int64_t minval, std::int64_t maxval, DType dtype) {
  if (minval > maxval)
    invalid_argument({.argument = "minval"},
                     "[randint] minval must be at most maxval; got minval = {} and maxval = {}", minval,
                     maxval);
  const bool is_signed = ir::is_signed_integer(dtype);
  const int num_bits = std::min(ir::bit_width(dtype) - (is_signed ? 1 : 0), 63);
  const auto largest = static_cast<std::int64_t>((std::uint64_t{1} << num_bits) - 1);
  const std::int64_t lowest = is_signed ? -largest - 1 : 0;
  if (minval < lowest || (minval < maxval ? maxval - 1 : minval) > largest)
    invalid_argument({.argument = "dtype"},
                     "[randint] dtype must hold all of [minval, maxval); got dtype = {} for [{}, {})",
                     ir::numpy_name(dtype), minval, maxval);
}

/// Uniform numbers in (-1, 1), symmetric: odd multiples of the step, so never 0, 1 or -1.
Tensor symmetric(const Dims& shape, DType dtype, const Seed& seed) {
  const double step = dtype == DType::kF64 ? 0x1p-52 : 0x1p-23;
  return drawn_uniform(shape, dtype, seed.draw()) * 2.0 + (step - 1);
}

/// The largest number of a float dtype that is at most `bound`.
double rounded_down(DType dtype, double bound) {
  if (dtype == DType::kF64) return bound;
  if (dtype == DType::kF32) {
    const auto nearest = static_cast<float>(bound);
    return nearest <= bound ? nearest : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
  }
  ir::Literal number = ir::Literal::scalar(dtype, bound);
  if (number.at(0) <= bound) return number.at(0);
  std::uint16_t bits = 0x8001;  // sign and magnitude: the greatest number below 0
  if (number.at(0) != 0) {
    std::memcpy(&bits, number.bytes().data(), sizeof bits);
    bits = static_cast<std::uint16_t>(number.at(0) > 0 ? bits - 1 : bits + 1);
  }
  std::memcpy(number.mutable_bytes().data(), &bits, sizeof bits);
  return number.at(0);
}

/// The number of bits of a uniform number that a dtype holds exactly.
int uniform_digits(DType dtype) { return dtype == DType::kF16 ? 11 : 8; }

}  // namespace

Tensor bits(const Dims& shape, const Seed& seed) {
  check_shape("bits", shape);
  return drawn_bits(shape, seed.draw());
}

Tensor uniform(const Dims& shape, const UniformOptions& options) {
  check_shape("uniform", shape);
  if (!(options.minval <= options.maxval))
    invalid_argument({.argument = "minval"},
                     "[uniform] minval must be at most maxval; got minval = {} and maxval = {}",
                     options.minval, options.maxval);
  if (ir::is_integer(options.dtype))
    return randint(shape, static_cast<std::int64_t>(options.minval),
                   static_cast<std::int64_t>(options.maxval), {.dtype = options.dtype, .seed = options.seed});
  check_float("uniform", options.dtype);
  const DType wide = accumulation_dtype(options.dtype);
  Tensor unit = drawn_uniform(shape, wide, options.seed.draw());
  if (wide != options.dtype) {  // truncated, not rounded: 1 must not occur
    const double scale = std::ldexp(1.0, uniform_digits(options.dtype));
    unit = ops::floor(unit * scale) / scale;
  }
  if (options.minval == 0 && options.maxval == 1) return ops::cast(unit, options.dtype);
  Tensor numbers = unit * (options.maxval - options.minval) + options.minval;
  // Rounding must not leave the range. Of f32 and f64, only a sum may be rounded up to maxval.
  const bool may_leave = wide != options.dtype || options.minval != 0;
  if (may_leave && options.minval < options.maxval)
    numbers = ops::clip(numbers, -rounded_down(options.dtype, -options.minval),
                        rounded_down(options.dtype, std::nextafter(options.maxval, options.minval)));
  return ops::cast(numbers, options.dtype);
}

Tensor normal(const Dims& shape, const NormalOptions& options) {
  check_shape("normal", shape);
  check_float("normal", options.dtype);
  if (!(options.stddev >= 0))
    invalid_argument({.argument = "stddev"}, "[normal] stddev must not be negative; got stddev = {}",
                     options.stddev);
  const Tensor unit = ops::erfinv(symmetric(shape, accumulation_dtype(options.dtype), options.seed));
  return ops::cast(unit * (std::numbers::sqrt2 * options.stddev) + options.mean, options.dtype);
}

Tensor truncated_normal(const Dims& shape, const NormalOptions& options) {
  check_shape("truncated_normal", shape);
  check_float("truncated_normal", options.dtype);
  if (!(options.stddev >= 0))
    invalid_argument({.argument = "stddev"},
                     "[truncated_normal] stddev must not be negative; got stddev = {}", options.stddev);
  // The probability of values within two standard deviations.
  const double within = std::erf(std::numbers::sqrt2);
  const Tensor unit = ops::erfinv(symmetric(shape, accumulation_dtype(options.dtype), options.seed) * within);
  return ops::cast(ops::clip(unit * std::numbers::sqrt2, -2, 2) * options.stddev + options.mean,
                   options.dtype);
}

Tensor randint(const Dims& shape, std::int64_t minval, std::int64_t maxval, const RandintOptions& options) {
  check_shape("randint", shape);
  if (!ir::is_integer(options.dtype))
    invalid_argument({.argument = "dtype"}, "[randint] dtype must be of integers; got dtype = {}",
                     ir::numpy_name(options.dtype));
  check_interval(minval, maxval, options.dtype);
  const std::uint64_t range = static_cast<std::uint64_t>(maxval) - static_cast<std::uint64_t>(minval);
  const Seed::Drawn seed = options.seed.draw();
  Tensor offset;
  if (range < (std::uint64_t{1} << 32)) {
    // Computes word * range / 2^64 of a 64-bit word (bias below 2^-32), in halves that do not overflow.
    const Tensor high = ops::cast(drawn_bits(shape, seed), DType::kU64) * range;
    const Tensor low =
        ops::cast(drawn_bits(shape, {splitmix64(seed.seed), seed.counter}), DType::kU64) * range;
    offset = ops::bitwise_right_shift(high + ops::bitwise_right_shift(low, 32), 32);
  } else {
    offset = ops::mod(drawn_words(shape, seed), Tensor(range));
  }
  return ops::cast(ops::cast(offset, DType::kI64) + minval, options.dtype);
}

Tensor bernoulli(const Dims& shape, double probability, const BernoulliOptions& options) {
  check_shape("bernoulli", shape);
  if (!(probability >= 0 && probability <= 1))
    invalid_argument({.argument = "probability"},
                     "[bernoulli] probability must be in [0, 1]; got probability = {}", probability);
  return ops::cast(ops::less(drawn_uniform(shape, DType::kF32, options.seed.draw()), probability),
                   options.dtype);
}

// Selects the class whose logit plus Gumbel noise is the largest.
Tensor categorical(const Tensor& logits, std::int64_t num_samples, const CategoricalOptions& options) {
  if (logits.rank() != 2 || logits.shape()[1] < 1)
    invalid_argument("[categorical] logits must be [batch, classes]; got shape {}",
                     ir::shape_str(logits.shape()));
  if (num_samples < 0)
    invalid_argument({.argument = "num_samples"},
                     "[categorical] num_samples must not be negative; got num_samples = {}", num_samples);
  const Dims dims = {logits.shape()[0], num_samples, logits.shape()[1]};
  const Tensor unit = drawn_uniform(dims, DType::kF32, options.seed.draw()) + 0x1p-24;
  const Tensor noise = -ops::log(-ops::log(unit));
  const Tensor scores = ops::expand_dims(ops::cast(logits, DType::kF32), 1) + noise;
  return ops::cast(ops::argmax(scores, -1), options.dtype);
}

Tensor shuffle(const Tensor& x, const ShuffleOptions& options) {
  const std::int64_t axis = normalized_axis(options.axis, x.rank(), "shuffle");
  const Tensor order = ops::argsort(drawn_words({extent(x.shape(), axis)}, options.seed.draw()));
  return ops::take(x, order, {.axis = axis});
}

Tensor dropout(const Tensor& x, double rate, const DropoutOptions& options) {
  if (!(rate >= 0 && rate <= 1))
    invalid_argument({.argument = "rate"}, "[dropout] rate must be in [0, 1]; got rate = {}", rate);
  const Dims noise_shape = options.noise_shape.value_or(x.shape());
  if (broadcast_shapes(noise_shape, x.shape(), "dropout") != x.shape())
    invalid_argument({.argument = "noise_shape"},
                     "[dropout] noise_shape must broadcast to x's shape {}; got noise_shape = {}",
                     ir::shape_str(x.shape()), ir::shape_str(noise_shape));
  if (rate == 0) return x;
  if (rate == 1) return ops::zeros_like(x);
  const Tensor keep = bernoulli(noise_shape, 1 - rate, {.seed = options.seed});
  return ops::where(keep, x / (1 - rate), 0);
}

}  // namespace cornu::inline v0::random
