#include "cornu/transform/whole_windows.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

/// A matrix [4, 6] with three windows [2, size] of ones added, at the rows and columns of i8 indices [3, 2].
std::unique_ptr<ir::Function> added_windows(std::int64_t size) {
  return make_function(
      {{ir::DType::kF64, {4, 6}}, {ir::DType::kI8, {3, 2}}},
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        const ir::Value ones = ops::full(b, {ir::DType::kF64, {3, size}}, 1);
        return std::vector<ir::Value>{ops::scatter_add(b, v[0], v[1], ones,
                                                       {.update_window_dims = {1},
                                                        .inserted_window_dims = {0},
                                                        .scatter_dims_to_operand_dims = {0, 1},
                                                        .index_vector_dim = 1})};
      });
}

TEST(WholeWindowsTest, WindowsThatArePartlyOutsideAreSkipped) {
  const auto function = skip_partial_windows(*added_windows(2));
  ASSERT_NE(function, nullptr);
  ir::verify(*function);
  const std::vector<ir::Literal> inputs = {ir::Literal({ir::DType::kF64, {4, 6}}),
                                           ir::Literal::of<std::int8_t>({3, 2}, {0, 4, 1, 5, 2, -1})};
  ir::Literal expected(inputs[0].type());
  expected.mutable_data<double>()[4] = expected.mutable_data<double>()[5] = 1;
  EXPECT_TRUE(backends::reference::evaluate(*function, inputs)[0] == expected);
}

TEST(WholeWindowsTest, WindowsOfOneElementStay) {
  EXPECT_EQ(skip_partial_windows(*added_windows(1)), nullptr);
}

TEST(WholeWindowsTest, IndicesWithoutADimensionOfTheirOwnAreOneComponent) {
  const auto before = make_function(
      {{ir::DType::kF64, {5}}, {ir::DType::kI32, {2}}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
        return std::vector<ir::Value>{ops::scatter_add(
            b, v[0], v[1], ops::full(b, {ir::DType::kF64, {2, 3}}, 1),
            {.update_window_dims = {1}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1})};
      });
  const auto function = skip_partial_windows(*before);
  ASSERT_NE(function, nullptr);
  ir::verify(*function);
  const std::vector<ir::Literal> inputs = {ir::Literal({ir::DType::kF64, {5}}),
                                           ir::Literal::of<std::int32_t>({2}, {2, 3})};
  EXPECT_TRUE(backends::reference::evaluate(*function, inputs)[0] ==
              ir::Literal::of<double>({5}, {0, 0, 1, 1, 1}));
}

}  // namespace
}  // namespace cornu::inline v0::transform
