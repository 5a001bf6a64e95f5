#include "cornu/data/element.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {
namespace {

/// One element of each kind.
std::vector<Element> one_of_each_kind() {
  return {Element(5),
          Element(Tensor::of<float>({2}, {1, 2})),
          Element(Text("Rome")),
          Element(Strings({"a", "bc"})),
          Element(Ragged(Element(std::vector<int>{1, 2, 3}), {0, 1, 3})),
          Element(Dataset::range(3).stage()),
          Element({{"age", 3}, {"city", Text("Rome")}}),
          Element()};
}

TEST(ElementTest, CopiesAndMovesKeepTheKindAndTheContents) {
  for (const Element& element : one_of_each_kind()) {
    Element copy = element;
    EXPECT_EQ(copy.type_str(), element.type_str());
    EXPECT_EQ(copy.str(), element.str());
    const Element moved = std::move(copy);
    EXPECT_EQ(moved.str(), element.str());
  }
}

TEST(ElementTest, AssignmentExchangesEachKindForEachOther) {
  const std::vector<Element> all = one_of_each_kind();
  for (const Element& from : all) {
    for (const Element& to : all) {
      Element copied = to, moved = to;
      copied = from;
      moved = Element(from);
      EXPECT_EQ(copied.str(), from.str());
      EXPECT_EQ(moved.str(), from.str());
    }
  }
}

TEST(ElementTest, CanBeReplacedByAPartOfItself) {
  Element nested({Element({1, Text("inner")}), 2});
  nested = nested[0];
  EXPECT_EQ(nested.str(), Element({1, Text("inner")}).str());
  Element& same = nested;
  nested = std::move(same);
  EXPECT_EQ(nested.size(), 2U);
}

TEST(ElementTest, RefusesAnUndefinedTensor) {
  expect_error(ErrorCode::kInvalidArgument, {"[data]", "undefined tensor"}, [] { Element{Tensor()}; });
}

}  // namespace
}  // namespace cornu::inline v0::data
