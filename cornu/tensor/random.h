#pragma once

#include <cstdint>
#include <span>

#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu {

/// One step of SplitMix64: a well-mixed 64-bit value from any 64-bit value.
std::uint64_t splitmix64(std::uint64_t x);

/// Sets the seed from which all later default seeds follow (initial weights, dropout, shuffling). Threads: safe.
/// A program that never calls it gets different numbers each run.
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

/// The p-quantile of the standard normal distribution, 0 < p < 1, to about 1e-15 relative.
double normal_quantile(double p);

/// A seed with a counter on the device: every use inside a trace takes the next counter value.
class SeedGenerator {
 public:
  explicit SeedGenerator(std::uint64_t seed);
  std::uint64_t seed() const { return seed_; }
  std::uint32_t key0() const { return static_cast<std::uint32_t>(seed_); }
  std::uint32_t key1() const { return static_cast<std::uint32_t>(seed_ >> 32); }
  /// The counter's value (uint32 scalar); adds one to the variable.
  Tensor next() const;
  const Variable& counter() const { return counter_; }

 private:
  std::uint64_t seed_;
  Variable counter_;
};

}  // namespace cornu
