#include "cornu/transform/growing_windows.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using Values = std::vector<ir::Value>;

bool keeps_none(const ir::Op&) { return false; }

/// Affine maps x -> a x + b, composed in the order of elements: the order matters.
Values compose(ir::Builder& b, std::span<const ir::Value> v) {
  return {ops::multiply(b, v[0], v[2]), ops::add(b, ops::multiply(b, v[1], v[2]), v[3])};
}

std::unique_ptr<ir::Function> composed_maps(ir::Dims dims, const ops::WindowOptions& window,
                                            double factor = 1) {
  const ir::TensorType type = {ir::DType::kF64, std::move(dims)};
  return make_function({type, type}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::reduce_window(b, {v[0], v[1]},
                              {ops::scalar(b, ir::DType::kF64, factor), ops::scalar(b, ir::DType::kF64, 0)},
                              window, compose);
  });
}

TEST(GrowingWindowsTest, PrefixesAndSuffixesAreScans) {
  struct Case {
    ir::Dims dims;
    ops::WindowOptions window;
  };
  // One line in blocks, the last one short; lines side by side; lines in a row; a line of one block.
  const Case cases[] = {{{150}, {.dimensions = {150}, .padding_low = {149}}},
                        {{150}, {.dimensions = {150}, .padding_high = {149}}},
                        {{70, 3}, {.dimensions = {70, 1}, .padding_low = {69, 0}}},
                        {{2, 70}, {.dimensions = {1, 70}, .padding_high = {0, 69}}},
                        {{3, 17, 40}, {.dimensions = {1, 17, 1}, .padding_low = {0, 16, 0}}},
                        // Short lines side by side.
                        {{3, 5, 9}, {.dimensions = {1, 5, 1}, .padding_low = {0, 4, 0}}},
                        {{4, 8}, {.dimensions = {4, 1}, .padding_high = {3, 0}}}};
  for (const Case& c : cases) {
    const auto before = composed_maps(c.dims, c.window);
    const auto after = scan_growing_windows(*before, &keeps_none);
    ASSERT_NE(after, nullptr);
    ir::verify(*after);
    EXPECT_EQ(body_text(*after).find("reduce_window"), std::string::npos);
    std::vector<ir::Literal> inputs;  // small whole numbers, whose results are exact
    for (const ir::Value& argument : before->body.arguments()) {
      inputs.emplace_back(argument.type());
      std::int64_t i = 0;
      for (double& x : inputs.back().mutable_data<double>())
        x = inputs.size() == 1 ? (i++ % 3 == 0 ? -1 : 1) : static_cast<double>(i++ * 7 % 23) - 11;
    }
    const auto expected = backends::reference::evaluate(*before, inputs);
    const auto actual = backends::reference::evaluate(*after, inputs);
    EXPECT_TRUE(actual[0] == expected[0] && actual[1] == expected[1]) << body_text(*before);
  }
}

TEST(GrowingWindowsTest, OtherWindowsAndInitialValuesThatChangeResultsStay) {
  EXPECT_EQ(
      scan_growing_windows(*composed_maps({40}, {.dimensions = {40}, .padding_low = {38}}), &keeps_none),
      nullptr);
  EXPECT_EQ(scan_growing_windows(*composed_maps({40, 40}, {.dimensions = {40, 40}, .padding_low = {39, 39}}),
                                 &keeps_none),
            nullptr);
  EXPECT_EQ(scan_growing_windows(*composed_maps({8}, {.dimensions = {8}, .padding_low = {7}}), &keeps_none),
            nullptr);
  EXPECT_EQ(
      scan_growing_windows(*composed_maps({40}, {.dimensions = {40}, .padding_low = {39}}, 2), &keeps_none),
      nullptr);
  EXPECT_EQ(scan_growing_windows(*composed_maps({40}, {.dimensions = {40}, .padding_low = {39}}),
                                 [](const ir::Op&) { return true; }),
            nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
