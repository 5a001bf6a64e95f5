#include "cornu/ir/type.h"

#include <gtest/gtest.h>

#include <set>

#include "cornu/base/error.h"

namespace cornu::inline v0::ir {
namespace {

TEST(TensorTypeTest, CountsElementsAndBytes) {
  const TensorType matrix{DType::kF64, {2, 3}};
  EXPECT_EQ(matrix.num_elements(), 6);
  EXPECT_EQ(matrix.size_bytes(), 48u);
  EXPECT_EQ(matrix.rank(), 2);
  EXPECT_EQ((TensorType{DType::kI1, {}}).num_elements(), 1);
  EXPECT_EQ((TensorType{DType::kI1, {3, 0}}).num_elements(), 0);
}

TEST(TensorTypeTest, PrintsAsStableHloAndShapesAsNumPy) {
  EXPECT_EQ((TensorType{DType::kU32, {2, 3}}).str(), "tensor<2x3xui32>");
  EXPECT_EQ((TensorType{DType::kF32, {}}).str(), "tensor<f32>");
  EXPECT_EQ(shape_str({20, 3}), "(20, 3)");
  EXPECT_EQ(shape_str({20}), "(20,)");
  EXPECT_EQ(shape_str({}), "()");
}

TEST(TensorTypeTest, StridesAreRowMajor) { EXPECT_EQ(row_major_strides({2, 3, 4}), (Dims{12, 4, 1})); }

TEST(WordOfTest, EqualTypesHaveOneWordAndOthersHaveOthers) {
  const std::vector<TensorType> types = {
      {DType::kF32, {}},        {DType::kI1, {}},         {DType::kF32, {0}},         {DType::kF32, {0, 0}},
      {DType::kF32, {8191, 1}}, {DType::kF32, {2, 3}},    {DType::kF32, {3, 2}},      {DType::kI32, {2, 3}},
      {DType::kF32, {2, 3, 0}}, {DType::kF32, {1, 8191}}, {DType::kF64, {1, 2, 3, 4}}};
  std::set<std::uint64_t> words;
  for (const TensorType& type : types) {
    EXPECT_EQ(fingerprint(type), fingerprint(TensorType(type)));
    words.insert(fingerprint(type));
  }
  EXPECT_EQ(words.size(), types.size());
  EXPECT_EQ(words.count(0), 0u);
}

TEST(WordOfTest, IsZeroForWhatDoesNotFit) {
  EXPECT_EQ(fingerprint({DType::kF32, {8192}}), 0u);
  EXPECT_EQ(fingerprint({DType::kF32, {1, 2, 3, 4, 5}}), 0u);
  EXPECT_EQ(fingerprint({DType::kF32, {-1}}), 0u);
}

TEST(CheckTypeTest, RejectsNegativeExtentsAndOverflow) {
  EXPECT_THROW(check_type({DType::kF32, {2, -1}}), Error);
  EXPECT_THROW(check_type({DType::kF32, {std::int64_t{1} << 61, 2}}), Error);
  EXPECT_THROW(check_type({DType::kF64, {std::int64_t{1} << 40, std::int64_t{1} << 40}}), Error);
  EXPECT_THROW(check_type({DType::kF64, {0, std::int64_t{1} << 40, std::int64_t{1} << 40}}), Error);
  EXPECT_NO_THROW(check_type({DType::kI8, {std::int64_t{1} << 62}}));
}

}  // namespace
}  // namespace cornu::inline v0::ir
