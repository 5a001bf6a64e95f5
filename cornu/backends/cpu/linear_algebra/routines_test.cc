#include "cornu/backends/cpu/linear_algebra/routines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename F>
constexpr bool kIsComplex = !std::is_same_v<F, RealOf<F>>;

template <typename F>
F conjugate(F x) {
  if constexpr (kIsComplex<F>) return std::conj(x);
  return x;
}

/// A plain matrix: the slow, obvious operations.
template <typename F>
struct Matrix {
  std::int64_t rows, columns;
  std::vector<F> elements = std::vector<F>(static_cast<std::size_t>(rows * columns));

  F& operator()(std::int64_t i, std::int64_t j) {
    return elements[static_cast<std::size_t>(i * columns + j)];
  }
  F operator()(std::int64_t i, std::int64_t j) const {
    return elements[static_cast<std::size_t>(i * columns + j)];
  }
  F* data() { return elements.data(); }

  static Matrix random(std::int64_t rows, std::int64_t columns) {
    std::mt19937 generator(7);
    std::normal_distribution<RealOf<F>> normal;
    Matrix result{rows, columns};
    for (F& x : result.elements) {
      const RealOf<F> re = normal(generator);
      if constexpr (kIsComplex<F>) {
        x = F(re, normal(generator));
      } else {
        x = re;
      }
    }
    return result;
  }
  static Matrix identity(std::int64_t n) {
    Matrix result{n, n};
    for (std::int64_t i = 0; i < n; ++i) result(i, i) = 1;
    return result;
  }
  Matrix adjoint() const {
    Matrix result{columns, rows};
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) result(j, i) = conjugate((*this)(i, j));
    return result;
  }
  Matrix operator*(const Matrix& other) const {
    Matrix result{rows, other.columns};
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t l = 0; l < columns; ++l)
        for (std::int64_t j = 0; j < other.columns; ++j) result(i, j) += (*this)(i, l) * other(l, j);
    return result;
  }
  /// Columns times numbers.
  Matrix scaled(const std::vector<RealOf<F>>& factors) const {
    Matrix result = *this;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) result(i, j) *= factors[static_cast<std::size_t>(j)];
    return result;
  }
  Matrix first_columns(std::int64_t count) const {
    Matrix result{rows, count};
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < count; ++j) result(i, j) = (*this)(i, j);
    return result;
  }
};

template <typename F>
double largest_difference(const Matrix<F>& a, const Matrix<F>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const double difference = static_cast<double>(std::abs(a.elements[i] - b.elements[i]));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

template <typename F>
double tolerance(std::int64_t n) {
  return 60 * std::numeric_limits<RealOf<F>>::epsilon() * static_cast<double>(n + 3);
}

template <typename F>
void expect_orthonormal(const Matrix<F>& columns) {
  EXPECT_LT(largest_difference(columns.adjoint() * columns, Matrix<F>::identity(columns.columns)),
            tolerance<F>(columns.rows));
}

/// Calls check.operator()<F>(functions) for each type at each level of this machine.
template <typename Check>
void for_each_type(const Check& check) {
  for (const IsaLevel level : {IsaLevel::kSse2, IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    if (level > default_isa_level()) continue;
    SCOPED_TRACE(isa_level_name(level));
    if (has_f32_decompositions(level)) {
      check.template operator()<float>(linear_algebra<float>(level));
      check.template operator()<std::complex<float>>(linear_algebra<std::complex<float>>(level));
    }
    check.template operator()<double>(linear_algebra<double>(level));
    check.template operator()<std::complex<double>>(linear_algebra<std::complex<double>>(level));
  }
}

constexpr std::int64_t kSizes[] = {1, 2, 5, 16, 17, 40, 83};
constexpr std::pair<std::int64_t, std::int64_t> kExtents[] = {{1, 1},   {5, 5},   {7, 1},   {1, 7},
                                                              {17, 17}, {40, 19}, {19, 40}, {70, 70}};

TEST(LinearAlgebraTest, CholeskyFactorsOfEitherTriangleGiveTheMatrix) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const std::int64_t n : kSizes) {
      const Matrix<F> x = Matrix<F>::random(n, n);
      Matrix<F> definite = x * x.adjoint();
      for (std::int64_t i = 0; i < n; ++i) definite(i, i) += static_cast<RealOf<F>>(n);
      for (const bool lower : {false, true}) {
        Matrix<F> factor = definite;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j)
            if (lower ? j > i : j < i) factor(i, j) = std::numeric_limits<RealOf<F>>::quiet_NaN();
        ASSERT_TRUE(functions.cholesky(n, lower, factor.data()));
        const Matrix<F> product = lower ? factor * factor.adjoint() : factor.adjoint() * factor;
        EXPECT_LT(largest_difference(product, definite), tolerance<F>(n) * static_cast<double>(n)) << n;
      }
      definite(n / 2, n / 2) = -1;
      EXPECT_FALSE(functions.cholesky(n, true, definite.data()));
      definite(n / 2, n / 2) = std::numeric_limits<RealOf<F>>::quiet_NaN();
      EXPECT_FALSE(functions.cholesky(n, false, definite.data()));
    }
  });
}

