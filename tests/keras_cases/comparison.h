#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/keras_cases/case_values.h"

namespace cornu::inline v0::tests {

/// A value that is not the recorded one.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Difference unless the tensor has the dtype (or is int64 for int32, which JAX narrows), shape and elements of the recorded array: integers
/// exactly, others within `factor` times the tolerance of the dtype, relative to the larger of the element and
/// the root mean square, and at least `least_tolerance`.
void expect_array(const Tensor& got, const Config& expected, const std::string& name, double factor = 1,
                  double least_tolerance = 0);
/// The same for lists of one length; an undefined tensor counts as zeros of the recorded type, and null as
/// anything.
void expect_arrays(std::span<const Tensor> got, const Config& expected, const std::string& name,
                   double factor = 1, double least_tolerance = 0);
/// A number within `factor` times the tolerance of f32.
void expect_number(double got, double expected, const std::string& name, double factor = 1);

/// Moments of random results over draws.
class Moments {
 public:
  void add(std::span<const Tensor> results);
  /// Throws Difference if a mean or a mean square differs from the recorded one by more than chance explains:
  /// seven standard deviations.
  void expect(const Config& expected, const std::string& name) const;

 private:
  struct OfResult {
    TensorType type;
    std::vector<double> sum, sum_of_squares;  // of each element
    std::vector<double> means, mean_squares;  // of each draw
  };
  std::vector<OfResult> results_;
  std::size_t num_draws_ = 0;
};

}  // namespace cornu::inline v0::tests
