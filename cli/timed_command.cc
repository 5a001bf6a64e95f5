#include "cli/timed_command.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

constexpr int kNotRun = 127;  // what the child ends with where it could not even say why
constexpr const char* kThreadVariables[] = {"CORNU_NUM_THREADS",      "OMP_NUM_THREADS",
                                            "OPENBLAS_NUM_THREADS",   "MKL_NUM_THREADS",
                                            "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"};

/// The first `num_cpus` of those that this process may use.
cpu_set_t first_cpus(int num_cpus) {
  cpu_set_t allowed, taken;
  CPU_ZERO(&taken);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    fail(ErrorCode::kUnavailable, "[study] cannot read the affinity mask: {}", std::strerror(errno));
  int count = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE && count < num_cpus; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) {
      CPU_SET(cpu, &taken);
      ++count;
    }
  if (count < num_cpus || num_cpus < 1)
    invalid_argument("[study] a command cannot run on {} processors; there are {}", num_cpus,
                     CPU_COUNT(&allowed));
  return taken;
}

/// The environment with the number of threads, as execvpe takes it.
std::vector<std::string> environment_with(int num_cpus) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool is_replaced = false;
    for (const char* const name : kThreadVariables) is_replaced |= text.starts_with(std::string(name) + "=");
    if (!is_replaced) variables.push_back(text);
  }
  for (const char* const name : kThreadVariables) variables.push_back(fmt::format("{}={}", name, num_cpus));
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts the program, and returns when it runs. Errors: those of time_command for one that cannot be run.
pid_t start_program(const std::vector<std::string>& command, int num_cpus) {
  const cpu_set_t cpus = first_cpus(num_cpus);
  std::vector<std::string> arguments = command, variables = environment_with(num_cpus);
  const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(variables);
  int ends[2] = {-1, -1};  // through which the child says why it cannot run the program; closed when it can
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail(ErrorCode::kUnavailable, "[study] cannot start \"{}\": {}", command[0], std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    sched_setaffinity(0, sizeof cpus, &cpus);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvpe(argv[0], argv.data(), envp.data());
    const int why = errno;
    const bool is_told = ::write(ends[1], &why, sizeof why) == sizeof why;
    _exit(is_told ? 0 : kNotRun);
  }
  int error = child < 0 ? errno : 0;
  ::close(ends[1]);
  if (child > 0) {
    ssize_t count = 0;
    do {
      count = ::read(ends[0], &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    if (count > 0) waitpid(child, nullptr, 0);
  }
  ::close(ends[0]);
  if (error == ENOENT) fail(ErrorCode::kNotFound, "[study] there is no program \"{}\"", command[0]);
  if (error != 0)
    fail(ErrorCode::kUnavailable, "[study] cannot start \"{}\": {}", command[0], std::strerror(error));
  return child;
}

}  // namespace

double time_command(const std::vector<std::string>& command, int num_cpus) {
  if (command.empty()) invalid_argument("[study] there is no command to run");
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = start_program(command, num_cpus);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(ErrorCode::kUnavailable, "[study] cannot wait for \"{}\"", command[0]);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (WIFSIGNALED(status))
    fail(ErrorCode::kUnavailable, "[study] \"{}\" was ended by signal {}", command[0], WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    fail(ErrorCode::kUnavailable, "[study] \"{}\" ended with {}: a time of what failed says nothing",
         command[0], WEXITSTATUS(status));
  return seconds;
}

}  // namespace cornu::inline v0::cli
