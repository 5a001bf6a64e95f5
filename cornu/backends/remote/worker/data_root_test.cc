#include "cornu/backends/remote/worker/data_root.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include "cornu/base/error.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::backends::remote {
namespace {

namespace fs = std::filesystem;

class DataRootTest : public testing::Test {
 protected:
  DataRootTest() {
    fs::create_directories(folder_ / "root/a");
    std::ofstream(folder_ / "root/a/file") << "inside";
    std::ofstream(folder_ / "outside") << "outside";
  }
  std::string root() const { return folder_ / "root"; }

  TemporaryFolder temporary_{"cornu-data-root-"};
  const fs::path folder_ = temporary_.path();
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

TEST_F(DataRootTest, WhatIsWrittenGoesToTheFolderThatWasFound) {
  const DataRoot files(root());
  const PlaceToWrite place = files.place_to_write("a/new");
  fs::rename(folder_ / "root/a", folder_ / "root/moved");
  fs::create_directory_symlink(folder_, folder_ / "root/a");
  fs::create_symlink(folder_ / "outside", folder_ / "root/moved/other");
  {
    io::WholeFile file(place.path(), io::Links::kRefused);
    file.commit();
  }
  EXPECT_TRUE(fs::is_regular_file(folder_ / "root/moved/new"));
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  {
    const PlaceToWrite late = files.place_to_write("moved/late");
    io::WholeFile file(late.path(), io::Links::kRefused);
    file.write(std::as_bytes(std::span("new", 3)));
    fs::create_symlink(folder_ / "outside", folder_ / "root/moved/late");
    file.commit();
  }
  EXPECT_FALSE(fs::is_symlink(folder_ / "root/moved/late"));
  EXPECT_EQ(fs::file_size(folder_ / "root/moved/late"), 3U);
  EXPECT_EQ(fs::file_size(folder_ / "outside"), 7U);
  EXPECT_NE(refusal([&] {
              io::WholeFile(folder_ / "root/moved/other", io::Links::kRefused);
            }).find("not a regular file"),
            std::string::npos);
}

TEST_F(DataRootTest, NamesToWriteHaveNoControlCharacters) {
  const DataRoot files(root());
  for (const char* name : {"a\nb", "\x1b[31mred", "a/\x7f", "tab\t",
                           "\xc2\x9b"
                           "0m"})
    EXPECT_NE(refusal([&] { files.place_to_write(name); }).find("has control characters in it"),
              std::string::npos)
        << name;
  for (const char* name : {"caf\xc3\xa9", "\xc2\xa0", "a b"})
    EXPECT_EQ(refusal([&] { files.place_to_write(name); }), "no error") << name;
}

TEST_F(DataRootTest, PlacesToWriteAreInsideAndErrorsDoNotTellWhere) {
  const DataRoot files(root());
  EXPECT_NE(refusal([&] { files.place_to_write("a"); }).find("exists and is not a regular file"),
            std::string::npos);
  const PlaceToWrite place = files.place_to_write("a/new");
  EXPECT_EQ(place.with_given_path("cannot write " + place.path() + ": full"), "cannot write a/new: full");
  EXPECT_EQ(refusal([&] { files.open("b/file"); }).find(root()), std::string::npos);
  EXPECT_NE(refusal([&] { DataRoot(root() + "/a/file"); }).find("is not a readable folder"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
