#include "cornu/transform/batch_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

constexpr std::int64_t kRows = 64, kChannels = 8;

/// y, mean and variance of [64, extent, 16, 8], with a mask of rows or without.
std::unique_ptr<ir::Function> normalization(bool has_mask, std::int64_t extent = 32) {
  std::vector<ir::TensorType> types = {{ir::DType::kF32, {kRows, extent, 16, kChannels}},
                                       {ir::DType::kF32, {kChannels}},
                                       {ir::DType::kF32, {kChannels}}};
  if (has_mask) types.push_back({ir::DType::kI1, {kRows, 1, 1, 1}});
  return make_function(types, [&](ir::Builder& b, std::span<const ir::Value> v) -> std::vector<ir::Value> {
    const ops::BatchNormTraining r =
        ops::batch_norm_training(b, v[0], v[1], v[2], has_mask ? v[3] : ir::Value(), {});
    return {r.y, r.mean, r.variance};
  });
}

/// Numbers whose mean is `mean`; rows after the first 50 are not finite if there is a mask, which leaves them out.
std::vector<ir::Literal> inputs_of(const ir::Function& function, float mean) {
  std::mt19937 random(1);
  std::normal_distribution<float> numbers(mean, 1);
  std::vector<ir::Literal> inputs;
  for (const ir::Value& argument : function.body.arguments()) inputs.emplace_back(argument.type());
  for (float& x : inputs[0].mutable_data<float>()) x = numbers(random);
  for (std::size_t i : {1, 2})
    for (float& x : inputs[i].mutable_data<float>()) x = 1;
  if (inputs.size() < 4) return inputs;
  const auto kept = inputs[3].mutable_data<bool>();
  for (std::size_t row = 0; row < kept.size(); ++row) kept[row] = row < 50;
  const auto x = inputs[0].mutable_data<float>();
  for (std::size_t i = x.size() / kRows * 50; i < x.size(); ++i)
    x[i] = std::numeric_limits<float>::infinity();
  return inputs;
}

void expect_near(const ir::Literal& actual, const ir::Literal& expected, double tolerance) {
  for (std::int64_t i = 0; i < expected.type().num_elements(); ++i)
    if (std::isfinite(expected.at(i))) {
      ASSERT_NEAR(actual.at(i), expected.at(i), tolerance) << i;
    }
}

TEST(BatchStatisticsTest, OnePassGivesTheStatisticsOfTwo) {
  for (const bool has_mask : {false, true})
    for (const float mean : {0.0F, 100.0F}) {
      const auto before = normalization(has_mask);
      const auto after = sum_statistics_in_one_pass(*before);
      ASSERT_NE(after, nullptr);
      ir::verify(*after);
      const std::vector<ir::Literal> inputs = inputs_of(*before, mean);
      const auto expected = backends::reference::evaluate(*before, inputs),
                 actual = backends::reference::evaluate(*after, inputs);
      // Sums of squares of numbers near 100 would lose four digits.
      expect_near(actual[1], expected[1], 1e-6 * (1 + mean));
      expect_near(actual[2], expected[2], 1e-5);
      expect_near(actual[0], expected[0], 3e-5);
    }
}

TEST(BatchStatisticsTest, SmallTensorsStay) {
  EXPECT_EQ(sum_statistics_in_one_pass(*normalization(false, 4)), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
