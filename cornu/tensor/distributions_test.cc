#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

std::vector<double> drawn_values(const Tensor& x) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < x.num_elements(); ++i) values.push_back(x.at(i));
  return values;
}

/// The largest distance of the empirical distribution function from the exact one, times sqrt(n): above 1.95
/// once in a thousand draws.
double kolmogorov_smirnov(std::vector<double> values, const std::function<double(double)>& exact) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = exact(values[i]);
    distance = std::max(
        {distance, std::fabs(p - static_cast<double>(i) / n), std::fabs(p - static_cast<double>(i + 1) / n)});
  }
  return distance * std::sqrt(n);
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(DistributionsTest, FloatsFollowTheirDistributions) {
  for (const DType dtype : {DType::kF32, DType::kF64}) {
    const Tensor uniform = random::uniform({20, 500}, {.minval = -1, .maxval = 3, .dtype = dtype, .seed = 1});
    EXPECT_LT(kolmogorov_smirnov(drawn_values(uniform), [](double x) { return (x + 1) / 4; }), 1.95);
    const Tensor normal = random::normal({10000}, {.mean = 2, .stddev = 3, .dtype = dtype, .seed = 2});
    EXPECT_LT(
        kolmogorov_smirnov(drawn_values(normal), [](double x) { return normal_distribution((x - 2) / 3); }),
        1.95);
    const Tensor truncated = random::truncated_normal({10000}, {.stddev = 0.5, .dtype = dtype, .seed = 3});
    const double low = normal_distribution(-2);
    const auto exact = [low](double x) { return (normal_distribution(2 * x) - low) / (1 - 2 * low); };
    EXPECT_LT(kolmogorov_smirnov(drawn_values(truncated), exact), 1.95);
    EXPECT_LE(ops::max(ops::abs(truncated)).item<double>(), 1);
    EXPECT_EQ(normal.dtype(), dtype);
  }
  const Tensor half = random::uniform({10000}, {.dtype = DType::kF16, .seed = 4});
  EXPECT_EQ(half.dtype(), DType::kF16);
  EXPECT_LT(ops::max(half).item<double>(), 1);
  EXPECT_NEAR(ops::mean(ops::cast(half, DType::kF32)).item<double>(), 0.5, 0.01);
}

TEST(DistributionsTest, HalvesStayBelowTheUpperBound) {
  struct Range {
    double low, high;
  };
  for (const DType dtype : {DType::kF16, DType::kBF16})
    for (const Range range : {Range{1, 2}, Range{0.1, 0.7}, Range{-3, -1.3}, Range{-1, 0}}) {
      const Tensor x =
          random::uniform({20000}, {.minval = range.low, .maxval = range.high, .dtype = dtype, .seed = 1});
      const Tensor wide = ops::cast(x, DType::kF32);
      EXPECT_GE(ops::min(wide).item<double>(), range.low);
      EXPECT_LT(ops::max(wide).item<double>(), range.high);
      EXPECT_NEAR(ops::mean(wide).item<double>(), (range.low + range.high) / 2, 0.02);
    }
}

TEST(DistributionsTest, NumbersBesideALargeMinvalStayBelowTheUpperBound) {
  for (const auto& [dtype, low] : {std::pair(DType::kF32, 0x1p12), std::pair(DType::kF64, 0x1p41)}) {
    const Tensor x = random::uniform({20000}, {.minval = low, .maxval = low + 1, .dtype = dtype, .seed = 1});
    EXPECT_GE(ops::min(x).item<double>(), low);
    EXPECT_LT(ops::max(x).item<double>(), low + 1);
  }
}

TEST(DistributionsTest, WholeNumbersAreEquallyLikely) {
  const auto check = [](const Tensor& x, std::int64_t low, std::int64_t high) {
    std::map<std::int64_t, double> counts;
    for (const double value : drawn_values(x)) ++counts[static_cast<std::int64_t>(value)];
    const double expected = static_cast<double>(x.num_elements()) / static_cast<double>(high - low);
    double chi_square = 0;
    for (std::int64_t value = low; value < high; ++value)
      chi_square += std::pow(counts[value] - expected, 2) / expected;
    EXPECT_EQ(counts.size(), static_cast<std::size_t>(high - low));
    const auto freedom = static_cast<double>(high - low - 1);
    EXPECT_LT(chi_square, freedom + 4 * std::sqrt(2 * freedom));
  };
  check(random::randint({10000}, -3, 7, {.seed = 1}), -3, 7);
  check(random::randint({10000}, 0, 5, {.dtype = DType::kU8, .seed = 2}), 0, 5);
  check(random::uniform({10000}, {.minval = 2, .maxval = 9, .dtype = DType::kI64, .seed = 3}), 2, 9);
  check(random::bernoulli({10000}, 0.5, {.seed = 4}), 0, 2);
  const Tensor wide = random::randint({1000}, -(std::int64_t{1} << 40), std::int64_t{1} << 40,
                                      {.dtype = DType::kI64, .seed = 5});
  EXPECT_LT(kolmogorov_smirnov(drawn_values(wide), [](double x) { return x / 0x1p41 + 0.5; }), 1.95);
}

