#include "cornu/ops/scatter/scatter.h"

#include <gtest/gtest.h>

#include <limits>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::scatter_folder {
namespace {

using ir::DType;

std::vector<ir::Value> first_two(ir::Builder&, Operands v) { return {v[0], v[1]}; }

TEST(ScatterTest, C1_RejectsInputsOfDifferentShapes) {
  EXPECT_EQ(
      error_label({{DType::kF32, {5, 3}}, {DType::kF32, {5, 4}}, {DType::kI32, {2}}, {DType::kF32, {2, 3}}},
                  [](ir::Builder& b, Operands v) {
                    scatter(b, {v[0], v[1]}, v[2], {v[3], v[3]},
                            {.update_window_dims = {1},
                             .inserted_window_dims = {0},
                             .scatter_dims_to_operand_dims = {0},
                             .index_vector_dim = 1},
                            first_two);
                  }),
      "[scatter] (C1)");
}

TEST(ScatterTest, C2_RejectsTooFewWindowDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C2)");
}

TEST(ScatterTest, C3_RejectsUpdatesOfDifferentShapes) {
  EXPECT_EQ(
      error_label({{DType::kF32, {5, 3}}, {DType::kI32, {2}}, {DType::kF32, {2, 3}}, {DType::kF32, {2, 2}}},
                  [](ir::Builder& b, Operands v) {
                    scatter(b, {v[0], v[0]}, v[1], {v[2], v[3]},
                            {.update_window_dims = {1},
                             .inserted_window_dims = {0},
                             .scatter_dims_to_operand_dims = {0},
                             .index_vector_dim = 1},
                            first_two);
                  }),
      "[scatter] (C3)");
}

TEST(ScatterTest, C4_RejectsUpdatesOfAnotherBatch) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {3, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C4)");
}

TEST(ScatterTest, C4_RejectsWindowsLargerThanTheInput) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 4}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C4)");
}

TEST(ScatterTest, C5_RejectsAMissingUpdate) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 3}}, {DType::kI32, {2}}, {DType::kF32, {2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter(b, {v[0], v[0]}, v[1], {v[2]},
                                  {.update_window_dims = {1},
                                   .inserted_window_dims = {0},
                                   .scatter_dims_to_operand_dims = {0},
                                   .index_vector_dim = 1},
                                  first_two);
                        }),
            "[scatter] (C5)");
}

TEST(ScatterTest, C6_RejectsUpdatesOfAnotherDtype) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 3}}, {DType::kI32, {2}}, {DType::kF64, {2, 3}}},
                        [](ir::Builder& b, Operands v) { scatter_add_rows(b, v[0], v[1], v[2]); }),
            "[scatter] (C6)");
}

TEST(ScatterTest, C7_RejectsUnsortedWindowDims) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 6, 7}}, {DType::kI32, {4}}, {DType::kF32, {4, 6, 7}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2, 1},
                                       .inserted_window_dims = {0},
                                       .scatter_dims_to_operand_dims = {0},
                                       .index_vector_dim = 1});
                        }),
            "[scatter] (C7)");
}

TEST(ScatterTest, C8_RejectsAWindowDimOutsideTheUpdates) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {3},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C8)");
}

TEST(ScatterTest, C9_RejectsADimensionThatIsInsertedAndBatching) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {0},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C9)");
}

TEST(ScatterTest, C10_RejectsUnsortedInsertedDims) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 6, 7}}, {DType::kI32, {4}}, {DType::kF32, {4, 7}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {1},
                                       .inserted_window_dims = {1, 0},
                                       .scatter_dims_to_operand_dims = {0},
                                       .index_vector_dim = 1});
                        }),
            "[scatter] (C10)");
}

TEST(ScatterTest, C11_RejectsAnInsertedDimOutsideTheInput) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {3},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C11)");
}

TEST(ScatterTest, C12_RejectsUnsortedBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 2, 3}}, {DType::kI32, {2, 2}}, {DType::kF32, {2, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .input_batching_dims = {1, 0},
                                       .scatter_indices_batching_dims = {0, 1},
                                       .scatter_dims_to_operand_dims = {2},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C12)");
}

TEST(ScatterTest, C13_RejectsABatchingDimOutsideTheInput) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {3},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C13)");
}

