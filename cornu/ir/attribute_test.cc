#include "cornu/ir/attribute.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0::ir {
namespace {

TEST(AttributesTest, AreSortedByNameAndReplacedByTheLast) {
  Attributes attributes{{"b", std::int64_t{1}}, {"a", true}};
  attributes.set("b", std::int64_t{2});
  std::string names;
  for (const auto& [name, value] : attributes) names += name;
  EXPECT_EQ(names, "ab");
  EXPECT_EQ(attributes.get<std::int64_t>("b"), 2);
  EXPECT_EQ(attributes.find("c"), nullptr);
  EXPECT_TRUE(Attributes().empty());
}

TEST(AttributesTest, EqualityIsOfNamesAndValues) {
  const Attributes a{{"x", std::int64_t{1}}, {"y", std::string("s")}};
  EXPECT_EQ(a, (Attributes{{"y", std::string("s")}, {"x", std::int64_t{1}}}));
  EXPECT_NE(a, (Attributes{{"x", std::int64_t{1}}}));
  EXPECT_NE((Attributes{{"x", std::int64_t{1}}}), (Attributes{{"x", 1.0}}));
}

TEST(AttributesTest, AskingForAnotherTypeIsRefused) {
  const Attributes a{{"x", std::int64_t{1}}};
  EXPECT_THROW(a.get<bool>("x"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::ir
