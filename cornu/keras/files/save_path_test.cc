#include "cornu/keras/files/save_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/files/model_files_support.h"

namespace cornu::inline v0::keras {
namespace {

using files::Format;

TEST(FormatTest, TheLongestExtensionOfAPathDecides) {
  EXPECT_EQ(files::format_of("m.keras"), Format::kKeras);
  EXPECT_EQ(files::format_of("a.keras/m.h5"), Format::kHdf5Model);
  EXPECT_EQ(files::format_of("m.hdf5"), Format::kHdf5Model);
  EXPECT_EQ(files::format_of("m.weights.h5"), Format::kHdf5Weights);
  EXPECT_EQ(files::format_of("m.weights.json"), Format::kShardedWeights);
  EXPECT_EQ(files::format_of("m.safetensors"), Format::kSafetensors);
  EXPECT_EQ(files::format_of("m.npz"), Format::kNpz);
  for (const char* path : {"", "m", "m.json", "m.keras.zip", "keras", "m.KERAS"})
    EXPECT_EQ(files::format_of(path), std::nullopt) << path;
}

class SavePathTest : public ::testing::Test {
 protected:
  SavePathTest() : folder_(std::filesystem::path(::testing::TempDir()) / "cornu_save_path_test") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "m.keras");
  }
  ~SavePathTest() override { std::filesystem::remove_all(folder_); }

  std::string operator/(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(SavePathTest, AcceptsFilesThatMayBeMadeOrReplaced) {
  check_save_path(*this / "new.keras");
  std::ofstream(*this / "old.h5") << "a file";
  check_save_path(*this / "old.h5");
  std::filesystem::create_symlink(folder_ / "old.h5", folder_ / "link.h5");
  check_save_path(*this / "link.h5");
  check_can_be_written(*this / "any.txt", "predict");
}

TEST_F(SavePathTest, RefusesFoldersMissingFoldersAndWeightsAlone) {
  expect_error(ErrorCode::kInvalidArgument, {"[save]", "is no path of a file"},
               [&] { check_save_path(*this / "m.keras"); });
  expect_error(ErrorCode::kInvalidArgument, {"[predict]", "is no path of a file"},
               [] { check_can_be_written("", "predict"); });
  expect_error(ErrorCode::kNotFound, {"[save]", "there is no folder", "make it first"},
               [&] { check_save_path(*this / "missing/m.keras"); });
  std::filesystem::create_symlink(folder_ / "gone" / "m.h5", folder_ / "link.h5");
  expect_error(ErrorCode::kNotFound, {"there is no folder", "gone"},
               [&] { check_save_path(*this / "link.h5"); });
  expect_error(ErrorCode::kInvalidArgument, {"[save]"}, [&] { check_save_path(*this / "m.weights.h5"); });
}

TEST_F(SavePathTest, ReplacesAFileOnlyIfAllowed) {
  std::ofstream(*this / "old.h5") << "a file";
  files::check_overwrite(*this / "old.h5", true, "save");
  files::check_overwrite(*this / "new.h5", false, "save");
  expect_error(ErrorCode::kInvalidArgument, {"[save]", "old.h5", "overwrite is false"},
               [&] { files::check_overwrite(*this / "old.h5", false, "save"); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
