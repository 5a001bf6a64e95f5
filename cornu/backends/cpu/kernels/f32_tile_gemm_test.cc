#include "cornu/backends/cpu/kernels/f32_tile_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "cornu/backends/cpu/kernels/flush_denormals.h"
#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

constexpr float kOutside = 12345;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Draw = std::function<float(std::mt19937&)>;

float normal(std::mt19937& random) { return std::normal_distribution<float>()(random); }
float positive(std::mt19937& random) { return std::fabs(normal(random)); }
float of_wide_range(std::mt19937& random) {
  return std::ldexp(normal(random), std::uniform_int_distribution<int>(-40, 40)(random));
}

/// Largest and root mean square error, relative to the sums of the products' magnitudes.
struct Errors {
  double largest = 0, rms = 0;
};

struct F32Case {
  F32Case(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
          const Draw& draw = normal) {
    p.transpose_a = transpose_a;
    p.transpose_b = transpose_b;
    p.m = m;
    p.n = n;
    p.k = k;
    p.lda = (transpose_a ? m : k) + 3;
    p.ldb = (transpose_b ? k : n) + 1;
    p.ldc = n + 2;
    std::mt19937 random(static_cast<unsigned>(m * 1000003 + n * 1009 + k));
    a.resize(static_cast<std::size_t>((transpose_a ? k : m) * p.lda));
    b.resize(static_cast<std::size_t>((transpose_b ? n : k) * p.ldb));
    for (float& x : a) x = draw(random);
    for (float& x : b) x = draw(random);
  }
  F32Case(const F32Case&) = delete;
  F32Case& operator=(const F32Case&) = delete;

  float& a_at(std::int64_t i, std::int64_t l) {
    return a[static_cast<std::size_t>(p.transpose_a ? l * p.lda + i : i * p.lda + l)];
  }
  float& b_at(std::int64_t l, std::int64_t j) {
    return b[static_cast<std::size_t>(p.transpose_b ? j * p.ldb + l : l * p.ldb + j)];
  }
  float c_at(const std::vector<float>& c, std::int64_t i, std::int64_t j) const {
    return c[static_cast<std::size_t>(i * p.ldc + j)];
  }

  std::vector<float> run(F32Products method) { return run_sliced(method, p.m, p.n); }

  /// The result in slices of `rows` x `columns`; of kVectors by the kernel of f32.
  std::vector<float> run_sliced(F32Products method, std::int64_t rows, std::int64_t columns) {
    const FlushDenormals flush;
    std::vector<float> c(static_cast<std::size_t>(p.m * p.ldc), kOutside);
    for (std::int64_t i = 0; i < p.m; i += rows) {
      for (std::int64_t j = 0; j < p.n; j += columns) {
        GemmOperands part = p;
        part.m = std::min(rows, p.m - i);
        part.n = std::min(columns, p.n - j);
        part.a = a.data() + i * (p.transpose_a ? 1 : p.lda);
        part.b = b.data() + j * (p.transpose_b ? p.ldb : 1);
        part.c = c.data() + i * p.ldc + j;
        method == F32Products::kVectors ? gemm(IsaLevel::kAvx512, part) : f32_tile_gemm(method, part);
      }
    }
    return c;
  }

  /// Errors of a result, from sums in f64.
  Errors errors(const std::vector<float>& c) {
    Errors errors;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        double sum = 0, magnitude = 0;
        for (std::int64_t l = 0; l < p.k; ++l) {
          const double product = static_cast<double>(a_at(i, l)) * static_cast<double>(b_at(l, j));
          sum += product;
          magnitude += std::fabs(product);
        }
        const double error = std::fabs(c_at(c, i, j) - sum) / magnitude;
        errors.largest = std::max(errors.largest, error);
        errors.rms += error * error;
      }
    }
    errors.rms = std::sqrt(errors.rms / static_cast<double>(p.m * p.n));
    return errors;
  }

  GemmOperands p;
  std::vector<float> a, b;
};

