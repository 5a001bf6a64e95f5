#include "cornu/keras/trainer/interrupt.h"

#include <csignal>

#include "cornu/base/check.h"

namespace cornu::keras {
namespace {

// What the handler may touch: lock-free atomics only.
std::atomic<std::atomic<bool>*> stop_step_flag{nullptr};
std::atomic<std::atomic<bool>*> stop_run_flag{nullptr};
std::atomic<bool> interrupted{false};
std::atomic<bool> scope_is_active{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::atomic<bool>*>::is_always_lock_free);

void on_interrupt(int) {
  interrupted.store(true);
  if (std::atomic<bool>* flag = stop_step_flag.load()) flag->store(true);
  if (std::atomic<bool>* flag = stop_run_flag.load()) flag->store(true);
}

}  // namespace

InterruptScope::InterruptScope(std::atomic<bool>& stop_step, std::atomic<bool>& stop_run) {
  struct sigaction before = {};
  if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  if (scope_is_active.exchange(true)) return;
  interrupted.store(false);
  stop_step_flag.store(&stop_step);
  stop_run_flag.store(&stop_run);
  struct sigaction action = {};
  action.sa_handler = &on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second Ctrl-C ends the process
  installed_ = sigaction(SIGINT, &action, nullptr) == 0;
  if (!installed_) scope_is_active.store(false);
}

InterruptScope::~InterruptScope() {
  if (!installed_) return;
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  stop_step_flag.store(nullptr);
  stop_run_flag.store(nullptr);
  scope_is_active.store(false);
}

void InterruptScope::check(const char* caller) const {
  if (installed_ && interrupted.load())
    fail(ErrorCode::kCancelled, "[{}] interrupted; the weights are those after the last step that ended", caller);
}

}  // namespace cornu::keras
