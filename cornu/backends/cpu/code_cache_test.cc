#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "cornu/backends/cpu/backend.h"
#include "cornu/backends/cpu/step_test_support.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/temporary_folder.h"

namespace cornu::inline v0::backends::cpu {
namespace {

namespace fs = std::filesystem;

class CodeCacheTest : public testing::Test {
 protected:
  void SetUp() override { make_step(20); }

  void make_step(std::int64_t hidden, std::uint32_t seed = 7) {
    step_ = std::make_unique<TestStep>();
    make_test_step(*step_, 8, 6, hidden, 3, seed);
  }

  struct Result {
    bool from_cache = false;
    TestRun run;
    std::string explained;
  };
  Result compile_and_run(runtime::ClientOptions options = {}) const {
    if (options.cache_folder.empty()) options.cache_folder = folder_.string();
    const std::shared_ptr<runtime::Client> client = cpu::make_client("", options);
    const auto executable = client->compile({&step_->function, step_->kinds, "test_step"});
    return {executable->stats().from_cache, run_test_step(*client, *executable, *step_, 40, 12, 4),
            executable->explain()};
  }
  std::size_t num_entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static void expect_same_bits(const TestRun& a, const TestRun& b) {
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.predictions, b.predictions);
  }

  TemporaryFolder temporary_{"cornu-code-cache-"};
  const fs::path folder_ = temporary_.path();
  std::unique_ptr<TestStep> step_;
};

TEST_F(CodeCacheTest, WhatWasFoundComputesTheSameBits) {
  const Result made = compile_and_run({.num_threads = 1});
  EXPECT_FALSE(made.from_cache);
  EXPECT_EQ(made.explained.find("from the disk cache"), std::string::npos);
  const Result found = compile_and_run({.num_threads = 3});  // code does not depend on it
  EXPECT_TRUE(found.from_cache);
  EXPECT_NE(found.explained.find("from the disk cache"), std::string::npos);
  EXPECT_EQ(num_entries(), 1U);
  expect_same_bits(made.run, found.run);
  expect_same_bits(made.run, compile_and_run({.cache_folder = "off"}).run);
}

TEST_F(CodeCacheTest, OtherInstructionsAndOtherProgramsAreOtherEntries) {
  const std::vector<IsaLevel> levels = cpu_isa_levels();
  for (const IsaLevel level : levels)
    EXPECT_FALSE(compile_and_run({.isa = std::string(isa_level_name(level))}).from_cache);
  make_step(21);
  EXPECT_FALSE(compile_and_run().from_cache);
  EXPECT_EQ(num_entries(), levels.size() + 1);
  make_step(20);
  EXPECT_TRUE(compile_and_run({.isa = std::string(isa_level_name(levels[0]))}).from_cache);
}

TEST_F(CodeCacheTest, AnotherSeedIsTheSameCodeAndOtherNumbers) {
  make_step(20, 123456789);
  const Result first = compile_and_run();
  make_step(20, 987654321);
  const Result second = compile_and_run();
  EXPECT_TRUE(second.from_cache);
  EXPECT_NE(first.run.predictions, second.run.predictions);
  expect_same_bits(second.run, compile_and_run({.cache_folder = "off"}).run);
  const TestRun reference = run_test_step(*runtime::make_client("reference"), *step_, 40, 12, 4);
  for (std::size_t i = 0; i < reference.predictions.size(); ++i)
    EXPECT_NEAR(second.run.predictions[i], reference.predictions[i], 1e-5);
}

TEST_F(CodeCacheTest, DamagedCodeIsCompiledAnewAndReplaced) {
  const Result made = compile_and_run();
  const fs::path file = fs::directory_iterator(folder_)->path();
  const auto size = fs::file_size(file);
  for (const std::uintmax_t at : {std::uintmax_t{0}, std::uintmax_t{80}, size / 2, size - 1}) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const char old = static_cast<char>(stream.get());
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(old ^ 0x10));
    stream.close();
    const Result again = compile_and_run();
    EXPECT_FALSE(again.from_cache) << at;
    expect_same_bits(made.run, again.run);
    EXPECT_TRUE(compile_and_run().from_cache) << at;
  }
  fs::resize_file(file, size / 3);
  EXPECT_FALSE(compile_and_run().from_cache);
  EXPECT_TRUE(compile_and_run().from_cache);
}

TEST_F(CodeCacheTest, NothingIsKeptWhereNothingMayBe) {
  for (const std::string folder : {"off", "/proc/cornu"}) {
    compile_and_run({.cache_folder = folder});
    EXPECT_FALSE(compile_and_run({.cache_folder = folder}).from_cache) << folder;
  }
  EXPECT_EQ(num_entries(), 0U);
}

TEST_F(CodeCacheTest, ProcessesThatCompileTheSameAtOnceShareOneEntry) {
  pid_t children[3];
  for (pid_t& child : children) {
    child = fork();
    if (child == 0) _exit(compile_and_run({.num_threads = 2}).run.steps == 12 ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(num_entries(), 1U);
  EXPECT_TRUE(compile_and_run().from_cache);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