bool are_identical(const std::vector<float>& x, const std::vector<float>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

class F32TileGemmTest : public testing::TestWithParam<F32Products> {
 protected:
  void SetUp() override {
    if (cpu_bf16_level() != Bf16Level::kTiles) GTEST_SKIP() << "this CPU has no AMX-BF16";
  }

  /// The bound of one element's error, of the sum of the products' magnitudes, apart from the sums' rounding.
  static double bound() {
    switch (GetParam()) {
      case F32Products::kVectors: return 0;
      case F32Products::kBf16x1: return std::ldexp(1, -7);
      case F32Products::kBf16x3: return std::ldexp(1, -15);
      case F32Products::kBf16x6: return std::ldexp(1, -22);
    }
    return 0;
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, F32TileGemmTest,
                         testing::Values(F32Products::kBf16x1, F32Products::kBf16x3, F32Products::kBf16x6),
                         [](const auto& method) {
                           return method.param == F32Products::kBf16x1   ? "x1"
                                  : method.param == F32Products::kBf16x3 ? "x3"
                                                                         : "x6";
                         });

TEST_P(F32TileGemmTest, IsWithinItsBoundAtOddShapesAndWritesNothingElse) {
  for (const std::int64_t m : {1, 15, 16, 17, 33, 50}) {
    for (const std::int64_t n : {1, 15, 16, 17, 32, 33, 70}) {
      for (const std::int64_t k : {1, 15, 16, 17, 31, 33, 65, 513}) {
        for (int transposes = 0; transposes < 4; ++transposes) {
          F32Case c((transposes & 1) != 0, (transposes & 2) != 0, m, n, k);
          const std::vector<float> result = c.run(GetParam());
          ASSERT_LE(c.errors(result).largest, bound() + std::ldexp(1, -21))
              << m << " x " << n << " x " << k << ", " << transposes;
          for (std::int64_t i = 0; i < m; ++i)
            ASSERT_EQ(c.c_at(result, i, n), kOutside) << m << " x " << n << " x " << k;
        }
      }
    }
  }
}

TEST_P(F32TileGemmTest, SlicesKeepTheBits) {
  for (int transposes = 0; transposes < 4; ++transposes) {
    F32Case c((transposes & 1) != 0, (transposes & 2) != 0, 75, 333, 1091);
    const std::vector<float> whole = c.run(GetParam());
    for (const std::int64_t rows : {1, 16, 32, 75})
      for (const std::int64_t columns : {10, 32, 333})
        EXPECT_TRUE(are_identical(c.run_sliced(GetParam(), rows, columns), whole)) << rows << ", " << columns;
  }
}

TEST_P(F32TileGemmTest, AnyNumberOfThreadsHasTheSameBits) {
  const std::int64_t k = 700;
  F32Case c(true, false, 150, 200, k);
  const MatrixProduct product{
      .transpose_a = true, .m = c.p.m, .n = c.p.n, .k = k, .lda = c.p.lda, .ldb = c.p.ldb, .ldc = c.p.ldc};
  const Target target{.isa = IsaLevel::kAvx512, .bf16 = Bf16Level::kTiles, .f32 = GetParam()};
  const std::vector<float> expected = c.run(GetParam());
  for (const int num_threads : {1, 2, 3, 8}) {
    ThreadPool pool(num_threads);
    const MatrixDot dot = slice_matrix_product(product, matrix_kernel(target, false), num_threads);
    ASSERT_EQ(dot.f32, GetParam());
    std::vector<float> result(expected.size(), kOutside);
    run_matrix_dot(dot, target, c.a.data(), c.b.data(), result.data(), nullptr, pool);
    EXPECT_TRUE(are_identical(result, expected)) << num_threads << " threads";
  }
}

TEST_P(F32TileGemmTest, VeryDeepProductsAddTheirPartsTheSameAtAnyNumberOfThreads) {
  F32Case c(true, false, 130, 144, 20000, positive);
  MatrixProduct product{.transpose_a = true,
                        .m = c.p.m,
                        .n = c.p.n,
                        .k = c.p.k,
                        .lda = c.p.lda,
                        .ldb = c.p.ldb,
                        .ldc = c.p.ldc};
  const Target target{.isa = IsaLevel::kAvx512, .bf16 = Bf16Level::kTiles, .f32 = GetParam()};
  std::vector<float> partial(static_cast<std::size_t>(partial_product_floats(product))), first;
  ASSERT_FALSE(partial.empty());
  for (const int num_threads : {1, 2, 8}) {
    ThreadPool pool(num_threads);
    std::vector<float> result(static_cast<std::size_t>(c.p.m * c.p.ldc), kOutside);
    run_matrix_dot(slice_matrix_product(product, matrix_kernel(target, false), num_threads), target,
                   c.a.data(), c.b.data(), result.data(), partial.data(), pool);
    if (first.empty()) first = result;
    EXPECT_TRUE(are_identical(result, first)) << num_threads;
  }
  EXPECT_LE(c.errors(first).largest, bound() + std::ldexp(1, -20));
}

TEST_P(F32TileGemmTest, InfinityAndNanAreThoseOfVectors) {
  for (int transposes = 0; transposes < 4; ++transposes) {
    F32Case c((transposes & 1) != 0, (transposes & 2) != 0, 40, 40, 70);
    c.a_at(3, 60) = kInfinity;
    c.a_at(20, 7) = -kInfinity;
    c.a_at(21, 8) = std::bit_cast<float>(0x7f800001U);  // NaN, whose upper half is that of infinity
    c.b_at(7, 30) = kInfinity;
    c.b_at(5, 35) = std::numeric_limits<float>::quiet_NaN();
    c.b_at(60, 1) = 0;  // times infinity
    const std::vector<float> tiles = c.run(GetParam()), vectors = c.run(F32Products::kVectors);
    for (std::int64_t i = 0; i < 40; ++i) {
      for (std::int64_t j = 0; j < 40; ++j) {
        const float x = c.c_at(tiles, i, j), y = c.c_at(vectors, i, j);
        if (std::isfinite(y))
          EXPECT_NEAR(x, y, 0.5) << i << ", " << j;
        else
          EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << i << ", " << j << ": " << x << ", " << y;
      }
    }
  }
}

TEST_P(F32TileGemmTest, NumbersNearTheLargestStayFinite) {
  const float largest = std::numeric_limits<float>::max() * (1 - std::ldexp(1.0F, -10));
  F32Case c(false, false, 32, 32, 32, [](std::mt19937&) { return 0.0F; });
  for (std::int64_t i = 0; i < 32; ++i) {
    c.a_at(i, i) = i % 2 == 0 ? largest : -largest;
    c.b_at(i, i) = 1;
  }
  const std::vector<float> result = c.run(GetParam());
  for (std::int64_t i = 0; i < 32; ++i)
    EXPECT_NEAR(c.c_at(result, i, i) / c.a_at(i, i), 1, bound() + std::ldexp(1, -24));
}

TEST_P(F32TileGemmTest, SmallNumbersLoseAtMostTheAbsoluteTerm) {
  F32Case c(false, true, 20, 20, 64, [](std::mt19937& random) {
    return std::ldexp(normal(random), std::uniform_int_distribution<int>(-126, -100)(random));
  });
  for (float& x : c.b) x = normal(*std::make_unique<std::mt19937>(static_cast<unsigned>(&x - c.b.data())));
  const std::vector<float> result = c.run(GetParam());
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int64_t j = 0; j < 20; ++j) {
      double sum = 0, magnitude = 0, of_b = 0;
      for (std::int64_t l = 0; l < 64; ++l) {
        const double product = static_cast<double>(c.a_at(i, l)) * c.b_at(l, j);
        sum += product;
        magnitude += std::fabs(product);
        of_b += std::fabs(c.b_at(l, j));
      }
      const double absolute = std::ldexp(1, -126) * (2 * of_b + 6 * 64);
      EXPECT_LE(std::fabs(c.c_at(result, i, j) - sum), (bound() + std::ldexp(1, -22)) * magnitude + absolute);
    }
  }
}

