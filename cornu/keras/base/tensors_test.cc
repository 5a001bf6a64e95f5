#include "cornu/keras/base/tensors.h"

#include <gtest/gtest.h>

#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::keras {
namespace {

TEST(TensorsTest, AreFoundByNameAndByIndex) {
  const Tensors named({{"title", Tensor(1.0F)}, {"body", Tensor(2.0F)}});
  EXPECT_EQ(named["body"].item<float>(), 2.0F);
  EXPECT_EQ(named.at("title").item<float>(), 1.0F);
  EXPECT_EQ(named[0].item<float>(), 1.0F);
  EXPECT_TRUE(named.contains("title"));
  EXPECT_FALSE(named.contains("titel"));
  expect_contains(error_of([&] { (void)named["titel"]; }), ErrorCode::kInvalidArgument,
                  {"\"titel\"", "did you mean \"title\"", "title, body"});
  const Tensors by_position({Tensor(1.0F), Tensor(2.0F)});
  EXPECT_FALSE(by_position.contains("title"));
  expect_contains(error_of([&] { (void)by_position["title"]; }), ErrorCode::kInvalidArgument,
                  {"these 2 tensors have no names", "index"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
