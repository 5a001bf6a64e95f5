#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {
namespace {

using Texts = std::vector<std::string>;

TEST(StringsTest, AreFilledTextByText) {
  Strings names;
  EXPECT_EQ(names.shape(), (Dims{0}));
  Texts wanted;
  for (int i = 0; i < 1000; ++i) {
    wanted.push_back("name " + std::to_string(i * i));
    names.push_back(wanted.back());
  }
  EXPECT_EQ(names.to_vector(), wanted);
  const std::vector<Element> batches = Dataset::from_tensor_slices(names).batch(600).to_vector();
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[1].strings()[399], wanted.back());
}

TEST(StringsTest, WhatWasTakenBeforeStaysAsItIs) {
  Strings names{"a", "b"};
  const Strings copy = names, rows = names.rows(1, 2);
  const Text text = names.text(0);
  names.push_back("c");
  const Text later = names.text(2);
  Strings other = names;
  other.push_back("d");
  for (int i = 0; i < 100; ++i) names.push_back(std::string(100, 'x'));
  EXPECT_EQ(copy.to_vector(), (Texts{"a", "b"}));
  EXPECT_EQ(rows.to_vector(), (Texts{"b"}));
  EXPECT_EQ(text.view(), "a");
  EXPECT_EQ(later.view(), "c");
  EXPECT_EQ(other.to_vector(), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(names.size(), 103);
  Strings part = names.rows(1, 3);
  part.push_back("end");
  EXPECT_EQ(part.to_vector(), (Texts{"b", "c", "end"}));
}

TEST(StringsTest, ATextOfTheirOwnMayBeAdded) {
  Strings names;
  names.push_back("a text that is long enough to have memory of its own");
  for (int i = 0; i < 20; ++i) names.push_back(names[names.size() - 1]);
  EXPECT_EQ(names[20], names[0]);
}

TEST(StringsTest, ComeFromAnyRangeOfTexts) {
  const std::vector<std::string_view> views = {"a", "b"};
  const std::array<const char*, 2> characters = {"a", "b"};
  const char* const plain[] = {"a", "b"};
  for (const Strings& strings :
       {Strings(views), Strings(characters), Strings(plain), Strings(Texts{"a", "b"})})
    EXPECT_EQ(strings.to_vector(), (Texts{"a", "b"}));
}

TEST(StringsTest, OnlyThoseOfOneAxisGrow) {
  Strings table(Dims{1, 2}, Texts{"a", "b"});
  expect_contains(error_of([&] { table.push_back("c"); }), ErrorCode::kInvalidArgument,
                  {"[strings] push_back needs texts of one axis", "(1, 2)"});
  Strings one(Dims{}, Texts{"a"});
  expect_contains(error_of([&] { one.push_back("c"); }), ErrorCode::kInvalidArgument, {"()"});
}

}  // namespace
}  // namespace cornu::inline v0::data
