#include "cornu/tensor/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/random_token.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/seed_source.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_state.h"

namespace cornu::inline v0 {
namespace {

constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15u;

struct SeedSource {
  std::mutex mutex;
  std::uint64_t state = 0;
  bool set = false;
  std::shared_ptr<const SeedGenerator> generator;  // of calls without a seed
};
SeedSource& seed_source() {
  static auto* const source = new SeedSource;  // never destroyed: its variable would outlive the devices
  return *source;
}

double polynomial(std::span<const double> coefficients, double x) {
  double value = 0;
  for (const double c : coefficients) value = value * x + c;
  return value;
}

/// All runs of all threads draw from it.
std::shared_ptr<const SeedGenerator> make_default_generator(std::uint64_t seed) {
  auto generator = std::make_shared<const SeedGenerator>(seed);
  generator->counter().state().is_claimed_by_runs = false;
  return generator;
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t x) {
  x += kGoldenGamma;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void set_random_seed(std::uint64_t seed) {
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  source.state = seed;
  source.set = true;
  source.generator = nullptr;
}

detail::SeedSourceState detail::seed_source_state() {
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  return {source.set, source.state};
}

std::shared_ptr<const SeedGenerator> detail::known_default_seed_generator() {
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  return source.generator;
}

void detail::set_default_generator_seed(std::optional<std::uint64_t> seed) {
  auto made = seed.has_value() ? make_default_generator(*seed) : nullptr;
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  if (made != nullptr && source.generator != nullptr) {
    source.generator->set_seed(*seed);
  } else {
    std::swap(source.generator, made);
  }
}

std::uint64_t next_seed() {
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  if (!source.set) {
    source.state = random_token();
    source.set = true;
  }
  const std::uint64_t seed = splitmix64(source.state);
  source.state += kGoldenGamma;
  return seed;
}

void threefry2x32(std::uint32_t key0, std::uint32_t key1, std::uint32_t& x0, std::uint32_t& x1) {
  constexpr std::array<std::array<int, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<std::uint32_t, 3> keys = {key0, key1, key0 ^ key1 ^ 0x1bd11bdau};
  x0 += keys[0];
  x1 += keys[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (const int rotation : kRotations[group % 2]) {
      x0 += x1;
      x1 = std::rotl(x1, rotation) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + group + 1;
  }
}

std::uint64_t RandomStream::bits(std::uint64_t i) const {
  auto x0 = static_cast<std::uint32_t>(i);
  auto x1 = static_cast<std::uint32_t>(i >> 32);
  threefry2x32(static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32), x0, x1);
  return (static_cast<std::uint64_t>(x0) << 32) | x1;
}

double RandomStream::uniform(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }

// The quantile of a uniform value shifted from 0 and 1 by half a step.
double RandomStream::normal(std::uint64_t i) const { return normal_quantile(uniform(i) + 0x1p-54); }

double RandomStream::truncated_normal(std::uint64_t i) const {
  static const double low = 0.5 * std::erfc(std::numbers::sqrt2);  // the normal distribution function at -2
  return std::clamp(normal_quantile(low + uniform(i) * (1 - 2 * low)), -2.0, 2.0);
}

// Acklam's rational approximation (1e-9 relative), then one step of Halley's method on the distribution
// function.
double normal_quantile(double p) {
  constexpr std::array kCentralTop = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                      1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array kCentralBottom = {-5.447609879822406e+01, 1.615858368580409e+02,
                                         -1.556989798598866e+02, 6.680131188771972e+01,
                                         -1.328068155288572e+01, 1.0};
  constexpr std::array kTailTop = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                   -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array kTailBottom = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                      3.754408661907416e+00, 1.0};
  constexpr double kTail = 0.02425;
  if (!(p > 0 && p < 1))
    invalid_argument({.argument = "p"}, "[normal_quantile] p must lie between 0 and 1; got p = {}", p);
  if (p > 0.5) return -normal_quantile(1 - p);
  double x;
  if (p < kTail) {
    const double q = std::sqrt(-2 * std::log(p));
    x = polynomial(kTailTop, q) / polynomial(kTailBottom, q);
  } else {
    const double q = p - 0.5;
    const double r = q * q;
    x = polynomial(kCentralTop, r) * q / polynomial(kCentralBottom, r);
  }
  const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
  const double step = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
  return x - step / (1 + x * step / 2);
}

std::shared_ptr<const SeedGenerator> default_seed_generator() {
  if (auto known = detail::known_default_seed_generator()) return known;
  std::shared_ptr<const SeedGenerator> generator = make_default_generator(next_seed());
  SeedSource& source = seed_source();
  const std::lock_guard lock(source.mutex);
  if (!source.generator) source.generator = std::move(generator);
  return source.generator;
}

SeedGenerator::SeedGenerator(std::uint64_t seed, StringArgument path)
    : seed_(std::make_shared<std::uint64_t>(seed)),
      counter_(ir::Literal(TensorType{DType::kU32, {}}),
               {.name = "seed_generator_state", .path = std::move(path), .trainable = false}) {}

Tensor SeedGenerator::next() const {
  std::optional<detail::VariableClaim> claim;  // two threads must not draw the same number
  if (!counter_.state().is_claimed_by_runs && Trace::current() == nullptr)
    claim.emplace(detail::VariableClaim::Variables{.written = {&counter_, 1}}, detail::OtherThreads::kWait);
  const Tensor now = counter_.value();
  counter_.assign(now + 1);
  return now;
}

}  // namespace cornu::inline v0
