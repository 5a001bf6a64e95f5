#include "cornu/ops/sharded_lookup/sharded_lookup.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/gather/gather.h"

// Several replicas: replicate_test.cc.
namespace cornu::inline v0::ops::sharded_lookup_folder {
namespace {

using ir::DType;

TEST(ShardedLookupTest, OneReplicaReadsItsTable) {
  const auto rows =
      run_op({ir::Literal::of<float>({3, 1}, {10, 20, 30}),
              ir::Literal::of<std::int64_t>({4}, {-1, 3, 1, 1LL << 40})},
             [](ir::Builder& b, Operands v) { return sharded_lookup(b, v[0], v[1], {.num_rows = 3}); });
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{10, 30, 20, 30}));
}

TEST(ShardedLookupTest, GradientsOfARepeatedIdAreAddedAtItsFirstOccurrence) {
  const auto received = run_op(
      {ir::Literal::of<float>({4, 1}, {1, 2, 3, 4}), ir::Literal::of<std::int64_t>({4}, {2, -1, 7, 0})},
      [](ir::Builder& b, Operands v) {
        const ShardedGradientRows made = sharded_gradient_rows(b, v[0], v[1], {.num_rows = 3}, 3);
        return std::vector<ir::Value>{made.rows, made.ids};
      });
  EXPECT_EQ(elements<float>(received[0]), (std::vector<float>{4, 6, 0, 0}));
  EXPECT_EQ(elements<std::int32_t>(received[1]), (std::vector<std::int32_t>{2, 0, 2, 0}));
}

TEST(ShardedLookupTest, RejectsOperandsThatDoNotFit) {
  const auto error_of_lookup = [](const ir::TensorType& part, const ir::TensorType& ids,
                                  const TableShards& shards) {
    return build_error({part, ids},
                       [&](ir::Builder& b, Operands v) { sharded_lookup(b, v[0], v[1], shards); });
  };
  const ir::TensorType part{DType::kF32, {2, 3}}, ids{DType::kI32, {4}};
  EXPECT_EQ(error_of_lookup(part, {DType::kF32, {4}}, {.num_rows = 2}),
            "[cornu.sharded_lookup] ids must be integers; got tensor<4xf32>");
  EXPECT_EQ(error_of_lookup(part, ids, {.num_rows = 5, .num_shards = 2}),
            "[cornu.sharded_lookup] 2 parts of the shape (2, 3) are no table of 5 rows");
  EXPECT_EQ(error_of_lookup(part, ids, {.num_rows = 4, .num_shards = 2, .axis = 1}),
            "[cornu.sharded_lookup] 2 parts of the shape (2, 3) are no table of 4 rows");
  EXPECT_EQ(error_of_lookup(part, ids, {.num_rows = 2, .axis = 2}),
            "[cornu.sharded_lookup] axis must be 0 or 1; got axis = 2");
  EXPECT_EQ(error_of_lookup(part, ids, {.num_rows = 0}),
            "[cornu.sharded_lookup] num_rows must be positive; got num_rows = 0");
  EXPECT_EQ(error_of_lookup(part, ids, {.num_rows = 2, .num_shards = 0}),
            "[cornu.sharded_lookup] num_shards must be positive; got num_shards = 0");
  EXPECT_EQ(
      error_of_lookup(part, ids, {.num_rows = 4, .num_shards = 2, .num_dealt = 3}),
      "[cornu.sharded_lookup] num_dealt must be 0 or, for rows, a multiple of num_shards; got num_dealt = 3, "
      "num_shards = 2 and axis = 0");
}

TEST(ShardedLookupTest, DealtRowsAreEveryNthOfAPart) {
  // Rows 0 to 4 of a table, dealt to three parts of two rows.
  const auto found = run_op({ir::Literal::of<float>({6, 1}, {0, 3, 1, 4, 2, -1}),
                             ir::Literal::of<std::int32_t>({7}, {0, 1, 2, 3, 4, 9, -2})},
                            [](ir::Builder& b, Operands v) {
                              return sharded_lookup(b, v[0], v[1], {.num_rows = 5, .num_dealt = 3});
                            });
  EXPECT_EQ(elements<float>(found[0]), (std::vector<float>{0, 1, 2, 3, 4, 4, 0}));
}

TEST(ShardedLookupTest, PartsOfAViewBeginWholePagesApart) {
  EXPECT_EQ(rows_between_parts({DType::kF32, {64, 16}}), 64);
  EXPECT_EQ(rows_between_parts({DType::kF32, {65, 16}}), 128);
  EXPECT_EQ(rows_between_parts({DType::kF32, {1, 100}}), 256);            // 25 pages
  EXPECT_EQ(rows_between_parts({DType::kF64, {3000, 1024}}), 3072);       // 12 large pages
  EXPECT_EQ(rows_between_parts({DType::kF32, {131072, 100}}), 131072);    // 25 large pages
  EXPECT_EQ(rows_between_parts({DType::kF32, {131073, 100}}), 262144);    // 50
  EXPECT_EQ(rows_between_parts({DType::kF32, {65535, 100}}), 256 * 256);  // 50 would take more than twice
}

