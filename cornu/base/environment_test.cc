#include "cornu/base/environment.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cornu/base/disk_cache.h"
#include "cornu/base/error.h"

// LeakSanitizer stops a program by ptrace, which the kernel refuses for one with more rights than its caller;
// nor can such a program read ASAN_OPTIONS, which the sanitizer looks for in /proc/self/environ. Called by
// the sanitizer, where there is one, by this name of its own.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" [[gnu::used]] int __lsan_is_turned_off() { return getauxval(AT_SECURE) != 0; }

namespace cornu::inline v0 {
namespace {

// Sets a variable for one scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~ScopedVariable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(EnvironmentTest, NumThreadsIsAnIntegerOrAbsent) {
  for (const char* absent : {static_cast<const char*>(nullptr), ""}) {
    ScopedVariable variable("CORNU_NUM_THREADS", absent);
    EXPECT_EQ(environment::num_threads(), std::nullopt);
  }
  ScopedVariable variable("CORNU_NUM_THREADS", "3");
  EXPECT_EQ(environment::num_threads(), 3);
}

TEST(EnvironmentTest, NumThreadsRejectsWhatIsNoCount) {
  for (const char* bad : {"0", "-1", "two", "2x", "1.5", "99999999999", "1025"}) {
    ScopedVariable variable("CORNU_NUM_THREADS", bad);
    try {
      environment::num_threads();
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find(bad), std::string::npos);
    }
  }
}

TEST(EnvironmentTest, IsaLevelLowersTheDefaultAndRejectsOtherWords) {
  {
    ScopedVariable variable("CORNU_ISA", "sse2");
    EXPECT_EQ(environment::isa_level(), IsaLevel::kSse2);
    EXPECT_EQ(default_isa_level(), IsaLevel::kSse2);
  }
  {
    ScopedVariable variable("CORNU_ISA", nullptr);
    EXPECT_EQ(default_isa_level(), cpu_isa_level());
  }
  ScopedVariable variable("CORNU_ISA", "neon");
  EXPECT_THROW(environment::isa_level(), Error);
}

TEST(EnvironmentTest, Bf16LevelLowersTheDefaultAndRejectsOtherWords) {
  {
    ScopedVariable variable("CORNU_BF16", "off");
    EXPECT_EQ(environment::bf16_level(), Bf16Level::kNone);
    EXPECT_EQ(default_bf16_level(), Bf16Level::kNone);
  }
  {
    ScopedVariable variable("CORNU_BF16", nullptr);
    if (cpu_bf16_level() != Bf16Level::kVectors) {  // which some CPUs are better without
      EXPECT_EQ(default_bf16_level(), cpu_bf16_level());
    }
  }
  ScopedVariable variable("CORNU_BF16", "amx");
  EXPECT_THROW(environment::bf16_level(), Error);
}

TEST(EnvironmentTest, ConvolutionIsDirectOrAuto) {
  for (const char* word : {"direct", "auto", ""}) {
    ScopedVariable variable("CORNU_CONVOLUTION", word);
    EXPECT_EQ(environment::direct_convolutions(), std::string(word) == "direct");
  }
  ScopedVariable variable("CORNU_CONVOLUTION", "winograd");
  EXPECT_THROW(environment::direct_convolutions(), Error);
}

TEST(EnvironmentTest, TheLogLevelIsTheNameOfASeverity) {
  for (const LogSeverity severity : {LogSeverity::kInfo, LogSeverity::kWarning, LogSeverity::kError}) {
    ScopedVariable variable("CORNU_LOG_LEVEL", log_severity_name(severity));
    EXPECT_EQ(environment::log_level(), severity);
  }
  {
    ScopedVariable variable("CORNU_LOG_LEVEL", "");
    EXPECT_EQ(environment::log_level(), std::nullopt);
  }
  ScopedVariable variable("CORNU_LOG_LEVEL", "WARNING");
  EXPECT_THROW(environment::log_level(), Error);
}

