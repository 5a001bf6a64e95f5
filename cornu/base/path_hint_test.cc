#include "cornu/base/path_hint.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

namespace cornu::inline v0 {
namespace {

TEST(PathHintTest, AMissingFileIsSoughtInTheCurrentFolder) {
  EXPECT_EQ(read_hint("no.npz", ENOENT),
            "; the current folder is " + std::filesystem::current_path().string());
  EXPECT_EQ(read_hint("/no.npz", ENOENT), "") << "its folder exists, and the message has the whole path";
  EXPECT_EQ(read_hint("no.npz", EACCES), "");
  EXPECT_EQ(read_hint("", ENOENT), "");
}

TEST(PathHintTest, AMissingFolderIsNamed) {
  EXPECT_EQ(read_hint("/no/such/x.npz", ENOENT), "; there is no folder /no/such");
  EXPECT_EQ(write_hint("/no/such/x.npz", ENOENT), "; make the folder /no/such first");
  EXPECT_EQ(write_hint("no\nsuch/x.npz", ENOENT), "; make the folder no\\x0asuch first");
  EXPECT_EQ(write_hint("x.npz", ENOENT), "");
  EXPECT_EQ(write_hint("/no/such/x.npz", EROFS), "");
}

}  // namespace
}  // namespace cornu::inline v0
