#include "cornu/base/service_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace cornu::inline v0 {
namespace {

constexpr const char* kName = "cornu-service";
constexpr std::chrono::milliseconds kLookInterval{20};

std::atomic<bool> main_has_ended{false}, has_service_threads{false}, is_watched{false};

// A thread may end after the folder was listed, so an unreadable entry counts as a service thread.
bool serves(const std::string& thread) {
  if (thread == std::to_string(getpid())) return true;  // the main thread, which has ended
  const int file = open(("/proc/self/task/" + thread + "/comm").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  std::array<char, 32> name;
  const ssize_t size = read(file, name.data(), name.size());
  close(file);
  return size <= 0 || std::string_view(name.data(), static_cast<std::size_t>(size)).starts_with(kName);
}

/// False if the threads cannot be listed.
bool only_service_threads_are_left() {
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return false;
  bool only = true;
  while (const dirent* const thread = only ? readdir(threads) : nullptr)
    only = thread->d_name[0] == '.' || serves(thread->d_name);
  closedir(threads);
  return only;
}

/// Starts a thread that waits for the end of the program's last thread. It checks twice, because a thread
/// that starts another and ends may hide the new one from a single check.
void watch() noexcept {
  if (!main_has_ended || !has_service_threads || is_watched.exchange(true)) return;
  try {
    const SignalsBlocked scope;
    std::thread([] {
      pthread_setname_np(pthread_self(), kName);
      for (int looks = 0; looks < 2; looks = only_service_threads_are_left() ? looks + 1 : 0)
        std::this_thread::sleep_for(kLookInterval);
      std::exit(0);
    }).detach();
  } catch (const std::system_error&) {
    is_watched = false;  // no thread available: the process continues without the watch
  }
}

/// Detects that main() ends by pthread_exit: the main thread's keys are destroyed only then, not by exit().
const struct MainThreadWatch {
  MainThreadWatch() {
    pthread_key_t key;
    if (getpid() != gettid() || pthread_key_create(&key, &ended) != 0) return;
    pthread_setspecific(key, this);
  }
  static void ended(void*) {
    main_has_ended = true;
    watch();
  }
} main_thread_watch;

}  // namespace

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
    sigdelset(&all, signal);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void mark_service_thread() noexcept {
  pthread_setname_np(pthread_self(), kName);
  has_service_threads = true;
  watch();
}

}  // namespace cornu::inline v0
