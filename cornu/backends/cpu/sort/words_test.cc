#include "cornu/backends/cpu/sort/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::cpu {
namespace {

TEST(SortWordsTest, EqualsAStableSortAtAllSizesAndKeys) {
  std::mt19937_64 random(5);
  for (const std::int64_t count : {0, 1, 7, 8, 9, 16, 31, 100, 511, 512, 513, 5000})
    for (const int key_bytes : {1, 2, 4}) {
      SCOPED_TRACE(std::to_string(count) + " keys of " + std::to_string(key_bytes));
      std::vector<Word> words, other(static_cast<std::size_t>(count));
      for (std::int64_t i = 0; i < count; ++i)
        words.push_back((random() & ((std::uint64_t{1} << (8 * key_bytes)) - 1)) << 32 |
                        static_cast<Word>(i));
      std::vector<Word> expected = words;
      std::sort(expected.begin(), expected.end());
      const Word* const sorted = sort_words(words.data(), other.data(), count, 0xffffffff);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sorted));
      std::vector<WideWord> wide, wide_other(static_cast<std::size_t>(count));
      for (std::int64_t i = 0; i < count; ++i)
        wide.push_back({random() >> (64 - 16 * key_bytes), static_cast<std::uint32_t>(i)});
      std::vector<WideWord> wide_expected = wide;
      std::sort(wide_expected.begin(), wide_expected.end());
      const WideWord* const wide_sorted =
          sort_words(wide.data(), wide_other.data(), count, ~std::uint64_t{0});
      for (std::int64_t i = 0; i < count; ++i)
        EXPECT_EQ(wide_sorted[i].number, wide_expected[static_cast<std::size_t>(i)].number) << i;
    }
}

TEST(SortWordsTest, PartsOfALineGiveTheSameOrder) {
  std::mt19937_64 random(6);
  ThreadPool pool(3);
  alignas(64) std::array<std::uint32_t, 5 * LineParts::kBytes / 4> memory;
  for (const int shift : {0, 32, 53}) {
    SCOPED_TRACE("keys shifted by " + std::to_string(shift));
    std::vector<WideWord> words(10007), other(words.size());
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = {random() >> shift << 3, i};
    std::vector<WideWord> expected = words;
    std::sort(expected.begin(), expected.end());
    const WideWord* const sorted = sort_words(words.data(), other.data(), std::ssize(words),
                                              ~std::uint64_t{0} >> shift << 3, {&pool, 5, memory.data()});
    for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(sorted[i].number, expected[i].number) << i;
  }
}

std::uint32_t key_of(float x, const KeyForm& form) {
  return ordered_key(std::bit_cast<std::uint32_t>(x), form);
}

TEST(OrderedKeyTest, FloatsAreInTheirOrderWithOneZeroAndNanLast) {
  const KeyForm form = *key_form(ir::DType::kF32, {0, SortOrder::kLess | SortOrder::kRightNan, false});
  const std::vector<float> ascending = {-INFINITY, -2, -1e-40F, 0, 1e-40F, 2, INFINITY, NAN};
  for (std::size_t i = 1; i < ascending.size(); ++i)
    EXPECT_LT(key_of(ascending[i - 1], form), key_of(ascending[i], form)) << ascending[i];
  EXPECT_EQ(key_of(-0.0F, form), key_of(0.0F, form));
  EXPECT_EQ(key_of(-NAN, form), key_of(NAN, form));
}

TEST(OrderedKeyTest, TotalOrderDistinguishesZerosAndSignsOfNan) {
  const KeyForm form = *key_form(ir::DType::kF32, {0, SortOrder::kGreater, true});
  const std::vector<float> descending = {NAN, INFINITY, 1, 0.0F, -0.0F, -1, -INFINITY, -NAN};
  for (std::size_t i = 1; i < descending.size(); ++i)
    EXPECT_LT(key_of(descending[i - 1], form), key_of(descending[i], form)) << i;
}

TEST(OrderedKeyTest, ElementsFollowFromInvertibleKeys) {
  for (const std::uint8_t before : {SortOrder::kLess, SortOrder::kGreater})
    for (const ir::DType dtype : {ir::DType::kI16, ir::DType::kU16, ir::DType::kBF16}) {
      const KeyForm form = *key_form(dtype, {0, before, true});
      ASSERT_TRUE(is_invertible(form));
      for (int bits = 0; bits < 65536; ++bits)
        ASSERT_EQ(element_of_key(ordered_key(static_cast<std::uint16_t>(bits), form), form), bits);
    }
}

