#include "cornu/ops/embedding_lookup/embedding_lookup.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::embedding_lookup_folder {
namespace {

using ir::DType;

TEST(EmbeddingLookupTest, IdsOutsideTheTableReadItsFirstOrLastRow) {
  const auto rows = run_op({ir::Literal::of<float>({3, 1}, {10, 20, 30}),
                            ir::Literal::of<std::int64_t>({4}, {-1, 3, 1, 1LL << 40})},
                           [](ir::Builder& b, Operands v) { return embedding_lookup(b, v[0], v[1]); });
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{10, 30, 20, 30}));
}

TEST(EmbeddingLookupTest, TheGradientOfARowSumsAllIdsThatReadIt) {
  const auto rows =
      run_op({ir::Literal::of<float>({5, 1}, {1, 2, 4, 8, 16}),
              ir::Literal::of<std::int32_t>({5}, {2, 0, 2, -7, 9})},
             [](ir::Builder& b, Operands v) { return embedding_lookup_gradient(b, v[0], v[1], 4); });
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{10, 0, 5, 16}));
}

TEST(EmbeddingLookupTest, IdsTooNarrowForTheTableReadWhatTheyName) {
  std::vector<float> table(300);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  const auto rows =
      run_op({ir::Literal::of<float>({300, 1}, table), ir::Literal::of<std::int8_t>({3}, {127, -128, 5})},
             [](ir::Builder& b, Operands v) { return embedding_lookup(b, v[0], v[1]); });
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{127, 0, 5}));
}

TEST(EmbeddingLookupTest, RejectsOperandsThatDoNotFit) {
  const auto lookup = [](ir::Builder& b, Operands v) { embedding_lookup(b, v[0], v[1]); };
  EXPECT_EQ(build_error({{DType::kF32, {2, 3}}, {DType::kF32, {2}}}, lookup),
            "[cornu.embedding_lookup] ids must be integers; got tensor<2xf32>");
  EXPECT_EQ(build_error({{DType::kF32, {0, 3}}, {DType::kI32, {2}}}, lookup),
            "[cornu.embedding_lookup] the table must have at least one row; got tensor<0x3xf32>");
  EXPECT_EQ(build_error({{DType::kI32, {2, 3}}, {DType::kI32, {2}}}, lookup),
            "[cornu.embedding_lookup] the operand must be floating-point; got tensor<2x3xi32>");
  const auto rows = [](ir::Builder& b, Operands v) { embedding_lookup_gradient(b, v[0], v[1], 4); };
  EXPECT_EQ(build_error({{DType::kF32, {3, 5}}, {DType::kI32, {2}}}, rows),
            "[cornu.embedding_lookup_gradient] gradients must begin with the extents of ids; got ids "
            "tensor<2xi32> and gradients "
            "tensor<3x5xf32>");
  EXPECT_EQ(build_error({{DType::kF32, {2}}, {DType::kI32, {2}}},
                        [](ir::Builder& b, Operands v) { embedding_lookup_gradient(b, v[0], v[1], 0); }),
            "[cornu.embedding_lookup_gradient] num_rows must be positive; got num_rows = 0");
}

}  // namespace
}  // namespace cornu::inline v0::ops::embedding_lookup_folder
