#include "cornu/transform/window_sums.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

std::unique_ptr<ir::Function> window_sum(const ir::Dims& dims, const ops::WindowOptions& window) {
  return make_function({{ir::DType::kF64, dims}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    return std::vector<ir::Value>{ops::reduce_window_sum(b, v[0], window)};
  });
}

TEST(WindowSumsTest, SmallOverlappingWindowsAreSumsOfSlices) {
  const std::pair<ir::Dims, ops::WindowOptions> cases[] = {
      {{2, 12, 3}, {.dimensions = {1, 9, 1}, .padding_low = {0, 4, 0}, .padding_high = {0, 4, 0}}},
      {{9, 8}, {.dimensions = {3, 3}, .strides = {2, 1}, .padding_low = {1, -1}, .padding_high = {0, 2}}},
      {{17}, {.dimensions = {3}, .strides = {2}, .window_dilations = {4}}}};
  for (const auto& [dims, window] : cases) {
    const auto before = window_sum(dims, window), after = unroll_window_sums(*before);
    ASSERT_NE(after, nullptr);
    ir::verify(*after);
    EXPECT_EQ(body_text(*after).find("reduce_window"), std::string::npos);
    ir::Literal x({ir::DType::kF64, dims});  // small whole numbers, whose sums are exact
    std::int64_t i = 0;
    for (double& element : x.mutable_data<double>()) element = static_cast<double>(i++ * 7 % 23) - 11;
    EXPECT_TRUE(backends::reference::evaluate(*after, {{x}})[0] ==
                backends::reference::evaluate(*before, {{x}})[0])
        << body_text(*before);
  }
}

TEST(WindowSumsTest, LargeCumulativeAndSeparateWindowsStay) {
  EXPECT_EQ(unroll_window_sums(*window_sum({40}, {.dimensions = {10}})), nullptr);
  EXPECT_EQ(unroll_window_sums(*window_sum({4}, {.dimensions = {4}, .padding_low = {3}})), nullptr);
  EXPECT_EQ(unroll_window_sums(*window_sum({8, 8}, {.dimensions = {2, 2}, .strides = {2, 2}})), nullptr);
  EXPECT_EQ(unroll_window_sums(*window_sum({9, 3}, {.dimensions = {3, 1}, .strides = {2, 1}})), nullptr);
}

TEST(WindowSumsTest, AScalarHasNoWindowsToAdd) {
  const auto scalar =
      make_function({{ir::DType::kF32, {}}}, [](ir::Builder& b, std::span<const ir::Value> v) {
        return std::vector<ir::Value>{ops::reduce_window_sum(b, v[0], {.dimensions = {}})};
      });
  EXPECT_EQ(unroll_window_sums(*scalar), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