/// The triangle that a form reads, transposed if the form is; other elements of `a` become NaN.
template <typename F>
Matrix<F> triangle(const TriangularForm& form, Matrix<F>& a) {
  Matrix<F> result{a.rows, a.rows};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.rows; ++j) {
      const bool is_read = form.lower ? j <= i : j >= i;
      if (is_read) {
        const F element = i == j && form.unit_diagonal ? F(1)
                          : form.conjugated            ? conjugate(a(i, j))
                                                       : a(i, j);
        (form.transposed ? result(j, i) : result(i, j)) = element;
      } else {
        a(i, j) = std::numeric_limits<RealOf<F>>::quiet_NaN();
      }
    }
  }
  return result;
}

TEST(LinearAlgebraTest, TriangularSystemsOfAllFormsAreSolved) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const std::int64_t n : {1, 5, 16, 17, 50}) {
      for (int bits = 0; bits < 32; ++bits) {
        const TriangularForm form = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                     kIsComplex<F> && (bits & 24) == 24};
        const std::int64_t m = bits % 3 == 0 ? 3 : 37;
        Matrix<F> a = Matrix<F>::random(n, n);
        for (F& x : a.elements) x *= RealOf<F>(0.3) / static_cast<RealOf<F>>(n);
        for (std::int64_t i = 0; i < n; ++i) a(i, i) += F(2);
        const Matrix<F> t = triangle(form, a);
        const Matrix<F> b = Matrix<F>::random(form.left_side ? n : m, form.left_side ? m : n);
        Matrix<F> x = b;
        functions.triangular_solve(n, m, form, a.data(), x.data());
        EXPECT_LT(largest_difference(form.left_side ? t * x : x * t, b), tolerance<F>(n)) << n << " " << bits;
      }
    }
  });
}

TEST(LinearAlgebraTest, ReflectorsOfQrGiveOrthonormalColumns) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const auto& [rows, columns] : kExtents) {
      const Matrix<F> x = Matrix<F>::random(rows, columns);
      const std::int64_t rank = std::min(rows, columns);
      Matrix<F> a = x, taus{1, rank}, q{rows, rank}, r{rank, columns};
      functions.qr(rows, columns, a.data(), taus.data());
      Matrix<F> reflectors = a.first_columns(rank);
      functions.householder_product(rows, rank, rank, reflectors.data(), taus.data(), q.data());
      for (std::int64_t i = 0; i < rank; ++i)
        for (std::int64_t j = i; j < columns; ++j) r(i, j) = a(i, j);
      expect_orthonormal(q);
      EXPECT_LT(largest_difference(q * r, x), tolerance<F>(rows)) << rows << " x " << columns;
    }
  });
}

TEST(LinearAlgebraTest, LuWithItsPivotsGivesTheMatrix) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const auto& [rows, columns] : kExtents) {
      Matrix<F> x = Matrix<F>::random(rows, columns);
      if (rows > 2) x(0, 0) = 0;
      const std::int64_t rank = std::min(rows, columns);
      Matrix<F> a = x, l{rows, rank}, u{rank, columns};
      std::vector<std::int32_t> pivots(static_cast<std::size_t>(rank));
      functions.lu(rows, columns, a.data(), pivots.data());
      for (std::int64_t k = 0; k < rank; ++k)
        for (std::int64_t j = 0; j < columns; ++j)
          std::swap(x(k, j), x(pivots[static_cast<std::size_t>(k)], j));
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) (j < i && j < rank ? l(i, j) : u(i, j)) = a(i, j);
      for (std::int64_t i = 0; i < rank; ++i) l(i, i) = 1;
      EXPECT_LT(largest_difference(l * u, x), tolerance<F>(rows)) << rows << " x " << columns;
      for (const F& factor : l.elements) EXPECT_LT(std::abs(factor), 1.5);
    }
  });
}

TEST(LinearAlgebraTest, LuOfASingularMatrixHasAZeroPivot) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    Matrix<F> zeros{20, 20};
    std::vector<std::int32_t> pivots(20);
    functions.lu(20, 20, zeros.data(), pivots.data());
    EXPECT_EQ(largest_difference(zeros, Matrix<F>{20, 20}), 0);
    EXPECT_EQ(pivots[19], 19);
  });
}

/// Hermitian matrices with separate and with equal eigenvalues, and ones that are nearly diagonal.
template <typename F>
std::vector<Matrix<F>> hermitian_matrices(std::int64_t n) {
  const Matrix<F> x = Matrix<F>::random(n, n);
  Matrix<F> sum = x, nearly_diagonal = Matrix<F>::identity(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      sum(i, j) += conjugate(x(j, i));
      if (std::abs(i - j) == 1) nearly_diagonal(i, j) = RealOf<F>(1e-9);
    }
  }
  const Matrix<F> thin = Matrix<F>::random(n, std::min<std::int64_t>(n, 3));
  return {sum, thin * thin.adjoint(), Matrix<F>::identity(n), nearly_diagonal, Matrix<F>{n, n}};
}

