#include "cornu/base/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "cornu/base/error.h"
#include "cornu/base/log_test_support.h"
#include "cornu/base/temporary_folder.h"

namespace cornu::inline v0 {
namespace {

namespace fs = std::filesystem;

const std::string kKey(64, 'a'), kOtherKey(64, 'b');

std::string key_of(int i) { return fmt::format("{:064x}", i); }

class DiskCacheTest : public testing::Test {
 protected:
  void TearDown() override { fs::permissions(root_, fs::perms::owner_all); }
  std::string folder() const { return (root_ / "deep" / "cornu").string(); }
  DiskCache cache() const { return DiskCache({.folder = folder()}); }
  fs::path file(const std::string& key = kKey) const { return fs::path(folder()) / (key + ".entry"); }
  static void overwrite(const fs::path& path, std::streamoff at, const std::string& bytes) {
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(at);
    stream << bytes;
  }

  TemporaryFolder temporary_{"cornu-disk-cache-"};
  const fs::path root_ = temporary_.path();
};

TEST_F(DiskCacheTest, GivesWhatWasPutAndNothingElse) {
  EXPECT_EQ(cache().get(kKey), std::nullopt);
  const std::string bytes("\0code\xff", 6);
  cache().put(kKey, bytes);
  EXPECT_EQ(cache().get(kKey), bytes);
  EXPECT_EQ(cache().get(kOtherKey), std::nullopt);
  cache().put(kKey, "");
  EXPECT_EQ(cache().get(kKey), "");
  EXPECT_EQ(cache().contents().num_entries, 1U);
}

TEST_F(DiskCacheTest, MakesItsFolderForTheUserAlone) {
  const mode_t before = umask(0);
  cache().put(kKey, "code");
  umask(before);
  for (const fs::path& path : {root_ / "deep", fs::path(folder())})
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all) << path;
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(DiskCacheTest, DamagedEntriesAreIgnoredAndReplaced) {
  const std::string bytes = "a few bytes of code";
  const std::function<void()> damages[] = {
      [&] { overwrite(file(), 0, "x"); },                       // magic
      [&] { overwrite(file(), 7, "9"); },                       // of a version to come
      [&] { overwrite(file(), 8, "b"); },                       // key
      [&] { overwrite(file(), 72, std::string(1, '\x07')); },   // length
      [&] { overwrite(file(), 78, std::string(2, '\xff')); },   // a length that no file has
      [&] { overwrite(file(), 80, std::string(8, '\0')); },     // checksum
      [&] { overwrite(file(), 88 + 3, "X"); },                  // bytes
      [&] { fs::resize_file(file(), 88 + bytes.size() - 1); },  // cut off
      [&] { fs::resize_file(file(), 88 + bytes.size() + 1); },  // too long
      [&] { fs::resize_file(file(), 40); },                     // cut off in the header
      [&] { fs::resize_file(file(), 0); },                      // empty
      [&] { fs::permissions(file(), fs::perms::all); },         // others may have written it
      [&] { fs::rename(file(), root_ / "x"), fs::create_symlink(root_ / "x", file()); },
      [&] { fs::copy_file(file(kOtherKey), file(), fs::copy_options::overwrite_existing); },
  };
  int number = 0;
  for (const auto& damage : damages) {
    cache().put(kKey, bytes);
    cache().put(kOtherKey, bytes);
    damage();
    EXPECT_EQ(cache().get(kKey), std::nullopt) << number;
    cache().put(kKey, bytes);
    EXPECT_EQ(cache().get(kKey), bytes) << number++;
  }
}

TEST_F(DiskCacheTest, FoldersThatOthersMayWriteAreRefusedWithOneWarning) {
  cache().put(kKey, "code");
  fs::permissions(folder(), fs::perms::group_write, fs::perm_options::add);
  CapturedLog log;
  EXPECT_EQ(cache().get(kKey), std::nullopt);
  cache().put(kOtherKey, "code");
  EXPECT_EQ(cache().clear().num_entries, 0U);
  const std::string said = log.take();
  EXPECT_NE(said.find("may be written by others"), std::string::npos) << said;
  EXPECT_EQ(said.find("warning"), said.rfind("warning")) << said;
  fs::permissions(folder(), fs::perms::group_write, fs::perm_options::remove);
  EXPECT_EQ(cache().get(kKey), "code");
  EXPECT_EQ(cache().get(kOtherKey), std::nullopt);
}

TEST_F(DiskCacheTest, FoldersOfSomebodyElseAreRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  cache().put(kKey, "code");
  ASSERT_EQ(chown(folder().c_str(), 12345, 12345), 0);
  EXPECT_EQ(cache().get(kKey), std::nullopt);
}

TEST_F(DiskCacheTest, MakesNoFolderInThoseOfSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can write there";
  const fs::path home = root_ / "home";
  ASSERT_TRUE(fs::create_directory(home));
  ASSERT_EQ(chown(home.c_str(), 65534, 65534), 0);
  const DiskCache cache({.folder = (home / ".cache" / "cornu").string()});
  cache.put(kKey, "code");
  EXPECT_EQ(cache.get(kKey), std::nullopt);
  EXPECT_TRUE(fs::is_empty(home));
}

TEST_F(DiskCacheTest, WhereNothingCanBeWrittenNothingIsKept) {
  std::ofstream(root_ / "deep") << "a file is in the way";
  CapturedLog log;
  cache().put(kKey, "code");
  EXPECT_EQ(cache().get(kKey), std::nullopt);
  DiskCache none({.folder = ""});
  none.put(kKey, "code");
  EXPECT_EQ(none.get(kKey), std::nullopt);
  DiskCache({.folder = "/proc/cornu"}).put(kKey, "code");
  EXPECT_EQ(log.take(), "");
}

TEST_F(DiskCacheTest, WhatWasNotUsedForLongestGoesFirst) {
  const DiskCache small({.folder = folder(), .most_bytes = 40000, .most_entries = 100});
  const std::string bytes(4000 - 88, 'x');
  const auto age = [&](int i, int seconds) {
    const timespec times[] = {{.tv_sec = 1000000 + seconds, .tv_nsec = 0},
                              {.tv_sec = 1000000 + seconds, .tv_nsec = 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, file(key_of(i)).c_str(), times, 0), 0);
  };
  for (int i = 0; i < 10; ++i) {
    small.put(key_of(i), bytes);
    age(i, i);
  }
  EXPECT_EQ(small.contents().size_bytes, 40000U);
  EXPECT_TRUE(small.get(key_of(0)));  // a use
  small.put(key_of(10), bytes);
  EXPECT_EQ(small.contents().size_bytes, 28000U);
  for (int i = 1; i <= 4; ++i) EXPECT_FALSE(small.get(key_of(i))) << i;
  for (int i : {0, 5, 9, 10}) EXPECT_TRUE(small.get(key_of(i))) << i;
  small.put(key_of(11), std::string(20000, 'x'));  // too large a share
  EXPECT_FALSE(small.get(key_of(11)));
  const DiskCache few({.folder = folder(), .most_entries = 4});
  few.put(key_of(12), "x");
  EXPECT_EQ(few.contents().num_entries, 3U);
}

TEST_F(DiskCacheTest, CountsTheEntriesOnlyWhenTheRoomThatItKnewOfIsUsed) {
  const DiskCache few({.folder = folder(), .most_entries = 16});
  few.put(key_of(0), "x");  // counts; half of the other 15 places are for this process
  const fs::path abandoned = fs::path(folder()) / (kKey + ".2.0.new");  // which counting removes
  std::ofstream(abandoned) << "half";
  fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(2));
  for (int i = 1; i <= 7; ++i) few.put(key_of(i), "x");
  EXPECT_TRUE(fs::exists(abandoned));
  few.put(key_of(8), "x");
  EXPECT_FALSE(fs::exists(abandoned));
  for (int i = 9; i < 40; ++i) {
    few.put(key_of(i), "x");
    EXPECT_LE(few.contents().num_entries, 16U) << i;
  }
}

TEST_F(DiskCacheTest, LeavesOtherFilesAlone) {
  cache().put(kKey, "code");
  const fs::path others[] = {fs::path(folder()) / "notes.entry", fs::path(folder()) / (kOtherKey + ".txt")};
  for (const fs::path& other : others) std::ofstream(other) << "mine";
  const fs::path fresh = fs::path(folder()) / (kKey + ".1.0.new"),
                 abandoned = fs::path(folder()) / (kKey + ".2.0.new");
  for (const fs::path& half : {fresh, abandoned}) std::ofstream(half) << "half";
  fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(cache().clear().num_entries, 1U);
  EXPECT_EQ(cache().get(kKey), std::nullopt);
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_FALSE(fs::exists(abandoned));
}

TEST_F(DiskCacheTest, ProcessesShareAFolder) {
  const auto value_of = [](int i) {
    return std::string(static_cast<std::size_t>(20000 + i), static_cast<char>('a' + i));
  };
  constexpr int kProcesses = 4;
  pid_t children[kProcesses];
  for (pid_t& child : children) {
    child = fork();
    if (child != 0) continue;
    bool is_right = true;
    const DiskCache shared(
        {.folder = folder(), .most_bytes = 200000});  // of which some are always thrown out
    for (int round = 0; round < 20; ++round)
      for (int i = 0; i < 12; ++i) {
        const std::optional<std::string> found = shared.get(key_of(i));
        is_right = is_right && (!found || *found == value_of(i));
        if (!found) shared.put(key_of(i), value_of(i));
      }
    _exit(is_right ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const auto& item : fs::directory_iterator(folder()))
    EXPECT_EQ(item.path().extension(), ".entry") << item.path();
}

TEST_F(DiskCacheTest, RejectsKeysThatAreNoHash) {
  for (const std::string& key :
       {std::string(), std::string(63, 'a'), std::string(64, 'A'), "../" + std::string(61, 'a')}) {
    EXPECT_THROW(cache().get(key), Error) << key;
    EXPECT_THROW(cache().put(key, "code"), Error) << key;
  }
}

}  // namespace
}  // namespace cornu::inline v0
