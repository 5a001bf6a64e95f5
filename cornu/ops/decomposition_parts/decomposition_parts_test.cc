#include "cornu/ops/decomposition_parts/decomposition_parts.h"

#include <gtest/gtest.h>

#include "cornu/ops/cholesky/cholesky.h"
#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::decomposition_parts_folder {
namespace {

using ir::DType;

std::vector<ir::Value> cholesky_parts(ir::Builder& b, ir::Value x) {
  ir::Block scratch;
  ir::Builder inner(scratch);
  const ir::Value factor = cholesky(inner, scratch.add_argument({DType::kC64, {2, 2}}), true);
  return decomposition_parts(b, *factor.op(), {x});
}

/// [[4, -2i], [2i, 5]] = L L^H with L = [[2, 0], [i, 2]]
TEST(DecompositionPartsTest, ComplexNumbersAreInterleaved) {
  const auto result =
      run_op({ir::Literal::of<float>({2, 2, 2}, {4, 0, 0, -2, 0, 2, 5, 0})},
             [](ir::Builder& b, std::span<const ir::Value> v) { return cholesky_parts(b, v[0])[0]; });
  EXPECT_EQ(elements<float>(result[0]), (std::vector<float>{2, 0, 0, 0, 0, 1, 2, 0}));
}

TEST(DecompositionPartsTest, TheWideFormHasTwiceThePrecision) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {3, 3, 2}});
  const ir::Op& parts = *cholesky_parts(b, x)[0].op();
  EXPECT_EQ(decomposition_of_parts(parts, true)->ops()[0]->result().type().str(), "tensor<3x3xcomplex<f64>>");
  EXPECT_EQ(decomposition_of_parts(parts, false)->ops()[0]->result().type().str(),
            "tensor<3x3xcomplex<f32>>");
}

TEST(DecompositionPartsTest, RejectsOperandsWithoutPairs) {
  EXPECT_NE(build_error({{DType::kF32, {2, 3}}},
                        [](ir::Builder& b, std::span<const ir::Value> v) { cholesky_parts(b, v[0]); })
                .find("must be f32 or f64 of shape [..., 2]"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops::decomposition_parts_folder