TEST(DistributionsTest, EventsHaveTheirProbabilities) {
  const Tensor events = random::bernoulli({10000}, 0.3, {.dtype = DType::kF32, .seed = 1});
  EXPECT_NEAR(ops::mean(events).item<double>(), 0.3, 0.015);
  const Tensor logits = ops::log(Tensor::of<float>({2, 3}, {0.2F, 0.5F, 0.3F, 0.0F, 0.1F, 0.9F}));
  const Tensor samples = random::categorical(logits, 5000, {.seed = 2});
  EXPECT_EQ(samples.shape(), (Dims{2, 5000}));
  const Tensor shares = ops::mean(ops::one_hot(samples, 3), {.axis = 1});
  const std::vector<double> expected = {0.2, 0.5, 0.3, 0, 0.1, 0.9};
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_NEAR(shares.at(i), expected[static_cast<std::size_t>(i)], 0.03);
}

TEST(DistributionsTest, ShufflesArePermutationsAndAllAreEquallyLikely) {
  const Tensor x = Tensor::of<float>({3, 2}, {0, 10, 1, 11, 2, 12});
  std::map<std::vector<double>, int> counts;
  for (int i = 0; i < 600; ++i) {
    const Tensor shuffled = random::shuffle(x, {.seed = {7, Tensor(i)}});
    EXPECT_TRUE(ops::sort(shuffled, 0).literal() == x.literal());
    for (std::int64_t row = 0; row < 3; ++row) EXPECT_EQ(shuffled.at(2 * row) + 10, shuffled.at(2 * row + 1));
    ++counts[drawn_values(shuffled)];
  }
  EXPECT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 100, 40);
  EXPECT_EQ(random::shuffle(x, {.axis = 1, .seed = 3}).shape(), x.shape());
  EXPECT_EQ(random::shuffle(ops::zeros({0, 3})).shape(), (Dims{0, 3}));
}

TEST(DistributionsTest, DropoutKeepsTheExpectation) {
  const Tensor x = ops::ones({100, 50});
  const Tensor dropped = random::dropout(x, 0.25, {.seed = 1});
  EXPECT_NEAR(ops::mean(dropped).item<double>(), 1, 0.03);
  EXPECT_NEAR(ops::mean(ops::cast(ops::equal(dropped, 0), DType::kF32)).item<double>(), 0.25, 0.02);
  const Tensor lines = random::dropout(x, 0.5, {.noise_shape = Dims{100, 1}, .seed = 2});
  EXPECT_EQ(ops::max(ops::std(lines, {.axis = 1})).item<double>(), 0);
  EXPECT_EQ(ops::sum(random::dropout(x, 1, {})).item<double>(), 0);
}

TEST(DistributionsTest, MoreRowsDoNotChangeTheRowsBefore) {
  const Tensor few = random::normal({3, 5}, {.seed = 4}), many = random::normal({8, 5}, {.seed = 4});
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(few.at(i), many.at(i));
  const Tensor few_words = random::randint({3, 5}, 0, 1000, {.seed = 4}),
               many_words = random::randint({8, 5}, 0, 1000, {.seed = 4});
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(few_words.at(i), many_words.at(i));
}

TEST(DistributionsTest, SeedsCountersAndGenerators) {
  const auto equal = [](const Tensor& x, const Tensor& y) { return x.literal() == y.literal(); };
  EXPECT_TRUE(equal(random::bits({4}, 1), random::bits({4}, 1)));
  EXPECT_FALSE(equal(random::bits({4}, 1), random::bits({4}, 2)));
  EXPECT_FALSE(equal(random::bits({4}, {1, Tensor(5)}), random::bits({4}, {1, Tensor(6)})));
  const SeedGenerator generator(1);
  EXPECT_TRUE(equal(random::bits({4}, generator), random::bits({4}, {1, Tensor(0)})));
  EXPECT_TRUE(equal(random::bits({4}, generator), random::bits({4}, {1, Tensor(1)})));
  set_random_seed(9);
  const Tensor first = random::normal({4}), second = random::normal({4});
  EXPECT_FALSE(equal(first, second));
  set_random_seed(9);
  EXPECT_TRUE(equal(random::normal({4}), first));
}

