#include "cornu/keras/trainer/batch_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/sanitizer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::vector<std::int64_t> sorted(std::vector<std::int64_t> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The rows of all steps, requested `count` steps at a time.
std::vector<std::int64_t> rows_of(BatchOrder& order, std::int64_t count = 1) {
  std::vector<std::int64_t> all;
  for (std::int64_t step = 0; step < order.num_steps(); step += count) {
    const std::int64_t steps = std::min(count, order.num_steps() - step);
    const std::int64_t* rows = order.steps(step, steps);
    for (std::int64_t i = 0; i < steps; ++i)
      all.insert(all.end(), rows + i * order.batch_size(),
                 rows + i * order.batch_size() + order.num_rows_of(step + i));
  }
  return all;
}

std::vector<std::int64_t> step_of(BatchOrder& order, std::int64_t step) {
  const std::int64_t* rows = order.steps(step, 1);
  return {rows, rows + order.batch_size()};
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
  EXPECT_EQ(step_of(order, 2), (std::vector<std::int64_t>{8, 9, 8, 8}));
  EXPECT_EQ(order.num_rows_of(2), 2);
}

TEST(BatchOrderTest, FullBatchesNeedNoPadding) {
  BatchOrder order(5);
  order.set_sequential(10);
  EXPECT_EQ(order.num_steps(), 2);
  EXPECT_EQ(sorted(rows_of(order)), counting(10));
}

TEST(BatchOrderTest, OneBatchLargerThanTheData) {
  BatchOrder order(8);
  order.set_sequential(3);
  EXPECT_EQ(order.num_steps(), 1);
  EXPECT_EQ(step_of(order, 0), (std::vector<std::int64_t>{0, 1, 2, 0, 0, 0, 0, 0}));
}

TEST(BatchOrderTest, ShuffleIsAPermutationThatFollowsFromSeedAndPosition) {
  BatchOrder a(7), b(7), c(7), d(7);
  a.set_shuffled(1000, 1, 0);
  b.set_shuffled(1000, 1, 0);
  c.set_shuffled(1000, 1, 1);
  d.set_shuffled(1000, 2, 0);
  const std::vector<std::int64_t> rows = rows_of(a);
  EXPECT_EQ(sorted(rows), counting(1000));
  EXPECT_EQ(rows, rows_of(b));
  EXPECT_NE(rows, rows_of(c));
  EXPECT_NE(rows, rows_of(d));
}

TEST(BatchOrderTest, ShuffleIsUniform) {
  // 24,000 shuffles of 4 rows: each of the 24 permutations about 1,000 times; chi squared with 23 degrees of
  // freedom below 60.
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
  const std::vector<std::int64_t> rows = rows_of(order);
  const auto pass = [&](std::ptrdiff_t k) {
    return std::vector<std::int64_t>(rows.begin() + k * 10, rows.begin() + k * 10 + 10);
  };
  for (int k = 0; k < 4; ++k) EXPECT_EQ(sorted(pass(k)), counting(10));
  EXPECT_NE(pass(0), pass(1));
}

TEST(BatchOrderTest, RepeatedStreamWithoutShuffleIsInOrder) {
  BatchOrder order(3);
  order.set_repeated(4, 3, false, 0, 0);
  EXPECT_EQ(rows_of(order), (std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3, 0}));
}

