#include "cornu/ops/threefry2x32/threefry2x32.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::threefry2x32_folder {
namespace {

using ir::DType;

TEST(Threefry2x32Test, RejectsKeysThatAreNoUi32Scalars) {
  EXPECT_EQ(error_label({{DType::kI32, {}}, {DType::kU32, {4}}},
                        [](ir::Builder& b, Operands v) { threefry2x32(b, v[0], v[0], v[1], v[1]); }),
            "[cornu.threefry2x32] keys must be ui32 scalars; got tensor<i32>");
}

TEST(Threefry2x32Test, RejectsCountersOfDifferentShapes) {
  EXPECT_EQ(error_label({{DType::kU32, {}}, {DType::kU32, {4}}, {DType::kU32, {3}}},
                        [](ir::Builder& b, Operands v) { threefry2x32(b, v[0], v[0], v[1], v[2]); }),
            "[cornu.threefry2x32] counters must be ui32 of one shape; got tensor<4xui32> and tensor<3xui32>");
}

std::vector<std::uint32_t> words(std::uint32_t key0, std::uint32_t key1, std::uint32_t counter0,
                                 std::uint32_t counter1) {
  std::vector<ir::Literal> inputs;
  for (std::uint32_t word : {key0, key1, counter0, counter1})
    inputs.push_back(ir::Literal::of<std::uint32_t>({}, {word}));
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto y = run_op(
        inputs, [i](ir::Builder& b, Operands v) { return threefry2x32(b, v[0], v[1], v[2], v[3])[i]; });
    result.push_back(y[0].data<std::uint32_t>()[0]);
  }
  return result;
}

// The known-answer vectors that Random123 publishes (kat_vectors, threefry2x32, 20 rounds).
TEST(Threefry2x32Test, GivesThePublishedWords) {
  EXPECT_EQ(words(0, 0, 0, 0), (std::vector<std::uint32_t>{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(words(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff),
            (std::vector<std::uint32_t>{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(words(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3),
            (std::vector<std::uint32_t>{0xc4923a9c, 0x483df7a0}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::threefry2x32_folder
