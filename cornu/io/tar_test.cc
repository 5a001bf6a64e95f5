#include "cornu/io/tar.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/tar_test_support.h"

namespace cornu::inline v0::io {
namespace {

std::vector<TarMember> members_of(const std::string& archive) {
  std::vector<TarMember> members;
  read_tar(std::as_bytes(std::span(archive)), "a.tar",
           [&](const TarMember& member) { members.push_back(member); });
  return members;
}

TEST(TarTest, MembersHaveTheirPathsKindsAndContents) {
  const std::string long_path = std::string(60, 'a') + "/" + std::string(80, 'b');
  const std::string archive = tar_member("folder/", "", '5') + tar_member("folder/x.txt", "hello") +
                              tar_member("././@LongLink", long_path + '\0', 'L') + tar_member("cut", "long") +
                              tar_member("pax", "19 path=other/name\n", 'x') + tar_member("cut", "pax") +
                              tar_member("link", "", '2') + std::string(1024, '\0');
  EXPECT_TRUE(is_tar(std::as_bytes(std::span(archive))));
  const std::vector<TarMember> members = members_of(archive);
  ASSERT_EQ(members.size(), 5U);
  EXPECT_EQ(members[0].kind, TarMember::Kind::kFolder);
  EXPECT_EQ(members[1].path, "folder/x.txt");
  EXPECT_EQ(members[1].content.size(), 5U);
  EXPECT_EQ(members[2].path, long_path);
  EXPECT_EQ(members[3].path, "other/name");
  EXPECT_EQ(members[4].kind, TarMember::Kind::kOther);
}

TEST(TarTest, RefusesDamagedArchives) {
  const std::string good = tar_member("x", std::string(600, 'x'));
  for (const std::size_t size : {std::size_t{100}, std::size_t{511}, std::size_t{600}, std::size_t{1023}})
    EXPECT_THROW((void)members_of(good.substr(0, size)), Error) << size;
  std::string changed = good;
  changed[3] = 'y';
  EXPECT_THROW((void)members_of(changed), Error);
  EXPECT_FALSE(is_tar(std::as_bytes(std::span(changed))));
  EXPECT_TRUE(members_of("").empty());
  EXPECT_FALSE(is_tar({}));
}

}  // namespace
}  // namespace cornu::inline v0::io
