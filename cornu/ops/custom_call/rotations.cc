#include "cornu/ops/custom_call/rotations.h"

#include <cmath>
#include <limits>

namespace cornu::inline v0::ops::custom_call_folder {
namespace {

using Number = std::complex<double>;

/// One step of the QR method with a shift on rows and columns up to `last`; q collects the rotations.
void step(Number shift, std::int64_t last, Matrix<Number>& t, Matrix<Number>& q) {
  for (std::int64_t i = 0; i <= last; ++i) t(i, i) -= shift;
  for (const Rotation& rotation : triangularizing_rotations(last, t)) {
    rotate_columns(rotation, t);
    rotate_columns(rotation, q);
  }
  for (std::int64_t i = 0; i <= last; ++i) t(i, i) += shift;
}

/// The eigenvalue of the last two rows and columns that is nearer to the last element.
Number wilkinson_shift(const Matrix<Number>& t, std::int64_t last) {
  const Number a = t(last - 1, last - 1), d = t(last, last), half = (a - d) / 2.0;
  const Number root = std::sqrt(half * half + t(last - 1, last) * t(last, last - 1));
  const Number plus = d + half + root, minus = d + half - root;
  return std::abs(plus - d) < std::abs(minus - d) ? plus : minus;
}

}  // namespace

void rotate_rows(const Rotation& r, Matrix<Number>& a) {
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    const Number upper = a(r.k, j), lower = a(r.i, j);
    a(r.k, j) = std::conj(r.x) * upper + std::conj(r.y) * lower;
    a(r.i, j) = -r.y * upper + r.x * lower;
  }
}

void rotate_columns(const Rotation& r, Matrix<Number>& a) {
  for (std::int64_t j = 0; j < a.rows(); ++j) {
    const Number left = a(j, r.k), right = a(j, r.i);
    a(j, r.k) = r.x * left + r.y * right;
    a(j, r.i) = -std::conj(r.y) * left + std::conj(r.x) * right;
  }
}

std::vector<Rotation> triangularizing_rotations(std::int64_t last, Matrix<Number>& t) {
  std::vector<Rotation> rotations;
  for (std::int64_t k = 0; k < last; ++k)
    for (std::int64_t i = k + 1; i <= last; ++i) {
      const double length = std::hypot(std::abs(t(k, k)), std::abs(t(i, k)));
      if (length == 0) continue;
      rotations.push_back({k, i, t(k, k) / length, t(i, k) / length});
      rotate_rows(rotations.back(), t);
    }
  return rotations;
}

double norm_of(const Matrix<Number>& a) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int64_t j = 0; j < a.columns(); ++j) sum += std::norm(a(i, j));
  return std::sqrt(sum);
}

bool triangularize(Matrix<Number>& t, Matrix<Number>& q) {
  constexpr int kMostSteps = 300;
  const double small = norm_of(t) * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(small)) return false;
  for (std::int64_t last = t.rows() - 1; last > 0; --last) {
    for (int steps = 0;; ++steps) {
      double left = 0;
      for (std::int64_t j = 0; j < last; ++j) left += std::abs(t(last, j));
      if (left <= small) break;
      if (steps == kMostSteps) return false;
      // Now and then another shift: some matrices turn in a circle.
      const Number shift = wilkinson_shift(t, last);
      step(steps % 10 == 9 ? shift + left : shift, last, t, q);
    }
    for (std::int64_t j = 0; j < last; ++j) t(last, j) = 0;
  }
  return true;
}

}  // namespace cornu::inline v0::ops::custom_call_folder
