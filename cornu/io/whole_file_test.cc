#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cornu/base/error.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/io/file.h"
#include "cornu/io/safetensors.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kPage = 4096;

/// Memory that begins with a page, with bytes that tell their places.
std::unique_ptr<std::byte, decltype(&std::free)> numbered_bytes(std::size_t size) {
  std::unique_ptr<std::byte, decltype(&std::free)> bytes(
      static_cast<std::byte*>(std::aligned_alloc(kPage, (size / kPage + 1) * kPage)), &std::free);
  for (std::size_t i = 0; i < size; ++i) bytes.get()[i] = static_cast<std::byte>((i * 2654435761u) >> 13);
  return bytes;
}

TEST(WholeFileTest, LargePartsAreTheSameByWhateverWayTheyGo) {
  constexpr std::size_t kSize = (std::size_t{3} << 20) + 777;
  const auto bytes = numbered_bytes(kSize);
  const std::span<const std::byte> all(bytes.get(), kSize);
  // The folder of tests is often in memory, the one that they run in on a disk: ways differ.
  for (const std::filesystem::path& folder :
       {std::filesystem::temp_directory_path(), std::filesystem::path("/dev/shm"),
        std::filesystem::path("/var/tmp")}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, kPage - 1, kPage, std::size_t{12345}}) {
      const std::string path = (folder / "cornu_whole_file_test").string();
      WholeFile file(path);
      file.write(all.first(first));
      file.write(all.subspan(first, (std::size_t{2} << 20) + 5));
      file.write(all.subspan(first + (std::size_t{2} << 20) + 5));
      file.commit();
      const std::vector<std::byte> read = read_file(path, {});
      EXPECT_TRUE(std::equal(read.begin(), read.end(), all.begin(), all.end())) << folder << ", " << first;
      // Memory and file are not in step.
      WholeFile shifted(path);
      shifted.write(all.first(3));
      shifted.write(all.subspan(7));
      shifted.commit();
      EXPECT_EQ(std::filesystem::file_size(path), kSize - 4);
      EXPECT_EQ(read_file(path, {})[3], all[7]);
      std::filesystem::remove(path);
    }
  }
}

TEST(WholeFileTest, LargeArraysOfSafetensorsBeginWithAPageAndAreReadBack) {
  constexpr std::int64_t kCount = 400'000;
  const auto bytes = numbered_bytes(2 * 4 * kCount + 4);
  const std::vector<std::int64_t> one = {1}, many = {kCount};
  const std::byte* const at = bytes.get();
  const std::pair<std::string, ArrayView> arrays[] = {
      {"a", {ElementType::kF32, many, {at, 4 * kCount}}},
      {"b", {ElementType::kF32, one, {at + 4 * kCount, 4}}},
      {"c", {ElementType::kF32, many, {at + 4 * kCount + 4, 4 * kCount}}}};
  const std::string path = (std::filesystem::path("/var/tmp") / "cornu_whole_file_test.safetensors").string();
  write_safetensors(path, arrays, {});
  const SafetensorsFile file(open_random_access(path));
  EXPECT_EQ(file.entries().at("a").offset % kPage, 0U);
  for (const auto& [name, array] : arrays) {
    std::vector<std::byte> read(array.data.size());
    file.read(file.entries().at(name), read);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), array.data.begin())) << name;
  }
  std::filesystem::remove(path);
}

class WholeFileFolderTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    WholeFile file(path(name));
    file.write(std::as_bytes(std::span(text)));
    file.commit();
  }
  std::string text_in(const std::string& name) const {
    const std::vector<std::byte> bytes = read_file(path(name));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::size_t num_files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  mode_t mode_of(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  TemporaryFolder temporary_{"cornu-whole-file-"};
  const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(WholeFileFolderTest, WhatAProcessOfTheSameNumberLeftIsNotInTheWay) {
  // In a container every start has the same number.
  for (int count = 0; count < 1000; ++count)
    std::ofstream(path("file") + "." + std::to_string(::getpid()) + "." + std::to_string(count) + ".part");
  EXPECT_NO_THROW(write("file", "new"));
  EXPECT_EQ(text_in("file"), "new");
}

TEST_F(WholeFileFolderTest, OnlyWhatNobodyWritesIsALeftover) {
  const pid_t killed = ::fork();
  if (killed == 0) {
    const WholeFile file(path("file"));
    ::_exit(0);
  }
  ::waitpid(killed, nullptr, 0);
  EXPECT_EQ(num_files(), 1U);
  WholeFile being_written(path("file"));
  std::ofstream(path("file.0123456789abcdeg.part")) << "of somebody else";
  std::ofstream(path("file.other.0123456789abcdef.part")) << "of another file";
  EXPECT_EQ(num_files(), 4U);
  WholeFile::remove_leftovers(path("file"));
  EXPECT_EQ(num_files(), 3U);
  being_written.commit();
  EXPECT_EQ(text_in("file"), "");
  EXPECT_EQ(num_files(), 3U);
}

TEST_F(WholeFileFolderTest, PermissionsOfWhatIsReplacedStay) {
  write("file", "old");
  for (const mode_t mode : {mode_t{0600}, mode_t{0640}, mode_t{0755}}) {
    ASSERT_EQ(::chmod(path("file").c_str(), mode), 0);
    write("file", "new");
    EXPECT_EQ(mode_of("file"), mode);
  }
  const mode_t mask = ::umask(0027);
  write("other", "new");
  ::umask(mask);
  EXPECT_EQ(mode_of("other"), 0640U);
}

TEST_F(WholeFileFolderTest, ALinkToWhatIsNotThereYetStays) {
  std::filesystem::create_directory(folder_ / "below");
  std::filesystem::create_symlink("below/link", folder_ / "link");
  std::filesystem::create_symlink("../file", folder_ / "below/link");
  write("link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "below/link"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "file"));
  EXPECT_EQ(text_in("file"), "new");
  std::filesystem::create_symlink("nowhere", folder_ / "dangling");
  EXPECT_THROW(WholeFile(path("dangling"), Links::kRefused), Error);
  std::filesystem::create_symlink("round", folder_ / "round");
  EXPECT_THROW(WholeFile(path("round")).commit(), Error);
}

TEST_F(WholeFileFolderTest, ANameMayHaveAllTheCharactersThatThereAre) {
  const std::string longest(255, 'n'), letters = std::string(99, 'n') + "\xC3\xA9" + std::string(150, 'n');
  for (const std::string& name : {longest, letters}) {
    write(name, "new");
    EXPECT_EQ(text_in(name), "new");
  }
  EXPECT_EQ(num_files(), 2U);
}

}  // namespace
}  // namespace cornu::inline v0::io