TEST(DistributionsTest, TheSameBitsInATraceOnEachBackend) {
  const Tensor bits = random::bits({5, 3}, 3), whole = random::randint({7}, -5, 90, {.seed = 3});
  const Tensor normal = random::normal({64}, {.seed = 3});
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);
    const Variable out_bits(ir::Literal(bits.type())), out_whole(ir::Literal(whole.type())),
        out_normal(ir::Literal(normal.type()));
    const SeedGenerator generator(3);
    Trace trace("random");
    {
      const Trace::Scope scope(trace);
      out_bits.assign(random::bits({5, 3}, generator));
      out_whole.assign(random::randint({7}, -5, 90, {.seed = 3}));
      out_normal.assign(random::normal({64}, {.seed = 3}));
    }
    const TracedProgram program = trace.finish();
    const auto state = program.state_buffers(Placement(client));
    const auto fixed = program.fixed_buffers(Placement(client));
    runtime::Replica replica;
    replica.state = state;
    replica.fixed = fixed;
    client->compile(program.step_program())->run(replica);
    EXPECT_TRUE(out_bits.read() == bits.literal()) << platform;
    EXPECT_TRUE(out_whole.read() == whole.literal()) << platform;
    for (std::int64_t i = 0; i < 64; ++i)
      EXPECT_NEAR(out_normal.read().at(i), normal.at(i), 1e-5) << platform;
    EXPECT_EQ(generator.counter().read().at(0), 1);
  }
}

TEST(DistributionsTest, AnEmptyIntervalGivesItsLowerBound) {
  for (const DType dtype : {DType::kI8, DType::kI32, DType::kI64})
    EXPECT_EQ(drawn_values(random::randint({2}, 5, 5, {.dtype = dtype, .seed = 1})),
              (std::vector<double>{5, 5}));
  for (const DType dtype : {DType::kF16, DType::kF32})
    EXPECT_EQ(drawn_values(random::uniform({2}, {.minval = 2, .maxval = 2, .dtype = dtype, .seed = 1})),
              (std::vector<double>{2, 2}));
}

TEST(DistributionsTest, WholeNumbersThatTheDtypeDoesNotHoldAreRefused) {
  const auto message = [](std::int64_t minval, std::int64_t maxval, DType dtype) -> std::string {
    try {
      (void)random::randint({4}, minval, maxval, {.dtype = dtype, .seed = 1});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(0, 4294967296, DType::kI32).find("got dtype = int32 for [0, 4294967296)"),
            std::string::npos);
  EXPECT_NE(message(0, 300, DType::kU8).find("got dtype = uint8 for [0, 300)"), std::string::npos);
  EXPECT_NE(message(-1, 5, DType::kU64), "");
  EXPECT_NE(message(0, 129, DType::kI8), "");
  EXPECT_NE(message(-129, 0, DType::kI8), "");
  EXPECT_EQ(message(-128, 128, DType::kI8), "");
  EXPECT_EQ(message(0, 256, DType::kU8), "");
  EXPECT_EQ(message(0, 4294967296, DType::kU32), "");
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min(),
                         kHighest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(message(kLowest, kHighest, DType::kI64), "");
  EXPECT_EQ(message(kLowest, kLowest, DType::kI64), "");
}

TEST(DistributionsTest, MistakesAreErrorsAndMoveNoGenerator) {
  const SeedGenerator generator(1);
  EXPECT_THROW((void)random::uniform({2}, {.minval = 2, .maxval = 1, .seed = generator}), Error);
  EXPECT_THROW((void)random::normal({2}, {.stddev = -1, .seed = generator}), Error);
  EXPECT_THROW((void)random::normal({2}, {.dtype = DType::kI32, .seed = generator}), Error);
  EXPECT_THROW((void)random::randint({2}, 3, 2, {.seed = generator}), Error);
  EXPECT_THROW((void)random::randint({2}, 0, 3, {.dtype = DType::kF32, .seed = generator}), Error);
  EXPECT_THROW((void)random::bernoulli({2}, 1.5, {.seed = generator}), Error);
  EXPECT_THROW((void)random::categorical(Tensor::zeros({2}), 1, {.seed = generator}), Error);
  EXPECT_THROW((void)random::shuffle(Tensor::zeros({2}), {.axis = 1, .seed = generator}), Error);
  EXPECT_THROW((void)random::dropout(Tensor::zeros({2}), -0.5, {.seed = generator}), Error);
  EXPECT_THROW((void)random::dropout(Tensor::zeros({2}), 0.5, {.noise_shape = Dims{3}, .seed = generator}),
               Error);
  EXPECT_THROW((void)random::bits({-1}, generator), Error);
  EXPECT_EQ(generator.counter().read().at(0), 0);
}

}  // namespace
}  // namespace cornu::inline v0
