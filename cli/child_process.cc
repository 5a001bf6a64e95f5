#include "cli/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"

namespace cornu::inline v0::cli {
namespace {

constexpr int kNotRun = 127;  // exit code of a child that could not even report the reason
constexpr std::size_t kMostErrorBytes = 4096;
constexpr std::size_t kMostLineBytes = 1 << 20;  // the rest of a longer line is left out
constexpr int kMostReads = 64;
constexpr int kPollMilliseconds = 20;  // where the kernel has no descriptors of processes
constexpr const char* kThreadVariables[] = {"CORNU_NUM_THREADS",      "OMP_NUM_THREADS",
                                            "OPENBLAS_NUM_THREADS",   "MKL_NUM_THREADS",
                                            "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"};

/// The first `num_cpus` of those that this process may use; all for 0.
cpu_set_t first_cpus(int num_cpus) {
  cpu_set_t allowed, taken;
  CPU_ZERO(&taken);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    fail(ErrorCode::kUnavailable, "[study] cannot read the affinity mask: {}", std::strerror(errno));
  if (num_cpus == 0) return allowed;
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
    if (num_cpus > 0)
      for (const char* const name : kThreadVariables)
        is_replaced |= text.starts_with(std::string(name) + "=");
    if (!is_replaced) variables.push_back(text);
  }
  if (num_cpus > 0)
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

/// Both ends of a pipe, closed with this object.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (int i : {0, 1}) close_end(i);
  }
  void open(const std::string& program) {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      fail(ErrorCode::kUnavailable, "[study] cannot start \"{}\": {}", program, std::strerror(errno));
  }
  bool is_open() const { return ends_[0] >= 0; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_end(int i) {
    if (ends_[static_cast<std::size_t>(i)] >= 0) ::close(ends_[static_cast<std::size_t>(i)]);
    ends_[static_cast<std::size_t>(i)] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

/// Complete lines of a stream of bytes.
class LineReader {
 public:
  /// Reads what is there. False at the end of the stream, or if `on_line` returned false.
  bool read(int descriptor, const std::function<bool(const std::string&)>& on_line) {
    std::array<char, 4096> buffer;
    // A program that never stops writing must not keep its limit from being looked at.
    for (int reads = 0; reads < kMostReads; ++reads) {
      const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno == EAGAIN;
      if (count == 0) return false;
      for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(count))) {
        if (c != '\n') {
          if (line_.size() < kMostLineBytes) line_ += c;
          continue;
        }
        const std::string line = std::exchange(line_, {});
        if (!on_line(line)) return false;
      }
    }
    return true;
  }

 private:
  std::string line_;  // as far as it was read
};

/// A started program with its pipes.
class Process {
 public:
  Process(const std::vector<std::string>& command, const ProcessOptions& options)
      : options_(options),
        is_group_(options.on_line != nullptr || options.limit_seconds > 0 || options.silence_seconds > 0) {
    start(command);
  }

  ProcessEnd run() {
    if (!is_group_) {
      wait();
      return std::move(end_);
    }
    watch();
    if (end_.reason != EndReason::kItself) ::kill(-child_, SIGKILL);
    wait();
    return std::move(end_);
  }

 private:
  double passed() const { return seconds_since(begin_); }

  /// Between fork and exec: calls that are safe there only.
  [[noreturn]] void become(const cpu_set_t& cpus, char* const* argv, char* const* envp, int report) const {
    if (options_.num_cpus > 0) sched_setaffinity(0, sizeof cpus, &cpus);
    if (is_group_) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    }
    if (options_.errors != ErrorOutput::kInherited) {
      const bool is_joined = options_.errors == ErrorOutput::kJoined;
      dup2(is_joined ? output_.writer() : errors_.writer(), STDERR_FILENO);
    }
    dup2(output_.is_open() ? output_.writer() : STDERR_FILENO, STDOUT_FILENO);
    execvpe(argv[0], argv, envp);
    const int why = errno;
    const bool is_told = ::write(report, &why, sizeof why) == sizeof why;
    _exit(is_told ? 0 : kNotRun);
  }

