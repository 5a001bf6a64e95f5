#include "cornu/ops/gather/gather.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::gather_folder {
namespace {

using ir::DType;

TEST(GatherTest, C1_RejectsTooFewOffsetDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C1)");
}

TEST(GatherTest, C2_RejectsAnIndexVectorDimOutsideTheIndices) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 3},
                                 {1, 1, 3});
                        }),
            "[gather] (C2)");
}

TEST(GatherTest, C3_RejectsAMapOfAnotherSize) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1, 2},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C3)");
}

TEST(GatherTest, C4_RejectsUnsortedOffsetDims) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 6, 7}}, {DType::kI32, {4}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2, 1},
                                  .collapsed_slice_dims = {0},
                                  .start_index_map = {0},
                                  .index_vector_dim = 1},
                                 {1, 6, 7});
                        }),
            "[gather] (C4)");
}

TEST(GatherTest, C5_RejectsAnOffsetDimOutsideTheResult) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {3},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C5)");
}

TEST(GatherTest, C6_RejectsADimensionThatIsCollapsedAndBatching) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {0},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C6)");
}

TEST(GatherTest, C7_RejectsUnsortedCollapsedDims) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 6, 7}}, {DType::kI32, {4}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {1},
                                  .collapsed_slice_dims = {1, 0},
                                  .start_index_map = {0},
                                  .index_vector_dim = 1},
                                 {1, 1, 7});
                        }),
            "[gather] (C7)");
}

TEST(GatherTest, C8_RejectsACollapsedDimOutsideTheOperand) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {3},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C8)");
}

TEST(GatherTest, C9_RejectsALargeSizeInACollapsedDim) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 2, 3});
                        }),
            "[gather] (C9)");
}

TEST(GatherTest, C9_RejectsTheSizeZeroInACollapsedDimOfAResultWithElements) {
  const auto label = [](std::int64_t num_rows) {
    return error_label({{DType::kF32, {0, 3}}, {DType::kI32, {num_rows}}}, [](ir::Builder& b, Operands v) {
      gather(b, v[0], v[1],
             {.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1},
             {0, 3});
    });
  };
  EXPECT_EQ(label(4), "[gather] (C9)");
  EXPECT_EQ(label(0), "") << "nothing is read";
}

TEST(GatherTest, C12_RejectsTheSizeZeroInABatchingDimOfAResultWithElements) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {0, 1, 3});
                        }),
            "[gather] (C12)");
}

TEST(GatherTest, C10_RejectsUnsortedBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 2, 3}}, {DType::kI32, {2, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .operand_batching_dims = {1, 0},
                                  .start_indices_batching_dims = {0, 1},
                                  .start_index_map = {2},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C10)");
}

TEST(GatherTest, C11_RejectsABatchingDimOutsideTheOperand) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {3},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C11)");
}

TEST(GatherTest, C12_RejectsALargeSizeInABatchingDim) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {2, 1, 3});
                        }),
            "[gather] (C12)");
}

TEST(GatherTest, C13_RejectsARepeatedIndicesBatchingDim) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1, 1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C13)");
}

TEST(GatherTest, C14_RejectsABatchingDimOutsideTheIndices) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {2},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C14)");
}

TEST(GatherTest, C15_RejectsTheIndexVectorDimAmongTheBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1, 2},
                                  .index_vector_dim = 1},
                                 {1, 1, 3});
                        }),
            "[gather] (C15)");
}

TEST(GatherTest, C16_RejectsDifferentNumbersOfBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C16)");
}

TEST(GatherTest, C17_RejectsDifferentBatchingExtents) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {0},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C17)");
}

TEST(GatherTest, C18_RejectsADimensionThatIsIndexedAndBatching) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {0},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C18)");
}

TEST(GatherTest, C19_RejectsAnIndexedDimOutsideTheOperand) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {3},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (C19)");
}

TEST(GatherTest, C20_RejectsSizesOfAnotherRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1});
                        }),
            "[gather] (C20)");
}

TEST(GatherTest, C21_RejectsASizeBeyondTheExtent) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 4});
                        }),
            "[gather] (C21)");
}

TEST(GatherTest, I2_RejectsIndicesThatAreNoIntegers) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kF32, {4, 2}}},
                        [](ir::Builder& b, Operands v) {
                          gather(b, v[0], v[1],
                                 {.offset_dims = {2},
                                  .collapsed_slice_dims = {1},
                                  .operand_batching_dims = {0},
                                  .start_indices_batching_dims = {1},
                                  .start_index_map = {1},
                                  .index_vector_dim = 2},
                                 {1, 1, 3});
                        }),
            "[gather] (I2)");
}

TEST(GatherTest, RowsAreClampedToTheTable) {
  const auto y = run_op({ir::Literal::of<float>({3, 2}, {0, 1, 10, 11, 20, 21}),
                         ir::Literal::of<std::int32_t>({4}, {2, 0, -7, 9})},
                        [](ir::Builder& b, Operands v) { return gather_rows(b, v[0], v[1]); });
  EXPECT_EQ(y[0].type().dims, (ir::Dims{4, 2}));
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{20, 21, 0, 1, 0, 1, 20, 21}));
}

TEST(GatherTest, HugeUnsignedIdsAreClampedToTheLastRow) {
  const auto y = run_op(
      {ir::Literal::of<float>({3}, {0, 1, 2}), ir::Literal::of<std::uint64_t>({2}, {~std::uint64_t{0}, 1})},
      [](ir::Builder& b, Operands v) { return gather_rows(b, v[0], v[1]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{2, 1}));
}

TEST(GatherTest, KnowsAGatherOfRows) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value table = block.add_argument({DType::kF32, {5, 3}}),
                  ids = block.add_argument({DType::kI32, {4}});
  EXPECT_TRUE(is_gather_rows(*gather_rows(b, table, ids).op()));
  const ir::Value part =
      gather(b, table, ids,
             {.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1},
             {1, 2});
  EXPECT_FALSE(is_gather_rows(*part.op()));
}

TEST(GatherTest, PrintsMlirsAttribute) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value table = block.add_argument({DType::kF32, {5, 3}}),
                  ids = block.add_argument({DType::kI32, {4}});
  const ir::Op& op = *gather_rows(b, table, ids).op();
  EXPECT_EQ(op.def().print_attributes(op),
            "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
            "start_index_map = [0], index_vector_dim = 1>, "
            "indices_are_sorted = false, slice_sizes = array<i64: 1, 3>");
}

}  // namespace
}  // namespace cornu::inline v0::ops::gather_folder
