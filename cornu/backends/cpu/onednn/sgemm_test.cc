#include "cornu/backends/cpu/onednn/sgemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace cornu::inline v0::backends::cpu::onednn {
namespace {

std::vector<float> random_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(size);
  for (float& value : values) value = uniform(random);
  return values;
}

struct Product {
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
};

std::vector<float> run(const Product& p, const std::vector<float>& a, const std::vector<float>& b, float beta, std::vector<float> c) {
  sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, a.data(), p.transpose_a ? p.m : p.k, b.data(), p.transpose_b ? p.k : p.n, beta,
        c.data(), p.n);
  return c;
}

TEST(SgemmTest, TheModuleIsFoundBesideTheProgram) {
  std::string reason;
  EXPECT_TRUE(try_load(&reason)) << reason;
  EXPECT_NO_THROW(load());
}

TEST(SgemmTest, AgreesWithTheNaiveLoopForAllTransposesAndOddShapes) {
  for (const auto& [m, n, k] :
       {std::tuple{1, 1, 1}, {3, 5, 7}, {16, 16, 16}, {33, 17, 65}, {128, 10, 512}, {70, 130, 100}, {5, 1, 9}, {1, 40, 3}}) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      for (float beta : {0.0f, 1.0f, 0.5f}) {
        const Product p = {(transposes & 1) != 0, (transposes & 2) != 0, m, n, k};
        const std::vector<float> a = random_values(static_cast<std::size_t>(m) * k, 1),
                                 b = random_values(static_cast<std::size_t>(k) * n, 2);
        const std::vector<float> before = random_values(static_cast<std::size_t>(m) * n, 3);
        const std::vector<float> c = run(p, a, b, beta, before);
        for (int i = 0; i < m; ++i) {
          for (int j = 0; j < n; ++j) {
            double sum = beta * static_cast<double>(before[static_cast<std::size_t>(i * n + j)]);
            for (int l = 0; l < k; ++l) {
              sum += static_cast<double>(a[static_cast<std::size_t>(p.transpose_a ? l * m + i : i * k + l)]) *
                     b[static_cast<std::size_t>(p.transpose_b ? j * k + l : l * n + j)];
            }
            ASSERT_NEAR(c[static_cast<std::size_t>(i * n + j)], sum, 1e-5 * (1 + std::sqrt(k)))
                << m << " x " << n << " x " << k << ", " << transposes;
          }
        }
      }
    }
  }
}

TEST(SgemmTest, BetaZeroDoesNotReadTheResult) {
  const std::vector<float> ones(64, 1.0f);
  for (float value : run({false, false, 8, 8, 8}, ones, ones, 0, std::vector<float>(64, std::numeric_limits<float>::quiet_NaN())))
    EXPECT_EQ(value, 8.0f);
}

TEST(SgemmTest, EmptyProductsDoNothingOrClear) {
  float c = 7;
  sgemm(false, false, 0, 4, 4, &c, 4, &c, 4, 0, &c, 4);
  EXPECT_EQ(c, 7);
}

TEST(SgemmTest, EveryThreadGetsTheSameBits) {
  const Product p = {true, false, 96, 80, 128};
  const std::vector<float> a = random_values(96 * 128, 4), b = random_values(128 * 80, 5), zero(96 * 80);
  const std::vector<float> expected = run(p, a, b, 0, zero);
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([&] {
      for (int repetition = 0; repetition < 20; ++repetition) result = run(p, a, b, 0, zero);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results)
    EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size() * sizeof(float)), 0);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::onednn
