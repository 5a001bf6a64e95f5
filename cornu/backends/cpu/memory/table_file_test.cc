#include "cornu/backends/cpu/memory/table_file.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "cornu/base/error_test_support.h"
#include "cornu/base/log_test_support.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kTestRows = 1'000'000, kTestWidth = 16;

/// Row r is r + 0.5 everywhere, times the seed.
FillRow numbered_rows(std::uint64_t seed) {
  return [seed](std::int64_t row, std::span<std::byte> to) {
    const std::vector<float> values(to.size() / sizeof(float),
                                    (static_cast<float>(row) + 0.5F) * static_cast<float>(seed));
    std::memcpy(to.data(), values.data(), to.size());
  };
}

class TableFileTest : public testing::Test {
 protected:
  TableFileTest() {
    std::filesystem::create_directories(folder_);
    options_ = {.path = (folder_ / "rows.table").string(),
                .type = {ir::DType::kF32, {kTestRows, kTestWidth}},
                .initial_values = "numbers",
                .seed = 1,
                .make_fill = numbered_rows};
  }
  ~TableFileTest() override { std::filesystem::remove_all(folder_); }

  static void look_up(TableFile& table, std::initializer_list<std::int64_t> ids) {
    table.initialize(std::span(ids.begin(), ids.size()));
  }
  static float* row(const TableFile& table, std::int64_t row) {
    return reinterpret_cast<float*>(table.rows()) + row * kTestWidth;
  }
  static std::int64_t disk_bytes(const std::string& path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return static_cast<std::int64_t>(status.st_blocks) * 512;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("cornu_table_file_" + std::to_string(::getpid()));
  TableFileOptions options_;
};

TEST_F(TableFileTest, RowsGetTheirValuesWhenTheyAreFirstNamed) {
  const auto table = TableFile::open(options_);
  EXPECT_EQ(row(*table, 7)[3], 0);
  look_up(*table, {7, 999'999, -5, 2'000'000});
  EXPECT_EQ(row(*table, 7)[3], 7.5F);
  EXPECT_EQ(row(*table, 999'999)[15], 999'999.5F);
  EXPECT_EQ(row(*table, 0)[0], 0.5F);
  EXPECT_EQ(row(*table, 8)[0], 0);
  row(*table, 7)[3] = -1;
  look_up(*table, {7});
  EXPECT_EQ(row(*table, 7)[3], -1);
  EXPECT_EQ(TableFile::find(table->rows()), table.get());
}

TEST_F(TableFileTest, DiskSpaceFollowsFromTheRowsThatWereNamed) {
  const auto table = TableFile::open(options_);
  EXPECT_LT(disk_bytes(options_.path), 64 << 10);
  for (std::int64_t i = 0; i < 200; ++i) look_up(*table, {i * 4999});
  EXPECT_LT(disk_bytes(options_.path), 200 * (2 << 12) + (256 << 10)) << "of 64,000,000 bytes";
}

TEST_F(TableFileTest, ReadAndWriteAreOfTheWholeTable) {
  const auto table = TableFile::open(options_);
  look_up(*table, {3});
  row(*table, 3)[0] = 100;
  std::vector<float> values(kTestRows * kTestWidth);
  table->read(reinterpret_cast<std::byte*>(values.data()));
  EXPECT_EQ(values[3 * kTestWidth], 100);
  EXPECT_EQ(values[5 * kTestWidth], 5.5F);
  values[9 * kTestWidth] = 200;
  table->write(reinterpret_cast<const std::byte*>(values.data()));
  EXPECT_EQ(row(*table, 9)[0], 200);
  EXPECT_EQ(row(*table, 9)[1], 9.5F);
  EXPECT_EQ(row(*table, 10)[0], 0);
  look_up(*table, {10});
  EXPECT_EQ(row(*table, 10)[0], 10.5F);
  EXPECT_LT(disk_bytes(options_.path), 64 << 10);
}

TEST_F(TableFileTest, SlotsAreInitializedWithTheirTable) {
  const auto table = TableFile::open(options_);
  look_up(*table, {4, 500'000});
  TableFileOptions of_slot = options_;
  of_slot.path += ".slot";
  of_slot.seed = 2;
  auto slot = TableFile::open(of_slot);
  table->add_slot(slot);
  EXPECT_EQ(row(*slot, 4)[0], 9);
  EXPECT_EQ(row(*slot, 500'000)[0], 1'000'001);
  look_up(*table, {6});
  EXPECT_EQ(row(*slot, 6)[0], 13);
  slot.reset();
  look_up(*table, {8});
}

TEST_F(TableFileTest, AKnownFileGoesOnWithItsSeed) {
  {
    const auto table = TableFile::open(options_);
    look_up(*table, {7});
    row(*table, 7)[0] = -3;
    EXPECT_FALSE(table->is_reopened());
  }
  options_.seed = 9;
  const auto table = TableFile::open(options_);
  EXPECT_TRUE(table->is_reopened());
  EXPECT_EQ(table->seed(), 1U);
  look_up(*table, {7, 8});
  EXPECT_EQ(row(*table, 7)[0], -3);
  EXPECT_EQ(row(*table, 8)[0], 8.5F);
}

TEST_F(TableFileTest, FilesOfOtherTablesAreRefusedAndLeftAsTheyAre) {
  look_up(*TableFile::open(options_), {7});
  const auto refused = [&](const TableFileOptions& other) {
    return error_text_of(ErrorCode::kInvalidArgument, [&] { TableFile::open(other); });
  };
  TableFileOptions other = options_;
  other.type.dims = {kTestRows, 8};
  expect_parts(refused(other), {"rows.table", "shape is (1000000, 16)", "the model's is (1000000, 8)"});
  other = options_;
  other.type.dtype = ir::DType::kF64;
  expect_parts(refused(other), {"dtype is float32", "float64"});
  other = options_;
  other.initial_values = "letters";
  expect_parts(refused(other), {"initializer is numbers", "letters"});
  other = options_;
  other.seed = 5;
  other.requires_seed = true;
  expect_parts(refused(other), {"seed is 1", "5"});
  const auto table = TableFile::open(options_);
  EXPECT_EQ(row(*table, 7)[0], 7.5F);
}

TEST_F(TableFileTest, PathsThatAreNoTablesAreRefused) {
  TableFileOptions other = options_;
  other.path = folder_.string();
  expect_error(ErrorCode::kNotFound, {folder_.string(), "directory"}, [&] { TableFile::open(other); });
  other.path = (folder_ / "missing" / "a.table").string();
  expect_error(ErrorCode::kNotFound, {other.path, "No such file"}, [&] { TableFile::open(other); });
  other.path = "/dev/null";
  expect_error(ErrorCode::kNotFound, {"/dev/null", "not a regular file"}, [&] { TableFile::open(other); });
  other.path = "";
  expect_error(ErrorCode::kInvalidArgument, {"path"}, [&] { TableFile::open(other); });
  other.path = (folder_ / "notes.txt").string();
  std::ofstream(other.path) << "buy milk";
  expect_error(ErrorCode::kInvalidArgument, {other.path, "not a table of Cornu"},
               [&] { TableFile::open(other); });
  EXPECT_EQ(std::filesystem::file_size(other.path), 8U);
  {
    const auto table = TableFile::open(options_);
  }
  std::filesystem::resize_file(options_.path, 5'000'000);
  expect_error(ErrorCode::kDataLoss, {options_.path, "damaged"}, [&] { TableFile::open(options_); });
}

TEST_F(TableFileTest, OneTableAtATimeHasTheFile) {
  const auto table = TableFile::open(options_);
  expect_error(ErrorCode::kFailedPrecondition, {"rows.table", "in use"}, [&] { TableFile::open(options_); });
}

TEST_F(TableFileTest, ACreationThatWasInterruptedStartsAgain) {
  {
    const auto table = TableFile::open(options_);
  }
  const auto size = std::filesystem::file_size(options_.path);
  std::filesystem::remove(options_.path);
  std::ofstream(options_.path).flush();
  std::filesystem::resize_file(options_.path, size);
  const auto table = TableFile::open(options_);
  EXPECT_FALSE(table->is_reopened());
}

TEST_F(TableFileTest, AKilledProcessLeavesItsRowsAndNoLock) {
  const pid_t child = fork();
  if (child == 0) {
    const auto table = TableFile::open(options_);
    look_up(*table, {7});
    row(*table, 7)[0] = -3;
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  CapturedLog log;
  const auto table = TableFile::open(options_);
  EXPECT_TRUE(table->is_reopened());
  EXPECT_EQ(row(*table, 7)[0], -3);
  EXPECT_EQ(row(*table, 7)[1], 7.5F);
  expect_parts(log.take(), {"rows.table", "was in use when its process ended"});
}

/// Mounts a small disk in memory for this process alone. False if the system does not allow it.
bool mount_small_disk(const std::string& folder) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
}

TEST_F(TableFileTest, AFullDiskIsAnErrorThatNamesTheRow) {
  constexpr int kNoMount = 77;
  const pid_t child = fork();
  if (child == 0) {
    if (!mount_small_disk(folder_.string())) _exit(kNoMount);
    CapturedLog log;
    const auto table = TableFile::open(options_);
    const bool warned =
        log.take().find("64131072 bytes when all of its rows are in use") != std::string::npos;
    std::int64_t row = 0;
    try {
      for (; row < 100'000; row += 1000) look_up(*table, {row});
    } catch (const Error& error) {
      const bool is_clear =
          error.code() == ErrorCode::kResourceExhausted &&
          std::string(error.what()).find("row " + std::to_string(row) + " of") != std::string::npos;
      _exit(is_clear && warned && row > 0 ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by a signal";
  if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
