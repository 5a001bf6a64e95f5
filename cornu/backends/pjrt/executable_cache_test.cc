#include "cornu/backends/pjrt/executable_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace cornu::inline v0::backends::pjrt {
namespace {

TEST(ExecutableCacheTest, WhatIsKeptIsFoundByItsIdentityAlone) {
  const std::string folder = testing::TempDir() + "/cornu_pjrt_cache";
  std::filesystem::remove_all(folder);
  const ExecutableCache cache(folder);
  EXPECT_EQ(cache.get("program one"), std::nullopt);
  cache.put("program one", std::string("a\0b", 3));
  cache.put("program two", "");
  EXPECT_EQ(cache.get("program one"), std::string("a\0b", 3));
  EXPECT_EQ(cache.get("program two"), "");
  EXPECT_EQ(cache.get("program on"), std::nullopt);
  EXPECT_EQ(cache.get("program onf"), std::nullopt);
  std::filesystem::remove_all(folder);
}

TEST(ExecutableCacheTest, WithoutAFolderNothingIsKept) {
  const ExecutableCache cache("");
  cache.put("x", "y");
  EXPECT_EQ(cache.get("x"), std::nullopt);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
