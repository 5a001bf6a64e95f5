#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/default_float.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// One step of SplitMix64: a well-mixed 64-bit value from any 64-bit value.
std::uint64_t splitmix64(std::uint64_t x);

/// Sets the seed from which all later default seeds are derived (initial weights, dropout, shuffling). A
/// program that never calls it gets different numbers each run. Threads: safe.
void set_random_seed(std::uint64_t seed);

/// The next default seed of this process.
std::uint64_t next_seed();

/// The Threefry-2x32 block function (20 rounds), the same bits as ops::threefry2x32.
void threefry2x32(std::uint32_t key0, std::uint32_t key1, std::uint32_t& x0, std::uint32_t& x1);

/// Host-side random values: element i depends on (seed, i) only.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : seed_(seed) {}
  /// 64 random bits for counter `i`.
  std::uint64_t bits(std::uint64_t i) const;
  /// Uniform in [0, 1), 53 bits.
  double uniform(std::uint64_t i) const;
  /// Standard normal, by the inverse of the normal distribution function.
  double normal(std::uint64_t i) const;
  /// Standard normal conditioned on [-2, 2].
  double truncated_normal(std::uint64_t i) const;

 private:
  std::uint64_t seed_;
};

/// The p-quantile of the standard normal distribution to about 1e-15 relative. Errors: InvalidArgument unless
/// 0 < p < 1.
double normal_quantile(double p);

/// A seed with a counter on the device: every use takes the next counter value. Copies are handles to the
/// same generator.
class SeedGenerator {
 public:
  /// `path`: the path of the counter's variable.
  explicit SeedGenerator(std::uint64_t seed, StringArgument path = "seed_generator_state");
  std::uint64_t seed() const { return *seed_; }
  /// Changes the seed of all copies. Programs traced before keep the old seed.
  void set_seed(std::uint64_t seed) const { *seed_ = seed; }
  std::uint32_t key0() const { return static_cast<std::uint32_t>(*seed_); }
  std::uint32_t key1() const { return static_cast<std::uint32_t>(*seed_ >> 32); }
  /// Returns the counter's value (uint32 scalar) and adds one to the variable.
  Tensor next() const;
  const Variable& counter() const { return counter_; }

 private:
  std::shared_ptr<std::uint64_t> seed_;
  Variable counter_;
};

/// The generator of calls without a seed; set_random_seed restarts it.
std::shared_ptr<const SeedGenerator> default_seed_generator();

/// keras.random: counter-based numbers, the same eagerly, in a trace and on
/// every backend, up to the rounding of mathematical functions.
///
/// Element i (row-major) depends on (seed, counter, i) alone: more rows do not change earlier rows.
/// Distributions are computed from uniform bits by the inverse of their distribution function; gamma and beta by
/// rejection, element by element.
/// Errors: InvalidArgument with the function and the argument, thrown before a generator advances.
namespace random {

/// Source of a call's random numbers.
class Seed {
 public:
  /// Uses the process's generator, which set_random_seed restarts.
  Seed() = default;
  /// Gives the same numbers at each call.
  Seed(int seed) : seed_(static_cast<std::uint64_t>(seed)) {}
  Seed(std::uint64_t seed) : seed_(seed) {}
  /// Gives numbers that are a pure function of both arguments; `counter` is an integer scalar, such as a step
  /// number.
  Seed(std::uint64_t seed, const Tensor& counter) : seed_(seed), counter_(counter) {}
  /// Takes the generator's next counter at each call; in a compiled function, at each run. The generator must
  /// live until the call.
  Seed(const SeedGenerator& generator) : generator_(&generator) {}

  struct Drawn {
    std::uint64_t seed;
    Tensor counter;
  };
  Drawn draw() const;

 private:
  std::optional<std::uint64_t> seed_;
  Tensor counter_;
  const SeedGenerator* generator_ = nullptr;
};

/// Random 32-bit words, ui32.
Tensor bits(const Dims& shape, const Seed& seed = {});

struct UniformOptions {  // options/tensor.toml
  /// Lowest value.
  double minval = 0;
  /// Upper bound, which is excluded.
  double maxval = 1;
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// Uniform numbers in [minval, maxval), or minval if both are equal; integers for an integer dtype.
Tensor uniform(const Dims& shape, const UniformOptions& options = {});
struct NormalOptions {  // options/tensor.toml
  /// Mean of the distribution.
  double mean = 0;
  /// Standard deviation of the distribution.
  double stddev = 1;
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
Tensor normal(const Dims& shape, const NormalOptions& options = {});
/// Normal numbers within two standard deviations of the mean.
Tensor truncated_normal(const Dims& shape, const NormalOptions& options = {});
struct RandintOptions {  // options/tensor.toml
  /// Dtype of the result.
  DType dtype = DType::kI32;
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// Uniform integers in [minval, maxval), or minval if both are equal.
/// Errors:    InvalidArgument if the dtype cannot represent all of them.
Tensor randint(const Dims& shape, std::int64_t minval, std::int64_t maxval,
               const RandintOptions& options = {});
struct BernoulliOptions {  // options/tensor.toml
  /// Dtype of the result, which has 0 and 1.
  DType dtype = DType::kI1;
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// 1 with this probability, else 0.
Tensor bernoulli(const Dims& shape, double probability, const BernoulliOptions& options = {});
struct GammaOptions {  // options/tensor.toml
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// Numbers of the gamma distribution with shape parameter alpha and scale 1, by Marsaglia's and Tsang's method.
/// Shapes:    alpha broadcasts to `shape`.
/// Errors:    InvalidArgument for another shape, and for a concrete alpha that is not positive.
/// Gradient:  none.
Tensor gamma(const Dims& shape, const Tensor& alpha, const GammaOptions& options = {});
/// Numbers of the beta distribution, g / (g + h) for gamma numbers g of alpha and h of beta.
/// Errors:    those of gamma, for both parameters.
Tensor beta(const Dims& shape, const Tensor& alpha, const Tensor& beta, const GammaOptions& options = {});
/// The numbers of successes among `counts` independent trials with these probabilities.
/// Shapes:    counts and probabilities broadcast to `shape`.
/// Errors:    InvalidArgument for another shape, for concrete counts that are negative, and for concrete
///            probabilities outside of [0, 1].
Tensor binomial(const Dims& shape, const Tensor& counts, const Tensor& probabilities,
                const GammaOptions& options = {});
struct CategoricalOptions {  // options/tensor.toml
  /// Dtype of the result.
  DType dtype = DType::kI32;
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// Samples classes by their logits: [batch, classes] -> [batch, num_samples].
Tensor categorical(const Tensor& logits, std::int64_t num_samples, const CategoricalOptions& options = {});
struct ShuffleOptions {  // options/tensor.toml
  /// Axis whose slices change places; negative: from the end.
  std::int64_t axis = 0;
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// The slices along an axis in a random order; each slice stays whole.
Tensor shuffle(const Tensor& x, const ShuffleOptions& options = {});
struct DropoutOptions {  // options/tensor.toml
  /// Shape of the mask; along axes of extent 1 all elements are kept or dropped together. Unset: the shape of
  /// x.
  OptionalDims noise_shape = {};
  /// Source of the random numbers: a seed, a SeedGenerator, or a seed with a counter; unset: the process's
  /// generator, which set_random_seed restarts.
  Seed seed = {};
};
/// 0 with the probability `rate`, else x / (1 - rate).
Tensor dropout(const Tensor& x, double rate, const DropoutOptions& options = {});

}  // namespace random

}  // namespace cornu::inline v0
