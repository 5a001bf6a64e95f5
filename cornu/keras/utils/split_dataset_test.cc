#include "cornu/keras/utils/split_dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::utils {
namespace {

std::vector<std::int64_t> numbers(const data::Dataset& dataset) {
  std::vector<std::int64_t> found;
  for (const data::Element& element : dataset) found.push_back(element.item<std::int64_t>());
  return found;
}

using Numbers = std::vector<std::int64_t>;

TEST(SplitDatasetTest, SizesAreCountsOrShares) {
  const data::Dataset ten = data::Dataset::range(10);
  const auto [left, right] = split_dataset(ten, {.left_size = 0.25});
  EXPECT_EQ(numbers(left), (Numbers{0, 1})) << "2.5 is rounded to 2, as in Python";
  EXPECT_EQ(numbers(right).size(), 8U);
  const auto [first, last] = split_dataset(ten, {.left_size = 3, .right_size = 0.2});
  EXPECT_EQ(numbers(first), (Numbers{0, 1, 2}));
  EXPECT_EQ(numbers(last), (Numbers{3, 4}));
}

TEST(SplitDatasetTest, ShuffledPartsStayApart) {
  const auto [left, right] =
      split_dataset(data::Dataset::range(20), {.right_size = 5, .shuffle = true, .seed = 3});
  Numbers all = numbers(left);
  EXPECT_EQ(all, numbers(left)) << "each pass has the same elements";
  EXPECT_FALSE(std::ranges::is_sorted(all));
  std::ranges::copy(numbers(right), std::back_inserter(all));
  std::ranges::sort(all);
  EXPECT_EQ(all, numbers(data::Dataset::range(20)));
}

TEST(SplitDatasetTest, SizesOutOfRangeAreRefused) {
  const data::Dataset four = data::Dataset::range(4);
  const auto refused = [&](const SplitDatasetOptions& options, const char* text) {
    expect_error(ErrorCode::kInvalidArgument, {text}, [&] { split_dataset(four, options); });
  };
  refused({}, "left_size or right_size must be given");
  refused({.left_size = 4}, "between 1 and 3");
  refused({.left_size = 1.5}, "between 0 and 1");
  refused({.left_size = 3, .right_size = 2}, "into 3 and 2");
  refused({.left_size = 0.1}, "into 0 and 4");
  expect_error(ErrorCode::kInvalidArgument, {"assert_cardinality"},
               [&] { split_dataset(four.repeat(), {.left_size = 1}); });
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils
