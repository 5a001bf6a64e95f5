#include "cornu/ops/random_bits/random_bits.h"

#include <gtest/gtest.h>

#include <set>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/threefry2x32/threefry2x32.h"

namespace cornu::inline v0::ops::random_bits_folder {
namespace {

using ir::DType;

TEST(RandomBitsTest, RejectsOperandsThatAreNoUi32Scalars) {
  EXPECT_EQ(error_label({{DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { random_bits(b, v[0], v[0], v[0], {3}); }),
            "[cornu.random_bits] keys and counter1 must be ui32 scalars; got tensor<i32>");
}

TEST(RandomBitsTest, RejectsMoreElementsThanOneCounterHas) {
  EXPECT_EQ(
      error_label({{DType::kU32, {}}},
                  [](ir::Builder& b, Operands v) { random_bits(b, v[0], v[0], v[0], {1 << 20, 1 << 13}); }),
      "[cornu.random_bits] at most 2^32 elements can be drawn with one counter; got shape (1048576, 8192)");
}

std::vector<std::uint32_t> bits(ir::Dims dims) {
  std::vector<ir::Literal> inputs;
  for (std::uint32_t word : {1u, 2u, 3u}) inputs.push_back(ir::Literal::of<std::uint32_t>({}, {word}));
  return elements<std::uint32_t>(
      run_op(inputs, [&](ir::Builder& b, Operands v) { return random_bits(b, v[0], v[1], v[2], dims); })[0]);
}

TEST(RandomBitsTest, MoreRowsDoNotChangeTheRowsBefore) {
  const std::vector<std::uint32_t> few = bits({2, 5}), many = bits({7, 5});
  EXPECT_EQ(few, std::vector<std::uint32_t>(many.begin(), many.begin() + 10));
  EXPECT_EQ(std::set<std::uint32_t>(many.begin(), many.end()).size(), many.size());
}

TEST(RandomBitsTest, IsBothWordsOfTheBlockOfTheElement) {
  std::vector<ir::Literal> inputs;
  for (std::uint32_t word : {1u, 2u, 4u, 3u}) inputs.push_back(ir::Literal::of<std::uint32_t>({}, {word}));
  const auto y = run_op(inputs, [](ir::Builder& b, Operands v) {
    const std::vector<ir::Value> words = threefry2x32(b, v[0], v[1], v[2], v[3]);
    return xor_(b, words[0], words[1]);
  });
  EXPECT_EQ(bits({2, 3})[4], y[0].data<std::uint32_t>()[0]);
}

}  // namespace
}  // namespace cornu::inline v0::ops::random_bits_folder
