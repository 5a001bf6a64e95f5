#include "cornu/backends/cpu/sort/sort_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ops::ComparisonDirection;

std::vector<SortOrder> orders_of(const ops::Comparator& comparator) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({ir::DType::kF32, {4}}),
                  y = block.add_argument({ir::DType::kI32, {4}});
  ops::sort(b, {y, x}, comparator, {.dimension = 0});
  return sort_orders(block.ops().back()->region(0));
}

std::optional<SortOrder> order_of(const ops::Comparator& comparator) {
  const std::vector<SortOrder> orders = orders_of(comparator);
  return orders.size() == 1 ? std::optional(orders[0]) : std::nullopt;
}

TEST(SortOrderTest, AComparisonIsTrueInTheCasesOfItsDirection) {
  const auto less = order_of([](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::compare(b, v[2], v[3], ComparisonDirection::kLt);
  });
  ASSERT_TRUE(less.has_value());
  EXPECT_EQ(less->key, 1U);
  EXPECT_EQ(less->before, SortOrder::kLess);
  const auto turned = order_of([](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::compare(b, v[1], v[0], ComparisonDirection::kLe);
  });
  ASSERT_TRUE(turned.has_value());
  EXPECT_EQ(turned->key, 0U);
  EXPECT_EQ(turned->before, SortOrder::kGreater | SortOrder::kEqual);
}

TEST(SortOrderTest, ComparisonsWithItselfTellWhatIsNan) {
  const auto order = order_of([](ir::Builder& b, std::span<const ir::Value> v) {
    const ir::Value left = ops::compare(b, v[2], v[2], ComparisonDirection::kNe),
                    right = ops::compare(b, v[3], v[3], ComparisonDirection::kEq);
    return ops::or_(b, ops::compare(b, v[2], v[3], ComparisonDirection::kLt),
                    ops::and_(b, ops::not_(b, left), ops::not_(b, right)));
  });
  ASSERT_TRUE(order.has_value());
  EXPECT_EQ(order->before, SortOrder::kLess | SortOrder::kRightNan);
}

/// JAX's key of a float: one zero and one NaN.
ir::Value with_one_zero_and_nan(ir::Builder& b, ir::Value x) {
  const ir::Value zero = ops::full(b, x.type(), 0), nan = ops::full(b, x.type(), std::nan(""));
  const ir::Value one_zero = ops::select(b, ops::compare(b, x, zero, ComparisonDirection::kEq), zero, x);
  return ops::select(b, ops::compare(b, x, x, ComparisonDirection::kNe), nan, one_zero);
}

TEST(SortOrderTest, TheTotalOrderOfJaxPutsNanLast) {
  const auto order = order_of([](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::compare_total_order(b, with_one_zero_and_nan(b, v[2]), with_one_zero_and_nan(b, v[3]),
                                    ComparisonDirection::kLt);
  });
  ASSERT_TRUE(order.has_value());
  EXPECT_EQ(order->before, SortOrder::kLess | SortOrder::kRightNan);
  EXPECT_FALSE(order->is_total);
}

TEST(SortOrderTest, TheTotalOrderOfElementsComparesBits) {
  const auto order = order_of([](ir::Builder& b, std::span<const ir::Value> v) {
    return ops::compare_total_order(b, v[3], v[2], ComparisonDirection::kLt);
  });
  ASSERT_TRUE(order.has_value());
  EXPECT_EQ(order->before, SortOrder::kGreater);
  EXPECT_TRUE(order->is_total);
  EXPECT_FALSE(order_of([](ir::Builder& b, std::span<const ir::Value> v) {
                 return ops::or_(b, ops::compare_total_order(b, v[2], v[3], ComparisonDirection::kLt),
                                 ops::compare(b, v[3], v[3], ComparisonDirection::kNe));
               }).has_value());
}

TEST(SortOrderTest, ASecondKeyDecidesWhereTheFirstIsEqual) {
  const auto orders = orders_of([](ir::Builder& b, std::span<const ir::Value> v) {
    const ir::Value x = with_one_zero_and_nan(b, v[2]), y = with_one_zero_and_nan(b, v[3]);
    const ir::Value rest = ops::compare(b, v[0], v[1], ComparisonDirection::kGt);
    return ops::or_(b, ops::compare_total_order(b, x, y, ComparisonDirection::kLt),
                    ops::and_(b, ops::compare_total_order(b, x, y, ComparisonDirection::kEq), rest));
  });
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].key, 1U);
  EXPECT_EQ(orders[0].before, SortOrder::kLess | SortOrder::kRightNan);
  EXPECT_EQ(orders[1].key, 0U);
  EXPECT_EQ(orders[1].before, SortOrder::kGreater);
  // Not strict in the first key, or equality of another one: no such order.
  EXPECT_TRUE(orders_of([](ir::Builder& b, std::span<const ir::Value> v) {
                return ops::or_(b, ops::compare(b, v[0], v[1], ComparisonDirection::kLe),
                                ops::and_(b, ops::compare(b, v[0], v[1], ComparisonDirection::kEq),
                                          ops::compare(b, v[2], v[3], ComparisonDirection::kLt)));
              }).empty());
  EXPECT_TRUE(orders_of([](ir::Builder& b, std::span<const ir::Value> v) {
                return ops::or_(b, ops::compare(b, v[2], v[3], ComparisonDirection::kLt),
                                ops::and_(b, ops::compare(b, v[0], v[1], ComparisonDirection::kEq),
                                          ops::compare(b, v[2], v[3], ComparisonDirection::kLt)));
              }).empty());
}

TEST(SortOrderTest, TwoKeysAndArithmeticHaveNoSuchOrder) {
  EXPECT_FALSE(order_of([](ir::Builder& b, std::span<const ir::Value> v) {
                 return ops::and_(b, ops::compare(b, v[0], v[1], ComparisonDirection::kLt),
                                  ops::compare(b, v[2], v[3], ComparisonDirection::kLt));
               }).has_value());
  EXPECT_FALSE(order_of([](ir::Builder& b, std::span<const ir::Value> v) {
                 return ops::compare(b, ops::abs(b, v[2]), ops::abs(b, v[3]), ComparisonDirection::kLt);
               }).has_value());
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