TEST(LinearAlgebraTest, EigenvectorsOfHermitianMatricesAreOrthonormal) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const std::int64_t n : kSizes) {
      for (const Matrix<F>& x : hermitian_matrices<F>(n)) {
        for (const bool lower : {false, true}) {
          Matrix<F> vectors = x;
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j)
              if (lower ? j > i : j < i) vectors(i, j) = std::numeric_limits<RealOf<F>>::quiet_NaN();
          std::vector<RealOf<F>> values(static_cast<std::size_t>(n));
          ASSERT_TRUE(functions.eigh(n, lower, vectors.data(), values.data()));
          EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
          expect_orthonormal(vectors);
          EXPECT_LT(largest_difference(vectors.scaled(values) * vectors.adjoint(), x), 4 * tolerance<F>(n))
              << n;
        }
      }
    }
  });
}

TEST(LinearAlgebraTest, SingularVectorsAreOrthonormal) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const auto& [rows, columns] : kExtents) {
      const Matrix<F> x = Matrix<F>::random(rows, columns);
      const std::int64_t rank = std::min(rows, columns);
      for (const bool full : {false, true}) {
        Matrix<F> u{rows, full ? rows : rank}, vh{full ? columns : rank, columns};
        std::vector<RealOf<F>> s(static_cast<std::size_t>(rank)), alone = s;
        Matrix<F> a = x;
        ASSERT_TRUE(functions.svd(rows, columns, full, a.data(), u.data(), s.data(), vh.data()));
        ASSERT_TRUE(functions.svd(rows, columns, full, a.data(), nullptr, alone.data(), nullptr));
        const Matrix<F> v = vh.adjoint();
        expect_orthonormal(u);
        expect_orthonormal(v);
        EXPECT_LT(largest_difference(u.first_columns(rank).scaled(s) * v.first_columns(rank).adjoint(), x),
                  tolerance<F>(rows + columns));
        for (std::size_t i = 0; i < s.size(); ++i)
          EXPECT_NEAR(static_cast<double>(s[i]), static_cast<double>(alone[i]), tolerance<F>(rows + columns));
      }
    }
  });
}

TEST(LinearAlgebraTest, SingularValuesOfRankOneAndOfZerosAreFound) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    Matrix<F> ones{30, 20}, zeros{30, 20};
    std::fill(ones.elements.begin(), ones.elements.end(), F(2));
    std::vector<RealOf<F>> s(20);
    ASSERT_TRUE(functions.svd(30, 20, false, ones.data(), nullptr, s.data(), nullptr));
    EXPECT_NEAR(static_cast<double>(s[0]), 2 * std::sqrt(600.0), 50 * tolerance<F>(30));
    EXPECT_NEAR(static_cast<double>(s[1]), 0, 50 * tolerance<F>(30));
    ASSERT_TRUE(functions.svd(30, 20, false, zeros.data(), nullptr, s.data(), nullptr));
    EXPECT_EQ(s[0], 0);
  });
}

TEST(LinearAlgebraTest, ElementsThatAreNotFiniteAreRefused) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const RealOf<F> bad :
         {std::numeric_limits<RealOf<F>>::quiet_NaN(), std::numeric_limits<RealOf<F>>::infinity()}) {
      Matrix<F> a = Matrix<F>::identity(9), u = a, vh = a;
      a(4, 4) = bad;
      std::vector<RealOf<F>> s(9);
      EXPECT_FALSE(functions.svd(9, 9, false, a.data(), u.data(), s.data(), vh.data()));
      EXPECT_FALSE(functions.svd(9, 9, false, a.data(), nullptr, s.data(), nullptr));
      EXPECT_FALSE(functions.eigh(9, true, a.data(), s.data()));
    }
  });
}

TEST(LinearAlgebraTest, LargeAndSmallElementsKeepTheirPrecision) {
  for_each_type([]<typename F>(const LinearAlgebra<F>& functions) {
    for (const double scale : {1e30, 1e-30}) {
      Matrix<F> a = Matrix<F>::random(20, 20);
      std::vector<RealOf<F>> s(20), plain(20);
      ASSERT_TRUE(functions.svd(20, 20, false, a.data(), nullptr, plain.data(), nullptr));
      for (F& x : a.elements) x *= static_cast<RealOf<F>>(scale);
      ASSERT_TRUE(functions.svd(20, 20, false, a.data(), nullptr, s.data(), nullptr));
      for (std::size_t i = 0; i < s.size(); ++i)
        EXPECT_NEAR(static_cast<double>(s[i]) / scale, static_cast<double>(plain[i]), tolerance<F>(20));
    }
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
