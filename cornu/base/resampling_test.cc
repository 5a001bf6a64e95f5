#include "cornu/base/resampling.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0 {
namespace {

TEST(ResamplingTest, RefusesLinesWithoutElements) {
  for (const ResampleMethod method :
       {ResampleMethod::kNearest, ResampleMethod::kBilinear, ResampleMethod::kArea}) {
    EXPECT_THROW(resample_taps(0, 2, {.method = method}), Error);
    EXPECT_THROW(resample_taps(2, 0, {.method = method}), Error);
    EXPECT_EQ(resample_taps(1, 2, {.method = method}).first.size(), 2U);
  }
}

}  // namespace
}  // namespace cornu::inline v0
