#include "cornu/base/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cornu/base/error.h"
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
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere/at/all", 1);
  expect_error(ErrorCode::kNotFound, {"set TMPDIR"}, [] { const TemporaryFolder none("x"); });
  if (before == nullptr)
    unsetenv("TMPDIR");
  else
    setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace cornu::inline v0
