#include "cornu/keras/trainer/batch_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/trainer/allocator_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::vector<std::int64_t> sorted(std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> all(rows.begin(), rows.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::int64_t> counting(std::int64_t n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(BatchOrderTest, SequentialRowsArePaddedWithTheFirstRowOfTheLastStep) {
  BatchOrder order(4);
  order.set_sequential(10);
  EXPECT_EQ(order.num_steps(), 3);
  EXPECT_EQ(order.num_rows(), 10);
  EXPECT_EQ(std::vector<std::int64_t>(order.step(2), order.step(2) + 4), (std::vector<std::int64_t>{8, 9, 8, 8}));
}

TEST(BatchOrderTest, FullBatchesNeedNoPadding) {
  BatchOrder order(5);
  order.set_sequential(10);
  EXPECT_EQ(order.num_steps(), 2);
  EXPECT_EQ(sorted(order.rows()), counting(10));
}

TEST(BatchOrderTest, OneBatchLargerThanTheData) {
  BatchOrder order(8);
  order.set_sequential(3);
  EXPECT_EQ(order.num_steps(), 1);
  EXPECT_EQ(std::vector<std::int64_t>(order.step(0), order.step(0) + 8), (std::vector<std::int64_t>{0, 1, 2, 0, 0, 0, 0, 0}));
}

TEST(BatchOrderTest, ShuffleIsAPermutationThatFollowsFromSeedAndPosition) {
  BatchOrder a(7), b(7), c(7), d(7);
  a.set_shuffled(1000, 1, 0);
  b.set_shuffled(1000, 1, 0);
  c.set_shuffled(1000, 1, 1);
  d.set_shuffled(1000, 2, 0);
  EXPECT_EQ(sorted(a.rows()), counting(1000));
  EXPECT_TRUE(std::ranges::equal(a.rows(), b.rows()));
  EXPECT_FALSE(std::ranges::equal(a.rows(), c.rows()));
  EXPECT_FALSE(std::ranges::equal(a.rows(), d.rows()));
}

TEST(BatchOrderTest, ShuffleIsUniform) {
  // 24,000 shuffles of 4 rows: each of the 24 permutations about 1,000 times; chi squared with 23 degrees of freedom below 60.
  std::vector<int> counts(256, 0);
  for (std::uint64_t position = 0; position < 24000; ++position) {
    std::vector<std::int64_t> rows = counting(4);
    shuffle_rows(rows, 7, position);
    ++counts[static_cast<std::size_t>(rows[0] | rows[1] << 2 | rows[2] << 4 | rows[3] << 6)];
  }
  double chi_squared = 0;
  int permutations = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    ++permutations;
    chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_EQ(permutations, 24);
  EXPECT_LT(chi_squared, 60);
}

TEST(BatchOrderTest, RepeatedStreamGoesThroughAllRowsBeforeItRepeatsOne) {
  BatchOrder order(4);
  order.set_repeated(10, 10, true, 3, 0);
  EXPECT_EQ(order.num_steps(), 10);
  EXPECT_EQ(order.num_rows(), 40);
  for (int pass = 0; pass < 4; ++pass) EXPECT_EQ(sorted(order.rows().subspan(static_cast<std::size_t>(pass) * 10, 10)), counting(10));
  EXPECT_FALSE(std::ranges::equal(order.rows().subspan(0, 10), order.rows().subspan(10, 10)));
}

TEST(BatchOrderTest, RepeatedStreamWithoutShuffleIsInOrder) {
  BatchOrder order(3);
  order.set_repeated(4, 3, false, 0, 0);
  EXPECT_EQ(std::vector<std::int64_t>(order.rows().begin(), order.rows().end()), (std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3, 0}));
}

TEST(BatchOrderTest, GivenRowsMustExist) {
  BatchOrder order(2);
  const std::vector<std::int64_t> good = {2, 2, 0};
  order.set_rows(good, 3);
  EXPECT_EQ(order.num_steps(), 2);
  const std::vector<std::int64_t> bad = {0, 3};
  try {
    order.set_rows(bad, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfRange);
    EXPECT_STREQ(error.what(), "[fit] row_order names row 3 at position 1, but the data have 3 rows");
  }
}

TEST(BatchOrderTest, TooLittleMemoryNamesTheBytes) {
  if (!kAllocatorRefuses) GTEST_SKIP() << "a sanitizer's allocator ends the program instead";
  BatchOrder order(std::int64_t{1} << 58);
  try {
    order.set_sequential(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    EXPECT_NE(std::string(error.what()).find("2305843009213693952 bytes"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
