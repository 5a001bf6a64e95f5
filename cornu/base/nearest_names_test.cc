#include "cornu/base/nearest_names.h"

#include <gtest/gtest.h>

namespace cornu::inline v0 {
namespace {

using Names = std::vector<std::string>;

TEST(NearestNamesTest, ASwapOfNeighboursIsOneEdit) {
  EXPECT_EQ(nearest_names("lanuch", Names{"launch", "lunch_box"}), Names{"launch"});
}

TEST(NearestNamesTest, NothingIsNearThatDiffersInMoreThanAThird) {
  EXPECT_TRUE(nearest_names("colour", Names{"launch"}).empty());
}

TEST(NearestNamesTest, TheProposalListsAllWhenNoneIsNear) {
  EXPECT_EQ(name_proposal("colour", Names{"launch", "step"}), "known: launch, step");
  EXPECT_EQ(name_proposal("Lauch", Names{"launch", "step"}), "did you mean \"launch\"?");
}

}  // namespace
}  // namespace cornu::inline v0
