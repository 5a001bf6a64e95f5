#include "cli/study/term_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::size_t kMostTerms = 8;
/// A pivot below this share of the largest entry of its column is nothing.
constexpr double kNothing = 1e-12;

using Matrix = std::vector<std::vector<double>>;

/// The normal equations in relative errors, each term scaled to its largest, the right side in the last
/// column.
Matrix equations(std::span<const Observation> observations, const std::vector<double>& scales) {
  const std::size_t n = scales.size();
  Matrix matrix(n, std::vector<double>(n + 1, 0.0));
  for (const Observation& each : observations)
    for (std::size_t i = 0; i < n; ++i) {
      const double term = each.terms[i] / scales[i] / each.value;
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] += term * each.terms[j] / scales[j] / each.value;
      matrix[i][n] += term;
    }
  return matrix;
}

/// With the terms of `mask` only; nothing where these are not determined.
std::optional<std::vector<double>> solve(Matrix matrix, unsigned mask) {
  const std::size_t n = matrix.size();
  for (std::size_t i = 0; i < n; ++i) {
    if ((mask >> i & 1U) != 0) continue;
    for (std::size_t j = 0; j < n; ++j) matrix[i][j] = matrix[j][i] = 0;
    matrix[i][i] = 1;
    matrix[i][n] = 0;
  }
  for (std::size_t column = 0; column < n; ++column) {
    const double before = std::abs(matrix[column][column]);
    for (std::size_t row = 0; row < column; ++row) {
      const double factor = matrix[column][row];
      for (std::size_t j = row; j <= n; ++j) matrix[column][j] -= factor * matrix[row][j];
    }
    const double pivot = matrix[column][column];
    if (!(pivot > kNothing * before)) return std::nullopt;
    for (std::size_t j = column; j <= n; ++j) matrix[column][j] /= pivot;
  }
  std::vector<double> found(n);
  for (std::size_t i = n; i-- > 0;) {
    found[i] = matrix[i][n];
    for (std::size_t j = i + 1; j < n; ++j) found[i] -= matrix[i][j] * found[j];
  }
  return found;
}

}  // namespace

double TermFit::value(std::span<const double> terms) const {
  double sum = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) sum += factors[i] * terms[i];
  return sum;
}

std::optional<TermFit> fit_terms(std::span<const Observation> observations) {
  if (observations.empty()) return std::nullopt;
  const std::size_t n = observations[0].terms.size();
  std::vector<double> scales(n, 0.0);
  for (const Observation& each : observations) {
    if (each.terms.size() != n || n == 0 || n > kMostTerms || !(each.value > 0) || !std::isfinite(each.value))
      invalid_argument(
          "[study] an observation has a positive value and as many terms as the others; got {} with {}",
          each.value, each.terms.size());
    for (std::size_t i = 0; i < n; ++i) scales[i] = std::max(scales[i], std::abs(each.terms[i]));
  }
  for (double& scale : scales)
    if (scale == 0) scale = 1;
  const Matrix matrix = equations(observations, scales);
  std::optional<TermFit> best;
  // All choices of terms that may differ from zero: with so few of them the plain way is the exact one.
  for (unsigned mask = 1; mask < 1U << n; ++mask) {
    std::optional<std::vector<double>> found = solve(matrix, mask);
    if (!found.has_value() || std::any_of(found->begin(), found->end(), [](double x) { return x < 0; }))
      continue;
    TermFit fit{.factors = std::move(*found), .squared_error = 0};
    for (std::size_t i = 0; i < n; ++i) fit.factors[i] /= scales[i];
    for (const Observation& each : observations)
      fit.squared_error += std::pow(fit.value(each.terms) / each.value - 1, 2);
    if (!best.has_value() || fit.squared_error < best->squared_error) best = std::move(fit);
  }
  return best;
}

}  // namespace cornu::inline v0::study
