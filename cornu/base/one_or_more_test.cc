#include "cornu/base/one_or_more.h"

#include <gtest/gtest.h>

#include <string>

namespace cornu::inline v0 {
namespace {

struct Options {
  OneOrMore<double> numbers = {};
  OneOrMore<std::string> texts = {"a"};
};

TEST(OneOrMoreTest, OneValueIsAListOfOne) {
  EXPECT_TRUE(Options().numbers.empty());
  EXPECT_EQ(Options().texts, std::vector<std::string>{"a"});
  const Options options = {.numbers = 1, .texts = "b"};
  EXPECT_EQ(options.numbers, std::vector<double>{1});
  EXPECT_EQ(options.texts, std::vector<std::string>{"b"});
}

TEST(OneOrMoreTest, ListsAndVectorsStayLists) {
  const std::vector<double> values = {0.5, 0.75};
  const Options listed = {.numbers = {0.5, 0.75}}, copied = {.numbers = values}, again = listed;
  EXPECT_EQ(listed.numbers, values);
  EXPECT_EQ(copied.numbers, values);
  EXPECT_EQ(again.numbers, values);
}

}  // namespace
}  // namespace cornu::inline v0
