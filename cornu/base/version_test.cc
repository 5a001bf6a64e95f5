#include "cornu/version.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cornu::inline v0 {
namespace {

// The preprocessor can compare it.
#if CORNU_VERSION < 1
#error "there was no version before 0.0.1"
#endif

TEST(VersionTest, NumberAndTextAreMadeOfTheSameThreeNumbers) {
  EXPECT_STREQ(
      CORNU_VERSION_STRING,
      fmt::format("{}.{}.{}", CORNU_VERSION_MAJOR, CORNU_VERSION_MINOR, CORNU_VERSION_PATCH).c_str());
  EXPECT_EQ(CORNU_VERSION / 10000, CORNU_VERSION_MAJOR);
  EXPECT_EQ(CORNU_VERSION / 100 % 100, CORNU_VERSION_MINOR);
  EXPECT_EQ(CORNU_VERSION % 100, CORNU_VERSION_PATCH);
}

TEST(VersionTest, TheLibrarySaysItsOwn) {
  EXPECT_EQ(version(), CORNU_VERSION);
  EXPECT_STREQ(version_string(), CORNU_VERSION_STRING);
}

}  // namespace
}  // namespace cornu::inline v0
