// How a process ends that uses libcornu, and what Cornu's threads do to it: each test starts ends_child in a
// mode and looks at its end.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Environment = std::map<std::string, std::string>;

struct End {
  int status = -1;  // of waitpid
  std::string output;
  bool is_good() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(size));
  return text;
}

/// Runs ends_child in `folder`; one that has not ended after 20 seconds is killed.
End run_child(std::vector<std::string> arguments, const Environment& environment = {},
              const fs::path& folder = ".") {
  int out[2] = {-1, -1};
  EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    setenv("CORNU_CACHE_DIR", "off", 1);
    std::vector<char*> argv = {const_cast<char*>(ENDS_CHILD)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(ENDS_CHILD, argv.data());
    _exit(127);
  }
  close(out[1]);
  End end;
  std::thread reader([&] { end.output = read_all(out[0]); });
  for (int i = 0; i < 2000 && waitpid(child, &end.status, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (kill(child, SIGKILL) == 0) waitpid(child, &end.status, 0);
  reader.join();
  close(out[0]);
  return end;
}

const Environment kSlowAtTheEnd = {{"LD_PRELOAD", ENDS_SLOW_END}};

TEST(EndsTest, ExitWhileAProgramIsCompiledInTheBackgroundIsClean) {
  for (int i = 0; i < 4; ++i) {
    const End end = run_child({"exit_while_compiling"}, kSlowAtTheEnd);
    EXPECT_TRUE(end.is_good()) << end.status;
  }
}

TEST(EndsTest, ReturningFromMainWhileAThreadCompilesAndTrainsIsClean) {
  for (int i = 0; i < 3; ++i) {
    const End end = run_child({"compile_in_a_thread_at_exit"}, kSlowAtTheEnd);
    EXPECT_TRUE(end.is_good()) << end.status;
  }
}

TEST(EndsTest, StaticDestructorsAndExitHandlersMayCompute) {
  const End end = run_child({"compute_at_the_end"});
  EXPECT_TRUE(end.is_good()) << end.status;
  const std::string line = end.output.substr(0, end.output.find('\n') + 1);
  EXPECT_EQ(end.output, line + line + line) << "in main, by atexit, and in a destructor";
  EXPECT_EQ(line, "1 0 7.07789e+06 7.3728e+06\n");
}

TEST(EndsTest, AProcessWhoseMainLeftByPthreadExitEndsWithItsLastOwnThread) {
  for (const char* const who_is_first : {"main", "thread"}) {
    const End end = run_child({"leave_main_by_pthread_exit", who_is_first}, {{"CORNU_NUM_THREADS", "4"}});
    EXPECT_TRUE(end.is_good()) << end.status;
    EXPECT_EQ(end.output, "thread done\n");
  }
}

TEST(EndsTest, SignalsThatTheProgramBlocksWaitForIt) {
  const End end = run_child({"take_sigterm_by_waiting"});
  EXPECT_TRUE(end.is_good()) << end.status;
  EXPECT_EQ(end.output, "took SIGTERM\n");
}

TEST(EndsTest, ReplacedClientsTakeTheirThreadsWithThem) {
  const End end = run_child({"replace_clients"});
  EXPECT_TRUE(end.is_good()) << end.status;
  EXPECT_LE(std::atoi(end.output.c_str()), 6) << "of the last client, and perhaps of the one before";
}

TEST(EndsTest, CompilingWithoutMemoryIsOneErrorAtEveryPoint) {
  const End end = run_child({"compile_without_memory"});
  EXPECT_TRUE(end.is_good()) << end.status;
  EXPECT_EQ(end.output, "exit 0: 1\nexit 2: 1\n")
      << "some points are refused, some are not, nothing else happens";
}

TEST(EndsTest, ModulesAreTakenFromTheLibrarysFolderOrNotAtAll) {
  std::string name = (fs::temp_directory_path() / "cornu_ends_XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path root = name;
  fs::create_directories(root / "lib");
  const fs::path evil[] = {root / "evil" / "lib", root / "evil" / "work", root / "evil" / "work" / "lib"};
  for (const fs::path& folder : evil) fs::create_directories(folder);
  fs::copy_file(ENDS_LIBRARY, root / "lib" / ENDS_LIBRARY_NAME);
  for (const char* module : {"libcornu_onednn.so", "libcornu_remote.so", "libcornu_images.so"}) {
    for (const fs::path& folder : evil) fs::copy_file(ENDS_DECOY, folder / module);
  }
  const End end = run_child({"look_for_modules", "evil/work"}, {{"LD_LIBRARY_PATH", "lib"}}, root);
  fs::remove_all(root);
  EXPECT_TRUE(end.is_good()) << end.status;
  EXPECT_EQ(end.output, "7.3728e+06\nrefused\nrefused\n");
}

TEST(EndsTest, TheLibraryHasNoStreamsThatMustBeFlushed) {
  FILE* const names = popen(fmt::format("nm -D --undefined-only {}", ENDS_LIBRARY).c_str(), "r");
  ASSERT_NE(names, nullptr);
  const std::string text = read_all(fileno(names));
  EXPECT_EQ(pclose(names), 0);
  EXPECT_EQ(text.find("ios_base4Init"), std::string::npos)
      << "a source includes <iostream>, see cornu/base/kept_statics.cc";
}

}  // namespace
