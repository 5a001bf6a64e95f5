#include "cornu/keras/base/shapes.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::keras {
namespace {

void expect_broadcast(const Dims& a, const Dims& b, const std::optional<Dims>& expected) {
  EXPECT_EQ(broadcast_shapes(a, b), expected) << shape_with_none_str(a) << " and " << shape_with_none_str(b);
  EXPECT_EQ(broadcast_shapes(b, a), expected) << shape_with_none_str(b) << " and " << shape_with_none_str(a);
}

TEST(ShapesTest, ShapesAreBroadcastAlongTheirLastAxes) {
  expect_broadcast({2, 3}, {2, 3}, Dims{2, 3});
  expect_broadcast({2, 3}, {3}, Dims{2, 3});
  expect_broadcast({2, 1}, {1, 3}, Dims{2, 3});
  expect_broadcast({2, 3}, {}, Dims{2, 3});
  expect_broadcast({}, {}, Dims{});
  expect_broadcast({0, 3}, {1}, Dims{0, 3});
  expect_broadcast({2, 3}, {2}, std::nullopt);
  expect_broadcast({2, 3}, {4, 3}, std::nullopt);
}

TEST(ShapesTest, OpenExtentsAreTheOthersUnlessThoseAre1) {
  expect_broadcast({kUnknown, 3}, {3}, Dims{kUnknown, 3});
  expect_broadcast({kUnknown, 3}, {kUnknown, 1}, Dims{kUnknown, 3});
  expect_broadcast({kUnknown}, {1}, Dims{kUnknown});
  expect_broadcast({kUnknown}, {5}, Dims{5});
  expect_broadcast({2, kUnknown, 3}, {4, 1}, Dims{2, 4, 3});
  expect_broadcast({kUnknown, 3}, {kUnknown, 4}, std::nullopt);
}

}  // namespace
}  // namespace cornu::inline v0::keras
