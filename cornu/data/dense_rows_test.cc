#include "cornu/data/dense_rows.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {
namespace {

using Ids = std::vector<std::int64_t>;

Ragged three_rows() { return Ragged(Tensor(Ids{4, 5, 6, 7}), {0, 1, 1, 4}); }

TEST(DenseRowsTest, FillsUpWithAbsentIdsToTheLongestRowOrTheLength) {
  const Tensor longest = dense_rows(three_rows());
  EXPECT_EQ(longest.type(), (TensorType{DType::kI64, {3, 3}}));
  EXPECT_EQ(longest.to_vector<std::int64_t>(), (Ids{4, -1, -1, -1, -1, -1, 5, 6, 7}));
  EXPECT_EQ(dense_rows(three_rows(), {.length = 4}).to_vector<std::int64_t>(),
            (Ids{4, -1, -1, -1, -1, -1, -1, -1, 5, 6, 7, -1}));
}

TEST(DenseRowsTest, FillsUpWeightsWithZerosAndAnyRowsWithTheNumberGiven) {
  const Ragged weights(Tensor(std::vector<float>{0.5F, 2.0F}), {0, 2, 2});
  EXPECT_EQ(dense_rows(weights).to_vector<float>(), (std::vector<float>{0.5F, 2.0F, 0, 0}));
  EXPECT_EQ(dense_rows(weights, {.padding_value = 7}).to_vector<float>(),
            (std::vector<float>{0.5F, 2.0F, 7, 7}));
}

TEST(DenseRowsTest, RefusesLongerRowsUnlessTheyMayBeCutOff) {
  EXPECT_EQ(
      error_text_of([] { dense_rows(three_rows(), {.length = 2}); }),
      "[dense_rows] row 2 has 3 values, more than length = 2: give a larger length, or truncate = true to "
      "cut the ends of long rows off");
  EXPECT_EQ(dense_rows(three_rows(), {.length = 2, .truncate = true}).to_vector<std::int64_t>(),
            (Ids{4, -1, -1, -1, 5, 6}));
  EXPECT_EQ(dense_rows(three_rows(), {.length = 0, .truncate = true}).shape(), (Dims{3, 0}));
}

TEST(DenseRowsTest, RefusesWhatHasNoPadding) {
  EXPECT_EQ(error_text_of([] { dense_rows(three_rows(), {.length = -1}); }),
            "[dense_rows] length must not be negative; got length = -1");
  EXPECT_EQ(error_text_of([] { dense_rows(Ragged(Strings({"a"}), {0, 1})); }),
            "[dense_rows] the rows must be lists of numbers; got values of string (1,): number them by a "
            "StringLookup first");
  EXPECT_EQ(error_text_of([] { dense_rows(Ragged(Tensor::zeros({1, 2}), {0, 1})); }),
            "[dense_rows] the rows must be lists of numbers; got values of float32 (1, 2)");
  EXPECT_EQ(error_text_of([] { dense_rows(Ragged(Tensor(std::vector<std::uint8_t>{1}), {0, 1})); }),
            "[dense_rows] padding_value -1 does not fit uint8: give another one, or rows of signed integers");
  EXPECT_EQ(error_text_of([] { dense_rows(three_rows(), {.padding_value = Tensor::zeros({2})}); }),
            "[dense_rows] padding_value must be a number; got (2,) float32");
}

TEST(DenseRowsTest, ADataSetOfRaggedRowsBecomesOneOfTensors) {
  const Dataset batches =
      Dataset::from_tensor_slices({{"ids", three_rows()}, {"age", Tensor(Ids{20, 30, 40})}})
          .batch(2)
          .map([](const Element& batch) { return dense_rows(batch, {.length = 3}); });
  const std::vector<Element> all = batches.to_vector();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["ids"].tensor().to_vector<std::int64_t>(), (Ids{4, -1, -1, -1, -1, -1}));
  EXPECT_EQ(all[1]["ids"].tensor().to_vector<std::int64_t>(), (Ids{5, 6, 7}));
  EXPECT_EQ(all[1]["age"].tensor().to_vector<std::int64_t>(), (Ids{40}));
}

}  // namespace
}  // namespace cornu::inline v0::data
