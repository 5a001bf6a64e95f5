#include "cornu/keras/layer/deferred_initialization.h"

#include <gtest/gtest.h>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

TEST(DeferredInitializationTest, LayersGetZerosWithinTheBudgetOnly) {
  const layers::Dense fits({.units = 3}), too_large({.units = 3, .name = "large"});
  {
    const DeferredInitialization deferred(4 * (2 * 3 + 3) + 35);  // one layer, and a byte less than another
    EXPECT_EQ(DeferredInitialization::current(), &deferred);
    fits->build_once({kUnknown, 2});
    expect_error(ErrorCode::kResourceExhausted, {"weight \"large/bias\"", "may claim 71 bytes"},
                 [&] { too_large->build_once({kUnknown, 2}); });
  }
  EXPECT_EQ(DeferredInitialization::current(), nullptr);
  EXPECT_EQ(fits.kernel().read(), ir::Literal({DType::kF32, {2, 3}}));
  EXPECT_TRUE(too_large.weights().empty()) << "a build that fails leaves no weights";
  too_large->build_once({kUnknown, 2});
  EXPECT_NE(too_large.kernel().read(), ir::Literal({DType::kF32, {2, 3}})) << "initializers run again";
}

TEST(DeferredInitializationTest, AnInnerScopeHasABudgetOfItsOwn) {
  const DeferredInitialization outer(0);
  {
    const DeferredInitialization inner(100);
    layers::Dense({.units = 3})->build_once({kUnknown, 2});
    EXPECT_EQ(DeferredInitialization::current(), &inner);
  }
  EXPECT_EQ(DeferredInitialization::current(), &outer);
}

TEST(WeightLimitTest, WeightsTogetherStayBelowTheLimitOfTheInnermostScope) {
  const TensorType type{DType::kF32, {5}};
  WeightLimit::claim({DType::kF32, {1 << 20, 1 << 20}}, "without_a_limit");
  const WeightLimit outer(20);
  {
    const WeightLimit inner(40);
    WeightLimit::claim(type, "a");
    WeightLimit::claim(type, "b");
    expect_error(ErrorCode::kResourceExhausted, {"weight \"c\"", "may have 40 bytes"},
                 [&] { WeightLimit::claim(type, "c"); });
  }
  WeightLimit::claim(type, "d");
  expect_error(ErrorCode::kResourceExhausted, {"weight \"e\""}, [&] { WeightLimit::claim(type, "e"); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
