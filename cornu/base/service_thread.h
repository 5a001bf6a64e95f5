#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace cornu::inline v0 {

/// While it lives, threads that this thread starts take no signals that are meant for the process: those go
/// to the program's own threads, where they may be blocked for signalfd or sigwait. Faults (SIGSEGV and its
/// kind) still reach the thread that made them, and so does SIGPROF, by which profilers look at running
/// threads.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// The calling thread serves others and waits for them without end. It does not keep the process alive: where
/// main() was left by pthread_exit and all threads that remain serve, the process ends as if by exit(0), as
/// POSIX has it for the last thread.
///
/// The mark is the thread's name, "cornu-service". Needs /proc; without it such a process goes on.
void mark_service_thread() noexcept;

/// Starts a thread that takes no signals that are meant for the process (SignalsBlocked), and does not keep
/// the process alive (mark_service_thread).
/// Errors: std::system_error where the system refuses a thread.
template <typename Work>
std::thread start_service_thread(Work work) {
  const SignalsBlocked scope;
  return std::thread([work = std::move(work)]() mutable {
    mark_service_thread();
    work();
  });
}

}  // namespace cornu::inline v0
