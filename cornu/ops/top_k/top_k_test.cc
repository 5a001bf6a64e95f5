#include "cornu/ops/top_k/top_k.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::top_k_folder {
namespace {

using ir::DType;

TEST(TopKTest, RejectsScalarsAndKOutsideTheLine) {
  const auto error = [](ir::Dims dims, std::int64_t k) {
    return build_error({{DType::kF32, std::move(dims)}},
                       [=](ir::Builder& b, Operands v) { top_k(b, v[0], k); });
  };
  EXPECT_EQ(error({}, 0), "[chlo.top_k] the operand must have a dimension; got tensor<f32>");
  EXPECT_EQ(error({2, 3}, 4), "[chlo.top_k] k must be in [0, 3]; got 4");
  EXPECT_EQ(error({2, 3}, -1), "[chlo.top_k] k must be in [0, 3]; got -1");
}

TEST(TopKTest, NanIsTheLargestAndEqualElementsKeepTheirOrder) {
  const ir::Literal x = ir::Literal::of<float>({6}, {1, 2, std::nanf(""), 2, 5, -1});
  const auto indices = run_op({x}, [](ir::Builder& b, Operands v) { return top_k(b, v[0], 4)[1]; });
  EXPECT_EQ(elements<std::int32_t>(indices[0]), (std::vector<std::int32_t>{2, 4, 1, 3}));
}

TEST(TopKTest, IsReadAsJaxPrintsIt) {
  const auto parsed = parse_stablehlo(R"(
    func.func @main(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
      %values, %indices = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
      return %values, %indices : tensor<2x3xf32>, tensor<2x3xi32>
    })");
  EXPECT_EQ(parsed.entry().body.ops()[0]->name(), "chlo.top_k");
}

}  // namespace
}  // namespace cornu::inline v0::ops::top_k_folder
