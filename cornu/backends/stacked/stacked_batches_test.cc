#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "cornu/backends/stacked/gather.h"
#include "cornu/backends/stacked/stack_sizes.h"
#include "cornu/backends/stacked/stacked_batches.h"

namespace cornu::inline v0::backends::stacked {
namespace {

using Indices = std::vector<std::int64_t>;

TEST(GatherRowsTest, CopiesRowsInTheOrderOfTheirIndices) {
  const std::vector<std::int32_t> data = {0, 1, 10, 11, 20, 21, 30, 31};
  const Indices indices = {3, 1, 2, 2, 0};
  std::vector<std::int32_t> rows(10, -1);
  gather_rows(reinterpret_cast<const std::byte*>(data.data()), 8, indices,
              reinterpret_cast<std::byte*>(rows.data()));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{30, 31, 10, 11, 20, 21, 20, 21, 0, 1}));
}

TEST(GatherRowsTest, RowsWithoutBytesAndNoRowsReadAndWriteNothing) {
  std::vector<std::int32_t> rows = {1, 2, 3, 4};
  auto* const to = reinterpret_cast<std::byte*>(rows.data());
  gather_rows(nullptr, 0, Indices{0, 1}, to);
  gather_rows(nullptr, 8, {}, to);
  EXPECT_EQ(rows, (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST(StackSizesTest, TheLargestIsAPowerOfTwoWithinTheLimits) {
  EXPECT_EQ(StackSizes(400, {.max_steps = 1024}).largest(), 1024);
  EXPECT_EQ(StackSizes(400, {.max_steps = 1000}).largest(), 512);
  EXPECT_EQ(StackSizes(400, {.max_steps = 1024, .max_bytes = 40000}).largest(), 64);
  EXPECT_EQ(StackSizes(1 << 30, {}).largest(), 1) << "one step may be larger than the limit";
  EXPECT_EQ(StackSizes(0, {.max_steps = 8}).largest(), 8);
}

TEST(StackSizesTest, AProgramThatIsThereIsTakenUnlessMostOfItWouldBePadding) {
  const StackSizes sizes(40000, {});
  EXPECT_EQ(sizes.choose(5, {}), 8);
  EXPECT_EQ(sizes.choose(1, {}), 1);
  EXPECT_EQ(sizes.choose(5, Indices{1, 4, 16, 64}), 16);
  EXPECT_EQ(sizes.choose(5, Indices{64}), 8) << "64 steps for 5 would send 13 times their bytes";
  EXPECT_EQ(sizes.choose(16, Indices{64, 32}), 32);
}

TEST(StackSizesTest, ASmallStackIsSentWhateverItsPadding) {
  const StackSizes sizes(400, {});
  EXPECT_EQ(sizes.choose(5, Indices{64}), 64) << "26 KB are sooner sent than a program is compiled";
  EXPECT_EQ(sizes.choose(1, Indices{1024}), 1) << "410 KB";
}

TEST(StackedBatchesTest, RowsOfManyStepsLieBehindEachOther) {
  const std::vector<std::int32_t> x = {0, 1, 2, 3, 4}, y = {0, 0, 10, 11, 20, 21, 30, 31, 40, 41};
  const std::byte* const bases[] = {reinterpret_cast<const std::byte*>(x.data()),
                                    reinterpret_cast<const std::byte*>(y.data())};
  const Indices indices = {4, 3, 2, 1, 0, 2};  // three steps of two rows
  StackedBatches stacks({4, 8}, 2);
  stacks.gather({bases, indices.data()}, 1, 2, 4);
  EXPECT_EQ(stacks.size_bytes(), 4U * 2 * (4 + 8));
  const auto values = [&](std::size_t stack, std::size_t count) {
    const auto* data = reinterpret_cast<const std::int32_t*>(stacks.addresses()[stack]);
    return std::vector<std::int32_t>(data, data + count);
  };
  EXPECT_EQ(values(0, 8), (std::vector<std::int32_t>{2, 1, 0, 2, 0, 0, 0, 0}))
      << "steps that are not there are zero";
  EXPECT_EQ(values(1, 8), (std::vector<std::int32_t>{20, 21, 10, 11, 0, 0, 20, 21}));
  const std::byte* const before = stacks.addresses()[0];
  stacks.gather({bases, indices.data()}, 0, 1, 2);
  EXPECT_EQ(stacks.addresses()[0], before) << "memory is kept";
  EXPECT_EQ(values(0, 2), (std::vector<std::int32_t>{4, 3}));
}

}  // namespace
}  // namespace cornu::inline v0::backends::stacked
