#include "cornu/keras/layer/traced_types.h"

#include <gtest/gtest.h>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/base/shapes.h"

namespace cornu::inline v0::keras {
namespace {

using Types = std::vector<TensorType>;

const Types kOpen = {{DType::kF32, {kUnknown, 4}}, {DType::kI32, {2, kUnknown}}};
const Types kClosed = {{DType::kF32, {3, 4}}};

TEST(TracedTypesTest, FindsAndReplacesOpenExtents) {
  EXPECT_TRUE(has_open_extents(kOpen));
  EXPECT_FALSE(has_open_extents(kClosed));
  EXPECT_FALSE(has_open_extents(Types{}));
  EXPECT_EQ(with_open_extents(kOpen, 7), (Types{{DType::kF32, {7, 4}}, {DType::kI32, {2, 7}}}));
}

TEST(TracedTypesTest, ExtentsThatDependOnTheOpenOnesAreOpen) {
  const auto doubled = [](std::span<const TensorType> inputs) {
    return Types{{DType::kF32, {inputs[0].dims[0], 2 * inputs[0].dims[1]}}};
  };
  EXPECT_EQ(traced_types(kOpen, doubled), (Types{{DType::kF32, {kUnknown, 8}}}));
}

TEST(TracedTypesTest, TracesOnceWithoutOpenExtentsAndTwiceWithThem) {
  int num_traces = 0;
  const auto same = [&](std::span<const TensorType> inputs) {
    ++num_traces;
    return Types(inputs.begin(), inputs.end());
  };
  EXPECT_EQ(traced_types(kClosed, same), kClosed);
  EXPECT_EQ(num_traces, 1);
  EXPECT_EQ(traced_types(kOpen, same), kOpen);
  EXPECT_EQ(num_traces, 3);
}

TEST(TracedTypesTest, RefusesResultsWhoseNumberRankOrDtypeDependsOnTheOpenExtents) {
  const TypesForExtent first{48, kClosed};
  for (const Types& other : {Types{}, Types{{DType::kF32, {3}}}, Types{{DType::kF64, {3, 4}}}})
    expect_error(ErrorCode::kInvalidArgument, {"with 48 in their place", "with 96 they are"},
                 [&] { (void)common_types(first, {96, other}); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