  void start(const std::vector<std::string>& command) {
    const cpu_set_t cpus = first_cpus(options_.num_cpus);
    std::vector<std::string> arguments = command, variables = environment_with(options_.num_cpus);
    const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(variables);
    Pipe report;  // through which the child reports why it cannot run the program; closed when it can
    report.open(command[0]);
    if (options_.on_line != nullptr) output_.open(command[0]);
    if (options_.errors == ErrorOutput::kKept) errors_.open(command[0]);
    begin_ = std::chrono::steady_clock::now();
    child_ = fork();
    if (child_ == 0) become(cpus, argv.data(), envp.data(), report.writer());
    int error = child_ < 0 ? errno : 0;
    report.close_end(1);
    if (child_ > 0) {
      if (is_group_) setpgid(child_, child_);  // whichever of the two processes comes first
      ssize_t count = 0;
      do {
        count = ::read(report.reader(), &error, sizeof error);
      } while (count < 0 && errno == EINTR);
      if (count > 0) waitpid(child_, nullptr, 0);
    }
    if (error == ENOENT) fail(ErrorCode::kNotFound, "[study] there is no program \"{}\"", command[0]);
    if (error != 0)
      fail(ErrorCode::kUnavailable, "[study] cannot start \"{}\": {}", command[0], std::strerror(error));
    for (Pipe* const each : {&output_, &errors_}) {
      each->close_end(1);
      if (each->is_open()) fcntl(each->reader(), F_SETFL, O_NONBLOCK);
    }
  }

  void wait() {
    int status = 0;
    rusage usage{};
    while (wait4(child_, &status, 0, &usage) < 0)
      if (errno != EINTR)
        fail(ErrorCode::kUnavailable, "[study] cannot wait for a program: {}", std::strerror(errno));
    end_.seconds = passed();
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    end_.user_seconds = seconds(usage.ru_utime);
    end_.system_seconds = seconds(usage.ru_stime);
    if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  }

  /// Milliseconds until a limit; -1 without one. Sets the reason if one has passed.
  int time_left() {
    double left = INFINITY;
    if (options_.limit_seconds > 0) left = options_.limit_seconds - passed();
    if (left <= 0) end_.reason = EndReason::kLimit;
    if (options_.silence_seconds > 0) {
      const double until = last_line_ + options_.silence_seconds - passed();
      if (until <= 0 && left > 0) end_.reason = EndReason::kSilence;
      left = std::min(left, until);
    }
    if (left == INFINITY) return -1;
    return left <= 0 ? 0 : 1 + static_cast<int>(std::min(1e3 * left, 1e6));
  }

  void read_output() {
    const bool goes_on = lines_.read(output_.reader(), [&](const std::string& line) {
      last_line_ = passed();
      if (options_.on_line(line, last_line_)) return true;
      end_.reason = EndReason::kStopped;
      return false;
    });
    if (!goes_on) output_.close_end(0);
  }

  void read_errors() {
    std::array<char, 4096> buffer;
    ssize_t count = 0;
    while ((count = ::read(errors_.reader(), buffer.data(), buffer.size())) > 0) {
      end_.errors.append(buffer.data(), static_cast<std::size_t>(count));
      if (end_.errors.size() > kMostErrorBytes) end_.errors.erase(0, end_.errors.size() - kMostErrorBytes);
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) errors_.close_end(0);
  }

  bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  /// Until the program ends or `end_.reason` is set.
  void watch() {
    const int process = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
    bool ended = false;
    while (end_.reason == EndReason::kItself && !ended) {
      int timeout = time_left();
      if (end_.reason != EndReason::kItself) break;
      if (process < 0) timeout = timeout < 0 ? kPollMilliseconds : std::min(timeout, kPollMilliseconds);
      // Negative descriptors are left out.
      pollfd polled[] = {{process, POLLIN, 0}, {output_.reader(), POLLIN, 0}, {errors_.reader(), POLLIN, 0}};
      if (::poll(polled, 3, timeout) < 0 && errno != EINTR) break;
      ended = has_ended();  // before what it wrote last is read
      if (output_.is_open()) read_output();
      if (errors_.is_open()) read_errors();
    }
    if (process >= 0) ::close(process);
  }

  const ProcessOptions& options_;
  bool is_group_;
  Pipe output_, errors_;
  LineReader lines_;
  pid_t child_ = -1;
  double last_line_ = 0;
  std::chrono::steady_clock::time_point begin_;
  ProcessEnd end_;
};

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& command, const ProcessOptions& options) {
  if (command.empty()) invalid_argument("[study] there is no command to run");
  return Process(command, options).run();
}

std::string last_line_of(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', last);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     last - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace cornu::inline v0::cli