TEST_P(F32TileGemmTest, EmptyProducts) {
  F32Case no_rows(false, false, 0, 5, 5), no_depth(false, false, 2, 3, 0);
  EXPECT_TRUE(no_rows.run(GetParam()).empty());
  const std::vector<float> result = no_depth.run(GetParam());
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 5; ++j) EXPECT_EQ(no_depth.c_at(result, i, j), j < 3 ? 0 : kOutside);
}

/// Operands whose second half of the depth nearly cancels the first.
void cancel(F32Case& c, std::mt19937& random) {
  for (std::int64_t l = 0; l < c.p.k / 2; ++l) {
    for (std::int64_t i = 0; i < c.p.m; ++i)
      c.a_at(i, c.p.k / 2 + l) = -c.a_at(i, l) * (1 + 1e-6F * normal(random));
    for (std::int64_t j = 0; j < c.p.n; ++j) c.b_at(c.p.k / 2 + l, j) = c.b_at(l, j);
  }
}

TEST(F32TileAccuracyTest, SixProductsAreAsAccurateAsVectorsAndThreeHaveSixteenBits) {
  if (cpu_bf16_level() != Bf16Level::kTiles) GTEST_SKIP() << "this CPU has no AMX-BF16";
  std::mt19937 random(5);
  for (const bool cancels : {false, true}) {
    for (const Draw& draw : {Draw(normal), Draw(positive), Draw(of_wide_range)}) {
      for (const std::int64_t k : {64, 512, 4096, 16384}) {
        F32Case c(false, false, 32, 48, k, draw);
        if (cancels) cancel(c, random);
        const Errors vectors = c.errors(c.run(F32Products::kVectors)),
                     six = c.errors(c.run(F32Products::kBf16x6)),
                     three = c.errors(c.run(F32Products::kBf16x3));
        EXPECT_LE(six.largest, 1.1 * vectors.largest) << "k = " << k << ", cancels " << cancels;
        EXPECT_LE(six.rms, vectors.rms) << "k = " << k << ", cancels " << cancels;
        EXPECT_LE(three.largest, std::ldexp(1, -15)) << "k = " << k << ", cancels " << cancels;
        EXPECT_LE(three.rms, std::ldexp(1, -17)) << "k = " << k << ", cancels " << cancels;
      }
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::kernels
