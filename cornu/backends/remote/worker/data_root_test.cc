#include "cornu/backends/remote/worker/data_root.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::remote {
namespace {

namespace fs = std::filesystem;

class DataRootTest : public testing::Test {
 protected:
  DataRootTest() {
    std::string pattern = fs::temp_directory_path() / "data_root_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "root/a");
    std::ofstream(folder_ / "root/a/file") << "inside";
    std::ofstream(folder_ / "outside") << "outside";
  }
  ~DataRootTest() override { fs::remove_all(folder_); }
  std::string root() const { return folder_ / "root"; }

  fs::path folder_;
};

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(DataRootTest, FilesInsideAreReadAndKeepBeingTheSame) {
  const DataRoot files(root());
  const io::RandomAccessPointer file = files.open("a/file");
  fs::remove(folder_ / "root/a/file");
  ASSERT_EQ(file->size(), 6U);
  EXPECT_EQ(file->name(), "a/file");
  std::string text(6, ' ');
  file->read(0, std::as_writable_bytes(std::span(text)));
  EXPECT_EQ(text, "inside");
}

TEST_F(DataRootTest, TheFolderItselfMayBeALinkAndNothingBelowIt) {
  fs::create_directory_symlink(folder_ / "root", folder_ / "link");
  fs::create_directory_symlink(folder_, folder_ / "root/up");
  fs::create_symlink(folder_ / "root/a/file", folder_ / "root/again");
  const DataRoot files(folder_ / "link");
  EXPECT_EQ(files.open("a/file")->size(), 6U);
  EXPECT_NE(refusal([&] { files.open("up/outside"); }).find("leads through a link"), std::string::npos);
  EXPECT_NE(refusal([&] { files.open("again"); }).find("leads through a link"), std::string::npos);
  EXPECT_NE(refusal([&] { files.place_to_write("up/new"); }).find("leads through a link"), std::string::npos);
}

TEST_F(DataRootTest, AFolderThatIsMovedAwayIsNotLookedForElsewhere) {
  const DataRoot files(root());
  fs::rename(folder_ / "root", folder_ / "moved");
  fs::create_directory_symlink("/", folder_ / "root");
  EXPECT_EQ(files.open("a/file")->size(), 6U);
  EXPECT_NE(refusal([&] { files.open("etc/passwd"); }).find("there is no file"), std::string::npos);
}

TEST_F(DataRootTest, PlacesToWriteAreInsideAndErrorsDoNotTellWhere) {
  const DataRoot files(root());
  EXPECT_EQ(files.place_to_write("a/new"), fs::canonical(folder_).string() + "/root/a/new");
  EXPECT_NE(refusal([&] { files.place_to_write("a"); }).find("is there and no regular file"),
            std::string::npos);
  EXPECT_EQ(files.without_folder("cannot write " + files.place_to_write("a/new")), "cannot write a/new");
  EXPECT_EQ(refusal([&] { files.open("b/file"); }).find(root()), std::string::npos);
  EXPECT_NE(refusal([&] { DataRoot(root() + "/a/file"); }).find("is no folder"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