TEST(OrderedKeyTest, OrdersThatAreNotStrictHaveNoKeys) {
  EXPECT_FALSE(key_form(ir::DType::kI32, {0, SortOrder::kLess | SortOrder::kEqual, false}));
  EXPECT_FALSE(key_form(ir::DType::kF32, {0, SortOrder::kLess | SortOrder::kLeftNan, false}));
  EXPECT_TRUE(key_form(ir::DType::kI8, {0, SortOrder::kGreater, false}));
}

TEST(TopKTest, FindsFewAndManyWithEqualElementsInTheirOrder) {
  std::mt19937 random(3);
  ir::Literal x(ir::TensorType{ir::DType::kF32, {3, 400}}), n(ir::TensorType{ir::DType::kI64, {3, 400}});
  for (float& v : x.mutable_data<float>()) v = static_cast<float>(random() % 97) - 40;
  for (std::int64_t& v : n.mutable_data<std::int64_t>()) v = static_cast<std::int64_t>(random() % 97) - 40;
  x.mutable_data<float>()[5] = NAN;
  expect_as_reference({x, n}, [](ir::Builder& b, std::span<const ir::Value> v) -> std::vector<ir::Value> {
    std::vector<ir::Value> results;
    for (const std::int64_t k : {1, 5, 33, 400})
      for (const ir::Value& operand : v)
        for (const ir::Value& result : ops::top_k(b, operand, k)) results.push_back(result);
    return results;
  });
}

TEST(SortTest, LinesAreSortedByTwoKeys) {
  std::mt19937 random(4);
  ir::Literal x(ir::TensorType{ir::DType::kF64, {600, 3}}), n(ir::TensorType{ir::DType::kI8, {600, 3}});
  for (double& v : x.mutable_data<double>()) v = static_cast<double>(random() % 7) - 3;
  for (std::int8_t& v : n.mutable_data<std::int8_t>()) v = static_cast<std::int8_t>(random() % 9 - 4);
  expect_as_reference({x, n}, [](ir::Builder& b, std::span<const ir::Value> v) -> std::vector<ir::Value> {
    const auto by = [](std::size_t first, std::size_t second) {
      return [=](ir::Builder& builder, std::span<const ir::Value> e) {
        using D = ops::ComparisonDirection;
        return ops::or_(builder, ops::compare(builder, e[first], e[first + 1], D::kLt),
                        ops::and_(builder, ops::compare(builder, e[first], e[first + 1], D::kEq),
                                  ops::compare(builder, e[second], e[second + 1], D::kGt)));
      };
    };
    std::vector<ir::Value> results = ops::sort(b, {v[0], v[1]}, by(0, 2), {.dimension = 0});
    for (const ir::Value& other : ops::sort(b, {v[0], v[1]}, by(2, 0), {.dimension = 1}))
      results.push_back(other);
    return results;
  });
}

TEST(SortTest, LongLinesAreSortedInParts) {
  std::mt19937 random(8);
  ir::Literal x(ir::TensorType{ir::DType::kI32, {17000, 2}}), y(ir::TensorType{ir::DType::kF32, {17000, 2}});
  for (std::int32_t& v : x.mutable_data<std::int32_t>()) v = static_cast<std::int32_t>(random() % 3000) - 900;
  for (float& v : y.mutable_data<float>()) v = static_cast<float>(random() % 5000) / 8;
  expect_as_reference({x, y}, [](ir::Builder& b, std::span<const ir::Value> v) -> std::vector<ir::Value> {
    const auto by = [](std::size_t key, ops::ComparisonDirection direction) {
      return [=](ir::Builder& builder, std::span<const ir::Value> e) {
        return ops::compare(builder, e[key], e[key + 1], direction);
      };
    };
    std::vector<ir::Value> results =
        ops::sort(b, {v[0], v[1]}, by(0, ops::ComparisonDirection::kGt), {.dimension = 0});
    for (const ir::Value& other :
         ops::sort(b, {v[0], v[1]}, by(2, ops::ComparisonDirection::kLt), {.dimension = 0}))
      results.push_back(other);
    return results;
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
