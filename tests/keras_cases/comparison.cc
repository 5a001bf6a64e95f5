#include "tests/keras_cases/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::tests {
namespace {

constexpr double kLeastScale = 0.1;
constexpr double kDeviations = 7;

double tolerance_of(const std::string& dtype) {
  if (dtype == "float64" || dtype == "complex128") return 1e-9;
  if (dtype == "float32" || dtype == "complex64") return 2e-5;
  if (dtype == "float16") return 4e-3;
  if (dtype.starts_with("bfloat16")) return 3e-2;
  return dtype.starts_with("float8") ? 0.2 : 0;
}

double scale_of(const std::vector<double>& values) {
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values)
    if (std::isfinite(value)) {
      sum += value * value;
      ++count;
    }
  return std::max(kLeastScale, count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count)));
}

/// JAX without 64-bit types narrows integers where Keras on TensorFlow does not.
bool is_narrowed(DType got, const std::string& expected) {
  return (got == DType::kI64 && expected == "int32") || (got == DType::kU64 && expected == "uint32");
}

void expect_type(const TensorType& got, const Config& expected, const std::string& name) {
  Dims shape;
  for (const Config& extent : expected.at("shape").as_list()) shape.push_back(extent.as_integer());
  const std::string type = type_str(got), &dtype = expected.at("dtype").as_string();
  if (got.dims != shape || (ir::numpy_name(got.dtype) != dtype && !is_narrowed(got.dtype, dtype)))
    throw Difference(fmt::format("{} is {}; Keras's {} of shape {}", name, type,
                                 expected.at("dtype").as_string(), expected.at("shape").json()));
}

void expect_numbers(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                    const std::string& name) {
  const double scale = scale_of(expected);
  double worst = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))) continue;
    const double off =
        tolerance == 0 ? HUGE_VAL : std::abs(got[i] - expected[i]) / std::max(scale, std::abs(expected[i]));
    if (!(off <= worst)) {
      worst = std::isnan(off) ? HUGE_VAL : off;
      place = i;
    }
  }
  if (worst > tolerance)
    throw Difference(fmt::format("{}[{}] is {:.8g}; Keras's {:.8g} (scale {:.3g})", name, place, got[place],
                                 expected[place], scale));
}

/// Throws Difference unless means of `draws` draws agree.
void expect_means(double got, double variance, double expected, double expected_variance, double draws,
                  const std::string& name) {
  const double deviation = std::sqrt((variance + expected_variance) / draws);
  if (std::abs(got - expected) > kDeviations * deviation + 2e-5 * std::max(kLeastScale, std::abs(expected)))
    throw Difference(fmt::format("{} is {:.6g} in the mean; Keras's {:.6g} (standard deviation {:.3g})", name,
                                 got, expected, deviation));
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

void expect_array(const Tensor& got, const Config& expected, const std::string& name, double factor,
                  double least_tolerance) {
  expect_type(got.type(), expected, name);
  expect_numbers(numbers_of(got), numbers_of(expected),
                 std::max(least_tolerance, factor * tolerance_of(expected.at("dtype").as_string())), name);
}

void expect_arrays(std::span<const Tensor> got, const Config& expected, const std::string& name,
                   double factor, double least_tolerance) {
  const Config::List& arrays = expected.as_list();
  if (got.size() != arrays.size())
    throw Difference(fmt::format("{} {}; Keras has {}", got.size(), name, arrays.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (arrays[i].is_null()) continue;
    const std::string each = got.size() == 1 ? name : fmt::format("{} {} ", name, i);
    if (got[i].defined()) {
      expect_array(got[i], arrays[i], each, factor, least_tolerance);
    } else {
      const std::vector<double> numbers = numbers_of(arrays[i]);
      expect_numbers(std::vector<double>(numbers.size()), numbers, factor * 2e-5, each);
    }
  }
}

void expect_number(double got, double expected, const std::string& name, double factor) {
  expect_numbers({got}, {expected}, factor * 2e-5, name);
}

void Moments::add(std::span<const Tensor> results) {
  results_.resize(results.size());
  ++num_draws_;
  for (std::size_t i = 0; i < results.size(); ++i) {
    OfResult& of = results_[i];
    of.type = results[i].type();
    const std::vector<double> values = numbers_of(results[i]);
    of.sum.resize(values.size());
    of.sum_of_squares.resize(values.size());
    double square = 0;
    for (std::size_t e = 0; e < values.size(); ++e) {
      of.sum[e] += values[e];
      of.sum_of_squares[e] += values[e] * values[e];
      square += values[e] * values[e];
    }
    of.means.push_back(mean_of(values));
    of.mean_squares.push_back(values.empty() ? 0 : square / static_cast<double>(values.size()));
  }
}

void Moments::expect(const Config& expected, const std::string& name) const {
  if (results_.size() != expected.size())
    throw Difference(fmt::format("{} {}; Keras has {}", results_.size(), name, expected.size()));
  const auto draws = static_cast<double>(num_draws_);
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const OfResult& of = results_[i];
    const Config& recorded = expected.at(i);
    expect_type(of.type, recorded, name);
    const std::vector<double> mean = numbers_of(recorded.at("mean"));
    const std::vector<double> variance = numbers_of(recorded.at("variance"));
    for (std::size_t e = 0; e < mean.size(); ++e) {
      const double ours = of.sum[e] / draws;
      expect_means(ours, std::max(0.0, of.sum_of_squares[e] / draws - ours * ours), mean[e], variance[e],
                   draws, fmt::format("{} {} [{}]", name, i, e));
    }
    const Config &means = recorded.at("mean_of_draws"), &variances = recorded.at("variance_of_draws");
    expect_means(mean_of(of.means), variance_of(of.means), means.at(0).as_number(),
                 variances.at(0).as_number(), draws, name + " as a whole");
    expect_means(mean_of(of.mean_squares), variance_of(of.mean_squares), means.at(1).as_number(),
                 variances.at(1).as_number(), draws, name + " as a whole, squared,");
  }
}

}  // namespace cornu::inline v0::tests
