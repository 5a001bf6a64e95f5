#include "cornu/keras/utils/get_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/base/loopback_test_support.h"
#include "cornu/io/tar_test_support.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::keras::utils {
namespace {

namespace fs = std::filesystem;

/// SHA-256 and MD5 of "abc".
constexpr const char* kSha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kMd5 = "900150983cd24fb0d6963f7d28e17f72";

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class GetFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("get_file_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The address of a file with this content.
  std::string origin(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return "file://" + (folder_ / name).string();
  }
  std::string cache() const { return (folder_ / "cache").string(); }

  fs::path folder_;
};

TEST_F(GetFileTest, AFileIsFetchedOnceAndItsHashIsCompared) {
  const std::string from = origin("data.txt", "abc");
  const std::string path = get_file(from, {.file_hash = kSha, .cache_dir = cache()});
  EXPECT_EQ(path, cache() + "/datasets/data.txt");
  EXPECT_EQ(content_of(path), "abc");
  origin("data.txt", "new");
  EXPECT_EQ(content_of(get_file(from, {.file_hash = kMd5, .cache_dir = cache()})), "abc") << "from the cache";
  EXPECT_EQ(content_of(get_file(from, {.cache_dir = cache(), .force_download = true})), "new");
  EXPECT_EQ(content_of(get_file(from, {.fname = "other", .cache_subdir = "sub", .cache_dir = cache()})),
            "new");
  EXPECT_TRUE(fs::exists(cache() + "/sub/other"));
  origin("data.txt", "abc");
  EXPECT_EQ(content_of(get_file(from, {.file_hash = kSha, .cache_dir = cache()})), "abc")
      << "the cached file had another hash";
}

TEST_F(GetFileTest, AFileOfAnotherHashLeavesNothing) {
  const std::string from = origin("data.txt", "abd");
  EXPECT_THROW((void)get_file(from, {.file_hash = kSha, .cache_dir = cache()}), Error);
  EXPECT_TRUE(fs::is_empty(cache() + "/datasets"));
  EXPECT_THROW((void)get_file(from, {.cache_dir = cache(), .limits = {.max_size_bytes = 2}}), Error);
  EXPECT_THROW((void)get_file("file://" + (folder_ / "none").string(), {.cache_dir = cache()}), Error);
  EXPECT_TRUE(fs::is_empty(cache() + "/datasets"));
}

TEST_F(GetFileTest, ArchivesAreUnpackedIntoFolders) {
  const std::string tar = io::tar_member("in/", "", '5') + io::tar_member("in/a.txt", "abc") +
                          io::tar_member("link", "", '2') + std::string(1024, '\0');
  const std::string unpacked = get_file(origin("set.tar", tar), {.extract = true, .cache_dir = cache()});
  EXPECT_EQ(unpacked, cache() + "/datasets/set.tar");
  EXPECT_EQ(content_of(unpacked + "/in/a.txt"), "abc");
  EXPECT_FALSE(fs::exists(fs::symlink_status(unpacked + "/link")));
  EXPECT_EQ(get_file(origin("set.tar", tar), {.fname = "named.tar", .extract = true, .cache_dir = cache()}),
            cache() + "/datasets/named_extracted");
  const std::string zip = (folder_ / "set.zip").string();
  io::ZipWriter writer(zip);
  writer.add("b/c.txt", "abcd");
  writer.commit();
  EXPECT_EQ(content_of(get_file("file://" + zip, {.fname = "z", .extract = true, .cache_dir = cache()}) +
                       "/b/c.txt"),
            "abcd");
  EXPECT_THROW((void)get_file("file://" + zip,
                              {.fname = "t", .extract = true, .archive_format = "tar", .cache_dir = cache()}),
               Error);
  EXPECT_THROW((void)get_file(origin("no.tar", "text"), {.extract = true, .cache_dir = cache()}), Error);
}

TEST_F(GetFileTest, NothingIsWrittenOutsideOfTheFolder) {
  for (const char* const path : {"../evil", "in/../../evil", "/tmp/evil_of_get_file", "..", "a\\b"}) {
    const std::string from = origin("evil.tar", io::tar_member("good", "abc") + io::tar_member(path, "abc"));
    EXPECT_THROW((void)get_file(
                     from, {.fname = "evil", .extract = true, .cache_dir = cache(), .force_download = true}),
                 Error)
        << path;
    EXPECT_FALSE(fs::exists(cache() + "/datasets/evil")) << "what was unpacked is removed";
    EXPECT_FALSE(fs::exists(cache() + "/evil"));
    EXPECT_FALSE(fs::exists("/tmp/evil_of_get_file"));
  }
}

TEST_F(GetFileTest, AFileInPlaceOfAFolderIsAnError) {
  const std::string from = origin("odd.tar", io::tar_member("a", "abc") + io::tar_member("a/b", "abc"));
  EXPECT_THROW((void)get_file(from, {.fname = "odd", .extract = true, .cache_dir = cache()}), Error);
  EXPECT_FALSE(fs::exists(cache() + "/datasets/odd"));
  EXPECT_THROW((void)get_file(from, {.cache_dir = (folder_ / "odd.tar").string()}), Error);
}

TEST_F(GetFileTest, AnswersOfAServerWithoutPartsAreTakenWhole) {
  const LoopbackListener listener;
  std::thread server([&listener] {
    for (;;) {
      const int connection = listener.accept_one();
      if (connection < 0) return;
      char request[4096];
      (void)!::read(connection, request, sizeof request);
      const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
      (void)!::write(connection, answer.data(), answer.size());
      ::close(connection);
    }
  });
  const std::string host = "http://" + listener.host();
  EXPECT_EQ(content_of(get_file(host + "/set/data.txt?key=1", {.file_hash = kSha, .cache_dir = cache()})),
            "abc");
  EXPECT_TRUE(fs::exists(cache() + "/datasets/data.txt"));
  EXPECT_THROW((void)get_file(host, {.cache_dir = cache()}), Error) << "the address has no name";
  listener.stop();
  server.join();
}

TEST_F(GetFileTest, RefusesArgumentsThatCannotBe) {
  const std::string from = origin("data.txt", "abc");
  EXPECT_THROW((void)get_file("", {}), Error);
  EXPECT_THROW((void)get_file(from, {.fname = "a/b"}), Error);
  EXPECT_THROW((void)get_file(from, {.fname = ".."}), Error);
  EXPECT_THROW((void)get_file(from, {.file_hash = "12"}), Error);
  EXPECT_THROW((void)get_file(from, {.hash_algorithm = "sha1"}), Error);
  EXPECT_THROW((void)get_file(from, {.archive_format = "rar"}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils
