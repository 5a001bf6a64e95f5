#include "cornu/tensor/convolution_algorithm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/base/error.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0 {
namespace {

TEST(ConvolutionAlgorithmTest, RefusesOtherWords) {
  try {
    ConvolutionAlgorithm("fast");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(
        error.what(),
        "convolution_algorithm must be \"auto\" or \"direct\"; got convolution_algorithm = \"fast\"");
  }
}

double distance_of(const Tensor& actual, const Tensor& expected) {
  double difference = 0, norm = 0;
  for (std::int64_t i = 0; i < actual.num_elements(); ++i) {
    difference += std::pow(actual.at(i) - expected.at(i), 2);
    norm += std::pow(expected.at(i), 2);
  }
  return std::sqrt(difference / norm);
}

TEST(ConvolutionAlgorithmTest, ProgramsOfBothLiveSideBySide) {
  const Tensor x = random::normal({4, 16, 16, 64}, {.seed = 1}),
               kernel = random::normal({3, 3, 64, 64}, {.seed = 2});
  const auto convolve = [](const Tensor& a, const Tensor& b) { return ops::conv(a, b, {.padding = "same"}); };
  const auto fast = function(convolve), direct = function(convolve, {.convolution_algorithm = "direct"});
  const Tensor exact =
      ops::conv(ops::cast(x, DType::kF64), ops::cast(kernel, DType::kF64), {.padding = "same"});
  const double fast_error = distance_of(fast(x, kernel), exact),
               direct_error = distance_of(direct(x, kernel), exact);
  EXPECT_LT(fast_error, 2e-6);
  EXPECT_LT(direct_error, 0.8 * fast_error);
}

}  // namespace
}  // namespace cornu::inline v0