/// Long permutations are computed position by position.
TEST(BatchOrderTest, ALongShuffleIsAPermutationToo) {
  for (const std::int64_t n : {RowPermutation::kListed + 1, std::int64_t{100'003}, std::int64_t{317} * 317}) {
    BatchOrder a(64), b(64);
    a.set_shuffled(n, 1, 0);
    b.set_shuffled(n, 1, 1);
    const std::vector<std::int64_t> rows = rows_of(a);
    EXPECT_EQ(sorted(rows), counting(n));
    EXPECT_NE(rows, rows_of(b));
  }
}

TEST(BatchOrderTest, ALongShuffleLooksDrawn) {
  constexpr std::int64_t kRows = 100'000;
  constexpr std::size_t kParts = 20;
  double chi_squared = 0, distance = 0;
  std::int64_t fixed = 0, near = 0;
  constexpr std::uint64_t kShuffles = 10;
  for (std::uint64_t position = 0; position < kShuffles; ++position) {
    RowPermutation permutation;
    permutation.set(kRows, 5, position);
    std::vector<std::int64_t> rows(kRows);
    permutation.read(0, rows);
    std::vector<double> counts(kParts * kParts, 0);
    for (std::size_t i = 0; i < kRows; ++i) {
      const auto row = static_cast<std::size_t>(rows[i]);
      ++counts[i * kParts / kRows * kParts + row * kParts / kRows];
      distance += std::abs(static_cast<double>(row) - static_cast<double>(i)) / kRows / kRows;
      fixed += row == i ? 1 : 0;
      near += i > 0 && std::abs(rows[i] - rows[i - 1]) <= 50 ? 1 : 0;
    }
    constexpr double kWanted = 1.0 * kRows / kParts / kParts;
    for (const double count : counts) chi_squared += (count - kWanted) * (count - kWanted) / kWanted;
  }
  // Within five standard deviations of what is drawn has: 361 degrees of freedom a shuffle; one fixed row;
  // neighbours as near as any two.
  EXPECT_NEAR(chi_squared, kShuffles * 361.0, 5 * std::sqrt(2 * kShuffles * 361.0));
  EXPECT_NEAR(distance / kShuffles, 1.0 / 3, 0.003);
  EXPECT_LE(fixed, 30);
  EXPECT_NEAR(static_cast<double>(near), kShuffles * 100.0, 5 * std::sqrt(kShuffles * 100.0));
}

TEST(BatchOrderTest, AStepsRowsDoNotDependOnHowManyStepsAreAskedFor) {
  const auto rows = [](std::int64_t count, auto&& set) {
    BatchOrder order(48);
    set(order);
    return rows_of(order, count);
  };
  const std::vector<void (*)(BatchOrder&)> orders = {
      [](BatchOrder& order) { order.set_sequential(10'001); },
      [](BatchOrder& order) { order.set_shuffled(10'001, 3, 7); },
      [](BatchOrder& order) { order.set_shuffled(RowPermutation::kListed + 1000, 3, 7); },
      [](BatchOrder& order) { order.set_repeated(1000, 300, true, 3, 7); },
  };
  for (const auto set : orders) {
    const std::vector<std::int64_t> one_by_one = rows(1, set);
    for (const std::int64_t count : {7, 100, 100'000}) EXPECT_EQ(rows(count, set), one_by_one) << count;
  }
}

TEST(BatchOrderTest, TheLengthOfAnEpochTakesNoMemory) {
  constexpr std::int64_t kMany = std::int64_t{1} << 40;
  BatchOrder order(32);
  for (int k = 0; k < 4; ++k) {
    if (k == 0) order.set_sequential(kMany * 32);
    if (k == 1) order.set_shuffled(kMany * 32, 1, 2);
    if (k == 2) order.set_repeated(100, kMany, true, 1, 2);
    if (k == 3) order.set_repeated(kMany, kMany, true, 1, 2);
    EXPECT_EQ(order.num_steps(), kMany);
    const std::vector<std::int64_t> first = step_of(order, 0), last = step_of(order, kMany - 1);
    EXPECT_NE(first, last);
    EXPECT_EQ(step_of(order, 0), first) << "going back";
    for (const std::int64_t row : last) EXPECT_TRUE(row >= 0 && row < kMany * 32);
  }
}

TEST(BatchOrderTest, MoreRowsThanCanBeCountedAreRefused) {
  BatchOrder order(32);
  EXPECT_THROW(order.set_repeated(10, std::int64_t{1} << 60, true, 1, 2), Error);
}

TEST(BatchOrderTest, GivenRowsMustExist) {
  BatchOrder order(2);
  const std::vector<std::int64_t> good = {2, 2, 0};
  order.set_rows(good, 3);
  EXPECT_EQ(order.num_steps(), 2);
  EXPECT_EQ(rows_of(order), good);
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
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's allocator ends the program instead";
  BatchOrder order(std::int64_t{1} << 58);
  order.set_sequential(3);
  try {
    order.steps(0, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    EXPECT_NE(std::string(error.what()).find("2305843009213693952 bytes"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
