#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace cornu::inline v0 {

/// Blocks signals in threads that this thread starts while it lives. Signals to the process then go to the
/// program's own threads, which may block them for signalfd or sigwait. Synchronous faults (SIGSEGV and
/// similar) still reach the faulting thread, and so does SIGPROF, which profilers use.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// Marks the calling thread as a service thread, which waits for work endlessly and does not keep the process
/// alive. If main() was left by pthread_exit and only service threads remain, the process ends as if by
/// exit(0), as POSIX specifies for the last thread.
///
/// The mark is the thread's name, "cornu-service". Needs /proc; without it such a process continues.
void mark_service_thread() noexcept;

/// Starts a service thread (mark_service_thread) with signals to the process blocked (SignalsBlocked).
/// Errors: std::system_error if the system refuses a thread.
template <typename Work>
std::thread start_service_thread(Work work) {
  const SignalsBlocked scope;
  return std::thread([work = std::move(work)]() mutable {
    mark_service_thread();
    work();
  });
}

}  // namespace cornu::inline v0
