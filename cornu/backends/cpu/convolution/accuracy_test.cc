// Measures the rounding errors stated in docs/guide/layers.md; --gtest_filter='ConvolutionAccuracyTest.*'
// prints the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cornu/backends/cpu/convolution/convolution_test_support.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/winograd.h"
#include "cornu/backends/cpu/onednn/convolution.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Relative to the root mean square of the results.
struct Errors {
  double root_mean_square = 0;
  double largest = 0;
};

Errors errors_of(const std::vector<float>& actual, const std::vector<double>& expected) {
  double norm = 0, largest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    norm += expected[i] * expected[i];
    largest = std::max(largest, std::fabs(actual[i] - expected[i]));
  }
  return {relative_error(actual, expected), largest / std::sqrt(norm / static_cast<double>(expected.size()))};
}

/// Normal numbers, or their positive part.
std::vector<float> activations(const ir::Value& value, bool rectified, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> out(static_cast<std::size_t>(value.type().num_elements()));
  for (float& x : out) x = rectified ? std::max(normal(random), 0.0F) : normal(random);
  return out;
}

struct Method {
  const char* name;
  std::unique_ptr<GroupKernel> kernel;
};

std::vector<Method> methods(const ir::Op& op) {
  const ConvolutionProblem problem = *convolution_problem(op);
  std::vector<Method> all;
  all.push_back({"F(4x4, 3x3)", make_winograd_convolution(problem, 4, cpu_isa_level(), 2)});
  all.push_back({"F(2x2, 3x3)", make_winograd_convolution(problem, 2, cpu_isa_level(), 2)});
  all.push_back({"gathered windows", make_gemm_convolution(op, make_target(""), 2)});
  if (auto direct = onednn::make_convolution(problem, 2)) all.push_back({"oneDNN direct", std::move(direct)});
  return all;
}

constexpr const char* kRoles[] = {"forward", "backward data", "backward weights"};

/// The root mean squares stated in the guide, for each role, in 1e-7.
struct Stated {
  std::int64_t channels;
  std::map<std::string, std::array<double, 3>> errors;
};

/// Allowed factor of other instruction set levels over the guide's figures.
constexpr double kOtherLevels = 1.5;
/// The factor for oneDNN, whose kernels differ by level and sum in other orders.
constexpr double kOtherLibraryKernels = 2.2;

/// CORNU_ISA may have fixed oneDNN's level in this process before this test (onednn/module.h).
double margin(std::string_view method) {
  const bool is_library = method == "oneDNN direct" && default_isa_level() < IsaLevel::kAvx512;
  return is_library ? kOtherLibraryKernels : kOtherLevels;
}

void expect_stated_errors(const Stated& stated) {
  const auto step = [&](ir::DType dtype) {
    return ConvolutionStep({4, 16, 16, stated.channels}, {3, 3, stated.channels, stated.channels},
                           ops::channels_last(2), {.padding_low = {1, 1}, .padding_high = {1, 1}}, dtype);
  };
  const ConvolutionStep narrow = step(ir::DType::kF32), wide = step(ir::DType::kF64);
  ThreadPool pool(2);
  for (std::size_t role = 0; role < 3; ++role) {
    const ir::Op &op = *narrow.convolutions[role], &wide_op = *wide.convolutions[role];
    const std::vector<float> lhs = activations(op.operand(0), role != 1, 1),
                             rhs = activations(op.operand(1), false, 2);
    const std::vector<double> expected =
        run_kernel<double>(*make_direct_convolution(wide_op, 2), wide_op, {lhs.begin(), lhs.end()},
                           {rhs.begin(), rhs.end()}, pool);
    for (const Method& method : methods(op)) {
      const Errors errors = errors_of(run_kernel<float>(*method.kernel, op, lhs, rhs, pool), expected);
      std::printf("%s, %d channels, %s: %.1f (%.0f)\n", kRoles[role], static_cast<int>(stated.channels),
                  method.name, errors.root_mean_square * 1e7, errors.largest * 1e7);
      EXPECT_LE(errors.root_mean_square * 1e7, margin(method.name) * stated.errors.at(method.name)[role])
          << kRoles[role] << ", " << method.name;
    }
  }
}

TEST(ConvolutionAccuracyTest, ErrorsOf32ChannelsAreThoseOfTheGuide) {
  expect_stated_errors({32,
                        {{"F(4x4, 3x3)", {4.9, 6.0, 5.4}},
                         {"F(2x2, 3x3)", {1.7, 2.0, 2.5}},
                         {"oneDNN direct", {2.1, 3.0, 1.1}},
                         {"gathered windows", {2.1, 3.0, 4.2}}}});
}

TEST(ConvolutionAccuracyTest, ErrorsOf128ChannelsAreThoseOfTheGuide) {
  expect_stated_errors({128,
                        {{"F(4x4, 3x3)", {6.8, 8.0, 4.5}},
                         {"F(2x2, 3x3)", {2.4, 2.7, 1.9}},
                         {"oneDNN direct", {4.1, 5.9, 1.0}},
                         {"gathered windows", {4.1, 5.9, 3.9}}}});
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