TEST(ScatterTest, C14_RejectsARepeatedIndicesBatchingDim) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1, 1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C14)");
}

TEST(ScatterTest, C15_RejectsABatchingDimOutsideTheIndices) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {2},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C15)");
}

TEST(ScatterTest, C16_RejectsTheIndexVectorDimAmongTheBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 1});
                        }),
            "[scatter] (C16)");
}

TEST(ScatterTest, C17_RejectsDifferentNumbersOfBatchingDims) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C17)");
}

TEST(ScatterTest, C18_RejectsDifferentBatchingExtents) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {0},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C18)");
}

TEST(ScatterTest, C19_RejectsAMapOfAnotherSize) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1, 2},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C19)");
}

TEST(ScatterTest, C20_RejectsADimensionThatIsIndexedAndBatching) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {0},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C20)");
}

TEST(ScatterTest, C21_RejectsAnIndexedDimOutsideTheInput) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {3},
                                       .index_vector_dim = 2});
                        }),
            "[scatter] (C21)");
}

TEST(ScatterTest, C22_RejectsAnIndexVectorDimOutsideTheIndices) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 3}}, {DType::kI32, {4, 2}}, {DType::kF32, {4, 2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter_add(b, v[0], v[1], v[2],
                                      {.update_window_dims = {2},
                                       .inserted_window_dims = {1},
                                       .input_batching_dims = {0},
                                       .scatter_indices_batching_dims = {1},
                                       .scatter_dims_to_operand_dims = {1},
                                       .index_vector_dim = 3});
                        }),
            "[scatter] (C22)");
}

TEST(ScatterTest, C23_RejectsABodyOfAnotherType) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 3}}, {DType::kI32, {2}}, {DType::kF32, {2, 3}}},
                        [](ir::Builder& b, Operands v) {
                          scatter(b, {v[0]}, v[1], {v[2]},
                                  {.update_window_dims = {1},
                                   .inserted_window_dims = {0},
                                   .scatter_dims_to_operand_dims = {0},
                                   .index_vector_dim = 1},
                                  first_two);
                        }),
            "[scatter] (C23)");
}

TEST(ScatterTest, I2_RejectsIndicesThatAreNoIntegers) {
  EXPECT_EQ(error_label({{DType::kF32, {5, 3}}, {DType::kF32, {2}}, {DType::kF32, {2, 3}}},
                        [](ir::Builder& b, Operands v) { scatter_add_rows(b, v[0], v[1], v[2]); }),
            "[scatter] (I2)");
}

TEST(ScatterTest, AddsEveryUpdateAndSkipsWhatIsOutside) {
  const auto y = run_op(
      {ir::Literal::of<float>({3, 2}, {0, 0, 1, 1, 2, 2}), ir::Literal::of<std::int32_t>({4}, {2, 2, 3, -1}),
       ir::Literal::of<float>({4, 2}, {1, 2, 10, 20, 5, 5, 6, 6})},
      [](ir::Builder& b, Operands v) { return scatter_add_rows(b, v[0], v[1], v[2]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{0, 0, 1, 1, 13, 24}));
}

TEST(ScatterTest, SkipsIdsAtTheEndsOfTheirRange) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                     least = std::numeric_limits<std::int64_t>::min();
  const auto y =
      run_op({ir::Literal::of<float>({2, 1}, {1, 2}), ir::Literal::of<std::int64_t>({3}, {most, least, 1}),
              ir::Literal::of<float>({3, 1}, {10, 20, 30})},
             [](ir::Builder& b, Operands v) { return scatter_add_rows(b, v[0], v[1], v[2]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{1, 32}));
}

TEST(ScatterTest, KnowsAScatterOfRows) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value table = block.add_argument({DType::kF32, {5, 3}}),
                  ids = block.add_argument({DType::kI32, {2}});
  const ir::Value rows = block.add_argument({DType::kF32, {2, 3}}),
                  parts = block.add_argument({DType::kF32, {2, 2}});
  EXPECT_TRUE(is_scatter_add_rows(*scatter_add_rows(b, table, ids, rows).op()));
  EXPECT_FALSE(is_scatter_add_rows(*scatter_add_rows(b, table, ids, parts).op()));
}

}  // namespace
}  // namespace cornu::inline v0::ops::scatter_folder
