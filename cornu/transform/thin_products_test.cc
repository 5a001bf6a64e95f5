#include "cornu/transform/thin_products.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

struct Product {
  ir::DType dtype;
  ir::Dims lhs, rhs;
  ops::DotDimensions dimensions;
};

std::unique_ptr<ir::Function> product_of(const Product& c) {
  return make_function({{c.dtype, c.lhs}, {c.dtype, c.rhs}},
                       [&](ir::Builder& b, std::span<const ir::Value> v) {
                         return std::vector<ir::Value>{ops::dot_general(b, v[0], v[1], c.dimensions)};
                       });
}

TEST(ThinProductsTest, ProductsWithoutWorkForAMatrixKernelAreElementwise) {
  const Product cases[] = {// Vectors' outer product, of one term, of none, and by batches.
                           {ir::DType::kF64, {3, 1}, {1, 4}, {{}, {}, {1}, {0}}},
                           {ir::DType::kF64, {3}, {4}, {}},
                           {ir::DType::kF64, {2, 3}, {4, 2}, {{0}, {1}, {}, {}}},
                           // Inner products by batches, over two dimensions.
                           {ir::DType::kF64, {2, 3, 5}, {5, 2, 3}, {{0}, {1}, {1, 2}, {2, 0}}},
                           // A matrix and a vector of integers, on either side.
                           {ir::DType::kI32, {2, 6, 3}, {2, 3}, {{0}, {0}, {2}, {1}}},
                           {ir::DType::kI32, {3}, {3, 6}, {{}, {}, {0}, {0}}}};
  for (const Product& c : cases) {
    const auto before = product_of(c), after = multiply_thin_products(*before);
    ASSERT_NE(after, nullptr);
    ir::verify(*after);
    EXPECT_EQ(body_text(*after).find("dot_general"), std::string::npos);
    std::vector<ir::Literal> inputs;  // small whole numbers, whose sums are exact
    for (const ir::Value& argument : before->body.arguments()) {
      inputs.emplace_back(argument.type());
      for (std::int64_t i = 0; i < argument.type().num_elements(); ++i) {
        const ir::Literal number = ir::Literal::scalar(c.dtype, static_cast<double>(i * 7 % 23) - 11);
        ops::copy_element(inputs.back().mutable_bytes(), i, number.bytes(), 0, ir::size_bytes(c.dtype));
      }
    }
    EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
                backends::reference::evaluate(*before, inputs)[0])
        << body_text(*before);
  }
}

TEST(ThinProductsTest, ProductsForKernelsStay) {
  EXPECT_EQ(multiply_thin_products(*product_of({ir::DType::kF32, {3, 5}, {5}, {{}, {}, {1}, {0}}})), nullptr);
  EXPECT_EQ(multiply_thin_products(*product_of({ir::DType::kI32, {3, 5}, {5, 2}, {{}, {}, {1}, {0}}})),
            nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
