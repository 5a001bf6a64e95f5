#include "cornu/transform/concatenated_slices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Value;
using Values = std::vector<Value>;
using Arguments = std::span<const Value>;

constexpr std::int64_t kInputRows = 6;

template <typename Build>
std::unique_ptr<ir::Function> function_of(std::int64_t columns, const Build& build) {
  return make_function({{DType::kF32, {kInputRows, columns}}}, build);
}

/// The tensor's rows from `first` to `last`, and its columns.
Value rows(ir::Builder& b, Value x, std::int64_t first, std::int64_t last) {
  return ops::slice(b, x, {first, 0}, {last, x.dims()[1]}, {1, 1});
}
Value columns(ir::Builder& b, Value x, std::int64_t first, std::int64_t last) {
  return ops::slice(b, x, {0, first}, {x.dims()[0], last}, {1, 1});
}

/// The tensor rolled along both dimensions.
Values rolled(ir::Builder& b, Arguments v) {
  const std::int64_t width = v[0].dims()[1];
  const Value down = ops::concatenate(b, {rows(b, v[0], 4, kInputRows), rows(b, v[0], 0, 4)}, 0);
  return {ops::concatenate(b, {columns(b, down, width / 2, width), columns(b, down, 0, width / 2)}, 1)};
}

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(ConcatenatedSlicesTest, SlicesThatAreJoinedAgainAreThoseOfTheParts) {
  const auto before = function_of(40, rolled);
  const auto after = slice_before_concatenating(*before);
  ASSERT_NE(after, nullptr);
  ir::verify(*after);
  ir::Literal x({DType::kF32, {kInputRows, 40}});
  float next = 0;
  for (float& element : x.mutable_data<float>()) element = next++;
  EXPECT_TRUE(backends::reference::evaluate(*after, {{x}})[0] ==
              backends::reference::evaluate(*before, {{x}})[0]);
  // Four parts of the result, of four slices.
  EXPECT_EQ(count_of(body_text(*after), "stablehlo.slice"), 6U) << body_text(*after);
}

TEST(ConcatenatedSlicesTest, AnEdgeIsASliceOfThePartsThatHaveIt) {
  const auto before = function_of(40, [](ir::Builder& b, Arguments v) -> Values {
    const Value tall = ops::concatenate(b, {v[0], rows(b, v[0], 1, 2)}, 0);
    return {ops::concatenate(b, {columns(b, tall, 1, 2), tall}, 1)};
  });
  const auto after = slice_before_concatenating(*before);
  ASSERT_NE(after, nullptr);
  ir::verify(*after);
  EXPECT_EQ(count_of(body_text(*after), "stablehlo.concatenate"), 3U) << body_text(*after);
}

TEST(ConcatenatedSlicesTest, SlicesThatLoopsReadAndThoseOfSingleElementsStay) {
  EXPECT_EQ(slice_before_concatenating(*function_of(4, rolled)), nullptr);
  const auto read = function_of(40, [](ir::Builder& b, Arguments v) -> Values {
    const Value wide = ops::concatenate(b, {v[0], v[0]}, 1);
    return {ops::multiply(b, columns(b, wide, 10, 50), columns(b, wide, 30, 70))};
  });
  EXPECT_EQ(slice_before_concatenating(*read), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
