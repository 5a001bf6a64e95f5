#include "cornu/base/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cornu/base/error_test_support.h"

namespace cornu::inline v0 {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolderTest, IsNewAndGoesWithItsFiles) {
  fs::path first, second;
  {
    const TemporaryFolder one("cornu-test-"), other("cornu-test-");
    first = one.path(), second = other.path();
    EXPECT_NE(first, second);
    EXPECT_EQ(first.filename().string().rfind("cornu-test-", 0), 0U);
    EXPECT_EQ(fs::status(first).permissions(), fs::perms::owner_all);
    fs::create_directories(first / "a" / "b");
    std::ofstream(first / "a" / "b" / "file") << "text";
  }
  EXPECT_FALSE(fs::exists(first));
  EXPECT_FALSE(fs::exists(second));
}

TEST(TemporaryFolderTest, WithoutAFolderForItTheErrorNamesTMPDIR) {
  const auto make_without = [] {
    setenv("TMPDIR", "/nowhere/at/all", 1);
    std::fputs(error_text_of([] { const TemporaryFolder none("cornu-test-"); }).c_str(), stderr);
    std::exit(0);
  };
  EXPECT_EXIT(make_without(), testing::ExitedWithCode(0), "set TMPDIR to a folder that is there");
}

}  // namespace
}  // namespace cornu::inline v0
