#include "cornu/keras/config/custom_objects.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

TEST(CustomObjectsTest, CopiesHaveFunctionsOfTheirOwn) {
  CustomObjects objects;
  EXPECT_FALSE(objects.losses.contains("demo>Mine"));
  objects.losses["demo>Mine"] = [](const Config&) { return losses::Huber().shared(); };
  CustomObjects copy = objects;
  copy.losses["demo>Other"] = objects.losses["demo>Mine"];
  EXPECT_TRUE(copy.losses.contains("demo>Other"));
  EXPECT_FALSE(objects.losses.contains("demo>Other"));
  const CustomObjects moved = std::move(copy);
  ASSERT_NE(moved.losses.find("demo>Mine"), nullptr);
  EXPECT_NE((*moved.losses.find("demo>Mine"))(Config()), nullptr);
  EXPECT_EQ(moved.losses.find("demo>None"), nullptr);
}

TEST(CustomObjectsTest, ObjectsThatWereMovedFromAreEmptyAndUsable) {
  CustomObjects objects;
  objects.layers["Mine"] = [](const Config&) { return layers::Flatten().shared(); };
  const CustomObjects moved = std::move(objects);
  const CustomObjects copy = objects;  // NOLINT(bugprone-use-after-move): the state is specified
  EXPECT_FALSE(copy.layers.contains("Mine"));
  objects.layers["Mine"] = *moved.layers.find("Mine");
  EXPECT_TRUE(objects.layers.contains("Mine"));
}

}  // namespace
}  // namespace cornu::inline v0::keras
