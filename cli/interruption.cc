#include "cli/interruption.h"

#include <pthread.h>

#include <atomic>
#include <memory>

namespace cornu::inline v0::cli {
namespace {

// What the handler may touch: lock-free atomics only.
std::atomic<int> caught_signal{0};
std::atomic<void (*)(int)> handler_of_fit{nullptr};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<void (*)(int)>::is_always_lock_free);

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void on_signal(int signal) {
  caught_signal.store(signal);
  set_handler(SIGINT, SIG_DFL);  // the second one ends the process
  set_handler(SIGTERM, SIG_DFL);
  if (auto* const handler = handler_of_fit.load(); handler != nullptr) handler(SIGINT);
}

sigset_t both_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

class Interruption::Watch final : public keras::callbacks::Callback {
 public:
  explicit Watch(Interruption& interruption) : interruption_(interruption) {}

  void on_train_begin() override { interruption_.catch_signals(); }
  void on_train_end(keras::Logs&) override { end(); }
  void on_abandon() noexcept override { end(); }

 private:
  static void end() {
    handler_of_fit.store(nullptr);
    if (Interruption::signal() == 0) hold_signals();
  }

  Interruption& interruption_;
};

Interruption::Interruption() {
  caught_signal.store(0);
  sigaction(SIGINT, nullptr, &interrupt_before_);
  sigaction(SIGTERM, nullptr, &terminate_before_);
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_before_);
  if (interrupt_before_.sa_handler != SIG_IGN) return;
  // fit sets a handler, by which SIGTERM ends the run, only where SIGINT has its default meaning.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  set_handler(SIGINT, SIG_DFL);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

int Interruption::signal() { return caught_signal.load(); }

keras::callbacks::CallbackEntry Interruption::watch() { return std::make_shared<Watch>(*this); }

void Interruption::catch_signals() {
  has_begun_ = true;
  struct sigaction of_fit = {};
  sigaction(SIGINT, nullptr, &of_fit);
  const bool can_stop = of_fit.sa_handler != SIG_DFL && of_fit.sa_handler != SIG_IGN;
  if (can_stop) handler_of_fit.store(of_fit.sa_handler);
  if (interrupt_before_.sa_handler == SIG_IGN)
    set_handler(SIGINT, SIG_IGN);
  else if (can_stop)
    set_handler(SIGINT, &on_signal);
  if (can_stop && terminate_before_.sa_handler == SIG_DFL) set_handler(SIGTERM, &on_signal);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Interruption::hold_signals() {
  const sigset_t signals = both_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace cornu::inline v0::cli