TEST(ShardedLookupTest, AViewRejectsOperandsThatDoNotFit) {
  const auto error_of_view = [](const ir::TensorType& ids, const ir::TensorType& first,
                                const TableShards& shards) {
    return build_error({{DType::kF32, {2, 3}}, ids, first, {DType::kI32, {8}}},
                       [&](ir::Builder& b, Operands v) { sharded_view(b, v[0], v[1], v[2], v[3], shards); });
  };
  const ir::TensorType ids{DType::kI32, {4}};
  const TableShards two{.num_rows = 4, .num_shards = 2};
  EXPECT_EQ(error_of_view(ids, {DType::kI64, {4}}, two),
            "[cornu.sharded_view] ids and first must be tensor<4xi32>, as named is tensor<8xi32>; got ids "
            "tensor<4xi32> and first tensor<4xi64>");
  EXPECT_EQ(error_of_view({DType::kI32, {3}}, ids, two),
            "[cornu.sharded_view] ids and first must be tensor<4xi32>, as named is tensor<8xi32>; got ids "
            "tensor<3xi32> and first tensor<4xi32>");
  EXPECT_EQ(error_of_view(ids, ids, {.num_rows = 2, .num_shards = 2, .axis = 1}),
            "[cornu.sharded_view] a view is of rows; got axis = 1");
}

TEST(ShardedLookupTest, SumsAreAtTheFirstPositionOfARow) {
  const auto sums_of = [](const ir::Literal& gradients) {
    return run_op({gradients, ir::Literal::of<std::int32_t>({4}, {0, 0, 2, 3}),
                   ir::Literal::of<std::int32_t>({4}, {2, -1, 0, 2})},
                  [](ir::Builder& b, Operands v) {
                    const ShardedRowSums made = sharded_row_sums(b, v[0], v[1], v[2], {.num_rows = 3}, 3);
                    return std::vector<ir::Value>{gather_rows(b, made.rows, made.sources), made.ids};
                  });
  };
  const auto sums = sums_of(ir::Literal::of<float>({4, 1}, {1, 2, 3, 4}));
  EXPECT_EQ(sums[0].at(0), 7);  // positions 0, 1 and 3
  EXPECT_EQ(sums[0].at(2), 3);
  EXPECT_EQ(elements<std::int32_t>(sums[1]), (std::vector<std::int32_t>{2, 3, 0, 3}));
  const auto of_repeated = sums_of(ir::Literal::of<float>({2, 1}, {1, 20}));  // each for two positions
  EXPECT_EQ(of_repeated[0].at(0), 22);
  EXPECT_EQ(of_repeated[0].at(2), 20);
}

TEST(ShardedLookupTest, RejectsNamesThatDoNotFit) {
  const ir::TensorType part{DType::kF32, {2, 3}};
  const auto error_of_rows = [&](const ir::TensorType& named) {
    return build_error({part, named}, [&](ir::Builder& b, Operands v) {
      sharded_rows(b, v[0], v[1], {.num_rows = 4, .num_shards = 2});
    });
  };
  const auto build_sums = [](ir::Builder& b, Operands v) {
    sharded_row_sums(b, v[0], v[1], v[2], {.num_rows = 4, .num_shards = 2}, 2);
  };
  EXPECT_EQ(error_of_rows({DType::kI32, {5}}),
            "[cornu.sharded_rows] named must be a vector of i32 or i64 with as many elements for each of 2 "
            "shards; got tensor<5xi32>");
  EXPECT_EQ(error_of_rows({DType::kI8, {4}}),
            "[cornu.sharded_rows] named must be a vector of i32 or i64 with as many elements for each of 2 "
            "shards; got tensor<4xi8>");
  EXPECT_EQ(build_error({part, {DType::kI32, {3}}, {DType::kI32, {6}}}, build_sums),
            "[cornu.sharded_row_sums] gradients must be a matrix with a row for each id of a shard, or for "
            "equally many "
            "of them; got first tensor<3xi32> and gradients tensor<2x3xf32>");
  EXPECT_EQ(
      build_error({part, {DType::kI64, {3}}, {DType::kI32, {6}}}, build_sums),
      "[cornu.sharded_row_sums] first must be a vector of named's type with the elements of one shard; got "
      "named tensor<6xi32> and first tensor<3xi64>");
}

TEST(ShardedLookupTest, RejectsGradientsThatDoNotFit) {
  const auto error_of_gradient = [](const ir::TensorType& gradients, const TableShards& shards,
                                    std::int64_t part_rows) {
    return build_error({gradients, {DType::kI32, {4}}}, [&](ir::Builder& b, Operands v) {
      sharded_lookup_gradient(b, v[0], v[1], shards, part_rows);
    });
  };
  EXPECT_EQ(error_of_gradient({DType::kF32, {3, 2}}, {.num_rows = 2}, 2),
            "[cornu.sharded_lookup_gradient] gradients must have the extents of ids and one more; got ids "
            "tensor<4xi32> and gradients tensor<3x2xf32>");
  EXPECT_EQ(error_of_gradient({DType::kF32, {4, 2}}, {.num_rows = 2}, 0),
            "[cornu.sharded_lookup_gradient] part_rows must be positive; got part_rows = 0");
  EXPECT_EQ(error_of_gradient({DType::kF32, {4, 3}}, {.num_rows = 2, .num_shards = 2, .axis = 1}, 2),
            "[cornu.sharded_lookup_gradient] 3 columns cannot be divided into 2 parts");
}

}  // namespace
}  // namespace cornu::inline v0::ops::sharded_lookup_folder
