#include "cornu/keras/trainer/data_tuple.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0::keras::utils {
namespace {

using data::Element;

TEST(DataTupleTest, PartsAreUnpackedAndPackedAgain) {
  const Element x = 1, y = 2, weight = 3, pair = Element({x, y});
  const auto same = [](const Element& a, const Element& b) { EXPECT_EQ(a.str(), b.str()); };
  same(unpack_x_y_sample_weight(x).x, x);
  EXPECT_FALSE(unpack_x_y_sample_weight(x).y.has_value());
  const XYSampleWeight three = unpack_x_y_sample_weight(Element({x, y, weight}));
  same(*three.y, y);
  same(*three.sample_weight, weight);
  EXPECT_FALSE(unpack_x_y_sample_weight(pair).sample_weight.has_value());
  same(pack_x_y_sample_weight(x), x);
  same(pack_x_y_sample_weight(x, y), pair);
  same(pack_x_y_sample_weight(x, y, weight), Element({x, y, weight}));
  same(unpack_x_y_sample_weight(pack_x_y_sample_weight(pair)).x, pair);
  const Element named({Element::Named("a", x), Element::Named("b", y)});
  same(unpack_x_y_sample_weight(named).x, named);
  same(pack_x_y_sample_weight(named), named);
}

TEST(DataTupleTest, RefusesOtherNumbersOfParts) {
  EXPECT_THROW((void)unpack_x_y_sample_weight(Element({Element(1), 2, 3, 4})), Error);
  EXPECT_THROW((void)unpack_x_y_sample_weight(Element(std::vector<Element>())), Error);
  EXPECT_THROW((void)pack_x_y_sample_weight(Element(1), {}, Element(2)), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils
