#include "cornu/ops/custom_gradient/custom_gradient.h"

#include <gtest/gtest.h>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::custom_gradient_folder {
namespace {

/// A region (captured, dy) -> captured * dy.
std::unique_ptr<ir::Block> product_region(const ir::TensorType& type) {
  auto block = std::make_unique<ir::Block>();
  const ir::Value captured = block->add_argument(type), dy = block->add_argument(type);
  ir::Builder inner(*block);
  block->set_results({multiply(inner, captured, dy)});
  return block;
}

TEST(CustomGradientOpTest, GivesItsResultsAsTheyAre) {
  const auto y = run_op({ir::Literal::of<float>({2}, {3, 4}), ir::Literal::of<float>({2}, {5, 6})},
                        [](ir::Builder& b, Operands v) {
                          const ir::Value sum = add(b, v[0], v[1]);
                          return custom_gradient(b, {&sum, 1}, v.first(1), v.subspan(1, 1),
                                                 product_region(sum.type()))[0];
                        });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{8, 10}));
}

TEST(CustomGradientOpTest, RejectsAGradientThatDoesNotFit) {
  EXPECT_EQ(error_label({{ir::DType::kF32, {2}}, {ir::DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) {
                          custom_gradient(b, v.first(1), v.subspan(1, 1), v.first(1),
                                          product_region(v[0].type()));
                        }),
            "[cornu.custom_gradient] gradient 0 is tensor<2xf32>, its input tensor<3xf32>");
  EXPECT_EQ(error_label({{ir::DType::kF32, {2}}},
                        [](ir::Builder& b, Operands v) {
                          custom_gradient(b, v.first(1), v.first(1), {}, product_region(v[0].type()));
                        }),
            "[cornu.custom_gradient] the gradient must map 0 captured values and 1 result gradients to 1 "
            "input gradients; it maps 2 values "
            "to 1");
}

}  // namespace
}  // namespace cornu::inline v0::ops::custom_gradient_folder