TEST(EnvironmentTest, TheCacheIsWhereTheUserOrTheDesktopWantsIt) {
  const auto folder = [](const char* asked, const char* caches, const char* home) {
    ScopedVariable a("CORNU_CACHE_DIR", asked), b("XDG_CACHE_HOME", caches), c("HOME", home);
    return environment::cache_folder().value_or("none");
  };
  const std::string home = testing::TempDir() + "home_of_cache";
  std::filesystem::create_directories(home);
  EXPECT_EQ(folder("/fast/cornu", "/caches", "/home/a"), "/fast/cornu");
  EXPECT_EQ(folder("off", "/caches", "/home/a"), "none");
  EXPECT_EQ(folder("", "/caches", "/home/a"), "/caches/cornu");
  EXPECT_EQ(folder(nullptr, "caches", home.c_str()), home + "/.cache/cornu");
  EXPECT_EQ(folder(nullptr, nullptr, home.c_str()), home + "/.cache/cornu");
  EXPECT_EQ(folder(nullptr, nullptr, nullptr), "none");
  EXPECT_EQ(folder(nullptr, nullptr, "relative"), "none");
  EXPECT_EQ(folder(nullptr, nullptr, (home + "/nobody").c_str()), "none") << "a home that does not exist";
}

TEST(EnvironmentTest, TerminalVariables) {
  ScopedVariable columns("COLUMNS", "120"), color("NO_COLOR", "1"), terminal("TERM", "dumb");
  EXPECT_EQ(environment::columns(), 120);
  EXPECT_TRUE(environment::no_color());
  EXPECT_EQ(environment::terminal(), "dumb");
  ScopedVariable bad_columns("COLUMNS", "wide"), empty_color("NO_COLOR", "");
  EXPECT_EQ(environment::columns(), std::nullopt);
  EXPECT_FALSE(environment::no_color());
}

// Run by the test below in a copy of this program that belongs to another group.
TEST(EnvironmentTest, DISABLED_InASetgidProgram) {
  EXPECT_TRUE(environment::has_more_rights_than_its_caller());
  EXPECT_EQ(environment::cache_folder(), std::nullopt);
  EXPECT_EQ(environment::num_threads(), std::nullopt);
  const DiskCache cache({.folder = "/tmp/cornu_of_the_caller"});
  EXPECT_EQ(cache.folder(), "");
}

TEST(EnvironmentTest, AProgramWithMoreRightsThanItsCallerTakesNothingFromItAndKeepsNothing) {
  EXPECT_FALSE(environment::has_more_rights_than_its_caller());
  std::string root = (std::filesystem::temp_directory_path() / "cornu_setgid_XXXXXX").string();
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  struct statvfs place;
  ASSERT_EQ(statvfs(root.c_str(), &place), 0);
  if (geteuid() != 0 || (place.f_flag & ST_NOSUID) != 0) {
    std::filesystem::remove_all(root);
    GTEST_SKIP() << "only root can make a program of another group, and only where such programs are allowed";
  }
  constexpr uid_t kNobody = 65534;
  constexpr gid_t kNogroup = 65534, kOtherGroup = 1;
  const std::string copy = root + "/setgid_test";
  std::filesystem::copy_file("/proc/self/exe", copy);
  ASSERT_EQ(chmod(root.c_str(), 0755), 0);
  ASSERT_EQ(chown(copy.c_str(), 0, kOtherGroup), 0);
  ASSERT_EQ(chmod(copy.c_str(), 02755), 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CORNU_CACHE_DIR", "/tmp/cornu_of_the_caller", 1);
    setenv("CORNU_NUM_THREADS", "3", 1);
    if (chdir("/") == 0 && setgroups(0, nullptr) == 0 && setgid(kNogroup) == 0 && setuid(kNobody) == 0)
      execl(copy.c_str(), copy.c_str(), "--gtest_also_run_disabled_tests", "--gtest_filter=*InASetgidProgram",
            "--gtest_brief=1", nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::remove_all(root);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace cornu::inline v0
